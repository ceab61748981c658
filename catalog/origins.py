"""Where what is under way came from: a page, Django's admin, a command, an access token, or the product itself."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

T = TypeVar("T")
Way = Literal["page", "admin", "command", "token", "itself"]


@dataclass(frozen=True, slots=True)
class Origin:
    """`title` names the command or the access token, `request` the request (32 hexadecimal digits), `address` whence it came.

    `person` may be lazy: it is looked at only when something is recorded. `login` names who runs a command.
    """

    way: Way = "itself"
    title: str = ""
    request: str = ""
    address: str = ""
    person: "User | AnonymousUser | None" = None
    login: str = ""


ITSELF = Origin()
_current: ContextVar[Origin] = ContextVar("origin", default=ITSELF)


def current_origin() -> Origin:
    return _current.get()


@contextmanager
def coming_from(origin: Origin) -> Iterator[None]:
    """What is done within comes from there."""
    before = _current.set(origin)
    try:
        yield
    finally:
        _current.reset(before)


def came_by_token(title: str, person: "User") -> None:
    """The rest of the request under way is done with an access token of that person."""
    _current.set(replace(_current.get(), way="token", title=title, person=person))


def carried(work: Callable[[], T]) -> Callable[[], T]:
    """The same work for another thread, coming from where this call does."""
    origin = current_origin()

    def done() -> T:
        with coming_from(origin):
            return work()

    return done
