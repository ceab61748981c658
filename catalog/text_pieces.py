"""A text cut into the pieces by which two of them are compared: words, spaces between them, signs."""

import re

_WITHOUT_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese and Japanese put no space between words, so that each character of theirs is a piece."""
_PIECES = re.compile(rf"\s+|[{_WITHOUT_SPACES}]|[^\W{_WITHOUT_SPACES}]+|[^\w\s]")


def pieces_of(text: str) -> list[str]:
    """In their order; put together they are the text."""
    return _PIECES.findall(text)
