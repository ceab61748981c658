"""Dollars that several runs share: what one answer may cost is set aside before it is asked for, so that all together keep to them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playground.agent.draft import Draft
from playground.agent.limits import Deadline, LimitReached
from playground.agent.spending import Prices, Usage

ANSWER_TOKENS = 1_000
"""Of an answer whose length nobody knows yet. One that is longer costs more than was set aside for it."""


class Budget:
    """For one event loop: between asking what is left and taking it nothing else happens.

    `whose` begins the sentences about it. `is_reached` tells whether a call was refused for it.
    """

    def __init__(self, dollars: float, spent: float = 0.0, whose: str = "All lanes together") -> None:
        self.dollars = dollars
        self.spent = spent
        self.whose = whose
        self.held = 0.0
        self.is_reached = False
        self._settled = asyncio.Event()

    async def hold(self, dollars: float, deadline: Deadline) -> None:
        """Set aside what one call may cost. While calls of others hold what is left, wait for them. Raises LimitReached."""
        while self.spent + self.held + dollars > self.dollars:
            if self.spent + dollars > self.dollars:
                self.is_reached = True
                raise LimitReached(
                    f"{self.whose} reached their cap of ${self.dollars:,g}: ${self.spent:,.4f} is spent, "
                    f"and the next call of this one may cost ${dollars:,.4f}."
                )
            await self._news(deadline)
        self.held += dollars

    def settle(self, held: float, spent: float) -> None:
        """Give back what was held for a call, and count what it cost."""
        self.held -= held
        self.spent += spent
        self._settled.set()
        self._settled = asyncio.Event()

    async def _news(self, deadline: Deadline) -> None:
        try:
            async with asyncio.timeout(deadline.left):
                await self._settled.wait()
        except TimeoutError:
            raise deadline.passed() from None


class Share:
    """One run's part in a budget. `prices` are those of its model, None where they are not known."""

    def __init__(self, budget: Budget, prices: Prices | None) -> None:
        self.budget = budget
        self._prices = prices
        self._longest = ANSWER_TOKENS
        self._counted = 1.0
        """How many tokens the provider counts for one that is estimated, at most so far."""

    @asynccontextmanager
    async def call(self, prompt_tokens: int, draft: Draft, deadline: Deadline) -> AsyncIterator[None]:
        """Around one model call that fills the draft. Raises LimitReached where the budget cannot bear it.

        A call that broke off within its answer counts as what was held for it; one that was refused costs nothing.
        """
        held = self._bound(prompt_tokens)
        await self.budget.hold(held, deadline)
        spent = 0.0
        try:
            yield
        finally:
            if draft.cost is not None:
                spent = draft.cost
            elif draft.has_begun:
                spent = held
            self._longest = max(self._longest, draft.used.completion)
            self._counted = max(self._counted, draft.used.prompt / max(prompt_tokens, 1))
            self.budget.settle(held, spent)

    def _bound(self, prompt_tokens: int) -> float:
        """What the next call may cost: its prompt uncached, as its provider counts, and an answer as long as the longest so far."""
        if self._prices is None:
            raise LimitReached(
                f"{self.budget.whose} have a cap of ${self.budget.dollars:,g}, and no price of this one’s model is known."
            )
        return self._prices.cost(Usage(round(prompt_tokens * self._counted), self._longest))
