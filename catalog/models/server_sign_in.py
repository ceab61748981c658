"""How Pegboard is signed in to an MCP server by OAuth, and a sign-in that was begun and is not over yet."""

import hashlib
from datetime import timedelta
from typing import Any, Self

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone

from catalog.models.addresses import AddressField
from catalog.models.encryption import EncryptedJSONField
from catalog.models.server import Server

LIFETIME = timedelta(minutes=10)
"""How long a person may take."""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class ServerSignIn(models.Model):
    """Good for `url` alone: a server whose address was changed is not sent these tokens.

    `kept` holds `client`, `access`, `refresh` and `asked` (what an admin wrote down), `authority` the authorization
    server's metadata, the resource and the scopes that were asked for. `scopes` were granted, `wanted` are those that
    the server then asked for, both by spaces. `renew_at` is some time before `expires_at`; either is None where the
    server said nothing. Until `renewing_until` one process asks for fresh tokens. `problem` is why the last tokens are
    of no more use, or could not be renewed.
    """

    server = models.OneToOneField(Server, models.CASCADE, related_name="sign_in")
    url = AddressField(max_length=1000)
    authority = models.JSONField()
    kept = EncryptedJSONField(editable=False)
    scopes = models.TextField(blank=True)
    wanted = models.TextField(blank=True)
    who = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    renew_at = models.DateTimeField(null=True)
    renewing_until = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.server} at {self.issuer}"

    @property
    def issuer(self) -> str:
        return str(self.authority["metadata"]["issuer"])

    @property
    def secrets(self) -> list[str]:
        """None where their key is gone."""
        secret = (self.kept.get("client") or {}).get("client_secret")
        return [text for text in (self.kept.get("access"), self.kept.get("refresh"), secret) if text]

    @property
    def renews(self) -> bool:
        """Whether it is renewed without anybody's doing."""
        return bool(self.kept.get("refresh"))


class SignInAttempt(models.Model):
    """A person was sent to an authorization server, and may come back once, in the session in which it was begun.

    `kept` holds `address` (where the person is sent), `verifier`, `client`, `authority`, `redirect`, `asked` and `url`.
    `session` and `state` are digests.
    """

    server = models.ForeignKey(Server, models.CASCADE, related_name="sign_in_attempts")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    session = models.CharField(max_length=64)
    state = models.CharField(max_length=64, unique=True)
    kept = EncryptedJSONField(editable=False)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user} at {self.server} until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def begin(cls, server: Server, user: User, session: str, state: str, kept: dict[str, Any]) -> Self:
        """One a server and session: an earlier one can no longer be finished."""
        now = timezone.now()
        cls.objects.filter(models.Q(server=server, session=_digest(session)) | models.Q(expires_at__lt=now)).delete()
        return cls.objects.create(
            server=server, user=user, session=_digest(session), state=_digest(state), kept=kept,
            expires_at=now + LIFETIME,
        )  # fmt: skip

    @classmethod
    def under_way(cls, server: Server, user: User, session: str) -> Self | None:
        theirs = cls.objects.filter(server=server, user=user, session=_digest(session))
        return theirs.filter(expires_at__gt=timezone.now()).first()

    @classmethod
    def use(cls, server: Server, user: User, session: str, state: str) -> Self | None:
        """The attempt, now used up; None if there is none with this state, here and now."""
        found = cls.under_way(server, user, session)
        if found is None or found.state != _digest(state):
            return None
        return found if cls.objects.filter(pk=found.pk).delete()[0] else None
