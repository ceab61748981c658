"""A link by which a run can be looked at without a sign-in, until it ends."""

import hashlib
import secrets
from datetime import timedelta
from typing import Self

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone

from playground.models.run import Run


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class SharedRunQuerySet(models.QuerySet["SharedRun"]):
    def working(self) -> Self:
        """Those that open: not ended, not taken back, and made by somebody who may still sign in."""
        return self.filter(expires_at__gt=timezone.now(), revoked_at=None, by__is_active=True)


class SharedRun(models.Model):
    """Only a digest of the token in its address is kept. `visits` counts how often it was opened."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="shares")
    digest = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    shows_texts = models.BooleanField(default=False)
    shows_notes = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    visits = models.PositiveIntegerField(default=0)

    objects = SharedRunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.run_id} until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def make(
        cls, run: Run, by: User, lasting: timedelta, *, texts: bool = False, notes: bool = False
    ) -> tuple[Self, str]:
        """A new one, and its token, which nobody can be shown again."""
        token = secrets.token_urlsafe(32)
        ends = timezone.now() + lasting
        return cls.objects.create(
            run=run, by=by, digest=_digest(token), expires_at=ends, shows_texts=texts, shows_notes=notes
        ), token

    @classmethod
    def opened_by(cls, token: str) -> "SharedRun | None":
        """The one whose token it is, if it opens. What is compared is a digest, which tells nothing of how near a guess came."""
        return cls.objects.working().select_related("run").filter(digest=_digest(token)).first()

    @property
    def works(self) -> bool:
        return type(self).objects.working().filter(pk=self.pk).exists()
