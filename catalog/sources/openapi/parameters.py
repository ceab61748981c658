"""The parameters of an operation: each a property of the tool's schema, and a place in the request."""

from dataclasses import dataclass, field
from typing import Any

from catalog.sources.openapi.call_plan import JSON, PLACEHOLDER, STYLES, Argument, Place
from catalog.sources.openapi.naming import argument_name, free_name
from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.openapi.schemas import Schemas
from catalog.sources.openapi.security import TOKEN
from catalog.sources.storable import storable_text

_IGNORED_HEADERS = frozenset(("accept", "content-type", "authorization"))
"""What OpenAPI itself says is not described as a parameter."""
_OWN_HEADERS = frozenset((
    "host", "content-length", "transfer-encoding", "connection", "accept-encoding", "cookie", "te", "trailer",
    "upgrade", "keep-alive", "expect", "proxy-authorization", "proxy-connection",
))  # fmt: skip
MAX_PARAMETERS = 500


@dataclass(slots=True)
class Inputs:
    """What a tool takes, as it is gathered: the properties of its schema, and where in the request each goes."""

    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def add(self, schema: Any, place: Place, name: str, *, required: bool = False, **written: Any) -> None:
        """Take one more in, under its own name, else with its place behind it, else with a number."""
        wanted = argument_name(name)
        if wanted in self.taken:
            wanted = argument_name(f"{wanted}_{place.split()[-1]}")
        argument = free_name(wanted, self.taken)
        self.properties[argument] = schema
        self.arguments.append(Argument(argument, place, name, **written))
        if required:
            self.required.append(argument)

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        return {**schema, "required": self.required} if self.required else schema


def read_parameters(
    inputs: Inputs, listed: dict[tuple[str, str], tuple[Any, str]], path: str, schemas: Schemas
) -> None:
    """Take in the parameters, and what the path names without saying what it is. Raises Unreadable."""
    if len(listed) > MAX_PARAMETERS:
        raise Unreadable(f"it has {len(listed):,} parameters, at most {MAX_PARAMETERS} are taken", "")
    named = dict.fromkeys(PLACEHOLDER.findall(path))
    for (place, name), (parameter, pointer) in listed.items():
        if place == "path" and name not in named:
            inputs.remarks.append(f"without the parameter {name[:60]}, which its path does not name")
        elif not (place == "header" and name.lower() in _IGNORED_HEADERS):
            _read_one(inputs, parameter, pointer, place, name, schemas)
    for name in named:
        if ("path", name) not in listed:
            inputs.remarks.append(f"{name[:60]} of its path is taken as text, since no parameter says what it is")
            inputs.add({"type": "string"}, "path", name, required=True)


def list_parameters(
    levels: list[tuple[Any, str]], references: References
) -> dict[tuple[str, str], tuple[dict[str, Any], str]]:
    """The parameters of a path and of its operation by (place, name); the operation's word goes before the path's.

    Raises Unreadable where one cannot be sent, or stands twice on one level.
    """
    found: dict[tuple[str, str], tuple[dict[str, Any], str]] = {}
    for listed, pointer in levels:
        if listed is None:
            continue
        if not isinstance(listed, list):
            raise Unreadable("its parameters are not a list", pointer)
        level: dict[tuple[str, str], tuple[dict[str, Any], str]] = {}
        for place, entry in enumerate(listed):
            parameter, where = references.follow(entry, below(pointer, place))
            key = _key(parameter, where)
            if key in level:
                raise Unreadable(f"the {key[0]} parameter {key[1][:60]} stands there twice", where)
            level[key] = (parameter, where)
        found |= level
    return found


def _key(parameter: Any, pointer: str) -> tuple[str, str]:
    match parameter:
        case {"name": str(name), "in": str(place)} if name and place in STYLES:
            name = storable_text(name)
        case _:
            raise Unreadable("a parameter has no name, or no place among path, query, header and cookie", pointer)
    if len(name) > 200:
        raise Unreadable("the name of a parameter has more than 200 characters", pointer)
    if place in ("header", "cookie") and not TOKEN.fullmatch(name):
        raise Unreadable(f"“{name[:60]}” cannot be the name of a {place}", pointer)
    if place == "header" and name.lower() in _OWN_HEADERS:
        raise Unreadable(f"it asks for the header {name}, which is not a tool’s to set", pointer)
    return place, name.lower() if place == "header" else name


def _read_one(inputs: Inputs, parameter: dict[str, Any], pointer: str, place: str, name: str, schemas: Schemas) -> None:
    schema, where, is_json = _schema_of(parameter, pointer)
    written, remarks = schemas.read(schema, where)
    inputs.remarks += remarks
    if isinstance(text := parameter.get("description"), str) and text.strip():
        written = {**written, "description": storable_text(text)}
    if parameter.get("deprecated") is True:
        written["deprecated"] = True
    styles = STYLES[place]
    style = parameter.get("style", styles[0])
    if style not in styles:
        raise Unreadable(f"its parameter {name[:60]} has a style that a {place} parameter cannot have", pointer)
    explode = parameter.get("explode")
    inputs.add(
        written,
        place,  # type: ignore[arg-type]
        storable_text(parameter["name"]),
        required=parameter.get("required") is True or place == "path",
        style=style,
        explode=explode if isinstance(explode, bool) else style == "form",
        keeps_reserved=parameter.get("allowReserved") is True and place == "query",
        is_json=is_json,
    )


def _schema_of(parameter: dict[str, Any], pointer: str) -> tuple[Any, str, bool]:
    """The schema, where it stands, and whether the value is sent as JSON. Raises Unreadable."""
    match parameter.get("content"):
        case None:
            return parameter.get("schema", {}), below(pointer, "schema"), False
        case {"application/json": dict(media)}:
            return media.get("schema", {}), below(pointer, "content", JSON, "schema"), True
    raise Unreadable("a parameter is written in another media type than JSON", pointer)
