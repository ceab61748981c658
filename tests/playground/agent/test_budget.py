"""What several runs may spend together, also when they ask at the same time."""

import asyncio

import pytest

from playground.agent.budget import ANSWER_TOKENS, LONG_ANSWER, USUAL_ANSWER, Budget, Share
from playground.agent.chat_model import Finished, TextPiece
from playground.agent.draft import Draft
from playground.agent.limits import Deadline, LimitReached
from playground.agent.spending import Usage, prices_by_million

PRICES = prices_by_million(1.0, 1.0)
ONE_CALL = (1_000 + ANSWER_TOKENS) / 1e6
"""Dollars that a prompt of a thousand tokens and the shortest of answers may cost."""
USUAL_CALL = (1_000 + USUAL_ANSWER) / 1e6
"""Dollars that are set aside for such a prompt and its answer."""


async def ask(share: Share, cost: float | None, seconds: float = 0.0, says: str = "") -> None:
    """A model call with a prompt of a thousand tokens that comes to this cost."""
    draft = Draft(1_000)
    async with share.call(1_000, draft, Deadline(30)):
        await asyncio.sleep(seconds)
        if says:
            draft.add(TextPiece(says))
        draft.cost = cost


async def test_calls_at_the_same_time_never_hold_more_than_there_is() -> None:
    budget = Budget(USUAL_CALL * 2.1)
    most = 0.0

    async def lane() -> None:
        nonlocal most
        draft = Draft(1_000)
        async with Share(budget, PRICES).call(1_000, draft, Deadline(30)):
            most = max(most, budget.spent + budget.held)
            await asyncio.sleep(0)
            draft.cost = USUAL_CALL

    ended = await asyncio.gather(*(lane() for _ in range(8)), return_exceptions=True)
    assert [one for one in ended if one is None] == [None, None]
    assert all(isinstance(one, LimitReached) for one in ended if one)
    assert most == budget.spent == pytest.approx(USUAL_CALL * 2)


async def test_a_lane_waits_while_calls_of_others_hold_what_is_left() -> None:
    budget = Budget(ONE_CALL * 1.5)
    await asyncio.gather(*(ask(Share(budget, PRICES), ONE_CALL / 10, 0.001) for _ in range(4)))
    assert budget.spent == pytest.approx(ONE_CALL * 0.4)
    assert budget.held == pytest.approx(0.0)


async def test_who_waits_is_told_when_its_time_is_up() -> None:
    budget = Budget(ONE_CALL * 1.5)
    await budget.hold(ONE_CALL, Deadline(30))
    with pytest.raises(LimitReached, match="took longer than 0 seconds"):
        await budget.hold(ONE_CALL, Deadline(0))


async def test_the_reason_says_what_is_spent_and_what_the_next_call_may_cost() -> None:
    budget = Budget(0.0025)
    await ask(Share(budget, PRICES), 0.001)
    with pytest.raises(LimitReached, match=r"cap of \$0\.0025: \$0\.0010 is spent, and the next .* cost \$0\.0020"):
        await ask(Share(budget, PRICES), 0.001)


async def test_a_refused_call_costs_nothing_and_one_that_broke_off_what_was_held() -> None:
    budget = Budget(1.0)
    await ask(Share(budget, PRICES), None)
    assert budget.spent == 0.0
    await ask(Share(budget, PRICES), None, says="half an ans")
    assert budget.spent == pytest.approx(USUAL_CALL)


async def test_a_cancelled_lane_gives_back_what_it_held() -> None:
    budget = Budget(1.0)
    lane = asyncio.create_task(ask(Share(budget, PRICES), None, 60))
    await asyncio.sleep(0)
    assert budget.held == pytest.approx(USUAL_CALL)
    lane.cancel()
    await asyncio.wait({lane})
    assert budget.held == budget.spent == 0.0


async def test_what_a_provider_counts_is_reckoned_with_from_then_on() -> None:
    budget, draft = Budget(1.0), Draft(1_000)
    share = Share(budget, PRICES)
    async with share.call(1_000, draft, Deadline(30)):
        draft.used, draft.cost = Usage(3_000, 10), 0.00301
    async with share.call(2_000, Draft(1_000), Deadline(30)):
        assert budget.held == pytest.approx((6_000 + USUAL_ANSWER) / 1e6)


async def test_a_long_answer_is_reckoned_with_from_then_on() -> None:
    budget, draft = Budget(1.0), Draft(1_000)
    share = Share(budget, PRICES)
    async with share.call(1_000, draft, Deadline(30)):
        draft.add(Finished("stop"))
        draft.used, draft.cost = Usage(1_000, 50_000), 0.051
    async with share.call(1_000, Draft(1_000), Deadline(30)):
        assert budget.held == pytest.approx(0.101)


async def most_of(budget: Budget, longest: int | None = None) -> int:
    """The tokens that an answer may have."""
    async with Share(budget, PRICES, longest).call(1_000, Draft(1_000), Deadline(30)) as most:
        assert budget.held == pytest.approx((1_000 + most) / 1e6)
        return most


@pytest.mark.parametrize(
    ("tokens", "longest", "most"),
    [
        (2_000, None, ANSWER_TOKENS),
        (3_500, None, 2_500),
        (900_000, None, USUAL_ANSWER),
        (900_000, 64_000, LONG_ANSWER),
        (80_000, 64_000, 9_000),
        (900_000, 8_192, 8_192),
        (1_700, 500, 500),
    ],
)
async def test_an_answer_may_be_as_long_as_what_is_set_aside_for_it(
    tokens: int, longest: int | None, most: int
) -> None:
    """`tokens` are what the budget pays for, at a thousand a prompt."""
    assert await most_of(Budget(tokens / 1e6), longest) == most


@pytest.mark.parametrize(("tokens", "reached"), [(3_500, True), (900_000, False)])
async def test_an_answer_that_the_cap_cut_off_tells_that_it_is_reached(tokens: int, reached: bool) -> None:
    budget, draft = Budget(tokens / 1e6), Draft(1_000)
    async with Share(budget, PRICES).call(1_000, draft, Deadline(30)):
        draft.add(Finished("length"))
    assert budget.is_reached is reached


async def test_who_could_have_room_waits_for_it_rather_than_answer_in_short() -> None:
    budget, lanes = Budget(USUAL_CALL * 1.5), list[int]()

    async def lane() -> None:
        draft = Draft(1_000)
        async with Share(budget, PRICES).call(1_000, draft, Deadline(30)) as most:
            lanes.append(most)
            await asyncio.sleep(0)
            draft.cost = ONE_CALL / 10

    await asyncio.gather(lane(), lane(), lane())
    assert lanes == [USUAL_ANSWER] * 3


async def test_under_a_cap_no_model_without_a_price_is_asked() -> None:
    with pytest.raises(LimitReached, match="no price of this one’s model is known"):
        await ask(Share(Budget(1.0), None), 0.0)
