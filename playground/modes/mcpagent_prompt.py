"""The system text of mcpagent's mode, section by section as its prompt has them (P-32, P-33); the words are our own.

The day stands after it, in a sentence that every mode has. Nothing that a server says of itself enters it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from catalog.tools import ToolPool, ToolSpec

PRINCIPLES = """\
You complete tasks by calling tools. Most of your tools are hidden at first, so that they do not fill your context.

- Search before you say that something cannot be done.
- Take the next step yourself rather than ask whether you should.
- Go from one tool to the next: what one returns may tell you what to search for.
- If a search finds nothing fitting, search again in other words. If no tool fits, say so plainly."""

TOOL_SEARCH = """\
To bring a tool into view:
1. Work out which steps the task needs.
2. Call search_tools for a step, such as search_tools(query="weather"). Its answer lists names and descriptions; it \
loads nothing. A search that matches nothing may answer with the closest names instead.
3. Call add_tool with the names that you want, several at once if you like: \
add_tool(tool_names=["read_file", "weather_get"]).
4. Call the loaded tools.

One word finds more than a sentence. show_all_tools lists every name, if searches do not help."""

LARGE = "An output of more than {} is put into a file: you are given its name and its beginning. Look further with {}."
OF_THREE = "read_large_output, search_large_output or query_large_output"
OF_ONE = "search_large_output, which reads a part, searches lines, or queries JSON"
SHORTEST_LARGE = "1,000 characters"
"""What the program's prompt says, whatever its threshold is (P-28)."""
MOST_LISTED = 50
"""Servers, and categories, that the text lists."""

Sections = dict[str, list[str]]
"""Paragraphs by the tag that stands around them."""

_PLAIN_NAME = re.compile(r"\w[\w-]{0,39}")


def instructions(pool: ToolPool, *, offload_over: int, as_implemented: bool) -> str:
    """`offload_over` in tokens; 0: outputs are never put into files.

    The document lists the categories of the tools, the program where they come from.
    """
    sections = _of_the_program(pool, offload_over) if as_implemented else _of_the_document(pool, offload_over)
    told = {tag: "\n\n".join(parts) for tag, parts in sections.items() if parts}
    return "\n\n".join([PRINCIPLES, *(f"<{tag}>\n{text}\n</{tag}>" for tag, text in told.items())])


def _of_the_document(pool: ToolPool, offload_over: int) -> Sections:
    return {
        "tool_search": [TOOL_SEARCH, _categories(pool)],
        "virtual_tools": [LARGE.format(f"{offload_over:,} tokens", OF_THREE)] if offload_over else [],
    }


def _of_the_program(pool: ToolPool, offload_over: int) -> Sections:
    large = [LARGE.format(SHORTEST_LARGE, OF_ONE)] if offload_over else []
    return {"tool_search": [TOOL_SEARCH], "virtual_tools": [_servers(pool), *large]}


def _categories(pool: ToolPool) -> str:
    counts = Counter(_category(tool) for tool in pool)
    return "\n".join(["Tool categories:", *_listed(counts.items())])


def _category(tool: ToolSpec) -> str:
    """Its category if that is a plain name, which holds no sentence; else its server."""
    return tool.category if _PLAIN_NAME.fullmatch(tool.category) else tool.server or "others"


def _servers(pool: ToolPool) -> str:
    counts = Counter(tool.server for tool in pool if tool.server)
    return "\n".join(["The tools come from:", *_listed(counts.items())])


def _listed(counts: Iterable[tuple[str, int]]) -> Iterator[str]:
    for name, count in list(counts)[:MOST_LISTED]:
        yield f"- {name} ({count} tool{'' if count == 1 else 's'})"
