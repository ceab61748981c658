"""How a call of an operation becomes an HTTP request: kept with the tool as JSON, made when the document is read."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Place = Literal["path", "query", "header", "cookie", "body", "whole body"]
Style = Literal["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"]
STYLES: Mapping[str, tuple[Style, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
"""What a parameter of a place may be written in; the first is what is meant where nothing is said."""
PLACEHOLDER = re.compile(r"\{([^{}/?#]+)\}")
"""A parameter in a path."""
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the tool, and where in the request it goes: `name` is what the API calls it there."""

    argument: str
    place: Place
    name: str
    style: Style = "simple"
    explode: bool = False
    keeps_reserved: bool = False
    """Characters such as / and : stand as they are in a query."""
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CallPlan:
    """`server` is the operation's own base address, empty where it is the document's. `security` lists alternatives,
    each the schemes that are needed together."""

    method: str
    path: str
    arguments: tuple[Argument, ...] = ()
    media_type: str = ""
    server: str = ""
    security: tuple[tuple[str, ...], ...] = ()

    def as_json(self) -> dict[str, Any]:
        plan = asdict(self)
        plan["arguments"] = [asdict(argument) for argument in self.arguments]
        plan["security"] = [list(schemes) for schemes in self.security]
        return plan

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "CallPlan":
        """The plan as `as_json` wrote it."""
        return cls(
            method=stored["method"],
            path=stored["path"],
            arguments=tuple(Argument(**argument) for argument in stored.get("arguments", ())),
            media_type=stored.get("media_type", ""),
            server=stored.get("server", ""),
            security=tuple(tuple(schemes) for schemes in stored.get("security", ())),
        )
