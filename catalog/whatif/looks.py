"""Looks at drafts under way in this process: how many edits are weighed so far, and the verdict once all are."""

import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Event, Lock

from catalog import background
from catalog.models import Catalog
from catalog.search.index import UnreadableIndexError
from catalog.whatif.edits import Wanted, edits_between
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import Verdict, verdict_on

log = logging.getLogger(__name__)
MOST_KEPT = 8
"""Looks that are kept: a page that is loaded again, and publishing, find the verdict there."""


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


def look_at(catalog: Catalog, change: Change, wanted: Wanted) -> Look:
    """The look at this change, begun if it was not; one that failed is begun anew."""
    token, fresh = change.token, None
    with _guard:
        known = _kept.get(token)
        if known is None or known.problem:
            fresh = _keep(token, Look(len(edits_between(change.before, wanted))))
        found = _kept[token]
        _kept.move_to_end(token)
    if fresh is not None:
        background.submit(lambda: fresh.carry_out(catalog, change, wanted))
    return found


def finished(catalog: Catalog, change: Change, wanted: Wanted) -> Verdict:
    """The verdict, worked out now where no look has it. Raises UnreadableIndexError."""
    token = change.token
    with _guard:
        known = _kept.get(token)
    if known is not None and known.verdict is not None:
        return known.verdict
    return verdict_on(catalog, change, wanted)


def _keep(token: str, look: Look) -> Look:
    _kept[token] = look
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return look
