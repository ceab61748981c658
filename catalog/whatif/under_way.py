"""What-ifs under way in this process: each fills in its answers on another thread while pages tell of them."""

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock

from catalog import background
from catalog.search.index import UnreadableIndexError
from catalog.search.orders import Order
from catalog.whatif.foreseeing import foresee
from catalog.whatif.in_view import InView
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side

log = logging.getLogger(__name__)
MOST_KEPT = 24
"""What-ifs that are kept: whoever turns a page of one does not have it asked anew."""
MOST_KNOWN = 4
"""Sides whose answers are kept, so that each further edit asks the changed side only."""
A_MOMENT = 0.4
"""Seconds that a page waits for a what-if before it shows what there is so far."""

MakeSide = Callable[[Side, Path], Side]
"""The changed side, made from the other, with a folder for its index."""


@dataclass(frozen=True)
class Change:
    """What is asked. `named` and `revision` tell it from any other: what changes, and what it changes.

    `in_view` says what is in view from the start, where that may change.
    """

    named: str
    revision: str
    queries: Sequence[KnownQuery]
    before: Side
    after: MakeSide
    in_view: InView | None = None

    @property
    def token(self) -> str:
        said = repr((self.named, self._side, [_told(query) for query in self.queries]))
        return hashlib.sha256(said.encode("utf-8", "backslashreplace")).hexdigest()

    @property
    def _side(self) -> str:
        return f"{self.revision} {self.before.engine} {self.before.policy}"

    def known(self) -> dict[str, Order]:
        """What the queries find before it, as far as that was asked."""
        with _guard:
            found = _known.setdefault(self._side, {})
            _known.move_to_end(self._side)
            while len(_known) > MOST_KNOWN:
                _known.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a what-if had answered at one moment: if it `is_over`, `shifts` are all that there will be."""

    total: int
    shifts: tuple[Shift, ...]
    is_over: bool
    problem: str


@dataclass
class WhatIf:
    """A change with its answers so far, of `total` queries. `problem` says why there are no more, as a sentence.

    Once it is over it no longer holds the change, and with it the catalog as it was.
    """

    change: Change | None
    total: int
    shifts: list[Shift] = field(default_factory=list)
    problem: str = ""
    _over: Event = field(default_factory=Event)
    _cancelled: Event = field(default_factory=Event)

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def so_far(self) -> SoFar:
        """Whether it is over is read first: answers may come meanwhile."""
        is_over = self.is_over
        return SoFar(self.total, tuple(self.shifts), is_over, self.problem)

    def wait(self, seconds: float = A_MOMENT) -> None:
        self._over.wait(seconds)

    def cancel(self) -> None:
        self._cancelled.set()

    def carry_out(self) -> None:
        """Ask every query. To be run once."""
        try:
            with TemporaryDirectory(prefix="pegboard-what-if-") as folder:
                self._ask(Path(folder) / "index")
        except UnreadableIndexError as error:
            log.warning("a what-if found no index: %s", error)
            self.problem = "The index was changed meanwhile. Ask again."
        except Exception:
            self.problem = "It failed; the log says why."
            raise
        finally:
            self.change = None
            self._over.set()

    def _ask(self, folder: Path) -> None:
        change = self.change
        if change is None or self._cancelled.is_set():
            return
        before = change.before
        for shift in foresee(change.queries, before, change.after(before, folder), change.known()):
            if self._cancelled.is_set():
                return
            self.shifts.append(shift)
            background.go_on()


def _told(query: KnownQuery) -> tuple[object, ...]:
    return query.text, [sorted(group) for group in query.groups], sorted(query.called), query.times


_known: OrderedDict[str, dict[str, Order]] = OrderedDict()
_kept: OrderedDict[str, WhatIf] = OrderedDict()
_asking: OrderedDict[str, str] = OrderedDict()
"""By who asks of what, the token of what they asked last."""
_guard = Lock()


def begin(change: Change, asker: str) -> WhatIf:
    """The what-if of a change, begun if it was not. What the same asker asked before is given up, if nobody else waits for it."""
    token, fresh = change.token, None
    with _guard:
        last = _asking.get(asker)
        _asking[asker] = token
        _asking.move_to_end(asker)
        if last and last not in _asking.values():
            _give_up(last)
        if token not in _kept:
            fresh = _kept[token] = WhatIf(change, len(change.queries))
        found = _kept[token]
        _kept.move_to_end(token)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)[1].cancel()
        while len(_asking) > MOST_KEPT:
            _asking.popitem(last=False)
    if fresh is not None and change.queries:
        background.submit(fresh.carry_out)
    return found


def _give_up(token: str) -> None:
    if token in _kept and not _kept[token].is_over:
        _kept.pop(token).cancel()
