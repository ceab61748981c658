"""An agent that other agents can call: its instructions, the catalog that it works with, and what it may use up."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from catalog.models.catalog import Catalog
from catalog.models.server import SLUG

MOST_TURNS = 25


class Agent(models.Model):
    """`chat_model` is a name as LiteLLM has it; empty, the agent answers with the model of whoever calls it.

    What a catalog offers of it is a tool of the same name on the server of agents, which follows every save.
    """

    name = models.CharField(max_length=40, unique=True, validators=[SLUG])
    title = models.CharField(max_length=200)
    description = models.TextField(max_length=1024)
    instructions = models.TextField(max_length=20_000)
    catalog = models.ForeignKey(Catalog, models.SET_NULL, null=True, related_name="agents")
    chat_model = models.CharField(max_length=200, blank=True)
    turns = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1), MaxValueValidator(MOST_TURNS)]
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("agent", args=[self.name])
