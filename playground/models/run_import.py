"""Logs of other systems that somebody brought, until they have said which of their runs to import."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse
from django.utils import timezone

KEPT_FOR = timedelta(days=1)


class RunImport(models.Model):
    """`logs` are in the form of BroughtLog, without the secrets that were found in them; deleted once they are decided upon."""

    by = models.ForeignKey(User, models.CASCADE, related_name="+", editable=False)
    logs = models.JSONField(default=list, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: "models.Manager[RunImport]" = models.Manager()

    def __str__(self) -> str:
        return ", ".join(str(log["name"]) for log in self.logs)[:200]

    def get_absolute_url(self) -> str:
        return reverse("run_import", args=[self.pk])

    @classmethod
    def drop_old(cls) -> None:
        """Those that nobody decided upon within a day."""
        cls.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
