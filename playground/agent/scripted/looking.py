"""How the scripted model looks into an output that was put into a file because it was too large for the prompt."""

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from playground.agent.scripted.needs import Need
from playground.agent.scripted.progress import Step

LOOK = "query_large_output"
_FILE = re.compile(r"\bfilename \"([^\"]+)\"")


@dataclass(frozen=True, slots=True)
class Look:
    """A call of LOOK; `wanted` is the value of the task whose lines it asks for."""

    wanted: str
    arguments: Mapping[str, Any]


def look_for(need: Need, call: Step, functions: Container[str]) -> Look | None:
    """Where the call's answer names a file: the texts in it that hold what the need names and the call left out."""
    kept = _FILE.search(call.answer) if LOOK in functions else None
    given = {str(value) for value in call.arguments.values()}
    wanted = next((value.text for value in need.values if value.text not in given), None)
    if kept is None or wanted is None:
        return None
    query = f".. | strings | select(contains({json.dumps(wanted, ensure_ascii=False)}))"
    return Look(wanted, {"filename": kept[1], "query": query, "raw": True})
