"""What an operation says that it answers: the schema of its first answer that is a success."""

from typing import Any

from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.openapi.schemas import Schemas
from catalog.sources.storable import Copying, UnfitError


def read_response(
    responses: Any, pointer: str, references: References, schemas: Schemas
) -> tuple[dict[str, Any] | None, list[str]]:
    """The schema, None if there is none, and remarks. Models are not sent it, so that nothing here costs the tool."""
    if not isinstance(responses, dict):
        return None, []
    status = next((key for key in sorted(map(str, responses)) if key.startswith("2")), None)
    if status is None:
        return None, []
    try:
        response, where = references.follow(responses.get(status), below(pointer, status))
        match response:
            case {"content": {"application/json": {"schema": schema}}}:
                written, _ = schemas.read(schema, below(where, "content", "application/json", "schema"), "response")
                return Copying("its output schema").copy(written) or None, []
    except Unreadable as unfit:
        return None, [f"without its output schema: {unfit} ({unfit.pointer[:300]})"]
    except UnfitError as unfit:
        return None, [f"without its output schema: {unfit}"]
    return None, []
