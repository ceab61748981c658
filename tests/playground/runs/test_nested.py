"""Agents called by agents: each call is a run of its own, and however that ends, the run above it is told."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from catalog.agents import agents_server, keep_agent
from catalog.models import Agent, Catalog
from catalog.shaping import place_server
from playground.agent.chat_model import CallPiece, Finished, Piece
from playground.agent.events import CallFinished, CallSent, Event, RunEnded, RunStarted, TextStreamed
from playground.models import ChatModel, Run, Thread
from playground.runs import nested
from playground.runs.executing import begin, interrupt_all, stop
from playground.runs.nested import GIVEN_UP
from playground.runs.recovery import interrupt_orphans
from playground.runs.unfolding import nested_runs
from tests.playground.runs.doubles import ModelByTask, PlannedModel, calls, says
from tests.playground.runs.test_recovery import dead_owner

EventsOf = Callable[[UUID], list[Event]]
Play = Callable[[PlannedModel], None]
Plans = dict[str, Sequence[Sequence[Piece]]]
Start = Callable[[str], Coroutine[Any, Any, Run]]
SECRET = "CANARY-77aa-1b2c-secret"
CLERK = "agents__clerk"


def asks(task: str) -> Sequence[Piece]:
    return calls(CLERK, json.dumps({"task": task}))


@pytest.fixture
def clerk(team: Catalog) -> Agent:
    """An agent that works with the small catalog, which offers the agent itself as well; all is in view."""
    team.mode = "everything"
    team.save()
    agent = Agent(name="clerk", title="Clerk", description="Assists.", instructions="You help.", catalog=team)
    keep_agent(agent)
    place_server(team, agents_server(), "everything")
    return agent


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    model = ChatModel(title="Planned", name="planned/model")
    model.secrets = {"api_key": SECRET}
    model.save()
    return model


@pytest.fixture
def start(clerk: Agent, team: Catalog, chat_model: ChatModel) -> Start:
    presenter = User.objects.create_user("a-presenter")

    async def start(task: str) -> Run:
        return await begin(team, chat_model, task, presenter)

    return start


async def ended(run: Run) -> Run:
    async with asyncio.timeout(30):
        while run.is_unfinished:
            await asyncio.sleep(0.02)
            await run.arefresh_from_db()
    return run


async def child_of(run: Run, kind: type[TextStreamed] | type[RunStarted] = RunStarted) -> Run:
    """The run nested in this one, once that much of it is recorded."""
    async with asyncio.timeout(30):
        while True:
            found = await Run.objects.filter(parent=run, events__kind=kind.kind).afirst()
            if found:
                return found
            await asyncio.sleep(0.02)


async def told(run: Run, events_of: EventsOf) -> list[CallFinished]:
    events = await asyncio.to_thread(events_of, run.pk)
    return [event for event in events if isinstance(event, CallFinished)]


async def test_the_last_words_of_the_agents_run_are_the_result(
    play: Play, start: Start, clerk: Agent, events_of: EventsOf
) -> None:
    model = ModelByTask({"Do it": [asks("a part"), says("All done.")], "a part": [says("The part ", "is done.")]})
    play(model)
    run = await ended(await start("Do it"))
    child = await Run.objects.select_related("agent", "catalog", "by").aget(parent=run)
    events = await asyncio.to_thread(events_of, run.pk)
    sent = next(event for event in events if isinstance(event, CallSent))
    assert (run.status, child.status) == ("completed", "completed")
    assert (sent.nested, sent.simulated, child.parent_call) == (child.pk, False, sent.call_id)
    assert (child.agent, child.task, child.by_id, child.catalog_id) == (clerk, "a part", run.by_id, run.catalog_id)
    assert child.thread_id != run.thread_id
    assert [(call.outcome, call.content) for call in await told(run, events_of)] == [("ok", "The part is done.")]
    assert (await asyncio.to_thread(events_of, child.pk))[-1] == RunEnded("completed")
    assert model.told["a part"].startswith("You help.\n\n")
    assert "You help." not in model.told["Do it"]


async def test_a_failed_agent_is_a_failed_call_with_the_reason(
    play: Play, start: Start, clerk: Agent, events_of: EventsOf
) -> None:
    await Agent.objects.aupdate(catalog=None)
    play(ModelByTask({"Do it": [asks("a part"), says("It failed.")]}))
    run = await ended(await start("Do it"))
    child = await Run.objects.aget(parent=run)
    assert (run.status, child.status) == ("completed", "failed")
    (call,) = await told(run, events_of)
    assert (call.outcome, call.content) == ("failed", "The agent’s run failed. Its catalog was deleted.")


async def test_an_agent_has_its_own_turns_and_ends_at_that_limit(play: Play, start: Start, events_of: EventsOf) -> None:
    await Agent.objects.aupdate(turns=2)
    plan = [calls("team__getWeather")] * 3
    play(ModelByTask({"Do it": [asks("a part"), says("It was too much.")], "a part": plan}))
    run = await ended(await start("Do it"))
    assert (await Run.objects.aget(parent=run)).status == "limit"
    (call,) = await told(run, events_of)
    assert call.outcome == "failed"
    assert (
        call.content
        == "The agent’s run stopped at a limit. The run reached its limit of 2 turns; it used 220 tokens and 2 calls."
    )


async def test_who_stops_a_run_stops_what_is_nested_in_it(play: Play, start: Start, events_of: EventsOf) -> None:
    plan: Plans = {"Do it": [asks("a part")], "a part": [asks("a piece")], "a piece": [says(*["on "] * 2_000)]}
    play(ModelByTask(plan, pace=0.01))
    run = await start("Do it")
    child = await child_of(run)
    piece = await child_of(child, TextStreamed)
    await stop(run.pk)
    for one in (run, child, piece):
        assert (await ended(one)).status == "stopped"
    assert (await asyncio.to_thread(events_of, child.pk))[-1] == GIVEN_UP
    assert (await asyncio.to_thread(events_of, piece.pk))[-1] == GIVEN_UP


async def test_an_agent_that_is_stopped_by_itself_is_a_failed_call(
    play: Play, start: Start, events_of: EventsOf
) -> None:
    plan: Plans = {"Do it": [asks("a part"), says("It was stopped.")], "a part": [says(*["on "] * 2_000)]}
    play(ModelByTask(plan, pace=0.01))
    run = await start("Do it")
    await stop((await child_of(run, TextStreamed)).pk)
    assert (await ended(run)).status == "completed"
    (call,) = await told(run, events_of)
    assert (call.outcome, call.content) == ("failed", "The agent’s run was stopped. A person stopped it.")


async def test_a_stopping_server_interrupts_both(play: Play, start: Start, events_of: EventsOf) -> None:
    play(ModelByTask({"Do it": [asks("a part")], "a part": [says(*["on "] * 2_000)]}, pace=0.01))
    run = await start("Do it")
    child = await child_of(run, TextStreamed)
    await interrupt_all()
    for one in (run, child):
        await one.arefresh_from_db()
        assert one.status == "interrupted"


async def test_an_agent_that_calls_itself_is_told_so_at_the_depth_that_is_allowed(
    play: Play, start: Start, events_of: EventsOf
) -> None:
    play(ModelByTask({"Do it": [asks("Do it"), says("I give up.")]}))
    run = await ended(await start("Do it"))
    runs = [run]
    while child := await Run.objects.filter(parent=runs[-1]).afirst():
        runs.append(child)
    assert [one.status for one in runs] == ["completed"] * 4
    (refused,) = await told(runs[-1], events_of)
    assert refused.outcome == "failed"
    assert "3 agents are at work within each other already (clerk → clerk → clerk)" in refused.content
    assert "clerk calls itself" in refused.content


@pytest.mark.parametrize(
    ("limit", "said"),
    [("MOST_NESTED", "agents were called 1 times already"), ("MOST_CALLS", "1 calls were made in all already")],
)
async def test_there_is_a_limit_to_all_that_is_nested(
    play: Play, start: Start, events_of: EventsOf, monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    monkeypatch.setattr(nested, limit, 1)
    play(ModelByTask({"Do it": [asks("one"), asks("two"), says("Enough.")], "one": [says("One.")]}))
    run = await ended(await start("Do it"))
    assert run.status == "completed"
    last = (await told(run, events_of))[-1]
    assert (last.outcome, said in last.content) == ("failed", True)
    assert not await Run.objects.filter(task="two").aexists()


async def test_an_agent_may_have_a_chat_model_of_its_own(play: Play, start: Start, events_of: EventsOf) -> None:
    play(ModelByTask({"Do it": [asks("a part"), says("Done.")], "a part": [says("Done too.")]}))
    await Agent.objects.aupdate(chat_model="own/model")
    run = await ended(await start("Do it"))
    assert "its chat model own/model is not there" in (await told(run, events_of))[0].content
    own = await ChatModel.objects.acreate(title="Own", name="own/model")
    run = await ended(await start("Do it"))
    assert (await Run.objects.aget(parent=run)).chat_model_id == own.pk


async def test_a_deleted_agent_is_not_run(play: Play, start: Start, events_of: EventsOf) -> None:
    play(ModelByTask({"Do it": [asks("a part"), says("It is gone.")]}))
    await Agent.objects.all().adelete()
    run = await ended(await start("Do it"))
    assert [call.content for call in await told(run, events_of)] == ["The agent clerk was deleted while this ran."]


async def test_arguments_that_do_not_fit_start_nothing(play: Play, start: Start, events_of: EventsOf) -> None:
    play(ModelByTask({"Do it": [calls(CLERK, '{"job": "x"}'), says("Hm.")]}))
    run = await ended(await start("Do it"))
    (call,) = await told(run, events_of)
    assert call.content.startswith("The arguments do not fit: ")
    assert not await Run.objects.filter(parent=run).aexists()


async def test_a_secret_enters_neither_the_nested_run_nor_its_result(
    play: Play, start: Start, events_of: EventsOf
) -> None:
    plan: Plans = {"Do it": [asks(f"use {SECRET}"), says("Done.")], "use ••••": [says(f"I used {SECRET}.")]}
    play(ModelByTask(plan))
    run = await ended(await start("Do it"))
    child = await Run.objects.aget(parent=run)
    assert child.task == "use ••••"
    records = [await asyncio.to_thread(events_of, one.pk) for one in (run, child)]
    assert SECRET not in repr(records)
    assert [call.content for call in await told(run, events_of)] == ["I used ••••."]


async def test_agents_called_at_once_run_side_by_side(play: Play, start: Start, events_of: EventsOf) -> None:
    both = [CallPiece(n, f"call-{n}", CLERK, json.dumps({"task": f"part {n}"})) for n in (1, 2)]
    plan: Plans = {"Do it": [[*both, Finished("tool_calls")], says("Done.")]}
    plan |= {f"part {n}": [says(f"Part {n} is done.")] for n in (1, 2)}
    play(ModelByTask(plan))
    run = await ended(await start("Do it"))
    assert {call.call_id: call.content for call in await told(run, events_of)} == {
        "call-1": "Part 1 is done.",
        "call-2": "Part 2 is done.",
    }
    found = {child.parent_call: child.task async for child in Run.objects.filter(parent=run)}
    assert found == {"call-1": "part 1", "call-2": "part 2"}


def test_both_runs_of_a_killed_process_are_interrupted(transactional_db: None, events_of: EventsOf) -> None:
    owner = dead_owner()
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t", owner=owner, status="running")
    child = Run.objects.create(
        thread=Thread.objects.create(title="c"), task="c", owner=owner, status="running", parent=run
    )
    assert interrupt_orphans() == 2
    for one in (run, child):
        assert [event.outcome for event in events_of(one.pk) if isinstance(event, RunEnded)] == ["interrupted"]


async def test_what_is_nested_is_shown_as_it_was_at_a_moment(play: Play, start: Start, events_of: EventsOf) -> None:
    play(ModelByTask({"Do it": [asks("a part"), says("Done.")], "a part": [says("Done too.")]}))
    run = await ended(await start("Do it"))
    child = await Run.objects.aget(parent=run)
    whole = (await asyncio.to_thread(nested_runs, run.pk))[child.pk]
    assert (whole.state.summary.status, whole.is_live) == ("completed", False)
    begun = await child.events.aget(kind=RunStarted.kind)
    early = (await asyncio.to_thread(nested_runs, run.pk, begun.at))[child.pk]
    assert (early.state.seq, early.state.summary.status, early.is_live) == (begun.seq, "running", False)
    assert await asyncio.to_thread(nested_runs, run.pk, run.created_at) == {}
