"""What can be done to many tools at once, each act as a change of one tool's overlay. Plain values in, plain values out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.platforms import platform_named

Overlay = Mapping[str, Any]
"""What a person says over a tool, by the names of its fields."""
Source = Mapping[str, Any]
"""What the tool's source says, by the names of its fields."""
Change = Callable[[Overlay, Source, str], dict[str, Any]]
"""The fields as they would be, of an overlay, a source and the value that was asked for."""

MOST_CHARACTERS = {"own_category": 100, "special_category": 100, "search_text": 2_000}
MOST_VALUES = 50
"""Tags or aliases of one tool."""
LOWERED = "it is said to be dangerous: that is lowered one by one, in its own form"
UNTOUCHED: Overlay = {
    "own_description": None,
    "own_category": "",
    "own_tags": None,
    "own_permission": "",
    "search_text": "",
    "aliases": [],
    "special_category": "",
}
"""The fields of an overlay that can be cleared, as they are where nobody has written anything."""


class RefusedError(Exception):
    """The act is not done to a tool; the message says why."""


@dataclass(frozen=True, slots=True)
class Act:
    """`asks` is what its value is, empty where it takes none; `group` the heading it stands under.

    `rewords`: it may change what a model reads, and so what the tool costs.
    """

    words: str
    group: str
    change: Change
    asks: str = ""
    rewords: bool = False


def changes_of(act: Act, value: str, overlay: Overlay, source: Source) -> dict[str, Any]:
    """The fields that would differ, as they would be; empty where the tool is so already. Raises RefusedError."""
    after = act.change(overlay, source, value)
    changed = {name: new for name, new in after.items() if overlay[name] != new}
    for name, new in changed.items():
        if isinstance(new, str) and len(new) > MOST_CHARACTERS.get(name, len(new)):
            raise RefusedError(f"it would be longer than {MOST_CHARACTERS[name]:,} characters")
        if isinstance(new, list) and len(new) > MOST_VALUES:
            raise RefusedError(f"it would have more than {MOST_VALUES} of them")
    return changed


def _put(name: str, new: Any) -> Change:
    return lambda overlay, source, value: {name: new}


def _put_value(name: str) -> Change:
    return lambda overlay, source, value: {name: value}


def _clear(*names: str) -> Change:
    def change(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
        if "own_permission" in names and overlay["own_permission"] == "dangerous" != source["permission"]:
            raise RefusedError(LOWERED)
        return {name: UNTOUCHED[name] for name in names}

    return change


def _category(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    return {"own_category": "" if value == source["category"] else value}


def _add_tag(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    tags = _tags(overlay, source)
    return _own_tags(tags if value in tags else [*tags, value], overlay, source)


def _remove_tag(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    return _own_tags([tag for tag in _tags(overlay, source) if tag != value], overlay, source)


def _tags(overlay: Overlay, source: Source) -> list[str]:
    return list(source["tags"] if overlay["own_tags"] is None else overlay["own_tags"])


def _own_tags(tags: list[str], overlay: Overlay, source: Source) -> dict[str, Any]:
    """Nothing of one's own is said where the source says the same, or where nothing changes."""
    if tags == _tags(overlay, source):
        return {}
    return {"own_tags": None if tags == source["tags"] else tags}


def _permission(kind: str) -> Change:
    def change(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
        if "dangerous" in (source["permission"], overlay["own_permission"]) and kind != "dangerous":
            raise RefusedError(LOWERED)
        return {"own_permission": "" if kind == source["permission"] else kind}

    return change


def _add_words(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    """Words that the search text has already are not added again."""
    has = overlay["search_text"].lower().split()
    new = [word for word in dict.fromkeys(value.split()) if word.lower() not in has]
    return {"search_text": " ".join([overlay["search_text"].strip(), *new]).strip()} if new else {}


def _add_platform(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    has = map(platform_named, overlay["platforms"])
    return {} if platform_named(value) in has else {"platforms": [*overlay["platforms"], value]}


def _add_alias(overlay: Overlay, source: Source, value: str) -> dict[str, Any]:
    return {} if value in overlay["aliases"] else {"aliases": [*overlay["aliases"], value]}


SWITCHES, WORDS, PERMISSION, BACK = "Switch", "Words and places", "Permission", "Back to the source"
ACTS: dict[str, Act] = {
    "on": Act("Switch on", SWITCHES, _put("enabled", True)),
    "off": Act("Switch off", SWITCHES, _put("enabled", False)),
    "searchable": Act("Let searches find it", SWITCHES, _put("searchable", True)),
    "unsearchable": Act("Keep from searches", SWITCHES, _put("searchable", False)),
    "category": Act("Set the category", WORDS, _category, "category"),
    "special-category": Act("Set the special category", WORDS, _put_value("special_category"), "special category"),
    "add-tag": Act("Add a tag", WORDS, _add_tag, "tag"),
    "remove-tag": Act("Remove a tag", WORDS, _remove_tag, "tag"),
    "search-text": Act("Add search text", WORDS, _add_words, "words"),
    "alias": Act("Add an alias", WORDS, _add_alias, "alias"),
    "add-platform": Act("Add a platform that it runs on", WORDS, _add_platform, "platform"),
    "any-platform": Act("Runs on any platform", WORDS, _put("platforms", [])),
    "read": Act("May read", PERMISSION, _permission("read")),
    "write": Act("May write", PERMISSION, _permission("write")),
    "execute": Act("May execute", PERMISSION, _permission("execute")),
    "network": Act("May use the network", PERMISSION, _permission("network")),
    "dangerous": Act("Dangerous", PERMISSION, _permission("dangerous")),
    "clear-description": Act("Clear the description", BACK, _clear("own_description"), rewords=True),
    "clear-category": Act("Clear the categories", BACK, _clear("own_category", "special_category")),
    "clear-tags": Act("Clear the tags", BACK, _clear("own_tags")),
    "clear-permission": Act("Clear the permission", BACK, _clear("own_permission")),
    "clear-search": Act("Clear search text and aliases", BACK, _clear("search_text", "aliases")),
    "clear": Act("Clear everything written here", BACK, _clear(*UNTOUCHED), rewords=True),
}
"""By the word that an edit keeps."""
FROM_FILE = "from-file"
"""The word of an edit that no act made: a catalog's file said how its tools are to be."""


def words_of(act: str) -> str:
    """What was done, as a heading has it."""
    return "As the file of a catalog says" if act == FROM_FILE else ACTS[act].words
