"""A view of the tools page that a person named: the words, filters and order of its address."""

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse


class SavedView(models.Model):
    """`query` is the address after the question mark."""

    by = models.ForeignKey(User, models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=2000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["by", "name"], name="view_name_unique_for_person")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('tools')}?{self.query}"
