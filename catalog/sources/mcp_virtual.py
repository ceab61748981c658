"""An MCP server's prompts and resources as two tools, `get_prompt` and `get_resource`, where it has any (P-22)."""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from typing import Any, Protocol

from mcp import Client

from catalog.sources.call_outcome import CallOutcome, block_text, told
from catalog.sources.errors import SourceError
from catalog.sources.listing import Problem
from catalog.sources.storable import storable_text
from catalog.sources.tool_entry import ListedTool

GET_PROMPT = "prompts/get"
READ_RESOURCE = "resources/read"
PATIENCE = 15.0
"""Seconds for a page of a list."""
MOST_PAGES = 20
MOST = 200
"""Prompts, resources and templates that are named."""
MOST_WORDS = 200
"""Characters of what is said of one."""


class Explained(Protocol):
    """Waits for an answer so many seconds. Raises SourceError."""

    def __call__(self, waiting: Awaitable[Any], seconds: float) -> Awaitable[Any]: ...


async def virtual_tools(
    client: Client, explained: Explained, taken: Collection[str]
) -> tuple[list[ListedTool], list[Problem]]:
    """The tools, and what could not be read; a name that a tool of the server has is left to it."""
    tools, problems = [], []
    capabilities = client.server_capabilities
    wanted = [("get_prompt", _prompt_tool)] if capabilities.prompts else []
    wanted += [("get_resource", _resource_tool)] if capabilities.resources else []
    for name, make in wanted:
        try:
            tool = await make(client, explained)
        except SourceError as problem:
            problems.append(Problem(name, f"It is not offered, since the list behind it could not be read. {problem}"))
            continue
        if tool and name in taken:
            problems.append(
                Problem(name, "A tool of the server has this name: its prompts or resources are not offered.")
            )
        elif tool:
            tools.append(tool)
    return tools, problems


async def fetching(client: Client, method: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What the server answers to a call of a virtual tool, as JSON."""
    if method == GET_PROMPT:
        given = arguments.get("arguments")
        texts = {str(name): str(value) for name, value in given.items()} if isinstance(given, Mapping) else {}
        found: Any = await client.get_prompt(str(arguments.get("name", "")), texts)
    else:
        found = await client.read_resource(str(arguments.get("uri", "")))
    answer: dict[str, Any] = found.model_dump(mode="json", by_alias=True)
    return answer


def fetched(answer: Mapping[str, Any]) -> CallOutcome:
    """The messages of a prompt, each with whose it is, or the contents of a resource, as text."""
    messages = [f"{message['role']}: {block_text(message['content'])}" for message in answer.get("messages", ())]
    contents = [block_text({"type": "resource", "resource": part}) for part in answer.get("contents", ())]
    return CallOutcome(told("\n\n".join([*messages, *contents])))


async def _prompt_tool(client: Client, explained: Explained) -> ListedTool | None:
    prompts = await _all(explained, client.list_prompts, "prompts")
    if not prompts:
        return None
    names = [storable_text(prompt.name) for prompt in prompts]
    return ListedTool(
        name="get_prompt",
        title="Get a prompt of the server",
        description=_lines("Get one of the server's prompts: messages that it wrote for a purpose.", _prompts(prompts)),
        parameters={
            "type": "object",
            "properties": {
                "name": {"type": "string", "enum": names, "description": "Which prompt."},
                "arguments": {"type": "object", "properties": _arguments(prompts), "description": "Its arguments."},
            },
            "required": ["name"],
        },
        permission="read",
        call_plan={"method": GET_PROMPT},
    )


async def _resource_tool(client: Client, explained: Explained) -> ListedTool | None:
    resources = await _all(explained, client.list_resources, "resources")
    try:
        templates = await _all(explained, client.list_resource_templates, "resource_templates")
    except SourceError:  # many servers have none, and do not know the question
        templates = []
    if not resources and not templates:
        return None
    named = [*((one, one.uri) for one in resources), *((one, one.uri_template) for one in templates)]
    lines = (_line(f"{uri} ({one.title or one.name})", one.description) for one, uri in named[:MOST])
    return ListedTool(
        name="get_resource",
        title="Get a resource of the server",
        description=_lines("Read one of the server's resources. In an address, {…} is filled in.", lines),
        parameters={
            "type": "object",
            "properties": {"uri": {"type": "string", "description": "The address of the resource."}},
            "required": ["uri"],
        },
        permission="read",
        call_plan={"method": READ_RESOURCE},
    )


async def _all(explained: Explained, ask: Callable[..., Awaitable[Any]], field: str) -> list[Any]:
    found: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await explained(ask(cursor=cursor), PATIENCE)
        found += getattr(page, field)
        cursor = page.next_cursor
        if not cursor or len(found) >= MOST:
            break
    return found[:MOST]


def _prompts(prompts: list[Any]) -> Iterator[str]:
    for prompt in prompts:
        names = [f"{one.name}{'' if one.required else '?'}" for one in prompt.arguments or ()]
        yield _line(f"{prompt.name}({', '.join(names)})", prompt.description or prompt.title)


def _arguments(prompts: list[Any]) -> dict[str, Any]:
    """Every argument of any prompt; one that several have is described by the first."""
    found: dict[str, Any] = {}
    for prompt in prompts:
        for one in prompt.arguments or ():
            words = _line(f"Of {prompt.name}", one.description)
            found.setdefault(storable_text(one.name), {"type": "string", "description": words})
    return found


def _line(name: str, words: str | None) -> str:
    said = " ".join((words or "").split())[:MOST_WORDS]
    return storable_text(f"{name[:MOST_WORDS]}: {said}" if said else name[:MOST_WORDS])


def _lines(first: str, lines: Iterator[str]) -> str:
    return "\n".join([first, *(f"- {line}" for line in lines)])
