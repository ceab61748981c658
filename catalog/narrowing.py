"""The tools page's question to the database: the same expressions group all tools for the facets and find those chosen."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, reduce
from operator import add
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, NullIf, StrIndex
from django.db.models.lookups import GreaterThan
from django.utils import timezone

from catalog.facets import NONE, STATES, UNUSED_DAYS, Chosen, Group
from catalog.models import Drift, Server, Tool
from catalog.models.tool import ToolQuerySet, to_be_looked_at

SORTS: dict[str, tuple[Any, ...]] = {
    "": ("server__slug", "name"),
    "name": ("name", "server__slug"),
    "-tokens": (F("tokens").desc(nulls_last=True), "server__slug", "name"),
    "tokens": (F("tokens").asc(nulls_last=True), "server__slug", "name"),
    "-edited": (F("edited_at").desc(nulls_last=True), "server__slug", "name"),
}
"""The orders of the list, by their word in an address."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes with the groups of all tools, told in a fraction of their time. `last`: when a tool last changed.

    `sums` are the numbers of tools and their keys, of all and of those in each state: states change with the day, with runs
    and with drift, where no tool does. `slugs` are of servers, by their keys.
    """

    last: datetime | None
    sums: tuple[int | None, ...]
    slugs: Mapping[int, str]


def stamp_of_groups() -> Stamp:
    states = {f"sum_{state}": Sum("id", filter=asked) for state, asked in _states(_unused_since()).items()}
    last, *sums = Tool.objects.aggregate(last=Max("updated_at"), tools=Count("id"), sum=Sum("id"), **states).values()
    return Stamp(last, tuple(sums), _slugs())


def groups_of(words: str, slugs: Mapping[int, str] | None = None) -> list[Group]:
    """All tools that have the words, gone ones too, in groups that no facet tells apart; `slugs` of servers where known.

    The states are one number and the server is its key, as short rows are grouped in less time.
    """
    columns = ["server_id", "facet_category", "facet_tags", "facet_permission", "capability", "states"]
    tools = Tool.objects.annotate(**_values(), states=_bits(_states(_unused_since()))).matching(words).order_by()
    rows = tools.values_list(*columns).annotate(count=Count("pk"))
    slugs = _slugs() if slugs is None else slugs
    tags, states = cache(_tags), cache(_states_in)
    return [
        Group(slugs[server], category, tags(listed), permission, kind, states(bits), count)
        for server, category, listed, permission, kind, bits, count in rows
    ]


def chosen_tools(words: str, chosen: Chosen) -> ToolQuerySet:
    """The tools that have the words and are chosen."""
    tools: ToolQuerySet = Tool.objects.alias(**_facets()).filter(**dict.fromkeys(_is(chosen.states), True))
    if not chosen.with_gone:
        tools = tools.here()
    if chosen.server:
        tools = tools.filter(server__slug=chosen.server)
    if chosen.kind:
        tools = tools.filter(capability=chosen.kind)
    if chosen.category:
        tools = tools.filter(**{"facet_category__in": _or_none(chosen.category)})
    if chosen.permission:
        tools = tools.filter(**{"facet_permission__in": _or_none(chosen.permission)})
    if chosen.tag:
        tools = tools.filter(_has_tag(chosen.tag))
    return tools.matching(words)


def _slugs() -> dict[int, str]:
    return dict(Server.objects.values_list("pk", "slug"))


def _facets() -> dict[str, Any]:
    states = {
        f"state_{state}": ExpressionWrapper(asked, BooleanField()) for state, asked in _states(_unused_since()).items()
    }
    return _values() | states


def _values() -> dict[str, Any]:
    own = [NullIf(name, Value("")) for name in ("special_category", "own_category")]
    return {
        "facet_category": Coalesce(*own, F("category"), output_field=TextField()),
        "facet_tags": Coalesce(Cast("own_tags", TextField()), Cast("tags", TextField())),
        "facet_permission": Coalesce(NullIf("own_permission", Value("")), F("permission")),
    }


def _bits(states: dict[str, Any]) -> Any:
    """A number in which each state that holds, in the order of STATES, is a bit."""
    ones = (
        Case(When(states[state], then=Value(1 << place)), default=Value(0), output_field=IntegerField())
        for place, state in enumerate(STATES)
    )
    return reduce(add, ones)


def _unused_since() -> datetime:
    return timezone.now() - timedelta(days=UNUSED_DAYS)


def _states(unused_since: datetime) -> dict[str, Any]:
    waiting = Exists(Drift.objects.waiting().filter(tool=OuterRef("pk")))
    seen = Q(last_used_at__isnull=False) & Q(last_used_at__gte=unused_since)
    own = Q(own_description__isnull=False) | ~Q(own_category="") | ~Q(own_permission="") | Q(own_tags__isnull=False)
    return {
        "edited": own,
        "drifted": Q(waiting),
        "suspicious": to_be_looked_at(),
        "off": Q(enabled=False),
        "unsearchable": Q(searchable=False),
        "unused": ~seen,
        "gone": Q(gone_at__isnull=False),
    }


def _is(states: Iterable[str]) -> list[str]:
    return [f"state_{state}" for state in states]


def _tags(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text or "[]"))


def _states_in(bits: int) -> frozenset[str]:
    return frozenset(state for place, state in enumerate(STATES) if bits >> place & 1)


def _or_none(value: str) -> list[str]:
    """What is chosen by a value. The mark of none chooses what bears that very name as well."""
    return ["", NONE] if value == NONE else [value]


def _has_tag(tag: str) -> Q:
    """The list is kept as JSON text. A quote inside a tag follows a backslash, so that this can begin nothing but a tag."""
    found = Q(facet_tags="[]") if tag == NONE else Q()
    for text in {json.dumps(tag), json.dumps(tag, ensure_ascii=False)}:
        for start in ("[", ", "):
            found |= Q(GreaterThan(StrIndex(F("facet_tags"), Value(start + text)), 0))
    return found
