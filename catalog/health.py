"""How a server has been doing: its last contacts in a few figures."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Literal

from django.db.models import OuterRef, Subquery

from catalog.models import Contact, Server
from catalog.models.server import ServerQuerySet


@dataclass(frozen=True, slots=True)
class Health:
    """Of the `count` last contacts: seconds of those that got an answer (None if none did), and the share of them.

    `last_problem` is the last contact without an answer, `test` the last test, be it under way.
    """

    count: int
    answered: int
    median: float | None
    slowest: float | None
    last: Contact | None
    last_problem: Contact | None
    test: Contact | None
    is_tested: bool

    @property
    def state(self) -> Literal["good", "bad", "unknown"]:
        if self.last is None:
            return "unknown"
        return "bad" if self.last.problem else "good"

    @property
    def share(self) -> int:
        """Percent; 100 only where every one was answered."""
        return self.answered * 100 // self.count


def health_of(server: Server) -> Health:
    contacts = list(server.contacts.ended())
    seconds = sorted(contact.seconds or 0.0 for contact in contacts if not contact.problem)
    return Health(
        count=len(contacts),
        answered=len(seconds),
        median=median(seconds) if seconds else None,
        slowest=percentile(seconds, 95) if seconds else None,
        last=next(iter(contacts), None),
        last_problem=next((contact for contact in contacts if contact.problem), None),
        test=server.contacts.filter(kind=Contact.Kind.TEST).first(),
        is_tested=server.contacts.under_way().exists(),
    )


def percentile(ordered: Iterable[float], percent: int) -> float:
    """The least of the values, which are in order, that `percent` of them do not exceed."""
    values = list(ordered)
    return values[ceil(len(values) * percent / 100) - 1]


def with_last_contacts(servers: ServerQuerySet) -> ServerQuerySet:
    """Each with `last_contact_at`, and `last_contact_problem`: empty if it answered, None if it was never reached."""
    last = Contact.objects.ended().filter(server=OuterRef("pk"))
    return servers.annotate(
        last_contact_at=Subquery(last.values("at")[:1]), last_contact_problem=Subquery(last.values("problem")[:1])
    )
