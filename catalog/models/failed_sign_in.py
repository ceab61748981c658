"""A sign-in by password that failed, or is being tried: what whoever fails too often has to wait by."""

from django.db import models


class FailedSignIn(models.Model):
    """`key` is a digest of whom it counts against: an account at an address, an address, or a browser. Kept for minutes."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["key", "at"])]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"
