"""A chat model that runs may use: a LiteLLM name and, where it needs one, an address and a key."""

from django.core.validators import MinValueValidator
from django.db import models

from catalog.models.addresses import AddressField
from catalog.models.encryption import EncryptedJSONField
from playground.agent.spending import Prices, prices_by_million

SCRIPTED = "demo/scripted"
"""The shipped demo model: rules, no LLM."""


class ChatModel(models.Model):
    """`name` is LiteLLM's (`openai/gpt-5-mini`). Without a key here, the provider's usual environment variable counts.

    Prices are dollars for a million tokens. Both of prompts and answers, or neither: then LiteLLM's table counts.
    """

    title = models.CharField(max_length=200, unique=True)
    name = models.CharField(max_length=200)
    base_url = AddressField(max_length=1000, blank=True)
    secrets = EncryptedJSONField(default=dict, blank=True, editable=False)
    prompt_price = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0.0)])
    completion_price = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0.0)])
    cached_price = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0.0)])
    enabled = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_scripted(self) -> bool:
        return self.name == SCRIPTED

    @property
    def why_kept(self) -> str:
        """Why it cannot be deleted; empty if it can."""
        return "The demo model stays, so that everything can be seen without a key." if self.is_scripted else ""

    @property
    def api_key(self) -> str:
        return str(self.secrets.get("api_key", ""))

    @property
    def prices(self) -> Prices | None:
        """Those written here."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        return prices_by_million(self.prompt_price, self.completion_price, self.cached_price)
