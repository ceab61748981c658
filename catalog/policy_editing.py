"""Changing a catalog's policy: rules come, go and move, and what was changed last can be put back."""

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.forms.models import model_to_dict

from catalog.models import Catalog, PolicyRule

State = dict[str, Any]


class PolicyChangedError(Exception):
    """The policy was changed again: putting back what was before would lose that."""


def add_rule(rule: PolicyRule) -> None:
    """At the end."""
    last = rule.catalog.policy_rules.aggregate(last=Max("position"))["last"]
    rule.position = 0 if last is None else last + 1
    rule.save()


def add_first(rule: PolicyRule) -> None:
    """Before all others."""
    with transaction.atomic():
        _renumber(rule.catalog, [rule, *rule.catalog.policy_rules.all()])


def move_rule(rule: PolicyRule, places: int) -> None:
    """Up (negative) or down; at the end it stays where it is."""
    with transaction.atomic():
        rows = list(rule.catalog.policy_rules.select_for_update())
        here = rows.index(rule)
        rows.insert(max(0, here + places), rows.pop(here))
        _renumber(rule.catalog, rows)


def switch_rule(rule: PolicyRule) -> None:
    rule.enabled = not rule.enabled
    rule.save(update_fields=["enabled"])


def state_of(catalog: Catalog) -> State:
    """The whole policy, in JSON."""
    rules = [{**model_to_dict(rule, exclude=["catalog"]), "id": rule.pk} for rule in catalog.policy_rules.all()]
    return {"rules": rules, "policy": catalog.policy, "context_to_try": catalog.context_to_try}


def put_back(catalog: Catalog, before: State, after: State) -> None:
    """The policy as it was before, rules under their old keys. Raises PolicyChangedError if it is not as it was `after`."""
    with transaction.atomic():
        catalog = Catalog.objects.select_for_update().get(pk=catalog.pk)
        if state_of(catalog) != after:
            raise PolicyChangedError(f"the policy of {catalog.title} was changed again since")
        catalog.policy_rules.all().delete()
        PolicyRule.objects.bulk_create(PolicyRule(catalog=catalog, **rule) for rule in before["rules"])
        catalog.policy, catalog.context_to_try = before["policy"], before["context_to_try"]
        catalog.save(update_fields=["policy", "context_to_try", "updated_at"])


def _renumber(catalog: Catalog, rows: list[PolicyRule]) -> None:
    for position, row in enumerate(rows):
        row.position = position
        row.save()
