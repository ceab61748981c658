"""The four roles, and the decorator that keeps a view to those who hold one."""

from collections.abc import Callable
from enum import IntEnum
from functools import wraps
from typing import Any, TypeVar, cast

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

View = TypeVar("View", bound=Callable[..., Any])


class Role(IntEnum):
    """Each may do all that those before it may."""

    VIEWER = 0
    PRESENTER = 1
    CURATOR = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        return self.name.lower()


MAY = {
    Role.VIEWER: "look at everything",
    Role.PRESENTER: "start and stop runs, and decide on calls that wait",
    Role.CURATOR: "add servers, import and edit tools, shape catalogs",
    Role.ADMIN: "approve commands and addresses, add chat models, manage people",
}


def role_of(user: AbstractBaseUser | AnonymousUser) -> Role:
    """The highest role of a person: superusers are admins, groups name the others, everyone signed in may look."""
    if getattr(user, "is_superuser", False):
        return Role.ADMIN
    names = {group.name for group in user.groups.all()} if isinstance(user, User) else set()
    return max((role for role in Role if role.word in names), default=Role.VIEWER)


def give_role(user: User, role: Role) -> None:
    """Make `role` the only role of a person."""
    user.groups.set(Group.objects.filter(name=role.word))
    user.is_superuser = user.is_staff = role is Role.ADMIN
    user.save(update_fields=["is_superuser", "is_staff"])


def ensure_groups() -> None:
    """Make the groups that stand for the roles below admin, where they are missing."""
    for role in (Role.VIEWER, Role.PRESENTER, Role.CURATOR):
        Group.objects.get_or_create(name=role.word)


def require(user: AbstractBaseUser | AnonymousUser, role: Role) -> None:
    """Raises PermissionDenied, saying who may."""
    if role_of(user) < role:
        raise PermissionDenied(f"Only a {role.word} or above may do this. A {role.word} may {MAY[role]}.")


def needs(role: Role) -> Callable[[View], View]:
    """Keep a view, plain or async, to those who hold `role` or a higher one."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            require(request.user, role)
            return view(request, *args, **kwargs)

        @wraps(view)
        async def guarded_async(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            await sync_to_async(require)(await request.auser(), role)
            return await view(request, *args, **kwargs)

        return cast(View, guarded_async if iscoroutinefunction(view) else guarded)

    return decorate
