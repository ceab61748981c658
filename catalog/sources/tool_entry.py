"""One entry of a list of tools, under the names of fields that MCP or a file of this house gives them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

from catalog.invisible import has_invisible
from catalog.sources.declaration import declared
from catalog.sources.fields import Fields, kind_of
from catalog.sources.storable import UnfitError
from catalog.tools import Capability, JsonSchema, Permission

FIELDS = frozenset((
    "name", "title", "description", "inputSchema", "input_schema", "parameters", "outputSchema", "annotations", "server",
    "localised", "display", "desc", "required", "category", "tags", "permission", "permission_kind", "aliases",
    "search_text", "simulated_result", "available", "enabled", "searchable", "platforms",
))  # fmt: skip
"""All that a file may say of a tool, whichever form it has."""
_PERMISSIONS: tuple[str, ...] = get_args(Permission)


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as its source lists it. `group` is the server that a file of several servers says it belongs to.

    `files` are the texts of a skill by their paths. `available`, `searchable` and `platforms` count when the tool is new:
    later they are for people to say.
    """

    name: str
    title: str = ""
    description: str = ""
    parameters: JsonSchema = field(default_factory=dict)
    output_schema: JsonSchema | None = None
    annotations: Mapping[str, Any] = field(default_factory=dict)
    localised: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language code to `title` and `description`, either of which may be missing."""
    category: str = ""
    tags: tuple[str, ...] = ()
    permission: Permission | None = None
    aliases: tuple[str, ...] = ()
    search_text: str = ""
    simulated_result: Any = None
    call_plan: Mapping[str, Any] = field(default_factory=dict)
    """How a call becomes an HTTP request, for tools of an OpenAPI document."""
    group: str = ""
    capability: Capability = "tool"
    files: Mapping[str, str] = field(default_factory=dict)
    available: bool = True
    searchable: bool = True
    platforms: tuple[str, ...] = ()


def read_tool(entry: Any, *, curated: bool) -> tuple[ListedTool, list[str]]:
    """The tool and what of it had to be changed; each note completes 'It is kept, but …'. Raises UnfitError."""
    if not isinstance(entry, dict):
        raise UnfitError(f"it is {kind_of(entry)}, not an object")
    notes: list[str] = []
    fields = Fields(declared(entry, notes) if curated else entry, notes)
    annotations = fields.mapping("annotations")
    tool = ListedTool(
        name=fields.name(),
        title=fields.text("title") or Fields(annotations, fields.notes).text("title"),
        description=fields.needed_text("description"),
        parameters=fields.schema(("inputSchema", "parameters", "input_schema"), "input schema") or {},
        output_schema=fields.optional_schema("outputSchema", "output schema"),
        annotations=annotations,
        group=fields.word("server"),
    )
    if has_invisible(tool.name):
        fields.notes.append("its name holds invisible characters")
    return _curated(tool, fields) if curated else tool, fields.notes


def _curated(tool: ListedTool, fields: Fields) -> ListedTool:
    return replace(
        tool,
        localised=fields.localised(),
        category=fields.text("category"),
        tags=fields.words("tags"),
        permission=_permission(fields),
        aliases=fields.words("aliases"),
        search_text=fields.text("search_text"),
        simulated_result=fields.json("simulated_result"),
        available=fields.flag("available"),
        searchable=fields.flag("searchable"),
        platforms=fields.words("platforms"),
    )


def _permission(fields: Fields) -> Permission | None:
    permission = fields.entry.get("permission") or None
    if permission is None or permission in _PERMISSIONS:
        return cast(Permission | None, permission)
    fields.notes.append(f"without its permission, which is none of {', '.join(_PERMISSIONS)}")
    return None
