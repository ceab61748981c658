"""What a run has used up, against its limits; and what that costs in dollars."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from playground.agent.limits import LimitReached, Limits


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call. `cached` (read from the provider's cache) and `written` (to it) are parts of `prompt`."""

    prompt: int
    completion: int
    cached: int = 0
    written: int = 0

    def with_prompt_of(self, tokens: int) -> "Usage":
        """The same call with another prompt, cached in the same proportion."""
        share = tokens / self.prompt if self.prompt else 0.0
        return replace(self, prompt=tokens, cached=round(self.cached * share), written=round(self.written * share))


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for one token. `longer` are other prices, each for prompts of more than so many tokens, fewest first."""

    prompt: float
    completion: float
    cached: float
    written: float
    longer: tuple[tuple[int, "Prices"], ...] = ()

    def cost(self, usage: Usage) -> float:
        """In dollars. Every token of a long prompt and its answer has the long prompt's price."""
        prices = next((prices for over, prices in reversed(self.longer) if usage.prompt > over), self)
        plain = max(usage.prompt - usage.cached - usage.written, 0)
        return (
            plain * prices.prompt
            + usage.cached * prices.cached
            + usage.written * prices.written
            + usage.completion * prices.completion
        )


def prices_by_million(prompt: float, completion: float, cached: float | None = None) -> Prices:
    """From dollars for a million tokens. Without a price of its own, a cached token costs what any other does."""
    read = prompt if cached is None else cached
    return Prices(prompt / 1e6, completion / 1e6, read / 1e6, prompt / 1e6)


def prices_in(entry: Mapping[str, Any]) -> Prices | None:
    """From an entry of LiteLLM's price table; None where it has no price for text tokens.

    A price for the cache that it lacks is the plain price.
    """
    plain = _prices(entry, "", None)
    if plain is None:
        return None
    named = (name.removeprefix(_LONG) for name in entry if name.startswith(_LONG) and name.endswith(_UNIT))
    thousands = sorted(int(size) for name in named if (size := name.removesuffix(_UNIT)).isdigit())
    longer = ((size * 1_000, _prices(entry, f"_above_{size}{_UNIT}", plain)) for size in thousands)
    return replace(plain, longer=tuple((over, prices) for over, prices in longer if prices))


_LONG, _UNIT = "input_cost_per_token_above_", "k_tokens"


def _prices(entry: Mapping[str, Any], suffix: str, usual: Prices | None) -> Prices | None:
    """`usual` are the prices of what has none of its own with this suffix."""
    prompt = entry.get(f"input_cost_per_token{suffix}")
    completion = entry.get(f"output_cost_per_token{suffix}", usual and usual.completion)
    if prompt is None or completion is None:
        return None
    cached = entry.get(f"cache_read_input_token_cost{suffix}", prompt)
    written = entry.get(f"cache_creation_input_token_cost{suffix}", prompt)
    return Prices(float(prompt), float(completion), float(cached), float(written))


class Spending:
    """Turns, calls, tokens and dollars of one run. Asks to go on raise LimitReached, which says which limit, and what was used."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = 0
        self._tokens = 0
        self._dollars: float | None = 0.0

    def begin(self, turn: int, prompt_tokens: int) -> None:
        """Before a model call whose prompt is estimated at so many tokens."""
        if turn > self._limits.turns:
            raise LimitReached(f"The run reached its limit of {self._limits.turns:,} turns; {self._used}.")
        if self._tokens + prompt_tokens > self._limits.tokens:
            raise LimitReached(
                f"The run reached its limit of {self._limits.tokens:,} tokens: {self._used}, "
                f"and the next prompt has about {prompt_tokens:,}."
            )

        self._check_dollars()

    def spend(self, usage: Usage, dollars: float | None) -> None:
        """What one answer took; `dollars` is None where no price is known."""
        self._tokens += usage.prompt + usage.completion
        self._dollars = None if self._dollars is None or dollars is None else self._dollars + dollars

    def call(self, asked: int) -> None:
        """Before the calls of one answer are made."""
        most = self._limits.calls_per_answer
        if asked > most:
            raise LimitReached(
                f"The model asked for {asked} calls at once; at most {most} are allowed, so none was made."
            )
        if self._calls + asked > self._limits.calls:
            raise LimitReached(
                f"The run reached its limit of {self._limits.calls:,} calls: {self._calls} were made, "
                f"and the model asked for {asked} more."
            )
        self._calls += asked

    def _check_dollars(self) -> None:
        most = self._limits.dollars
        if most is None:
            return
        if self._dollars is None:
            raise LimitReached(f"The run has a limit of ${most:,g}, and no price of its model is known; {self._used}.")
        if self._dollars >= most:
            raise LimitReached(f"The run reached its limit of ${most:,g}: it cost ${self._dollars:,.4f}; {self._used}.")

    @property
    def _used(self) -> str:
        return f"it used {self._tokens:,} tokens and {self._calls:,} call{'' if self._calls == 1 else 's'}"
