"""JSON as editors keep their settings: with comments, and commas before a closing bracket."""

import re

_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*|[^\s"/,}\]]+|\S')
_VISIBLE = re.compile(r"[^\n]")


def without_comments(text: str) -> str:
    """The text with both turned into blanks, so that every place in it stays. Linear in its length."""
    kept: list[str] = []
    position, comma = 0, None
    while piece := _PIECE.search(text, position):
        kept.append(text[position : piece.start()])
        position = piece.end()
        if piece[0] == "/*":
            end = text.find("*/", position)
            position = end + 2 if end >= 0 else len(text)
        if piece[0][:2] in ("//", "/*"):
            kept.append(_VISIBLE.sub(" ", text[piece.start() : position]))
            continue
        if piece[0] in ("}", "]") and comma is not None:
            kept[comma] = " "
        comma = len(kept) if piece[0] == "," else None
        kept.append(piece[0])
    return "".join([*kept, text[position:]])
