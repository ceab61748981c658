"""A share of a count, told so that nobody reads more into it than the count bears."""

from dataclasses import dataclass

from catalog.evaluating import statistics

FEWEST = 20
"""Of fewer than these no percentage is told."""


@dataclass(frozen=True, slots=True)
class Share:
    part: int
    whole: int

    @property
    def is_few(self) -> bool:
        return self.whole < FEWEST

    @property
    def percent(self) -> int:
        """Rounded; 0 and 100 only where it is none or all of them."""
        if self.part in (0, self.whole):
            return 100 if self.part else 0
        return min(max(round(100 * self.part / self.whole), 1), 99)

    @property
    def interval(self) -> tuple[int, int]:
        """Percent: Wilson's score interval for 95 %, of one or more."""
        found = statistics.share(self.part, self.whole)
        return round(100 * found.low), round(100 * found.high)

    def __str__(self) -> str:
        if not self.whole:
            return "none"
        return f"{self.part:,} of {self.whole:,}" if self.is_few else f"{self.percent} %"

    @property
    def caveat(self) -> str:
        """What a reader must know beside it."""
        if self.is_few:
            return "too few for a percentage" if self.whole else ""
        low, high = self.interval
        return f"{self.part:,} of {self.whole:,}; 95 % interval {low}–{high} %"

    def against(self, before: "Share") -> str:
        """Whether it is another than before, where both are of enough and their intervals do not meet."""
        if not before.whole:
            return "none before"
        if self.is_few or before.is_few:
            return f"{before.part:,} of {before.whole:,} before"
        (low, high), (low_before, high_before) = self.interval, before.interval
        verdict = "more" if low > high_before else "less" if high < low_before else "no clear change"
        return f"{before.percent} % before, {verdict}"
