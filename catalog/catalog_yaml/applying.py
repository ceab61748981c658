"""From a catalog's YAML to its rows: what it would change, what is wrong with it here, and applying it at once."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.facts import differing
from catalog.auditing.recording import Act, record
from catalog.bulk_acts import FROM_FILE
from catalog.bulk_applying import carry_out
from catalog.bulk_planning import BulkPlan
from catalog.catalog_yaml.documents import Document, completed, document_of, verb_of
from catalog.catalog_yaml.fitting import CheckMode, misfits_of, tool_keys, unknown_picks
from catalog.catalog_yaml.overlays import plan_overlays
from catalog.catalog_yaml.reading import MistakesError, read
from catalog.catalog_yaml.writing import text_of
from catalog.exposure import Exposure
from catalog.generations import undone
from catalog.indexing import exposure_of
from catalog.models import BulkEdit, Catalog, CatalogServer, PolicyRule, PreDiscovered, Server
from catalog.previewing import ShapingPreview, preview_of
from catalog.shaping import filter_of
from catalog.tools import ToolPool

NO_TOOLS = Exposure(ToolPool(()), ())


class ChangedError(Exception):
    """The catalog was changed since the plan was shown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a text would make of a catalog. `before` is its YAML now, empty if it is new; `unknown` are picked names of no tool.

    `overlays` is what it would change of tools, which are not in `before` and `after`.
    """

    document: Document
    before: str
    after: str
    unknown: tuple[str, ...]
    overlays: BulkPlan

    @property
    def is_new(self) -> bool:
        return not self.before

    @property
    def changes(self) -> bool:
        return self.before != self.after or bool(self.overlays.changes)

    @property
    def token(self) -> str:
        """What the plan starts from: applying it asks that this be so still."""
        now = json.dumps([self.before, asdict(self.overlays)], sort_keys=True)
        return sha256(now.encode()).hexdigest()[:20]


def plan_yaml(text: str, check_mode: CheckMode) -> Plan:
    """Raises MistakesError."""
    written = read(text)
    document = completed(written.value)
    if mistakes := [*misfits_of(written, document, check_mode)]:
        raise MistakesError(mistakes)
    catalog = Catalog.objects.filter(slug=document["slug"]).first()
    before = text_of(document_of(catalog)) if catalog else ""
    overlays = plan_overlays(document.pop("overlays", []))
    return Plan(document, before, text_of(document), tuple(unknown_picks(document)), overlays)


def foreseen(plan: Plan) -> ShapingPreview:
    """What applying the plan lets in, leaves out and costs: it is done in a transaction that is undone."""
    slug = plan.document["slug"]
    before = NO_TOOLS if plan.is_new else exposure_of(Catalog.objects.get(slug=slug))
    with undone():
        catalog = _write(plan.document)
        return preview_of(before, exposure_of(catalog), [*catalog.servers.select_related("server")])


@dataclass(frozen=True, slots=True)
class Applied:
    """`edit` is that of the catalog's tools, where any was changed: it can be undone."""

    catalog: Catalog
    edit: BulkEdit | None


@transaction.atomic
def apply_yaml(text: str, token: str, check_mode: CheckMode, by: User | None) -> Applied:
    """All of it or nothing. Raises MistakesError, and ChangedError if the plan of that token starts from something else."""
    plan = plan_yaml(text, check_mode)
    if plan.token != token:
        raise ChangedError
    before = Catalog.objects.filter(slug=plan.document["slug"]).first()
    facts = dict(document_of(before)) if before else {}
    catalog = _write(plan.document)
    record(Act.CATALOG_IMPORTED, catalog, *differing(facts, dict(document_of(catalog))))
    return Applied(catalog, carry_out(plan.overlays, FROM_FILE, catalog.slug, by) if plan.overlays.changes else None)


def _write(document: Document) -> Catalog:
    policy = document["policy"]
    catalog, _ = Catalog.objects.update_or_create(
        slug=document["slug"],
        defaults={
            "title": document["title"],
            "description": document["description"],
            "mode": document["mode"]["name"],
            "mode_options": document["mode"]["options"],
            "engine": document["engine"]["name"],
            "engine_settings": document["engine"]["settings"],
            "policy": policy["asks"],
            "context_to_try": policy["context_to_try"],
            "ask_person": document["ask_person"],
            "gate": document["gate"],
        },
    )
    _replace_lists(catalog, document)
    catalog.policy_rules.all().delete()
    PolicyRule.objects.bulk_create(_rule(catalog, place, rule) for place, rule in enumerate(policy["rules"]))
    return catalog


def _replace_lists(catalog: Catalog, document: Document) -> None:
    servers = {server.slug: server for server in Server.objects.all()}
    catalog.servers.all().delete()
    CatalogServer.objects.bulk_create(
        CatalogServer(catalog=catalog, server=servers[row["server"]], position=place, **_filter(row))
        for place, row in enumerate(document["servers"])
    )
    known = tool_keys(document)
    catalog.pre_discovered.all().delete()
    PreDiscovered.objects.bulk_create(
        PreDiscovered(catalog=catalog, tool_id=known[key], position=place)
        for place, key in enumerate(document["pre_discovered"])
    )
    catalog.excluded.set([known[key] for key in document["excluded"]])


def _filter(row: Document) -> dict[str, Any]:
    choice = next(name for name in row if name != "server")
    return filter_of(choice, row[choice] if choice != "everything" else ())


def _rule(catalog: Catalog, place: int, rule: Document) -> PolicyRule:
    conditions = [
        {"key": one["key"], "values": one.get("is", one.get("is_not")), "is_not": "is_not" in one}
        for one in rule["where"]
    ]
    return PolicyRule(
        catalog=catalog,
        position=place,
        allow="allow" in rule,
        pattern=rule[verb_of(rule)],
        phases=rule["phases"],
        conditions=conditions,
        enabled=rule["enabled"],
        note=rule["note"],
    )
