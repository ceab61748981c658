"""People: adding them, their roles, whether they may sign in, and ending their sessions. Somebody stays admin, always."""

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.auditing.recording import Act, audited, record
from catalog.models import SignInLink
from catalog.roles import Role, give_role, role_of


class LastAdminError(Exception):
    """Nobody would be left who may manage people."""


def add_person(name: str, role: Role) -> User:
    """Somebody who signs in by a link, and has no password until one is set."""
    person = User(username=name)
    person.set_unusable_password()
    with audited(Act.PERSON_ADDED, person):
        person.save()
        give_role(person, role)
    return person


def change_role(person: User, role: Role) -> None:
    """Raises LastAdminError."""
    _change(Act.ROLE_CHANGED, person, role is Role.ADMIN, lambda: give_role(person, role))


def deactivate(person: User) -> None:
    """They can no longer sign in, by no link either, their access tokens no longer count, and they are signed out everywhere.

    Raises LastAdminError.
    """

    def switch_off() -> None:
        person.is_active = False
        person.save(update_fields=["is_active"])
        SignInLink.objects.filter(user=person, used_at=None).delete()
        _end_sessions(person)

    _change(Act.PERSON_DEACTIVATED, person, False, switch_off)


def reactivate(person: User) -> None:
    with audited(Act.PERSON_REACTIVATED, person):
        person.is_active = True
        person.save(update_fields=["is_active"])


def sign_out_everywhere(person: User) -> int:
    """End all their sessions; how many there were."""
    with transaction.atomic():
        count = _end_sessions(person)
        record(Act.SESSIONS_ENDED, person, before={"sessions": count})
    return count


def sessions_by_person() -> Counter[int]:
    """How many sessions each person has that have not expired, by their keys."""
    return Counter(person for _, person in _sessions())


def _change(act: Act, person: User, stays_admin: bool, change: Callable[[], None]) -> None:
    """Of two who take the role from each other at once, the second is refused: the admins are locked."""
    with transaction.atomic():
        admins = {admin.pk for admin in _admins().select_for_update()}
        if not stays_admin and admins == {person.pk}:
            raise LastAdminError
        with audited(act, person):
            change()


def _admins() -> QuerySet[User]:
    """Those who may sign in."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk")


def may_be_changed(person: User) -> bool:
    """Whether the role can be taken from them, and they can be deactivated."""
    is_admin = person.is_active and role_of(person) is Role.ADMIN
    return not is_admin or _admins().exclude(pk=person.pk).exists()


def _end_sessions(person: User) -> int:
    keys = [key for key, whose in _sessions() if whose == person.pk]
    return _stored().filter(pk__in=keys).delete()[0]


def _sessions() -> list[tuple[str, int]]:
    """The key of each session of somebody who is signed in, and their key. A session tells only once it is decoded."""
    found = []
    for session in _stored().filter(expire_date__gt=timezone.now()).iterator():
        whose = str(session.get_decoded().get(SESSION_KEY, ""))
        if whose.isdecimal():
            found.append((session.session_key, int(whose)))
    return found


def _stored() -> QuerySet[AbstractBaseSession]:
    model: Any = import_module(settings.SESSION_ENGINE).SessionStore.get_model_class()
    rows: QuerySet[AbstractBaseSession] = model.objects.all()
    return rows
