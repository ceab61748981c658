"""An edit of a tool that is not saved, as a text for an address: what the form of its overlay says."""

import base64
import binascii
import json
import zlib

from django.http import QueryDict

from catalog.forms.tools import ToolForm
from catalog.models import Tool

LONGEST = 6_000
"""Characters of a draft that an address has room for."""
MOST = 200_000
"""Bytes that a draft is read to."""
_FIELDS = tuple(name for name in ToolForm.base_fields if name != "began_from")


class UnfitDraftError(Exception):
    """The text is no draft of this tool; the message says why, as a sentence."""


def written(data: QueryDict) -> str:
    """The draft that a form sent; empty where it is too long for an address."""
    said = {name: data[name] for name in _FIELDS if name in data}
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(said, sort_keys=True).encode(), 9)).decode()
    return text if len(text) <= LONGEST else ""


def drafted(tool: Tool, text: str) -> Tool:
    """The tool as the draft has it, which is not saved. Raises UnfitDraftError."""
    return filled_in(tool, _read(text))


def filled_in(tool: Tool, data: QueryDict) -> Tool:
    """The tool as a form that was sent has it. Raises UnfitDraftError."""
    form = ToolForm(data, instance=tool)
    if not form.is_valid():
        fields = ", ".join(str(form[name].label) if name in form.fields else "the form" for name in form.errors)
        raise UnfitDraftError(f"It cannot be saved like this: see {fields}.")
    return tool


def _read(text: str) -> QueryDict:
    try:
        unpacked = zlib.decompressobj().decompress(base64.urlsafe_b64decode(text), MOST)
        said = json.loads(unpacked)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise UnfitDraftError("The address has a draft that cannot be read.") from error
    data = QueryDict(mutable=True)
    if isinstance(said, dict):
        data.update({name: str(value) for name, value in said.items() if name in _FIELDS})
    return data
