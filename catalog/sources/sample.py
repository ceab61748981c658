"""The sample that ships: servers whose tools are played, the catalogs made of them, and tasks to show with them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from catalog.sources import skills as skill_folders
from catalog.sources.listing import Listing, read_listing

FOLDER = Path(__file__).parent.parent / "sample"


@dataclass(frozen=True, slots=True)
class SampleServer:
    slug: str
    title: str
    description: str
    listing: Listing


@dataclass(frozen=True, slots=True)
class SampleSelection:
    """A server in a catalog; without patterns all its tools."""

    server: str
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleRule:
    """A rule of a catalog's policy, which denies the tools of a pattern; `when` holds values by the context's name."""

    pattern: str
    when: Mapping[str, tuple[str, ...]]
    note: str


@dataclass(frozen=True, slots=True)
class SampleCatalog:
    """`pre_discovered` and `excluded` hold tool keys: `server/tool`; `mode` is empty for the usual one.

    `ask_person` are kinds of calls that wait for a person, None for the usual ones."""

    slug: str
    title: str
    description: str
    servers: tuple[SampleSelection, ...]
    pre_discovered: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    mode: str = ""
    mode_options: Mapping[str, Any] = field(default_factory=dict)
    policy: tuple[SampleRule, ...] = ()
    context_to_try: Mapping[str, str] = field(default_factory=dict)
    ask_person: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SampleAgent:
    """`catalog` is the short name of the one that it works with."""

    name: str
    title: str
    description: str
    instructions: str
    catalog: str
    turns: int


@dataclass(frozen=True, slots=True)
class SampleTask:
    """`expects` holds the names under which a model calls the tools, in call order, in `catalog`."""

    title: str
    task: str
    shows: str
    expects: tuple[str, ...]
    searches: int
    catalog: str = "office-agent"


@cache
def servers() -> tuple[SampleServer, ...]:
    return tuple(_server(_read(path)) for path in sorted((FOLDER / "servers").glob("*.json")))


@cache
def skills() -> SampleServer:
    """The one server of the sample whose tools are not played: a call of a skill returns its text."""
    listing = skill_folders.read_folder(FOLDER / "skills")
    return SampleServer(
        "skills", "Skills of the house", "How things are done here, for an agent to read first.", listing
    )


@cache
def agents() -> tuple[SampleAgent, ...]:
    return tuple(SampleAgent(**entry) for entry in _read(FOLDER / "agents.json"))


@cache
def catalogs() -> tuple[SampleCatalog, ...]:
    return tuple(_catalog(entry) for entry in _read(FOLDER / "catalogs.json"))


@cache
def tasks() -> tuple[SampleTask, ...]:
    return tuple(SampleTask(**{**entry, "expects": tuple(entry["expects"])}) for entry in _read(FOLDER / "tasks.json"))


def _server(entry: dict[str, Any]) -> SampleServer:
    listing = read_listing(entry, curated=True)
    return SampleServer(entry["slug"], entry["title"], entry["description"], listing)


def _catalog(entry: dict[str, Any]) -> SampleCatalog:
    return SampleCatalog(
        slug=entry["slug"],
        title=entry["title"],
        description=entry["description"],
        servers=tuple(SampleSelection(part["server"], tuple(part.get("patterns", ()))) for part in entry["servers"]),
        pre_discovered=tuple(entry.get("pre_discovered", ())),
        excluded=tuple(entry.get("excluded", ())),
        mode=entry.get("mode", ""),
        mode_options=entry.get("mode_options", {}),
        policy=tuple(_rule(rule) for rule in entry.get("policy", ())),
        context_to_try=entry.get("context_to_try", {}),
        ask_person=tuple(entry["ask_person"]) if "ask_person" in entry else None,
    )


def _rule(entry: dict[str, Any]) -> SampleRule:
    when = {name: tuple(values) for name, values in entry["when"].items()}
    return SampleRule(entry["pattern"], when, entry["note"])


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
