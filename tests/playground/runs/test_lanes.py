"""Lanes: begun together, none in the way of another, under one cap; going on in all, and what stays when a run is deleted."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog
from playground.agent.budget import USUAL_ANSWER
from playground.agent.chat_model import ChatMessage, Finished, ModelFailed, Piece
from playground.agent.spending import prices_by_million
from playground.models import ChatModel, LaneSet, Run, Thread
from playground.runs import assembling, shared_budgets
from playground.runs.deleting import delete_runs
from playground.runs.executing import ended as run_ended
from playground.runs.lanes import Undertaking, begin_lanes, go_on_in_lanes, stop_lanes
from playground.runs.reading import state_at
from playground.runs.threads import CannotGoOnError, Setup
from tests.model_endpoint import ModelEndpoint
from tests.playground.conftest import Play
from tests.playground.runs.doubles import PlannedModel, calls, says

PRICES = prices_by_million(10.0, 10.0)


class PricedModel(PlannedModel):
    """Says what its answers take, and what a token costs; one of the name `refused` is refused."""

    scripted = False

    def __init__(self, name: str, *plan: Sequence[Piece]) -> None:
        super().__init__(*plan, pace=0.001)
        self.name = name

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        if self.name == "planned/refused":
            raise ModelFailed("rejected", "the endpoint refused the key (401)")
        async for piece in super().stream(messages, tools, handed, most_tokens):
            if isinstance(piece, Finished):
                yield replace(piece, prompt_tokens=300, completion_tokens=1_000, prices=PRICES)
            else:
                yield piece


@pytest.fixture
def models(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> list[ChatModel]:
    """Two with prices, the second of which is refused; both search twice and then answer."""
    plan = (calls("team__notify_user"), calls("team__notify_user"), says("Done."))
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda name, *_, **__: PricedModel(name, *plan))
    prices = {"prompt_price": 10.0, "completion_price": 10.0}
    return [ChatModel.objects.create(title=name, name=f"planned/{name}", **prices) for name in ("priced", "refused")]


def setups(team: Catalog, by: User, models: Sequence[ChatModel]) -> list[Setup]:
    return [Setup(team, model, "Tell Ada", by, "everything") for model in models]


async def over(lanes: LaneSet) -> list[Run]:
    async for run in lanes.runs.all():
        await run_ended(run.pk)
    return [run async for run in lanes.runs.order_by("lane")]


async def test_a_lane_that_fails_stops_no_other(team: Catalog, presenter: User, models: list[ChatModel]) -> None:
    one, refused = models
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter), setups(team, presenter, [one, refused, one]))
    runs = await over(lanes)
    assert [(run.lane, run.status) for run in runs] == [(1, "completed"), (2, "failed"), (3, "completed")]
    assert len({run.thread_id for run in runs}) == lanes.lanes == 3
    assert all(run.task == lanes.task for run in runs)


async def test_all_lanes_together_keep_to_their_cap(team: Catalog, presenter: User, models: list[ChatModel]) -> None:
    """A call costs 1.3 cents, a lane without the cap three of them, four lanes 15.6 cents."""
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter, cap=0.1), setups(team, presenter, [models[0]] * 4))
    states = [(await asyncio.to_thread(state_at, run.pk)).summary for run in await over(lanes)]
    assert 0.05 < sum(state.cost or 0.0 for state in states) <= 0.1
    stopped = [state for state in states if state.status == "limit"]
    assert stopped
    assert all(state.reason.startswith("All lanes together reached their cap of $0.1: ") for state in stopped)
    assert not shared_budgets._budgets, "it is forgotten with the last run"


async def test_no_answer_however_long_passes_the_cap(
    team: Catalog, presenter: User, transactional_db: None, model_endpoint: ModelEndpoint
) -> None:
    cap, prices = 0.02, {"prompt_price": 1.0, "completion_price": 10.0}
    model = await ChatModel.objects.acreate(
        title="Verbose", name="openai/own", base_url=model_endpoint.url("verbose"), **prices
    )
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter, cap), setups(team, presenter, [model] * 3))
    states = [(await asyncio.to_thread(state_at, run.pk)).summary for run in await over(lanes)]
    asked = [body["max_tokens"] for _, _, body in model_endpoint.requests]
    assert 0.9 * cap < sum(state.cost or 0.0 for state in states) <= cap
    assert len(asked) == 1 and 1_000 < asked[0] < USUAL_ANSWER
    reasons = sorted(state.reason for state in states)
    assert (
        reasons[-1] == f"The answer reached its length limit of {asked[0]:,} tokens, for which the cap was set aside."
    )
    assert all(reason.startswith("All lanes together reached their cap of $0.02") for reason in reasons[:2])


async def test_the_demo_model_goes_on_whatever_the_cap(team: Catalog, presenter: User, play: Play) -> None:
    play(PlannedModel(says("Done.")))
    demo = await ChatModel.objects.acreate(title="Demo", name="demo/scripted")
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter, cap=0.0001), setups(team, presenter, [demo, demo]))
    assert [run.status for run in await over(lanes)] == ["completed", "completed"]


async def test_the_same_message_goes_on_in_every_lane(team: Catalog, presenter: User, models: list[ChatModel]) -> None:
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter), setups(team, presenter, models))
    first = await over(lanes)
    after = await go_on_in_lanes(lanes, Undertaking("Tell Bob, too", presenter))
    runs = await over(after)
    assert [(run.lane, run.position, run.thread_id) for run in runs] == [
        (n, 2, one.thread_id) for n, one in enumerate(first, 1)
    ]
    assert [run.mode for run in runs] == ["everything", "everything"]
    with pytest.raises(CannotGoOnError, match=r"^Lane 1: Meanwhile someone else went on here"):
        await go_on_in_lanes(lanes, Undertaking("Again", presenter))
    assert await LaneSet.objects.acount() == 2, "nothing is left of lanes that could not go on"


async def test_one_lane_is_stopped_or_all(team: Catalog, presenter: User, play: Play) -> None:
    play(PlannedModel(says(*["on "] * 5_000), pace=0.01))
    demo = await ChatModel.objects.acreate(title="Demo", name="demo/scripted")
    lanes = await begin_lanes(Undertaking("Go on", presenter), setups(team, presenter, [demo] * 3))
    await stop_lanes(lanes, 2)
    two = await lanes.runs.aget(lane=2)
    await run_ended(two.pk)
    assert await lanes.runs.unfinished().acount() == 2
    await stop_lanes(lanes)
    assert {run.status for run in await over(lanes)} == {"stopped"}


async def test_deleting_a_run_leaves_the_other_lanes_and_the_last_takes_the_set_along(
    team: Catalog, presenter: User, models: list[ChatModel]
) -> None:
    lanes = await begin_lanes(Undertaking("Tell Ada", presenter), setups(team, presenter, models))
    one, other = await over(lanes)
    await asyncio.to_thread(delete_runs, [one.pk])
    await lanes.arefresh_from_db()
    assert (lanes.lanes, await lanes.runs.acount()) == (2, 1)
    await asyncio.to_thread(delete_runs, [other.pk])
    assert not await LaneSet.objects.aexists()


def test_what_an_agent_does_within_a_lane_is_paid_from_the_same_budget(
    models: list[ChatModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = LaneSet.objects.create(task="t", lanes=1, cap=0.5)
    thread = Thread.objects.create(title="t")
    lane = Run.objects.create(thread=thread, chat_model=models[0], lane_set=lanes, lane=1)
    nested = Run.objects.create(thread=Thread.objects.create(title="n"), chat_model=models[1], parent=lane)
    alone = Run.objects.create(thread=Thread.objects.create(title="a"), chat_model=models[0])
    monkeypatch.setattr(shared_budgets, "_budgets", {})
    shared_budgets.open_budget(lanes)
    shares = [shared_budgets.share_of(run) for run in (lane, nested, alone)]
    assert shares[0] and shares[1] and shares[0].budget is shares[1].budget
    assert shares[2] is None
