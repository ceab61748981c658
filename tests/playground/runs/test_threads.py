"""Threads: a run behind another knows what was said, one at a time, and a fork shares the past and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import RestrictedError
from django.test.utils import override_settings

from catalog.models import Catalog
from playground.agent.chat_model import ChatMessage
from playground.agent.events import CallFinished, Event, OfferMade, RunStarted
from playground.agent.messages import UNFINISHED
from playground.models import ChatModel, Run, Thread
from playground.runs import loaded_stores
from playground.runs.executing import begin, fork, go_on
from playground.runs.forking import fork_point, origin_of
from playground.runs.history import history_before, history_of
from playground.runs.loaded_stores import look_at, store_of
from playground.runs.reading import all_events
from playground.runs.threads import CannotGoOnError, Setup, add_next, place_of
from playground.transcript import UserMessage
from tests.playground.agent.doubles import PlannedModel, Turn, ask_for, say
from tests.playground.conftest import Play, ended

EventsOf = Callable[[UUID], list[Event]]
ADD = ("add_tool", '{"tool_names": ["team__getWeather"]}')
LOAD = ("load_tool", '{"toolName": "team__getWeather"}')
NOTIFY = ("team__notify_user", '{"to": "Ada"}')


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


@pytest.fixture
def setup(team: Catalog, chat_model: ChatModel, presenter: User) -> Callable[..., Setup]:
    """What a run of the team's catalog is made of, by its task and perhaps a mode."""

    def made(task: str, mode: str = "", **options: object) -> Setup:
        return Setup(team, chat_model, task, presenter, mode, options)

    return made


@pytest.fixture
def first(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> Callable[..., Awaitable[tuple[Run, PlannedModel]]]:
    """A thread's first run, ended, and the model that goes on answering the turns behind it."""

    async def run(*turns: Turn) -> tuple[Run, PlannedModel]:
        model = PlannedModel(turns)
        play(model)
        return await ended(await begin(team, chat_model, "Hello", presenter)), model

    return run


First = Callable[..., Awaitable[tuple[Run, PlannedModel]]]
SetupFor = Callable[..., Setup]


def said(messages: Sequence[ChatMessage]) -> list[tuple[str, str | None]]:
    return [(message["role"], message["content"]) for message in messages if message["role"] != "system"]


def offers(events: Sequence[Event]) -> list[set[str]]:
    return [{tool.name for tool in event.tools} for event in events if isinstance(event, OfferMade)]


def seq_of_offer(run: Run, turn: int) -> int:
    return next(one.seq for one in all_events(run.pk) if isinstance(one.event, OfferMade) and one.event.turn == turn)


async def following(run: Run, setup: Setup) -> Run:
    return await ended(await go_on(run.thread_id, run.position, setup))


async def forked(run: Run, at: int | None, setup: Setup) -> Run:
    source = await Run.objects.select_related("thread").aget(pk=run.pk)
    return await ended(await fork(source, at, setup))


async def test_a_follow_up_is_given_what_was_said_and_has_what_was_loaded(
    first: First, setup: SetupFor, events_of: EventsOf
) -> None:
    run, model = await first(ask_for(ADD), say("Hi."), say("Bye."))
    second = await following(run, setup("Go"))
    events = await asyncio.to_thread(events_of, second.pk)
    assert (second.thread_id, second.position, second.status) == (run.thread_id, 2, Run.Status.COMPLETED)
    assert [role for role, _ in said(model.asked[-1][0])] == ["user", "assistant", "tool", "assistant", "user"]
    assert said(model.asked[-1][0])[-2:] == [("assistant", "Hi."), ("user", "Go")]
    assert isinstance(events[0], RunStarted) and events[0].history == 4
    assert "team__getWeather" in offers(events)[0]


async def test_behind_a_run_that_was_cut_off_the_open_call_is_told_as_unfinished(first: First, setup: SetupFor) -> None:
    run, model = await first(say("Hi."), say("On."))
    await Run.objects.filter(pk=run.pk).aupdate(status=Run.Status.STOPPED)
    kept = [one async for one in run.events.order_by("seq")]
    await run.events.filter(kind__in=["text_streamed", "run_ended"]).adelete()
    body = {"turn": 1, "call_id": "a", "tool": "team__notify_user", "arguments": "{}", "meta": False}
    await run.events.acreate(seq=len(kept) + 1, kind="call_made", at=kept[-1].at, body=body)
    await following(run, setup("Go"))
    assert said(model.asked[-1][0]) == [
        ("user", "Hello"),
        ("assistant", None),
        ("tool", UNFINISHED),
        ("user", "Go"),
    ]


async def test_of_two_who_go_on_at_once_one_is_told_so(first: First, setup: SetupFor) -> None:
    run, _ = await first(say("Hi."), say("On."), say("On."))
    tries = [go_on(run.thread_id, 1, setup(task)) for task in ("One", "Two")]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    (refusal,) = [outcome for outcome in outcomes if isinstance(outcome, CannotGoOnError)]
    assert "someone else went on" in str(refusal)
    (second,) = [outcome for outcome in outcomes if isinstance(outcome, Run)]
    await ended(second)
    assert await Run.objects.filter(thread=run.thread_id).acount() == 2


async def test_of_two_processes_that_go_on_at_once_one_is_told_so(first: First, setup: SetupFor) -> None:
    run, _ = await first(say("Hi."))
    together = Barrier(2)

    def add(task: str) -> str:
        try:
            together.wait()
            add_next(run.thread_id, 1, setup(task))
        except CannotGoOnError:
            return "told"
        finally:
            connection.close()
        return "went on"

    with ThreadPoolExecutor(2) as threads:
        outcomes = await asyncio.to_thread(lambda: sorted(threads.map(add, ["One", "Two"])))
    assert outcomes == ["told", "went on"]
    await Run.objects.filter(position=2).aupdate(status=Run.Status.STOPPED)


async def test_while_a_run_is_under_way_nobody_goes_on(first: First, setup: SetupFor) -> None:
    run, _ = await first(say("Hi."))
    await Run.objects.filter(pk=run.pk).aupdate(status=Run.Status.RUNNING)
    with pytest.raises(CannotGoOnError, match="under way"):
        await go_on(run.thread_id, 1, setup("Go"))
    await Run.objects.filter(pk=run.pk).aupdate(status=Run.Status.COMPLETED)


async def test_a_fork_shares_what_came_before_its_turn_and_goes_on_there(
    first: First, setup: SetupFor, events_of: EventsOf
) -> None:
    run, model = await first(ask_for(ADD), ask_for(NOTIFY), say("Hi."), say("Another."))
    at = await asyncio.to_thread(seq_of_offer, run, 2)
    branch = await forked(run, at, setup(""))
    assert branch.thread_id != run.thread_id and branch.title == "Went on without a new message"
    assert model.asked[-1][0] == model.asked[1][0]
    events = await asyncio.to_thread(events_of, branch.pk)
    started = events[0]
    assert isinstance(started, RunStarted) and (started.task, started.history) == (None, 3)
    assert await Run.objects.filter(thread=run.thread_id).acount() == 1


async def test_an_edited_message_takes_the_place_of_the_old_one(first: First, setup: SetupFor) -> None:
    run, model = await first(say("Hi."), say("On."), say("Anew."))
    second = await following(run, setup("Go"))
    await forked(second, 1, setup("Go there"))
    assert said(model.asked[-1][0]) == [("user", "Hello"), ("assistant", "Hi."), ("user", "Go there")]


async def test_a_fork_of_a_fork_knows_the_whole_line(first: First, setup: SetupFor) -> None:
    run, _ = await first(*(say(f"Answer {number}.") for number in range(5)))
    branch = await forked(run, None, setup("B1"))
    leaf = await forked(await following(branch, setup("B2")), 1, setup("C"))
    messages = await asyncio.to_thread(lambda: history_of(Run.objects.get(pk=leaf.pk)))
    assert [message.text for message in messages if isinstance(message, UserMessage)] == ["Hello", "B1"]
    whole = await asyncio.to_thread(lambda: history_before(Run.objects.get(pk=leaf.pk), None))
    assert [message.text for message in whole if isinstance(message, UserMessage)] == ["Hello", "B1", "C"]


async def test_the_points_of_a_fork_are_told_in_words(first: First, setup: SetupFor) -> None:
    run, _ = await first(ask_for(ADD), say("Hi."), say("On."))
    at = await asyncio.to_thread(seq_of_offer, run, 2)
    branch = await forked(run, at, setup(""))

    def told() -> list[str]:
        return [str(fork_point(run, place)) for place in (1, at, None, at + 1)]

    assert await asyncio.to_thread(told) == [
        *("before message 1", "before turn 2 of message 1", "after message 1"),
        "None",
    ]
    thread = await Thread.objects.select_related("forked_from").aget(pk=branch.thread_id)
    assert str(await asyncio.to_thread(origin_of, thread)) == "before turn 2 of message 1"


async def test_a_run_that_was_forked_is_not_deleted_from_under_its_fork(first: First, setup: SetupFor) -> None:
    run, _ = await first(say("Hi."), say("On."))
    branch = await forked(run, None, setup("B"))
    with pytest.raises(RestrictedError):
        await Thread.objects.filter(pk=run.thread_id).adelete()
    await Thread.objects.filter(pk__in=[run.thread_id, branch.thread_id]).adelete()
    assert not await Run.objects.aexists()


async def test_a_fork_may_run_under_another_mode_with_options_of_its_own(
    first: First, setup: SetupFor, events_of: EventsOf
) -> None:
    run, _ = await first(ask_for(ADD), say("Hi."), say("On."))
    branch = await forked(run, None, setup("B", "mastra", top_k=1))
    events = await asyncio.to_thread(events_of, branch.pk)
    assert isinstance(events[0], RunStarted) and events[0].mode == "mastra"
    assert {"search_tools", "load_tool"} <= offers(events)[0]


async def test_a_run_knows_its_neighbours(first: First, setup: SetupFor) -> None:
    run, _ = await first(say("Hi."), say("On."))
    second = await following(run, setup("Go"))
    place = await asyncio.to_thread(lambda: place_of(Run.objects.get(pk=run.pk)))
    assert (place.position, place.runs, place.previous, place.next) == (1, 2, None, second)
    assert not place.is_last


async def test_the_in_memory_store_belongs_to_the_thread(
    first: First, setup: SetupFor, team: Catalog, events_of: EventsOf
) -> None:
    await Catalog.objects.filter(pk=team.pk).aupdate(mode="mastra", mode_options={})
    await team.arefresh_from_db()
    run, _ = await first(ask_for(LOAD), say("Hi."), say("On."), say("Elsewhere."))
    second = await following(run, setup("Go"))
    assert "team__getWeather" in offers(await asyncio.to_thread(events_of, second.pk))[0]
    other = await ended(await begin(team, setup("x").chat_model, "New", setup("x").by))
    assert "team__getWeather" not in offers(await asyncio.to_thread(events_of, other.pk))[0]


async def test_a_fork_begins_with_what_its_source_had_loaded_by_then(
    first: First, setup: SetupFor, team: Catalog, events_of: EventsOf
) -> None:
    await Catalog.objects.filter(pk=team.pk).aupdate(mode="mastra", mode_options={})
    await team.arefresh_from_db()
    run, _ = await first(ask_for(LOAD), say("Hi."), say("Late."), say("Early."))
    late = await forked(run, None, setup("B"))
    early = await forked(run, 1, setup("C"))
    assert "team__getWeather" in offers(await asyncio.to_thread(events_of, late.pk))[0]
    assert "team__getWeather" not in offers(await asyncio.to_thread(events_of, early.pk))[0]


@pytest.mark.parametrize(("storage", "kept"), [("in-memory", False), ("context", True)])
async def test_after_a_restart_the_context_store_knows_and_the_one_in_memory_does_not(
    first: First,
    setup: SetupFor,
    team: Catalog,
    events_of: EventsOf,
    monkeypatch: pytest.MonkeyPatch,
    storage: str,
    kept: bool,
) -> None:
    await Catalog.objects.filter(pk=team.pk).aupdate(mode="mastra", mode_options={"storage": storage})
    await team.arefresh_from_db()
    run, _ = await first(ask_for(LOAD), say("Hi."), say("On."))
    monkeypatch.setattr(loaded_stores, "_stores", {})
    second = await following(run, setup("Go"))
    assert ("team__getWeather" in offers(await asyncio.to_thread(events_of, second.pk))[0]) == kept


async def test_a_store_is_looked_at_without_a_visit(first: First, team: Catalog) -> None:
    await Catalog.objects.filter(pk=team.pk).aupdate(mode="mastra", mode_options={})
    await team.arefresh_from_db()
    run, _ = await first(ask_for(LOAD), say("Hi."))

    def seen() -> tuple[tuple[str, ...], tuple[str, ...], int]:
        last = Run.objects.get(pk=run.pk)
        store = store_of(last)
        assert store is not None
        before = look_at(store, last.thread_id, history_before(last, None))
        store.clear(str(last.thread_id))
        after = look_at(store, last.thread_id, history_before(last, None))
        return before.held, after.lost, after.threads

    assert await asyncio.to_thread(seen) == (("team__getWeather",), ("team__getWeather",), 0)


async def test_other_modes_keep_nothing_in_memory(first: First) -> None:
    run, _ = await first(say("Hi."))
    assert await asyncio.to_thread(lambda: store_of(Run.objects.get(pk=run.pk))) is None


async def test_a_follow_up_reads_the_large_outputs_of_earlier_runs(
    first: First, setup: SetupFor, team: Catalog, events_of: EventsOf, tmp_path: Path
) -> None:
    await Catalog.objects.filter(pk=team.pk).aupdate(mode_options={"offload_over": 5})
    await team.arefresh_from_db()
    turns: list[Turn] = [ask_for(NOTIFY), say("Hi.")]
    with override_settings(PEGBOARD_OUTPUT_DIR=tmp_path / "tool_output_folder"):
        run, model = await first(*turns)
        (kept,) = [one for one in await asyncio.to_thread(events_of, run.pk) if isinstance(one, CallFinished)]
        assert kept.kept is not None
        look = f'{{"filename": "tool_output_folder/{run.pk}/{kept.kept.file}", "start": 1, "end": 6}}'
        model._left = iter([ask_for(("read_large_output", look)), say("Read.")])
        second = await following(run, setup("Read it"))
        (read,) = [one for one in await asyncio.to_thread(events_of, second.pk) if isinstance(one, CallFinished)]
    assert (read.outcome, read.content.startswith('{"ok"')) == ("ok", True)
