"""What a tool call gave back, as text that a model can read and a database can hold."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from catalog.sources.storable import Copying, UnfitError, storable_text

MAX_TEXT = 256 * 1024
"""Characters of a result; of a longer one its beginning and its end are kept."""
_TAIL = 32 * 1024
MOST_PICTURES = 4
"""Of a result; others are named in its text."""
MAX_PICTURE = 1024 * 1024
"""Letters of a picture in base64."""
_PICTURES = frozenset(("image/png", "image/jpeg", "image/gif", "image/webp"))
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The content joined as text (what is no text is named in brackets), and the structured content if there is any.

    `pictures` are `data:` addresses, for people to look at; a model is told of them in the text alone.
    """

    content_text: str
    structured: Any = None
    is_error: bool = False
    pictures: tuple[str, ...] = ()


def read_outcome(result: dict[str, Any]) -> CallOutcome:
    """Read a `tools/call` result as it came; content of unknown kinds is named, not refused."""
    if result.get("resultType") == "input_required":
        return CallOutcome(
            "The tool asks for more input in the middle of the call, which is not supported.", None, True
        )
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    structured = _structured(result.get("structuredContent"))
    text = "\n".join(block_text(block) for block in blocks)
    if not text and structured is not None:
        text = json.dumps(structured, ensure_ascii=False)
    return CallOutcome(
        told(text), structured, result.get("isError") is True, tuple(islice(_pictures(blocks), MOST_PICTURES))
    )


def _pictures(blocks: list[Any]) -> Iterator[str]:
    """Those of a kind that browsers show and that holds no script, and not too large."""
    for block in blocks:
        match block:
            case {"type": "image", "data": str(data), "mimeType": str(kind)} if kind in _PICTURES:
                if len(data) <= MAX_PICTURE and _BASE64.fullmatch(data):
                    yield f"data:{kind};base64,{data}"


def told(text: str) -> str:
    """The text as it is kept: any database holds it, and it is not endless."""
    text = storable_text(text)
    if len(text) <= MAX_TEXT:
        return text
    cut = len(text) - MAX_TEXT
    return f"{text[: MAX_TEXT - _TAIL]}\n[… {cut:,} characters are left out here …]\n{text[-_TAIL:]}"


def _structured(value: Any) -> Any:
    if value is None:
        return None
    try:
        copy = Copying("the structured content").copy(value)
    except UnfitError as unfit:
        return {"left out": str(unfit)}
    return copy


def block_text(block: Any) -> str:
    """A piece of content as text; what is no text is named in brackets."""
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image" | "audio" as kind, "data": str(data)}:
            return f"[{kind}, {block.get('mimeType', 'unknown type')}, {_size(data)}]"
        case {"type": "resource", "resource": {"text": str(text), "uri": uri}}:
            return f"[resource {uri}]\n{text}"
        case {"type": "resource", "resource": {"blob": str(data), "uri": uri}}:
            return f"[resource {uri}, {block['resource'].get('mimeType', 'unknown type')}, {_size(data)}]"
        case {"type": "resource_link", "uri": uri}:
            return f"[link to {block.get('title') or block.get('name') or 'a resource'}: {uri}]"
        case {"type": str(kind)}:
            return f"[content of the kind {kind[:60]}, which cannot be shown]"
    return "[content that cannot be read]"


def _size(base64: str) -> str:
    count = len(base64) * 3 // 4
    return f"{count:,} bytes" if count < 10_000 else f"{count // 1024:,} KB"
