"""Looks at drafts under way in this process: how many edits are weighed so far, and the verdict once all are."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic

from catalog import background
from catalog.models import Catalog
from catalog.search.index import UnreadableIndexError
from catalog.whatif.edits import Wanted, edits_between
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import MAX_SECONDS, Verdict, verdict_on

MakeWanted = Callable[[], Wanted]
"""Reads what a change leads to, where nobody has looked at it yet."""
log = logging.getLogger(__name__)
MOST_KEPT = 24
"""Looks that are kept: a page that is loaded again, and whoever does what was looked at, find the verdict there."""


@dataclass
class Look:
    """`done` of `total` edits are weighed. `problem` says why there is no verdict, as a sentence."""

    total: int
    done: int = 0
    verdict: Verdict | None = None
    problem: str = ""
    _over: Event = field(default_factory=Event)

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def wait(self, seconds: float) -> None:
        self._over.wait(seconds)

    def carry_out(self, catalog: Catalog, change: Change, wanted: Wanted) -> None:
        """Weigh every edit. To be run once."""
        try:
            self.verdict = verdict_on(catalog, change, wanted, tell=self._tell)
        except UnreadableIndexError as error:
            log.warning("a look at a draft found no index: %s", error)
            self.problem = "The index was changed meanwhile. Ask again."
        except Exception:
            self.problem = "It failed; the log says why."
            raise
        finally:
            self._over.set()

    def _tell(self, done: int) -> None:
        self.done = done


_kept: OrderedDict[str, Look] = OrderedDict()
_guard = Lock()


def look_at(catalog: Catalog, change: Change, make: MakeWanted) -> Look:
    """The look at this change, begun if it was not; one that failed is begun anew."""
    token = change.token
    known = _known(token)
    if known is not None:
        return known
    wanted = make()
    fresh = Look(len(edits_between(change.before, wanted)))
    found = _keep(token, fresh)
    if found is fresh:
        background.submit(lambda: fresh.carry_out(catalog, change, wanted))
    return found


def finished(catalog: Catalog, change: Change, make: MakeWanted, seconds: float = MAX_SECONDS) -> Verdict:
    """The verdict, worked out now where no look has it. Raises UnreadableIndexError."""
    known = _known(change.token)
    if known is not None and known.verdict is not None:
        return known.verdict
    return verdict_on(catalog, change, make(), seconds)


def wait_for(looks: Sequence[Look], seconds: float) -> None:
    """Until all are over, but no longer than that."""
    until = monotonic() + seconds
    for look in looks:
        look.wait(max(0.0, until - monotonic()))


def _known(token: str) -> Look | None:
    """A look that did not fail."""
    with _guard:
        known = _kept.get(token)
        if known is None or known.problem:
            return None
        _kept.move_to_end(token)
        return known


def _keep(token: str, fresh: Look) -> Look:
    """This look, or the one that somebody else began meanwhile."""
    with _guard:
        known = _kept.get(token)
        if known is not None and not known.problem:
            return known
        _kept[token] = fresh
        _kept.move_to_end(token)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
        return fresh
