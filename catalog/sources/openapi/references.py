"""References inside one document, followed to what they name. Nothing outside of it is ever fetched."""

from typing import Any
from urllib.parse import unquote

from catalog.sources.storable import UnfitError, storable_text

MAX_HOPS = 20


class Unreadable(UnfitError):
    """A part of the document cannot be used; `pointer` says which part, as a JSON pointer."""

    def __init__(self, reason: str, pointer: str) -> None:
        super().__init__(reason)
        self.pointer = pointer


class References:
    """The references of one document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def follow(self, value: Any, pointer: str) -> tuple[Any, str]:
        """What the value is in the end, and where that stands. Raises Unreadable."""
        for _ in range(MAX_HOPS):
            reference = reference_of(value)
            if reference is None:
                return value, pointer
            value, pointer = self.target(reference, pointer), reference
        raise Unreadable("it refers to itself in a circle", pointer)

    def target(self, reference: str, pointer: str) -> Any:
        """What a reference names, which may be a reference again. Raises Unreadable."""
        shown = storable_text(reference[:100])
        if not reference.startswith("#"):
            raise Unreadable(f"it refers to {shown} outside of the document, which is never fetched", pointer)
        if reference != "#" and not reference.startswith("#/"):
            raise Unreadable(f"it refers to {shown}, and only references like #/components/… are followed", pointer)
        found: Any = self._document
        for token in reference[1:].split("/")[1:]:
            found = _part(found, unquote(token).replace("~1", "/").replace("~0", "~"))
        if found is _MISSING:
            raise Unreadable(f"it refers to {shown}, which is not in the document", pointer)
        return found


def reference_of(value: Any) -> str | None:
    match value:
        case {"$ref": str(reference)}:
            return reference
    return None


def below(pointer: str, *tokens: object) -> str:
    """The pointer to a part of what `pointer` names."""
    return "/".join([pointer, *(str(token).replace("~", "~0").replace("/", "~1") for token in tokens)])


_MISSING = object()


def _part(value: Any, token: str) -> Any:
    match value:
        case dict():
            return value.get(token, _MISSING)
        case list() if token.isascii() and token.isdigit() and len(token) < 8 and int(token) < len(value):
            return value[int(token)]
    return _MISSING
