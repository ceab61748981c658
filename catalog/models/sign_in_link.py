"""A link that signs one person in, once: how the embedded form is entered without a password."""

import hashlib
import secrets
from datetime import timedelta
from typing import Self

from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils import timezone

LIFETIME = timedelta(hours=24)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class SignInLink(models.Model):
    """Only a digest of the token is kept."""

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, models.CASCADE)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.user} until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def make(cls, user: User) -> str:
        """A new token for `user`; those not yet used cease to work."""
        cls.objects.filter(user=user, used_at=None).delete()
        token = secrets.token_urlsafe(32)
        cls.objects.create(digest=_digest(token), user=user, expires_at=timezone.now() + LIFETIME)
        return token

    @classmethod
    def use(cls, token: str) -> Self | None:
        """The link, now used up; None if there is none, or it was used or has expired."""
        now = timezone.now()
        with transaction.atomic():
            unused = cls.objects.filter(digest=_digest(token), used_at=None, expires_at__gt=now)
            return cls.objects.get(digest=_digest(token)) if unused.update(used_at=now) else None
