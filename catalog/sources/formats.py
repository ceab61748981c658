"""The formats of JSON Schema that are checked, and the bound on how long a check may go on."""

import ipaddress
import uuid
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from time import thread_time
from urllib.parse import urlsplit

from jsonschema import FormatChecker

FORMATS: Mapping[str, str] = {
    "date": "a date",
    "time": "a time",
    "date-time": "a date with a time",
    "email": "an e-mail address",
    "uri": "a URL",
    "uuid": "a UUID",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
}
"""Format to what it is called in a sentence; other formats are not checked."""


class TooCostly(Exception):
    """The schema asks for more steps than a check of one call is worth."""


class FormatsWithin(FormatChecker):
    """A format checker that also counts steps and time: it is the one thing that jsonschema hands down to every subschema."""

    def __init__(self, steps: int, seconds: float) -> None:
        super().__init__(formats=())
        self.checkers = {name: (check, (ValueError,)) for name, check in _CHECKS.items()}
        self._steps = steps
        self._until = thread_time() + seconds

    def spend(self) -> None:
        """One step. Raises TooCostly once all are spent, or the seconds of computing, as steps differ in cost."""
        self._steps -= 1
        if self._steps < 0 or thread_time() > self._until:
            raise TooCostly


def _of_text(parse: Callable[[str], object]) -> Callable[[object], bool]:
    def is_valid(value: object) -> bool:
        return not isinstance(value, str) or parse(value) is not False

    return is_valid


_CHECKS: Mapping[str, Callable[[object], bool]] = {
    "date": _of_text(date.fromisoformat),
    "time": _of_text(time.fromisoformat),
    "date-time": _of_text(lambda text: datetime.fromisoformat(text) if "T" in text.upper() or " " in text else False),
    "email": _of_text(lambda text: 0 < text.find("@") < len(text) - 1 and " " not in text),
    "uri": _of_text(lambda text: bool(urlsplit(text).scheme) and " " not in text),
    "uuid": _of_text(uuid.UUID),
    "ipv4": _of_text(ipaddress.IPv4Address),
    "ipv6": _of_text(ipaddress.IPv6Address),
}
