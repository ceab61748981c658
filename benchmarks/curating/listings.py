"""The lists that servers give: one server with most of the tools, and many with few, all as `tools/list` answers.

Where the shared sets are (PEGBOARD_SHARED), they are real tools, each again under another name and with one more sentence as
often as it takes; else they are made up (`benchmarks.speed.synthetic`).
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any

from benchmarks.curating.asked import MOST_EDITED
from benchmarks.speed.synthetic import NEW_WORDS, synthetic

Entry = dict[str, Any]
REAL = Path("data", "toucan_catalog", "tools.jsonl.gz")
BIG = "big"
MARK = "marked"
SHARE_OF_BIG = 0.8
"""Of all tools, those of the one big server."""
TOOLS_A_SERVER = 25
"""Of each of the others."""
PERMISSIONS = {
    "get": "read",
    "list": "read",
    "search": "read",
    "create": "write",
    "update": "write",
    "delete": "dangerous",
}


def listings(tools: int, shared: Path) -> dict[str, list[Entry]]:
    """By short name of the server; the big one first."""
    entries = islice(_unlike(shared), tools)
    big = round(SHARE_OF_BIG * tools)
    found = {BIG: _marked(list(islice(entries, big)), min(MOST_EDITED, big // 4))}
    for number in range(-(-(tools - big) // TOOLS_A_SERVER)):
        found[f"server-{number}"] = list(islice(entries, TOOLS_A_SERVER))
    return found


def content(entries: list[Entry]) -> bytes:
    """As a file that can be given."""
    return json.dumps({"tools": entries}, ensure_ascii=False).encode()


def changed(entries: list[Entry], many: int) -> list[Entry]:
    """The list with another meaning of the first so many: each needs one more parameter."""
    return [_with_parameter(entry) if place < many else entry for place, entry in enumerate(entries)]


def reworded(entries: list[Entry], first: int, last: int) -> list[Entry]:
    """The list with another description of those between."""
    return [
        {**entry, "description": f"{entry['description']} Said anew."} if first <= place < last else entry
        for place, entry in enumerate(entries)
    ]


def _marked(entries: list[Entry], many: int) -> list[Entry]:
    """The first so many with a tag of their own, by which a list of just these can be asked for."""
    return [{**entry, "tags": [*entry["tags"], MARK]} if place < many else entry for place, entry in enumerate(entries)]


def _with_parameter(entry: Entry) -> Entry:
    schema = entry["inputSchema"]
    properties = {
        **schema.get("properties", {}),
        "confirmed": {"type": "boolean", "description": "Whether a person agreed."},
    }
    needed = [*schema.get("required", []), "confirmed"]
    return {**entry, "inputSchema": {**schema, "properties": properties, "required": needed}}


def _unlike(shared: Path) -> Iterator[Entry]:
    """Tools without end, no two of one name."""
    seeds, taken = list(_seeds(shared)), set[str]()
    for round_ in count():
        word = NEW_WORDS[round_ % len(NEW_WORDS)]
        for seed in seeds:
            name = f"{seed['name']}_{word}" if round_ else str(seed["name"])
            while name in taken:
                name = f"{name}_again"
            taken.add(name)
            more = f" For {word} accounts." if round_ else ""
            yield {**seed, "name": name, "description": f"{seed['description']}{more}"}


def _seeds(shared: Path) -> Iterator[Entry]:
    if (shared / REAL).is_file():
        with gzip.open(shared / REAL, "rt", encoding="utf-8") as lines:
            yield from (_entry(json.loads(line)) for line in lines)
        return
    for tool in synthetic(16_000, 0).tools:
        made = {"name": tool.upstream_name, "description": tool.description, "parameters": dict(tool.parameters)}
        yield _entry({**made, "category": tool.category})


def _entry(row: Mapping[str, Any]) -> Entry:
    verb = str(row["name"]).replace("-", "_").split("_")[0].lower()[:20]
    entry = {
        "name": row["name"],
        "description": row["description"],
        "inputSchema": row["parameters"],
        "category": row.get("category", ""),
        "tags": [verb],
    }
    return entry | ({"permission": PERMISSIONS[verb]} if verb in PERMISSIONS else {})
