"""Asking the product and measuring what it takes; what several parts of the benchmark do."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.curating.asked import AGAIN, APPLIED, MOVING, PLANNED
from benchmarks.curating.listings import BIG, Entry, content
from benchmarks.curating.product import Person, timed


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds on the wall: the first time, and the median of further times, for what can be asked twice.

    `cpu` are seconds of processors that the server's own process took for the last of them.
    """

    step: str
    first: float
    again: float | None
    cpu: float


@dataclass(frozen=True, slots=True)
class Asking:
    """One person, and the lists that servers give."""

    person: Person
    listings: dict[str, list[Entry]]

    def share(self, most: int) -> int:
        """Tools that an act is of: so many at most, and a quarter of the big server's."""
        return min(most, len(self.listings[BIG]) // 4)

    def page(self, step: str, address: str, target: str = "") -> Row:
        return self.again(step, lambda: self.person.get(address, target))

    def again(self, step: str, work: Callable[[], object]) -> Row:
        first, again = timed(work), median(timed(work) for _ in range(AGAIN))
        before = self.person.cpu()
        work()
        return Row(step, first, again, self.person.cpu() - before)

    def once(self, step: str, work: Callable[[], object]) -> Row:
        before = self.person.cpu()
        return Row(step, timed(work), None, self.person.cpu() - before)

    def upload(self, slug: str, entries: list[Entry]) -> str:
        """The address of the import, once it is planned."""
        said = {"title": slug, "slug": slug, "name_rule": "prefixed", "holds_rewordings": "on"}
        page = self.person.post("/servers/add/file/", said, file=content(entries))
        return self.planned(page.url.path)

    def planned(self, address: str) -> str:
        self.person.until(address, PLANNED, target=MOVING)
        return address

    def apply(self, address: str, glance: str = "") -> None:
        self.person.post(f"{address}apply/")
        self.person.until(address, APPLIED, glance, MOVING)

    def began_from(self, address: str) -> str:
        """The version that the form at the address was made from, without which nothing is saved."""
        return self.person.get(address).text.partition('name="began_from" value="')[2].partition('"')[0]
