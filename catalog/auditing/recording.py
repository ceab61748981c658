"""Writing down who did what: the one place where audit entries are made, in the transaction of the change itself."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from catalog.auditing.acts import Act
from catalog.auditing.facts import differing, written
from catalog.auditing.kinds import KINDS, Subject, subject_of
from catalog.auditing.sealing import seal
from catalog.invisible import cleaned
from catalog.models import AuditEntry
from catalog.origins import Origin, current_origin

__all__ = ["Act", "audited", "record"]
NO_FACTS: Mapping[str, Any] = {}


def record(
    act: Act,
    row: Model | str = "",
    before: Mapping[str, Any] = NO_FACTS,
    after: Mapping[str, Any] = NO_FACTS,
    by: User | None = None,
) -> None:
    """Write an entry. `by` is whoever is signed in, unless it is said; `row` may be a mere name."""
    _write(act, subject_of(row), before, after, by)


@contextmanager
def audited(act: Act, row: Model, by: User | None = None) -> Iterator[None]:
    """Make one transaction of what is done within and the entry that tells it: the facts of the row that changed.

    Where none did, there is no entry. The row may be made or deleted within.
    """
    with transaction.atomic():
        subject, before = _as_stored(row)
        yield
        now, after = _as_stored(row)
        old, new = differing(before, after)
        if old or new or subject is None or now is None:
            _write(act, now or subject or subject_of(row), old, new, by)


def _as_stored(row: Model) -> tuple[Subject | None, Mapping[str, Any]]:
    """As it stands in the database, whatever a form made of it."""
    stored = row.pk and type(row)._default_manager.filter(pk=row.pk).first()
    return (subject_of(stored), KINDS[row._meta.label].facts(stored)) if stored else (None, NO_FACTS)


def _write(act: Act, subject: Subject, before: Mapping[str, Any], after: Mapping[str, Any], by: User | None) -> None:
    origin = current_origin()
    who_id, who = _who(origin, by)
    with transaction.atomic():
        AuditEntry.objects.create(
            at=timezone.now(),
            act=act.value,
            who_id=who_id,
            who=who,
            kind=subject.kind,
            key=subject.key,
            name=cleaned(subject.name)[:300],
            before=written(before),
            after=written(after),
            way=origin.way,
            way_title=origin.title,
            request=origin.request,
            address=origin.address,
        )
        transaction.on_commit(seal, robust=True)


def _who(origin: Origin, by: User | None) -> tuple[int | None, str]:
    person = by if by is not None else origin.person
    if person is None or isinstance(person, AnonymousUser) or not person.is_authenticated:
        return None, origin.login
    return person.pk, person.get_username()
