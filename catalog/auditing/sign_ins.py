"""Signing in, out, and failing to: Django says so by signals, which nothing else here is done by."""

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.http import HttpRequest

from catalog.auditing.recording import Act, record


def listen() -> None:
    user_logged_in.connect(_signed_in, dispatch_uid="audit")
    user_logged_out.connect(_signed_out, dispatch_uid="audit")
    user_login_failed.connect(_failed, dispatch_uid="audit")


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    match = request.resolver_match
    by_link = match is not None and match.url_name == "sign_in_link"
    record(Act.SIGNED_IN, user, after={"by": "sign-in link" if by_link else "password"}, by=user)


def _signed_out(user: User | None, **_: Any) -> None:
    if user is not None:
        record(Act.SIGNED_OUT, user, by=user)


def _failed(credentials: dict[str, Any], **_: Any) -> None:
    """A name is kept only if somebody has it: in the place of others stands now and then a password."""
    with transaction.atomic():
        person = User.objects.filter(username=credentials.get("username", "")).first()
        record(Act.SIGN_IN_FAILED, person or "an unknown name")
