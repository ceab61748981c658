"""Dollars that several runs share: what one answer may cost is set aside before it is asked for, and it may be no longer than that."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playground.agent.draft import Draft
from playground.agent.limits import Deadline, LimitReached
from playground.agent.spending import Prices, Usage

ANSWER_TOKENS = 1_000
"""Of the shortest answer that a call is made for."""
USUAL_ANSWER = 4_000
"""Tokens that an answer is given room for where there is more than enough, and twice its longest answer so far if that is more."""
LONG_ANSWER = 32_000
"""Tokens that an answer is given room for where an eighth of what is left pays for them, of a model known to answer at such length."""
EIGHTH = 1 / 8


class Budget:
    """For one event loop: between asking what is left and taking it nothing else happens.

    `whose` begins the sentences about it. `is_reached` tells whether a call was refused for it, or
    an answer cut off.
    """

    def __init__(self, dollars: float, spent: float = 0.0, whose: str = "All lanes together") -> None:
        self.dollars = dollars
        self.spent = spent
        self.whose = whose
        self.held = 0.0
        self._calls = 0
        """Those that something is held for."""
        self.is_reached = False
        self._settled = asyncio.Event()

    @property
    def left(self) -> float:
        """Dollars that are not spent, those that are held for calls under way among them."""
        return self.dollars - self.spent

    async def hold(self, least: float, deadline: Deadline, wish: float = 0.0) -> float:
        """Set aside what one call may cost, in dollars: the wish, or what is left if that is less; at least `least`.

        While calls of others hold what is left, wait for them. Raises LimitReached.
        """
        wish = max(least, wish)
        while self.held + wish > self.left and (self._calls or least > self.left):
            if least > self.left:
                self.is_reached = True
                raise LimitReached(
                    f"{self.whose} reached their cap of ${self.dollars:,g}: ${self.spent:,.4f} is spent, "
                    f"and the next call of this one may cost ${least:,.4f}."
                )
            await self._news(deadline)
        held = min(wish, self.left)
        self._calls += 1
        self.held += held
        return held

    def settle(self, held: float, spent: float) -> None:
        """Give back what was held for a call, and count what it cost."""
        self._calls -= 1
        self.held = self.held - held if self._calls else 0.0
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
    """One run's part in a budget. `prices` are those of its model, None where they are not known.

    `longest` is how many tokens an answer of the model can have, None where nobody knows.
    """

    def __init__(self, budget: Budget, prices: Prices | None, longest: int | None = None) -> None:
        self.budget = budget
        self._prices = prices
        self._can = longest
        self._longest = 0
        """Tokens of the longest answer so far."""
        self._counted = 1.0
        """How many tokens the provider counts for one that is estimated, at most so far."""

    @asynccontextmanager
    async def call(self, prompt_tokens: int, draft: Draft, deadline: Deadline) -> AsyncIterator[int]:
        """Around one model call that fills the draft; gives the tokens that its answer may have, reasoning included.

        Raises LimitReached where the budget cannot bear it. A call that broke off within its answer counts as what was
        held for it; one that was refused costs nothing.
        """
        prompt = round(prompt_tokens * self._counted)
        least, wish = self._least(), self._wish(prompt)
        held = await self.budget.hold(self._cost(prompt, least), deadline, self._cost(prompt, wish))
        spent = 0.0
        try:
            yield max(least, min(wish, self._bought(held, prompt)))
        finally:
            if draft.cost is not None:
                spent = draft.cost
            elif draft.has_begun:
                spent = held
            if draft.finish_reason == "length" and held < self._cost(prompt, wish):
                self.budget.is_reached = True
            self._longest = max(self._longest, draft.used.completion)
            self._counted = max(self._counted, draft.used.prompt / max(prompt_tokens, 1))
            self.budget.settle(held, spent)

    def _least(self) -> int:
        return min(ANSWER_TOKENS, self._can or ANSWER_TOKENS)

    def _wish(self, prompt: int) -> int:
        """Tokens of an answer that it should have room for."""
        usual = max(USUAL_ANSWER, 2 * self._longest)
        if self._can is None:
            return usual
        return min(self._can, max(usual, min(LONG_ANSWER, self._bought(self.budget.left * EIGHTH, prompt))))

    def _bought(self, dollars: float, prompt: int) -> int:
        """Tokens of an answer that so much pays for, after its prompt."""
        first = self._cost(prompt, 0)
        each = self._cost(prompt, 1) - first
        return int((dollars - first) / each + 1e-6) if each > 0 else LONG_ANSWER

    def _cost(self, prompt: int, answer: int) -> float:
        """In dollars: the prompt uncached."""
        if self._prices is None:
            raise LimitReached(
                f"{self.budget.whose} have a cap of ${self.budget.dollars:,g}, and no price of this one’s model is known."
            )
        return self._prices.cost(Usage(prompt, answer))
