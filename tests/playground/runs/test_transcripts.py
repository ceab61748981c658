"""A transcript rebuilt from the record: it is what the loop had, and every provider takes it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.search.settings import read_settings
from catalog.sources import sample
from catalog.tools import ToolPool, ToolSpec
from playground.agent.chat_model import CallPiece, ChatMessage, ChatModel, Finished, Piece, TextPiece
from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    TextStreamed,
)
from playground.agent.limits import Limits
from playground.agent.loop import run_agent
from playground.agent.messages import UNFINISHED, system_text, to_chat
from playground.modes import MODES
from playground.modes.mcpagent import Mcpagent
from playground.modes.protocol import DiscoveryMode, Session
from playground.runs.state import Recorded
from playground.runs.stored import from_row, to_body
from playground.runs.transcripts import awaits_model, transcript_of
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript, UserMessage, loaded_names
from tests.playground.agent.doubles import PlannedModel, PlayedTools, ScriptedModel, Turn, collect
from tests.playground.agent.office import office_pool, play
from tests.playground.modes.conftest import WordEngine
from tests.playground.runs.recordings import recordings

DAY = date(2026, 11, 21)
TASKS = [sample.tasks()[0].task, sample.tasks()[1].task, "And what does the tracker say about TCK-2291?"]
STARTED: Event = RunStarted("Weather?", "c", "mcpagent", "e", "x", True, 9, 900)
SMALL = ToolPool((ToolSpec("get_weather", "Weather."), ToolSpec("list_files", "Files.")), ("list_files",))


@dataclass
class Listening:
    """A model that keeps what it is sent."""

    inner: ChatModel
    asked: list[Sequence[ChatMessage]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncGenerator[Piece, None]:
        self.asked.append(messages)
        async for piece in self.inner.stream(messages, tools, handed, most_tokens):
            yield piece


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("index")
    build_index(folder, office_pool().searchable)
    return Corpus(office_pool().searchable, folder)


def as_recorded(events: Sequence[Event]) -> list[Event]:
    return [from_row(event.kind, to_body(event)) for event in events]


def chat_of(mode: DiscoveryMode, transcript: Transcript) -> list[ChatMessage]:
    offer = mode.offer(transcript)
    handed = {tool.name for tool in offer.handed}
    return to_chat(system_text(offer, DAY), transcript, offer.reminder, handed)


def play_run(mode: DiscoveryMode, model: ChatModel, task: str | None, history: Transcript) -> list[Event]:
    """The events as read back, after every turn was seen to be what the record says it was."""
    listening = Listening(model)
    run = run_agent(
        mode,
        listening,
        PlayedTools(play if task in TASKS else PlayedTools.play),
        task,
        catalog="c",
        engine="e",
        history=history,
        today=DAY,
        limits=Limits(turns=20, backoff=0.01),
    )
    events = as_recorded(collect(run))
    offers = [place for place, event in enumerate(events) if isinstance(event, OfferMade)]
    for place, asked in zip(offers, listening.asked, strict=True):
        assert chat_of(mode, (*history, *transcript_of(events[:place]))) == asked
    return events


@pytest.mark.parametrize("slug", MODES)
def test_in_every_mode_each_turn_of_a_thread_is_sent_what_the_record_says(slug: str, corpus: Corpus) -> None:
    kind = MODES[slug]
    session = Session("a-thread", most_handed=ScriptedModel.most_handed)
    mode = kind(office_pool(), ENGINES[kind.default_engine](corpus), read_settings(kind.Options, {}), session)
    history: Transcript = ()
    for task in TASKS:
        events = play_run(mode, ScriptedModel(), task, history)
        history = (*history, *transcript_of(events))
        assert not awaits_model(history)
    assert [message.text for message in history if isinstance(message, UserMessage)] == TASKS
    assert bool(loaded_names(history)) == (slug not in ("everything", "none"))


def pieces() -> st.SearchStrategy[Piece]:
    texts = st.text(max_size=8)
    names = st.sampled_from(["search_tools", "add_tool", "list_files", "get_weather", "gone", ""])
    arguments = st.sampled_from(
        ['{"query": "weather"}', '{"tool_names": ["get_weather"]}', "{}", "{broken", "", '"\ud800"']
    )
    ids = st.sampled_from(["", "a", "b"])
    return st.one_of(texts.map(TextPiece), st.builds(CallPiece, st.integers(0, 2), ids, names, arguments))


def turns() -> st.SearchStrategy[Turn]:
    """Whatever a model may write: broken calls, unknown tools, the same id twice, no text at all."""
    ends = st.sampled_from(["stop", "length", "tool_calls"]).map(Finished)
    return st.tuples(st.lists(pieces(), max_size=4), ends).map(lambda turn: (*turn[0], turn[1]))


@settings(deadline=None, max_examples=60)
@given(st.lists(turns(), min_size=1, max_size=4), st.booleans())
def test_whatever_a_model_writes_the_record_has_it(plan: list[Turn], begins: bool) -> None:
    mode = Mcpagent(SMALL, WordEngine(SMALL))
    model = PlannedModel([*plan, *[(TextPiece("Done."), Finished("stop"))] * 20])
    history: Transcript = () if begins else (UserMessage("Before"),)
    play_run(mode, model, "Do it" if begins else None, history)


@settings(deadline=None)
@given(recordings(), st.data())
def test_a_record_cut_anywhere_gives_messages_that_every_provider_takes(
    events: list[Recorded], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(events)))
    told = to_chat("", (*transcript_of(event.event for event in events[:cut]), UserMessage("Go on")))
    open_calls: list[str] = []
    for message in told:
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
        else:
            assert open_calls == []
            open_calls = [call["id"] for call in message.get("tool_calls", ())]
            assert message["role"] == "system" or message["content"] is not None or open_calls


def test_text_that_was_cut_off_is_not_part_of_the_conversation() -> None:
    offer = OfferMade(1, (), (), (), 0, True)
    begun: list[Event] = [STARTED, offer, TextStreamed(1, "It is 3 de")]
    assert transcript_of([*begun, RunEnded("interrupted")]) == (UserMessage("Weather?"),)
    assert transcript_of([*begun, ModelAnswered(1, "stop", 0.1)])[1] == AssistantMessage("It is 3 de")


def test_what_the_provider_withheld_is_not_part_of_it_either() -> None:
    events: list[Event] = [
        STARTED,
        TextStreamed(1, "I could"),
        ModelAnswered(1, "content_filter", 0.1),
        RunEnded("failed"),
    ]
    assert transcript_of(events) == (UserMessage("Weather?"),)


def test_an_answer_at_its_length_limit_is() -> None:
    events: list[Event] = [STARTED, TextStreamed(1, "One, two"), ModelAnswered(1, "length", 0.1), RunEnded("limit")]
    assert transcript_of(events)[1] == AssistantMessage("One, two")


def test_a_call_that_was_under_way_is_told_as_unfinished() -> None:
    call = CallMade(1, "a", "get_weather", "{}", False)
    transcript = transcript_of([STARTED, ModelAnswered(1, "tool_calls", 0.1), call, RunEnded("stopped")])
    assert transcript == (UserMessage("Weather?"), AssistantMessage("", (ToolCall("a", "get_weather"),)))
    assert to_chat("", transcript)[-1] == {"role": "tool", "tool_call_id": "a", "content": UNFINISHED}


def test_a_run_that_never_began_leaves_nothing() -> None:
    assert transcript_of([RunEnded("failed", "Its catalog was deleted.")]) == ()


def test_a_refused_call_and_a_failed_one_are_told_as_errors() -> None:
    calls = [CallMade(1, name, "t", "{}", False) for name in "ab"]
    finished = [CallFinished(1, "b", "t", "failed", "x", 0.1), CallFinished(1, "a", "t", "refused", "y", 0.0)]
    events: list[Event] = [STARTED, ModelAnswered(1, "tool_calls", 0.1), *calls, *finished]
    assert transcript_of(events)[2:] == (
        ToolMessage("a", "t", "y", is_error=True),
        ToolMessage("b", "t", "x", is_error=True),
    )


@pytest.mark.parametrize(
    ("transcript", "awaits"),
    [
        ((), False),
        ((UserMessage("x"),), True),
        ((AssistantMessage("x"),), False),
        ((AssistantMessage("", (ToolCall("a", "t"),)),), True),
        ((AssistantMessage("", (ToolCall("a", "t"),)), ToolMessage("a", "t", "y")), True),
    ],
)
def test_it_is_the_models_turn_after_a_person_and_after_calls(transcript: Transcript, awaits: bool) -> None:
    assert awaits_model(transcript) == awaits
