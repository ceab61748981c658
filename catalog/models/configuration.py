"""A configuration of MCP servers that somebody brought, until they have said which of its servers to add."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse
from django.utils import timezone

from catalog.models.encryption import EncryptedJSONField

KEPT_FOR = timedelta(days=1)


class Configuration(models.Model):
    """`content` is the configuration as it was read, its secrets with it: encrypted, and deleted once it is decided upon."""

    by = models.ForeignKey(User, models.CASCADE, related_name="+", editable=False)
    source = models.CharField(max_length=300, blank=True)
    content = EncryptedJSONField(default=dict, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: "models.Manager[Configuration]" = models.Manager()

    def __str__(self) -> str:
        return self.source

    def get_absolute_url(self) -> str:
        return reverse("configuration", args=[self.pk])

    @classmethod
    def drop_old(cls) -> None:
        """Those that nobody decided upon within a day."""
        cls.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
