"""Recordings to test with: one that shows every kind of event, and a strategy for any that a run could leave behind."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from catalog.policy import Denial
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallRouted,
    CallSent,
    Event,
    HitFound,
    Hop,
    ModelAnswered,
    ModelRetried,
    OfferMade,
    PromptPrefix,
    RunEnded,
    RunLimits,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolInView,
    ToolsDenied,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.runs.state import Recorded

LIMITS = RunLimits(25, 50, 1_000_000, 600.0)
START = datetime(2026, 12, 1, 9, tzinfo=UTC)
SEARCH = ToolInView("search_tools", "", "meta-tool", 120)
ADD = ToolInView("add_tool", "", "meta-tool", 80)
FILES = ToolInView("files__list", "files", "pre-discovered", 60)
WEATHER = ToolInView("weather__get", "weather", "loaded", 100, "add-1")


def recorded(events: Sequence[Event]) -> list[Recorded]:
    """The events as rows would hold them, a tenth of a second apart."""
    return [Recorded(seq, START + timedelta(seconds=seq / 10), event) for seq, event in enumerate(events, start=1)]


HELD = CallHeld(
    *(4, "get-4", "mail__send", "mail", "write"),
    arguments='{"to": "Ada"}',
    digest="d" * 64,
    wait=1_800.0,
)

EVERY_KIND: tuple[Event, ...] = (
    RunStarted(
        "Weather in Oslo?",
        "Office agent",
        "mcpagent",
        "bm25f",
        "demo/scripted",
        True,
        40,
        4_000,
        limits=LIMITS,
        version="3",
    ),
    OfferMade(
        1,
        (SEARCH, ADD, FILES),
        ("search_tools", "add_tool", "files__list"),
        (),
        260,
        True,
        message_tokens=40,
        prefix=PromptPrefix(0),
    ),
    ModelRetried(1, 1, "429 from the endpoint", 1.5),
    TextStreamed(1, "I will "),
    TextStreamed(1, "look."),
    ModelAnswered(1, "tool_calls", 0.8, 300, 20, 100),
    CallMade(1, "search-1", "search_tools", '{"query": "weather"}', True),
    SearchAnswered(
        1,
        "search-1",
        "weather",
        "bm25f",
        (HitFound(1, "weather__get", "weather", 7.5), HitFound(2, "mail__send", "mail", 1.0, "top-k 1")),
        2,
        40,
        True,
        ("the fuzzy fallback was used",),
    ),
    CallFinished(1, "search-1", "search_tools", "ok", "found weather__get", 0.01),
    OfferMade(2, (SEARCH, ADD, FILES), (), (), 260, True),
    ModelAnswered(2, "tool_calls", 0.5, 320, 15, None),
    CallMade(2, "add-1", "add_tool", '{"tool_names": ["weather__get"]}', True),
    ToolsLoaded(2, "add-1", ("weather__get",)),
    CallFinished(2, "add-1", "add_tool", "ok", "Added tools: weather__get", 0.0),
    OfferMade(3, (SEARCH, ADD, FILES, WEATHER), ("weather__get",), (), 360, True),
    CallMade(3, "get-1", "weather__get", '{"city": "Oslo"}', False),
    CallMade(3, "get-2", "files__list", "{broken", False),
    CallMade(3, "get-3", "weather__get", '{"city": "Bergen"}', False),
    CallFinished(3, "get-2", "files__list", "refused", "the arguments are not valid JSON", 0.0),
    CallSent(3, "get-1", "weather__get", "weather", True),
    CallSent(3, "get-3", "weather__get", "weather", True),
    CallRouted(
        3, "get-1", (Hop("built-in tools", "not here"), Hop("MCP sessions", "runs it", "started in 0.8 s")), 0.2, 0.8
    ),
    CallFinished(3, "get-1", "weather__get", "ok", '{"celsius": 3}', 0.2, True),
    OfferMade(
        4,
        (SEARCH, ADD, WEATHER),
        (),
        ("files__list",),
        300,
        False,
        message_tokens=90,
        prefix=PromptPrefix(200, broke="tools: files__list was taken away"),
    ),
    ToolsDenied(4, "", (Denial("files__list", "active", "the rule “deny files__*”", 3),), 1),
    TextStreamed(4, "It is 3 °C, and in Berg"),
    CallMade(4, "get-4", "mail__send", '{"to": "Ada"}', False),
    HELD,
    CallDecided(4, "get-4", "refused", 4.5, "ada", text="Not now."),
    CallFinished(4, "get-4", "mail__send", "refused", "A person refused this call. They said: Not now.", 0.0),
    RunEnded("interrupted", "The server was stopped."),
)

names = st.sampled_from(["a__read", "a__write", "b__find", "search_tools"])
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
tokens = st.integers(0, 500)
maybe_tokens = st.none() | tokens
maybe_dollars = st.none() | st.floats(0, 10)


@st.composite
def recordings(draw: st.DrawFn) -> list[Recorded]:
    """What a run could leave behind, cut off anywhere: calls of a turn are made, then each is answered in one of many ways."""
    events: list[Event] = [RunStarted(draw(words), "c", "m", "e", "x", draw(st.booleans()), 40, draw(tokens))]
    calls = 0
    for turn in range(1, draw(st.integers(0, 4)) + 1):
        events += draw(_questions(turn, [f"call-{number}" for number in range(1, calls + 1)]))
        made = [f"call-{calls + number}" for number in range(1, draw(st.integers(0, 3)) + 1)]
        calls += len(made)
        events += [CallMade(turn, call_id, draw(names), draw(words), draw(st.booleans())) for call_id in made]
        for call_id in made:
            events += draw(_answers(turn, call_id))
    whole = [
        *events,
        RunEnded(draw(st.sampled_from(["completed", "stopped", "failed", "limit", "interrupted"])), draw(words)),
    ]
    return recorded(whole[: draw(st.integers(1, len(whole)))])


@st.composite
def _questions(draw: st.DrawFn, turn: int, earlier: list[str]) -> list[Event]:
    in_view = draw(st.lists(names, unique=True, max_size=4))
    tools = tuple(_in_view(draw, name, earlier) for name in in_view)
    added = tuple(draw(st.lists(st.sampled_from(in_view), unique=True))) if in_view else ()
    prefix = PromptPrefix(draw(tokens), draw(tokens), draw(words))
    offer = OfferMade(
        turn,
        tools,
        added,
        tuple(draw(st.lists(names, max_size=2))),
        draw(tokens),
        not prefix.broke,
        message_tokens=draw(tokens),
        prefix=draw(st.sampled_from([None, prefix])),
    )
    retries = [ModelRetried(turn, 1, draw(words), 1.0)] if draw(st.booleans()) else []
    text = [TextStreamed(turn, piece) for piece in draw(st.lists(words, max_size=3))]
    tokens_of = st.builds(
        ModelAnswered,
        st.just(turn),
        st.just("stop"),
        st.just(0.5),
        *[maybe_tokens] * 5,
        cost=maybe_dollars,
        cost_all=maybe_dollars,
    )
    answered = draw(tokens_of)
    return [offer, *retries, *text, *([answered] if draw(st.booleans()) else [])]


def _in_view(draw: Callable[..., object], name: str, earlier: list[str]) -> ToolInView:
    cause = draw(st.sampled_from(["meta-tool", "pre-discovered", "special category", *(["loaded"] if earlier else [])]))
    call_id = draw(st.sampled_from(earlier)) if cause == "loaded" else ""
    return ToolInView(name, "a", cause, draw(tokens), call_id)  # type: ignore[arg-type]


@st.composite
def _answers(draw: st.DrawFn, turn: int, call_id: str) -> list[Event]:
    hits = tuple(
        HitFound(rank, name, "a", 1.0) for rank, name in enumerate(draw(st.lists(names, unique=True)), start=1)
    )
    search = SearchAnswered(turn, call_id, draw(words), "e", hits, len(hits), 40, True)
    outcome = draw(st.sampled_from(["ok", "failed", "refused"]))
    finished = CallFinished(turn, call_id, draw(names), outcome, draw(words), 0.1)  # type: ignore[arg-type]
    held = CallHeld(turn, call_id, finished.tool, "a", "write", "{}", "d", 60.0)
    sent = CallSent(turn, call_id, finished.tool, "a", True)
    return draw(
        st.sampled_from(
            [
                [],
                [search, finished],
                [search, ToolsLoaded(turn, call_id, tuple(hit.name for hit in hits)), finished],
                [ToolsLoaded(turn, call_id, (draw(names),)), finished],
                [CallSent(turn, call_id, finished.tool, "a", True)],
                [CallSent(turn, call_id, finished.tool, "a", True), finished],
                [
                    CallSent(turn, call_id, finished.tool, "a", True),
                    CallRouted(turn, call_id, (Hop(draw(words), "runs it", draw(words)),), 0.1),
                    finished,
                ],
                [finished],
                [held],
                [held, CallDecided(turn, call_id, "refused", 1.0, "ada", text=finished.content), finished],
                [held, CallDecided(turn, call_id, "edited", 1.0, "ada", "{}"), sent, finished],
                [ToolsDenied(turn, call_id, (Denial(finished.tool, "active", "the policy said no"),), 2), finished],
            ]
        )
    )
