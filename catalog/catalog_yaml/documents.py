"""A catalog as one value in plain JSON types, as `schema.json` has it: from rows, and completed from what was written."""

from collections.abc import Mapping
from typing import Any

from catalog.catalog_yaml.overlays import completed_entry, overlays_of
from catalog.models import Catalog, CatalogServer, PolicyRule
from catalog.person_kinds import USUAL, in_order

FORMAT = "pegboard-catalog-1"
Document = dict[str, Any]


def document_of(catalog: Catalog, *, with_overlays: bool = False) -> Document:
    """Everything that a person decides of a catalog, in its order; no secrets, as a catalog has none.

    What people say over its tools is there only if it is asked for.
    """
    overlays = {"overlays": overlays_of(catalog)} if with_overlays else {}
    return {
        "format": FORMAT,
        "slug": catalog.slug,
        "title": catalog.title,
        "description": catalog.description,
        "mode": {"name": catalog.mode, "options": _by_name(catalog.mode_options)},
        "engine": {"name": catalog.engine, "settings": _by_name(catalog.engine_settings)},
        "servers": [_server(row) for row in catalog.servers.select_related("server")],
        "pre_discovered": [str(row.tool) for row in catalog.pre_discovered.select_related("tool__server")],
        "excluded": sorted(str(tool) for tool in catalog.excluded.select_related("server")),
        "policy": {
            "asks": catalog.policy,
            "context_to_try": _by_name(catalog.context_to_try),
            "rules": [_rule(row) for row in catalog.policy_rules.all()],
        },
        "ask_person": [*in_order(catalog.ask_person)],
        "gate": str(catalog.gate),
        **overlays,
    }


def completed(written: Mapping[str, Any]) -> Document:
    """What was written, which fits the schema, with what it leaves out, in the order of `document_of`."""
    mode, engine, policy = written.get("mode", {}), written.get("engine", {}), written.get("policy", {})
    overlays = {"overlays": [*map(completed_entry, written["overlays"])]} if "overlays" in written else {}
    return {
        "format": FORMAT,
        "slug": written["slug"],
        "title": written["title"],
        "description": written.get("description", ""),
        "mode": {"name": mode.get("name", "mcpagent"), "options": _by_name(mode.get("options", {}))},
        "engine": {"name": engine.get("name", ""), "settings": _by_name(engine.get("settings", {}))},
        "servers": [
            dict(sorted(row.items(), key=lambda pair: pair[0] != "server")) for row in written.get("servers", [])
        ],
        "pre_discovered": written.get("pre_discovered", []),
        "excluded": sorted(set(written.get("excluded", []))),
        "policy": {
            "asks": policy.get("asks", ""),
            "context_to_try": _by_name(policy.get("context_to_try", {})),
            "rules": [_completed_rule(rule) for rule in policy.get("rules", [])],
        },
        "ask_person": [*in_order(written.get("ask_person", USUAL))],
        "gate": written.get("gate", Catalog.Gate.WARN.value),
        **overlays,
    }


def _by_name(values: Mapping[str, Any]) -> Document:
    """In one order, whatever order the database keeps."""
    return dict(sorted(values.items()))


def verb_of(rule: Mapping[str, Any]) -> str:
    return "allow" if "allow" in rule else "deny"


def _server(row: CatalogServer) -> Document:
    return {"server": row.server.slug, row.choice: True if row.everything else row.names}


def _rule(row: PolicyRule) -> Document:
    return {
        "allow" if row.allow else "deny": row.pattern,
        "phases": row.phases,
        "where": [{"key": one["key"], "is_not" if one["is_not"] else "is": one["values"]} for one in row.conditions],
        "enabled": row.enabled,
        "note": row.note,
    }


def _completed_rule(rule: Mapping[str, Any]) -> Document:
    return {
        verb_of(rule): rule[verb_of(rule)],
        "phases": rule["phases"],
        "where": [dict(sorted(one.items(), key=lambda pair: pair[0] != "key")) for one in rule.get("where", [])],
        "enabled": rule.get("enabled", True),
        "note": rule.get("note", ""),
    }
