"""Names for tools and their arguments that every model takes, made of what a document calls its operations."""

import re

MAX_LENGTH = 64
_ODD = re.compile(r"[^A-Za-z0-9_-]+")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_BY = r"by_\1"


def operation_name(operation_id: object, method: str, path: str) -> str:
    """`listPets` as it stands; without an id, `GET /pets/{id}` is `get_pets_by_id`."""
    name = _fit(operation_id) if isinstance(operation_id, str) else ""
    return name or _fit(f"{method} {_PLACEHOLDER.sub(_BY, path)}".lower()) or method.lower()


def argument_name(name: str) -> str:
    """`filter[name]` as `filter_name`, `$top` as `top`."""
    return _fit(name) or "value"


def free_name(name: str, taken: set[str]) -> str:
    """The name, or the first of `name_2`, `name_3`, … that is free; it is taken from then on."""
    chosen, number = name, 1
    while chosen in taken:
        number += 1
        ending = f"_{number}"
        chosen = name[: MAX_LENGTH - len(ending)] + ending
    taken.add(chosen)
    return chosen


def _fit(text: str) -> str:
    return _ODD.sub("_", text).strip("_")[:MAX_LENGTH]
