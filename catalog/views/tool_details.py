"""What the rail beside the list tells of one tool, with the form of its overlay where it is being edited."""

from typing import Any

from django.http import QueryDict

from catalog.editing import newest_edit
from catalog.forms.tools import ToolFilterForm, ToolForm
from catalog.history import edits_of
from catalog.models import Tool
from catalog.prompt_size import estimate_tool
from catalog.requests import Request
from catalog.tool_lists import ToolList


def tool_at(key: str) -> Tool | None:
    """The tool of `server/name`."""
    server, _, name = key.partition("/")
    return Tool.objects.select_related("server").filter(server__slug=server, name=name).first() if name else None


def form_of(tool: Tool) -> ToolForm:
    """The overlay as it stands, to be filled in."""
    newest = newest_edit(tool)
    return ToolForm(instance=tool, initial={"began_from": newest.pk if newest else 0})


def list_query(request: Request) -> str:
    """The address of the list that the tool is shown beside, after the question mark: what a form sent, or the address's own."""
    query = QueryDict(request.POST.get("list") if request.method == "POST" else request.GET.urlencode(), mutable=True)
    for name in ("tool", "edit"):
        query.pop(name, None)
    return query.urlencode(safe="/")


def list_at(query: QueryDict) -> ToolList | None:
    """The list at an address, unless that asks for what there is not."""
    form = ToolFilterForm(query)
    if not form.is_valid():
        return None
    return ToolList(form.cleaned_data["q"], form.chosen, form.cleaned_data["sort"], query)


def detail_of(tool: Tool, request: Request, *, is_edited: bool = False) -> dict[str, Any]:
    return {
        "tool": tool,
        "spec": tool.to_spec(),
        "tool_tokens": estimate_tool(tool.to_spec()),
        "edits": edits_of(tool),
        "drift": tool.drifts.waiting().first(),
        "overlay": form_of(tool) if is_edited else None,
        "query": list_query(request),
    }
