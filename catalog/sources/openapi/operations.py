"""One operation of a document, made into a tool with the plan of its call."""

from dataclasses import dataclass, replace
from typing import Any

from catalog.sources.fields import kind_of
from catalog.sources.listing import ListedTool
from catalog.sources.openapi.base_addresses import base_addresses
from catalog.sources.openapi.bodies import read_body
from catalog.sources.openapi.call_plan import CallPlan
from catalog.sources.openapi.naming import free_name, operation_name
from catalog.sources.openapi.parameters import Inputs, list_parameters, read_parameters
from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.openapi.responses import read_response
from catalog.sources.openapi.schemas import Schemas
from catalog.sources.openapi.security import read_security
from catalog.sources.storable import storable_text
from catalog.sources.tool_entry import read_tool

_PERMISSIONS = {"GET": "read", "HEAD": "read", "OPTIONS": "read", "DELETE": "dangerous"}
"""What an operation may do, by its method; every other one writes."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation and the tool made of it; the plan of its call is part of the tool."""

    method: str
    path: str
    tool: ListedTool
    is_deprecated: bool = False

    @property
    def key(self) -> str:
        return f"{self.method} {self.path}"


class Operations:
    """The operations of one document, read one by one; their names stay unique."""

    def __init__(self, document: dict[str, Any], address: str) -> None:
        self._address = address
        self._security = document.get("security")
        self._names: set[str] = set()
        self.references = References(document)
        self._schemas = Schemas(self.references)
        self.addresses = base_addresses(document.get("servers", [{"url": "/"}]), address)

    def read(self, method: str, path: str, entry: dict[str, Any], pointer: str) -> tuple[Operation, list[str]]:
        """The operation of a path, and remarks, each completing 'It is kept, but …'. Raises UnfitError."""
        operation, where = entry[method], below(pointer, method)
        if not isinstance(operation, dict):
            raise Unreadable(f"it is {kind_of(operation)}, not an object", where)
        inputs = Inputs()
        levels = [(entry.get("parameters"), below(pointer, "parameters"))]
        levels.append((operation.get("parameters"), below(where, "parameters")))
        read_parameters(inputs, list_parameters(levels, self.references), path, self._schemas)
        body = operation.get("requestBody")
        media_type = read_body(inputs, body, below(where, "requestBody"), self.references, self._schemas)
        plan = CallPlan(
            method=method.upper(),
            path=storable_text(path),
            arguments=tuple(inputs.arguments),
            media_type=media_type,
            server=self._own_address(operation, entry),
            security=read_security(operation.get("security", self._security)),
        )
        is_deprecated = operation.get("deprecated") is True
        tool, remarks = self._tool(operation, inputs, plan, where)
        return Operation(plan.method, plan.path, tool, is_deprecated), [*remarks, *inputs.remarks]

    def _tool(
        self, operation: dict[str, Any], inputs: Inputs, plan: CallPlan, pointer: str
    ) -> tuple[ListedTool, list[str]]:
        wanted = operation_name(operation.get("operationId"), plan.method, plan.path)
        tool, remarks = read_tool(_entry(wanted, operation, inputs, plan), curated=True)
        where = below(pointer, "responses")
        output, more = read_response(operation.get("responses"), where, self.references, self._schemas)
        name = free_name(wanted, self._names)
        if name != wanted:
            more.append(f"named {name}, since another operation is named {wanted} already")
        if plan.server:
            more.append(f"it is served at {plan.server}, and is called only if that is where this server lies")
        return replace(tool, name=name, output_schema=output, call_plan=plan.as_json()), [*remarks, *more]

    def _own_address(self, operation: dict[str, Any], entry: dict[str, Any]) -> str:
        """The address of an operation that is not served where the document says."""
        servers = operation.get("servers") or entry.get("servers")
        own = base_addresses(servers, self._address) if servers else ()
        return "" if not own or set(own) & set(self.addresses) else own[0]


def _entry(name: str, operation: dict[str, Any], inputs: Inputs, plan: CallPlan) -> dict[str, Any]:
    """The operation as an entry of a list of tools, whose fields are read with the usual care.

    Where it says nothing of itself, its method and path are its description.
    """
    summary, description = operation.get("summary"), operation.get("description")
    words = [text for text in (description, summary) if not isinstance(text, str) or text.strip()]
    return {
        "name": name,
        "title": summary,
        "description": next((text for text in words if text is not None), f"{plan.method} {plan.path}"),
        "parameters": inputs.schema(),
        "tags": operation.get("tags"),
        "permission": _PERMISSIONS.get(plan.method, "write"),
        "annotations": {"deprecated": True} if operation.get("deprecated") is True else {},
    }
