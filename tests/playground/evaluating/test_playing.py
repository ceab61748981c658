"""Trials played: each a run, under one cap, stopped, interrupted with the process, and gone on with."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User

from catalog.editions import draft
from catalog.models import Catalog
from catalog.publishing.asking import published
from playground.agent.chat_model import ChatMessage, Finished, Piece
from playground.agent.spending import prices_by_million
from playground.evaluating import playing, trials
from playground.evaluating.playing import played
from playground.evaluating.tasks import Task, read_tasks
from playground.evaluating.trials import CannotGoOnError, Trying, begin, missing, spent, stop, take_up_again
from playground.models import ChatModel, Run, TaskEvaluation
from playground.runs import executing
from tests.playground.conftest import Play
from tests.playground.runs.doubles import PlannedModel, calls, says

DONE = (calls("team__notify_user"), says("Done."))
TASKS = read_tasks("Tell Ada => team__notify_user | team__ask_human\nAsk Ada => team__notify_user, team__ask_human")


class PricedModel(PlannedModel):
    """Each answer costs three cents."""

    scripted = False

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        async for piece in super().stream(messages, tools, handed, most_tokens):
            if isinstance(piece, Finished):
                yield replace(piece, prompt_tokens=2_000, completion_tokens=1_000, prices=prices_by_million(10.0, 10.0))
            else:
                yield piece


@pytest.fixture
def model(transactional_db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/x", prompt_price=10.0, completion_price=10.0)


@pytest.fixture
def trying(team: Catalog, model: ChatModel) -> Trying:
    return Trying(draft(team), TASKS, ["", "everything"], model)


async def begun(trying: Trying, by: User) -> TaskEvaluation:
    row = await sync_to_async(begin)(trying, by)
    playing.play(row, by)
    return row


async def over(row: TaskEvaluation) -> TaskEvaluation:
    async with asyncio.timeout(20):
        await played(row.pk)
    await row.arefresh_from_db()
    return row


async def gone_on(row: TaskEvaluation, cap: float | None, by: User) -> TaskEvaluation:
    await sync_to_async(take_up_again)(row, cap)
    await row.arefresh_from_db()
    playing.play(row, by)
    return await over(row)


async def two_under_way() -> None:
    async with asyncio.timeout(10):
        begun = 0
        while begun < 2:
            await asyncio.sleep(0.01)
            begun = await Run.objects.filter(status="running").acount()


async def successes(row: TaskEvaluation) -> list[bool | None]:
    """By task and mode."""
    return [one.success async for one in row.trials.order_by("task", "pk")]


async def test_a_trial_succeeds_when_the_expected_calls_went_well(trying: Trying, presenter: User, play: Play) -> None:
    play(PlannedModel(*DONE))
    row = await over(await begun(trying, presenter))
    assert row.state == "done"
    assert await successes(row) == [True, True, False, False]
    first = await row.trials.select_related("run").afirst()
    assert first and first.run and (first.run.status, first.run.task, first.turns) == ("completed", "Tell Ada", 2)


async def test_the_cap_holds_over_all_trials_and_a_higher_one_lets_them_go_on(
    trying: Trying, presenter: User, play: Play
) -> None:
    play(PricedModel(*DONE))
    row = await over(await begun(replace(trying, cap=0.1), presenter))
    assert row.state == "capped"
    assert 0 < await sync_to_async(spent)(row) <= 0.1
    assert await sync_to_async(missing)(row)
    with pytest.raises(CannotGoOnError, match="the cap has to be higher"):
        await sync_to_async(take_up_again)(row, 0.01)
    before = await Run.objects.acount()
    row = await gone_on(row, 1.0, presenter)
    assert (row.state, await successes(row)) == ("done", [True, True, False, False])
    assert await Run.objects.acount() > before
    assert await sync_to_async(spent)(row) == pytest.approx(0.03 * await answers())
    with pytest.raises(CannotGoOnError, match="No trial is missing"):
        await sync_to_async(take_up_again)(row, 1.0)


async def answers() -> int:
    return sum([await run.events.filter(kind="model_answered").acount() async for run in Run.objects.all()])


async def test_stopped_trials_are_not_measured(trying: Trying, presenter: User, play: Play) -> None:
    play(PlannedModel(*DONE, pace=30))
    row = await begun(trying, presenter)
    await two_under_way()
    for run_id in await sync_to_async(stop)(row):
        await executing.stop(run_id)
    row = await over(row)
    assert (row.state, await successes(row)) == ("stopped", [None] * 4)
    assert {run.status async for run in Run.objects.all()} == {"stopped"}
    assert await sync_to_async(stop)(row) == []


async def test_a_process_that_ends_interrupts_and_the_next_goes_on_with_what_is_missing(
    trying: Trying, presenter: User, play: Play
) -> None:
    play(PlannedModel(*DONE, pace=30))
    row = await begun(trying, presenter)
    await two_under_way()
    await playing.interrupt_all()
    await executing.interrupt_all()
    await row.arefresh_from_db()
    assert row.state == "interrupted"
    play(PlannedModel(*DONE))
    row = await gone_on(row, None, presenter)
    assert (row.state, await successes(row)) == ("done", [True, True, False, False])
    assert sorted([run.status async for run in Run.objects.all()]) == ["completed"] * 4 + ["interrupted"] * 2


def test_what_a_dead_process_left_is_interrupted(trying: Trying, presenter: User) -> None:
    alive, dead = begin(trying, presenter), begin(trying, presenter)
    TaskEvaluation.objects.filter(pk=dead.pk).update(owner="gone")
    assert trials.end_left_behind() == 1
    dead.refresh_from_db()
    alive.refresh_from_db()
    assert (dead.state, alive.state) == ("interrupted", "running")


def test_what_agents_get_has_a_number_from_then_on(trying: Trying, team: Catalog, presenter: User) -> None:
    row = begin(replace(trying, edition=published(team), tasks=[Task("x")], repeats=3), presenter)
    assert row.version and row.edition == str(row.version.number)
    assert [(one.repeat, one.mode) for one in row.trials.all()[:3]] == [(1, ""), (1, "everything"), (2, "")]
