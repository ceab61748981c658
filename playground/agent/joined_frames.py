"""A streamed answer made legible: the pieces of one text stand together, in the frame where it began.

It is also what makes an answer safe to keep: a secret that a model repeats in pieces shows only where they are joined.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from catalog.redaction import MASK
from catalog.sources.json_text import object_or_list

PIECES = frozenset(
    "arguments content delta partial_json reasoning reasoning_content refusal signature text thinking".split()
)
"""What providers call the fields whose texts come in pieces."""
PLACES = ("index", "output_index", "content_index", "item_id")
"""What tells apart texts that come at the same time."""
VOLATILE = ("created_at", "obfuscation")
"""Texts that differ from frame to frame and say nothing."""
DONE = "[DONE]"

Leaf = tuple[Any, Any]
"""A container, and the key of a text in it."""


def read_frames(raw: bytes) -> list[Any]:
    """The frames of server-sent events or of lines of JSON; of any other body its JSON, or its text."""
    text = raw.decode("utf-8", "replace")
    if (whole := object_or_list(text)) is not None:
        return [whole]
    lines = [line.strip() for line in text.splitlines()]
    told = [line.removeprefix("data:").strip() for line in lines if line.startswith(("data:", "{"))]
    frames = [line if (frame := object_or_list(line)) is None else frame for line in told if line]
    return frames or ([text] if text.strip() else [])


def join_frames(frames: Sequence[Any], redact: Callable[[str], str]) -> list[Any]:
    """The frames, changed: texts that came in pieces joined and redacted, frames that held nothing but a piece left out."""
    shapes = [json.dumps(_shape(frame), ensure_ascii=False) for frame in frames]
    texts: dict[tuple[Any, ...], list[Leaf]] = defaultdict(list)
    for frame in frames:
        for path, leaf in _leaves(frame, ()):
            texts[path].append(leaf)
    for path, leaves in texts.items():
        _join(leaves, redact, in_pieces=path[-1] in PIECES)
    kept: dict[str, Any] = {}
    for shape, frame in zip(shapes, frames, strict=True):
        kept[shape] = _with_numbers(kept[shape], frame) if shape in kept else frame
    return [frame for frame in kept.values() if frame != DONE]


def _join(leaves: Sequence[Leaf], redact: Callable[[str], str], *, in_pieces: bool) -> None:
    texts = [container[key] for container, key in leaves]
    whole = "".join(texts)
    if in_pieces:
        for place, (container, key) in enumerate(leaves):
            container[key] = "" if place else redact(whole)
    elif len(set(texts)) > 1 and redact(whole) != "".join(map(redact, texts)):
        for container, key in leaves:
            container[key] = MASK


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Leaf]]:
    match value:
        case dict():
            here = (*path, *(value.get(place) for place in PLACES))
            for key, part in value.items():
                yield from [((*here, key), (value, key))] if isinstance(part, str) else _leaves(part, (*here, key))
        case list():
            for place, part in enumerate(value):
                if isinstance(part, str):
                    yield (*path, place), (value, place)
                else:
                    yield from _leaves(part, path)


def _shape(value: Any) -> Any:
    """What two frames have in common that differ in figures and in pieces of texts alone."""
    match value:
        case dict():
            return {key: _shape_under(key, part) for key, part in value.items() if key not in VOLATILE}
        case list():
            return [_shape(part) for part in value]
        case bool() | str() | None:
            return value
    return 0


def _shape_under(key: str, part: Any) -> Any:
    if key in PLACES:
        return part
    return "" if key in PIECES and isinstance(part, str) else _shape(part)


def _with_numbers(before: Any, now: Any) -> Any:
    """The earlier frame with the figures of the later, which is of the same shape."""
    match before:
        case dict():
            return {key: _with_numbers(part, now.get(key, part)) for key, part in before.items()}
        case list():
            return [_with_numbers(*pair) for pair in zip(before, now, strict=True)]
        case bool() | str() | None:
            return before
    return now
