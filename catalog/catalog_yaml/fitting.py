"""What a catalog's YAML asks for that is not here, or cannot be taken here, though it fits the schema."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError

from catalog.catalog_yaml.documents import Document, verb_of
from catalog.catalog_yaml.overlays import misfits_of_overlays
from catalog.catalog_yaml.reading import Mistake, Place, Written
from catalog.forms.catalogs import RESERVED_SLUGS
from catalog.models import Server, Tool
from catalog.models.policy_rule import check_pattern
from catalog.patterns import PatternError, compile_glob
from catalog.policy_text import UnreadableError, check_context
from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.search.settings import UnfitSettingsError

CheckMode = Callable[[str, Mapping[str, Any]], Mapping[str, str]]
"""What is wrong with a mode and its options: a sentence by the name of each option, and by "" where there is no such mode."""
Misfit = tuple[Place, str]


def misfits_of(written: Written, document: Document, check_mode: CheckMode) -> Iterator[Mistake]:
    """What fits the schema and cannot be here."""
    sources = (
        _names(document, check_mode),
        _servers(document),
        _listed(written.value),
        _policy(document),
        _overlays(document),
    )
    return (written.mistake(place, text) for found in sources for place, text in found)


def _names(document: Document, check_mode: CheckMode) -> Iterator[Misfit]:
    if document["slug"] in RESERVED_SLUGS:
        yield ("slug",), f"{document['slug']} is the address of another page."
    mode, engine = document["mode"], document["engine"]
    for option, problem in check_mode(mode["name"], mode["options"]).items():
        yield ("mode", "options", option) if option else ("mode", "name"), problem
    if engine["name"] and engine["name"] not in ENGINES:
        yield ("engine", "name"), f"There is no engine {engine['name']}. There are {', '.join(ENGINES)}."
    elif engine["name"]:
        try:
            choose(engine["name"], engine["settings"])
        except UnfitSettingsError as error:
            yield from ((("engine", "settings", name), problem) for name, problem in error.problems.items())
    elif engine["settings"]:
        yield ("engine", "settings"), "Settings need an engine that is named."


def _servers(document: Document) -> Iterator[Misfit]:
    known, seen = set(Server.objects.values_list("slug", flat=True)), set()
    for place, row in enumerate(document["servers"]):
        if row["server"] not in known:
            yield ("servers", place, "server"), f"There is no server {row['server']} here."
        if row["server"] in seen:
            yield ("servers", place, "server"), f"The server {row['server']} is in it already."
        seen.add(row["server"])
        for number, pattern in enumerate(row.get("patterns", [])):
            try:
                compile_glob(pattern)
            except PatternError as error:
                yield ("servers", place, "patterns", number), f"{error}."


def _listed(document: Document) -> Iterator[Misfit]:
    """Of the document as it was written."""
    known = tool_keys(document)
    for part in ("pre_discovered", "excluded"):
        seen: set[str] = set()
        for place, key in enumerate(document.get(part, [])):
            if key not in known:
                yield (part, place), f"There is no tool {key} here."
            elif key in seen:
                yield (part, place), f"{key} is in it already."
            seen.add(key)


def _policy(document: Document) -> Iterator[Misfit]:
    policy = document["policy"]
    if policy["asks"] and policy["asks"] not in settings.PEGBOARD_POLICIES:
        yield ("policy", "asks"), f"{policy['asks']} is not in PEGBOARD_POLICIES."
    try:
        check_context(policy["context_to_try"])
    except UnreadableError as error:
        yield ("policy", "context_to_try"), str(error)
    for place, rule in enumerate(policy["rules"]):
        try:
            check_pattern(rule[verb_of(rule)])
        except ValidationError as error:
            yield ("policy", "rules", place, verb_of(rule)), error.messages[0]


def _overlays(document: Document) -> Iterator[Misfit]:
    servers = {row["server"] for row in document["servers"]}
    for place, text in misfits_of_overlays(document.get("overlays", []), servers):
        yield ("overlays", place, "tool"), text


def unknown_picks(document: Document) -> Iterator[str]:
    """Tools picked by hand that are not there: they are let in once they are."""
    for row in document["servers"]:
        if "picked" in row:
            known = set(Tool.objects.filter(server__slug=row["server"]).values_list("name", flat=True))
            yield from (f"{row['server']}/{name}" for name in row["picked"] if name not in known)


def tool_keys(document: Document) -> dict[str, int]:
    """The keys of rows by `server/tool`, of the servers that the lists name."""
    servers = {key.partition("/")[0] for part in ("pre_discovered", "excluded") for key in document.get(part, [])}
    rows = Tool.objects.filter(server__slug__in=servers).values_list("server__slug", "name", "pk")
    return {f"{server}/{name}": pk for server, name, pk in rows}
