"""A rule of a catalog's policy."""

from django.core.exceptions import ValidationError
from django.db import models

from catalog.models.catalog import Catalog
from catalog.patterns import PatternError, compile_glob
from catalog.policy import Condition, Rule


def check_pattern(pattern: str) -> None:
    """Raises ValidationError where RE2 cannot take the pattern."""
    try:
        compile_glob(pattern)
    except PatternError as error:
        raise ValidationError(f"The pattern cannot be used: {error}.") from None


class PolicyRule(models.Model):
    """One rule; those of a catalog are asked in their order, and the first that fits decides.

    `conditions` is a list of `{"key", "values", "is_not"}`, all of which must hold.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="policy_rules")
    position = models.PositiveIntegerField(default=0)
    allow = models.BooleanField(default=False)
    pattern = models.CharField(max_length=300, default="*", validators=[check_pattern])
    phases = models.JSONField(default=list)
    conditions = models.JSONField(default=list, blank=True)
    enabled = models.BooleanField(default=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return str(self.to_rule())

    def to_rule(self) -> Rule:
        when = tuple(Condition(one["key"], tuple(one["values"]), one["is_not"]) for one in self.conditions)
        return Rule(self.allow, self.pattern, tuple(self.phases), when, self.pk or 0)
