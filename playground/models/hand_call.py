"""A call of a tool that a person made by hand."""

from django.contrib.auth.models import User
from django.db import models

from catalog.models import Tool


class HandCall(models.Model):
    """`seconds` is None while there is no answer yet; `start_seconds` is what starting a server took of it, if one was started.

    `arguments` and `result` are redacted. `way` says where it ran. `pictures` are those of the result, as `data:` addresses.
    """

    tool = models.ForeignKey(Tool, models.CASCADE, related_name="hand_calls")
    by = models.ForeignKey(User, models.CASCADE, related_name="+")
    arguments = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    seconds = models.FloatField(null=True)
    start_seconds = models.FloatField(null=True)
    result = models.TextField(blank=True)
    pictures = models.JSONField(default=list)
    is_error = models.BooleanField(default=False)
    is_simulated = models.BooleanField(default=False)
    way = models.TextField(blank=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["tool", "by", "at"])]

    def __str__(self) -> str:
        return f"{self.tool} {self.at:%Y-%m-%d %H:%M}"
