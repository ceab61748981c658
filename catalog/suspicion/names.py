"""Names that mimic others: the same to the eye, or a mode's own, and yet another tool's."""

import re
from collections.abc import Iterable, Iterator

from catalog.exposure import RESERVED_NAMES
from catalog.suspicion.finding import Suspicion
from catalog.suspicion.plain_form import plain_letters

_SEPARATORS = re.compile(r"[\s_.\-/:]+")
_SAME_TO_THE_EYE = str.maketrans("01i5", "olls")


class KnownNames:
    """The names of the tools of other servers, ready to be compared with."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """`names` are pairs of a server and a tool's name there."""
        self._by_skeleton: dict[str, dict[str, str]] = {}
        for server, name in names:
            self._by_skeleton.setdefault(skeleton(name), {}).setdefault(_spelled(name), f"{server}/{name}")

    def mimicked(self, name: str) -> Iterator[Suspicion]:
        """What the name borrows. The same word spelled another way (`createIssue`, `create_issue`) borrows nothing."""
        spelled = _spelled(name)
        if plain_letters(name).strip() in RESERVED_NAMES:
            yield _borrowed(name, "a discovery mode has a tool of this name for itself")
        for other, key in self._by_skeleton.get(skeleton(name), {}).items():
            if other != spelled:
                yield _borrowed(name, f"to the eye it is the same name as {key}")
                return


def skeleton(name: str) -> str:
    """What a hasty reader sees: two names of one skeleton look alike."""
    return _spelled(plain_letters(name)).translate(_SAME_TO_THE_EYE).replace("rn", "m").replace("vv", "w")


def _spelled(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def _borrowed(name: str, reason: str) -> Suspicion:
    return Suspicion("borrowed name", "name", 0, len(name), name, reason)
