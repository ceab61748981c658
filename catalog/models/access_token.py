"""A token with which a program asks on behalf of one person."""

import hashlib
import secrets

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone

PREFIX = "pegboard_"
"""What a token begins with, so that one that leaked is known for what it is."""


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class AccessToken(models.Model):
    """Only a digest of it is kept. It searches as its owner may; it ends when it is deleted.

    With `may_register` it registers apps too, for as long as its owner may add servers.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="access_tokens")
    title = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    may_register = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.title} of {self.user}"

    @classmethod
    def make(cls, user: User, title: str, *, may_register: bool = False) -> str:
        """A new token, which nobody can be shown again."""
        token = f"{PREFIX}{secrets.token_urlsafe(32)}"
        cls.objects.create(user=user, title=title, digest=_digest(token), may_register=may_register)
        return token

    @classmethod
    def known(cls, token: str) -> "AccessToken | None":
        """The row of a token whose owner may still sign in; notes that it was used."""
        row = cls.objects.select_related("user").filter(digest=_digest(token), user__is_active=True).first()
        if row is not None:
            cls.objects.filter(pk=row.pk).update(used_at=timezone.now())
        return row

    @classmethod
    def holder(cls, token: str) -> User | None:
        """The person whose token it is, if there is one and they may still sign in."""
        row = cls.known(token)
        return row.user if row else None
