"""An edit of a tool that is not saved, as a text for an address: what the form of its overlay says."""

from django.http import QueryDict

from catalog.forms.tools import ToolForm
from catalog.models import Tool
from catalog.whatif.packing import UnfitDraftError, packed, unpacked

_FIELDS = tuple(name for name in ToolForm.base_fields if name != "began_from")


def written(data: QueryDict) -> str:
    """The draft that a form sent; empty where it is too long for an address."""
    return packed({name: data[name] for name in _FIELDS if name in data})


def drafted(tool: Tool, text: str) -> Tool:
    """The tool as the draft has it, which is not saved. Raises UnfitDraftError."""
    said, data = unpacked(text), QueryDict(mutable=True)
    if isinstance(said, dict):
        data.update({name: str(value) for name, value in said.items() if name in _FIELDS})
    return filled_in(tool, data)


def filled_in(tool: Tool, data: QueryDict) -> Tool:
    """The tool as a form that was sent has it. Raises UnfitDraftError."""
    form = ToolForm(data, instance=tool)
    if not form.is_valid():
        fields = ", ".join(str(form[name].label) if name in form.fields else "the form" for name in form.errors)
        raise UnfitDraftError(f"It cannot be saved like this: see {fields}.")
    return tool
