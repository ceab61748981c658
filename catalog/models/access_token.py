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
    """Only a digest of it is kept. It may do what its owner may; it ends when it is deleted."""

    user = models.ForeignKey(User, models.CASCADE, related_name="access_tokens")
    title = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.title} of {self.user}"

    @classmethod
    def make(cls, user: User, title: str) -> str:
        """A new token, which nobody can be shown again."""
        token = f"{PREFIX}{secrets.token_urlsafe(32)}"
        cls.objects.create(user=user, title=title, digest=_digest(token))
        return token

    @classmethod
    def holder(cls, token: str) -> User | None:
        """The person whose token it is, if there is one and they may still sign in; notes that it was used."""
        row = cls.objects.select_related("user").filter(digest=_digest(token), user__is_active=True).first()
        if row is None:
            return None
        cls.objects.filter(pk=row.pk).update(used_at=timezone.now())
        return row.user
