"""Tool names as providers take them: letters, digits, `_` and `-`, at most 64 characters; and back."""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

LONGEST = 64
_REFUSED = re.compile(r"[^A-Za-z0-9_-]")


def wire_name(name: str) -> str:
    """The name itself where it will do, else one like it with a checksum, which is the same in every call of a run."""
    safe = _REFUSED.sub("_", name)
    if safe == name and len(name) <= LONGEST:
        return name
    checksum = blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{safe[: LONGEST - len(checksum) - 1]}_{checksum}"


def names_by_wire_name(tools: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {wire_name(tool["function"]["name"]): tool["function"]["name"] for tool in tools}


def tools_on_the_wire(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [_renamed(tool) for tool in tools]


def messages_on_the_wire(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages with the names in the calls and the searches that they repeat made fit too."""
    return [_refit(message) for message in messages]


def _refit(message: Mapping[str, Any]) -> dict[str, Any]:
    fit = dict(message)
    if calls := message.get("tool_calls"):
        fit["tool_calls"] = [_renamed(call) for call in calls]
    if searches := message.get("searches"):
        fit["searches"] = [{**search, "names": [wire_name(name) for name in search["names"]]} for search in searches]
    return fit


def _renamed(entry: Mapping[str, Any]) -> dict[str, Any]:
    function = entry["function"]
    return {**entry, "function": {**function, "name": wire_name(function["name"])}}
