"""An app that registered its tools: the part of its server's row that only apps have."""

import secrets
from datetime import datetime

from django.db import models

from catalog.models.encryption import LOCKED, EncryptedJSONField
from catalog.models.server import Server


class App(models.Model):
    """`secret` is what calls are signed with: shown to the app once, read by calls only, never shown.

    An app that unregistered keeps its row and its tools, which stay findable.
    """

    server = models.OneToOneField(Server, models.CASCADE, related_name="app")
    secret = EncryptedJSONField(default=dict, editable=False)
    registered_at = models.DateTimeField()
    unregistered_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.server} {'is' if self.is_registered else 'was'} registered"

    @property
    def is_registered(self) -> bool:
        return self.unregistered_at is None

    @property
    def signing_key(self) -> str:
        """Empty where the key that encrypts secrets is gone."""
        return "" if LOCKED in self.secret else str(self.secret.get("signing_key", ""))

    def renew_key(self) -> str:
        """A new signing key, which nobody can be shown again; what was signed with the old one no longer counts."""
        key = f"pegboard_app_{secrets.token_urlsafe(32)}"
        self.secret = {"signing_key": key}
        return key

    def register(self, at: datetime) -> None:
        self.registered_at, self.unregistered_at = at, None
