"""Searches that are being asked again, or were: this process keeps the last few, so that a page can ask how far one has come."""

import logging
import threading
from collections import OrderedDict
from datetime import datetime
from functools import partial
from time import monotonic, sleep

from catalog import background
from catalog.asked_engine import CannotAskError, engine_asked
from catalog.editions import Edition
from catalog.indexing import exposure_of, revision_of
from catalog.whatif.under_way import A_MOMENT
from playground.reviewing.agents_search import AgentsSearch, agents_search
from playground.reviewing.asking_again import Asked, AskedAgain, asked_before, compare

log = logging.getLogger(__name__)
MOST_KEPT = 10
Key = tuple[int, str, str, tuple[Asked, ...]]
_kept: OrderedDict[Key, AskedAgain] = OrderedDict()
_guard = threading.Lock()


def asked_again(edition: Edition, since: datetime | None) -> AskedAgain:
    """The recorded searches of a period asked of the edition as it is now: begun if need be, and for a moment waited for."""
    asked = asked_before(edition.catalog, since)
    try:
        search = agents_search(edition)
    except CannotAskError as error:
        return AskedAgain(asked, problem=str(error))
    key = (edition.pk, f"{edition.asked} {revision_of(edition)}", repr(engine_asked(edition)), asked)
    with _guard:
        begun = _kept.get(key)
        if begun is None:
            begun = _kept[key] = AskedAgain(asked)
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
            if asked:
                background.submit(partial(_ask, edition, search, begun))
    end = monotonic() + A_MOMENT
    while not begun.is_over and monotonic() < end:
        sleep(0.01)
    return begun


def _ask(edition: Edition, search: AgentsSearch, again: AskedAgain) -> None:
    try:
        names = {tool.key: tool.name for tool in exposure_of(edition).pool}
        for one in compare(again.asked, search, names):
            background.go_on()
            again.done.append(one)
    except Exception:
        again.problem = "It failed; the log says why."
        raise
