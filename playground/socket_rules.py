"""Who may watch through a socket, what a browser may send, and the codes that tell it why it was sent away."""

import json
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from typing import Any, Self
from urllib.parse import parse_qs
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from catalog.roles import Role, role_of
from playground.models import Run
from playground.view_fragments import VIEW_FRAMES

MOST_BYTES = 65_536
MOST_A_SECOND = 20
MOST_SEQ = 2**31


class CloseCode(IntEnum):
    """A browser tries again by itself after 1006 and 1011 to 1013, and not after the others."""

    OVER = 1000
    TOO_LARGE = 1009
    FAILED = 1011
    TOO_SLOW = 1013
    UNREADABLE = 4400
    SIGNED_OUT = 4401
    NO_RIGHT = 4403
    NO_RUN = 4404
    TOO_OFTEN = 4408
    TOO_MANY = 4429


class Allowance:
    """What one socket may send: messages of at most MOST_BYTES, at most MOST_A_SECOND of them."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST_A_SECOND)

    def overstepped_by(self, message: str | bytes) -> CloseCode | None:
        now = time.monotonic()
        is_full = len(self._times) == MOST_A_SECOND and now - self._times[0] < 1.0
        self._times.append(now)
        if len(message) > MOST_BYTES:
            return CloseCode.TOO_LARGE
        return CloseCode.TOO_OFTEN if is_full else None


def read_after(message: str | None) -> int | None:
    """The `after` of `{"after": 12}`, whatever else htmx adds to it; None if there is none that makes sense."""
    after = _after(message)
    return after if _is_seq(after) else None


def read_afters(message: str | None) -> dict[int, int] | None:
    """The `after` of `{"after": {"1": 12, "2": 9}}`, by number; None if there is none that makes sense."""
    after = _after(message)
    if not isinstance(after, dict) or not all(key in _PLACES and _is_seq(seq) for key, seq in after.items()):
        return None
    return {int(key): seq for key, seq in after.items()}


_PLACES = frozenset("123456789")


def _after(message: str | None) -> Any:
    try:
        value = json.loads(message or "")
    except (ValueError, RecursionError):
        return None
    return value.get("after") if isinstance(value, dict) else None


def _is_seq(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_SEQ


def view_asked(query: bytes) -> str:
    """The view of the run that `?view=` names, if there is one; else the chat."""
    named = parse_qs(query.decode("latin-1")).get("view", [""])[0]
    return named if named in VIEW_FRAMES else "chat"


def run_exists(run_id: UUID) -> bool:
    return Run.objects.filter(pk=run_id).exists()


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who holds a session that stands in the database: the person's number, and the role."""

    person: int
    role: Role

    @classmethod
    def of(cls, session_key: str | None) -> Self | None:
        """None where the session ended or the account is closed."""
        request = HttpRequest()
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
        user = get_user(request)
        return cls(user.pk, role_of(user)) if user.is_authenticated else None

    def is_still(self, now: Self | None) -> bool:
        """Whether that is the same person, who has lost no role since."""
        return now is not None and now.person == self.person and now.role >= self.role


def session_key(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The session that a browser names when it connects."""
    cookies = "; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie")
    return parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
