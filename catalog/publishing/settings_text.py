"""The settings that a version holds, in words: by name, each as one text."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalog.editions import rule_of
from catalog.person_kinds import USUAL, told


def settings_told(settings: Mapping[str, Any]) -> dict[str, str]:
    """What an agent is affected by; nothing for no settings. Names of engines and modes are their slugs."""
    return dict(_told(settings)) if settings else {}


def shape_told(settings: Mapping[str, Any]) -> dict[str, str]:
    """How the tools were chosen, of which an agent sees the tools alone."""
    return dict(_shape(settings)) if settings else {}


def words_told(settings: Mapping[str, Any]) -> dict[str, str]:
    """What servers say of themselves, which searches read."""
    texts = settings["server_texts"] if settings else {}
    return {f"words of the server {slug}": text for slug, text in sorted(texts.items())}


def _told(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    mode, engine, policy = settings["mode"], settings["engine"], settings["policy"]
    yield "mode", mode["name"]
    yield from _named("mode option", mode["options"])
    yield "engine", engine["name"] or "the mode’s own"
    yield from _named("engine setting", engine["settings"])
    yield from ((f"policy rule {place}", str(rule_of(one))) for place, one in enumerate(policy["rules"], start=1))
    yield "where no rule fits, asked", policy["asks"]
    yield "context to try", ", ".join(f"{name} = {value}" for name, value in sorted(policy["context_to_try"].items()))
    yield "waits for a person", told(settings.get("ask_person", USUAL))


def _shape(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((f"server {row['server']}", _filter(row)) for row in settings["servers"])
    yield "pre-discovered, in order", ", ".join(settings["pre_discovered"])
    yield "excluded", ", ".join(settings["excluded"])


def _filter(row: Mapping[str, Any]) -> str:
    choice = next(name for name in row if name != "server")
    return "everything" if choice == "everything" else ", ".join(row[choice])


def _named(what: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((f"{what} {name}", str(value)) for name, value in sorted(values.items()))
