"""What an app registers: checked field by field, each problem under the path of its field (S-3)."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from jsonschema import Draft202012Validator, SchemaError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from catalog.sources.addresses import url_problem
from catalog.sources.errors import SourceError
from catalog.sources.fields import MAX_NAME_LENGTH
from catalog.sources.listing import Listing, Problem, read_listing
from catalog.sources.storable import MAX_DEPTH
from catalog.tools import JsonSchema, Permission

MAX_BYTES = 2 * 1024 * 1024
MAX_APP_TOOLS = 1_000
MAX_TOLD = 20
"""Problems that one answer tells."""
_MAX_TEXT = 64 * 1024
_MAX_URL = 1_000
_MAX_WORDS = 50

Text = Annotated[str, Field(max_length=_MAX_TEXT)]
Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=_MAX_WORDS)]


class UnfitRegistrationError(ValueError):
    """`problems` has the path of each field that cannot be taken, such as `tools[3].parameters.type`, and why."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(f"{path}: {why}" for path, why in problems.items()))
        self.problems = problems


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Tool(_Strict):
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH, pattern=r"^[A-Za-z0-9_.-]+$")]
    title: Annotated[str, Field(max_length=200)] = ""
    description: Text
    parameters: dict[str, Any] = {}
    category: Annotated[str, Field(max_length=100)] = ""
    tags: Words = []
    aliases: Words = []
    search_text: Text = ""
    permission: Permission | None = None


class _Body(_Strict):
    title: Annotated[str, Field(min_length=1, max_length=200)]
    description: Text = ""
    callback_url: Annotated[str, Field(max_length=_MAX_URL)]
    tools: Annotated[list[_Tool], Field(min_length=1, max_length=MAX_APP_TOOLS)]
    new_signing_key: bool = False


@dataclass(frozen=True, slots=True)
class Registration:
    """An app as it describes itself. `new_signing_key`: it asks for another key, as it lost its own."""

    title: str
    description: str
    callback_url: str
    listing: Listing
    new_signing_key: bool


def read_registration(content: bytes) -> Registration:
    """Raises UnfitRegistrationError."""
    try:
        body = _Body.model_validate(_loaded(content))
    except ValidationError as error:
        raise UnfitRegistrationError(dict(_told(problem) for problem in error.errors()[:MAX_TOLD])) from None
    problems = _objections(body)
    if problems:
        raise UnfitRegistrationError(dict(list(problems.items())[:MAX_TOLD]))
    return Registration(body.title, body.description, body.callback_url, _listing(body), body.new_signing_key)


def _loaded(content: bytes) -> Any:
    try:
        return json.loads(content, object_pairs_hook=_object, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        why = f"it is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg.lower()}"
    except UnicodeDecodeError:
        why = "it is not UTF-8"
    except RecursionError:
        why = f"it is nested deeper than {MAX_DEPTH} levels"
    except ValueError as error:
        why = str(error)
    raise UnfitRegistrationError({"body": why})


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object holds a key twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON number")


def _told(problem: Any) -> tuple[str, str]:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).removeprefix(".")
    return path or "body", str(problem["msg"]).replace("Input", "It", 1)


def _objections(body: _Body) -> dict[str, str]:
    """What types alone do not tell: the address, names that come twice, and schemas that are none."""
    problems = {}
    if why := url_problem(body.callback_url, allow_private=True):
        problems["callback_url"] = why
    first: dict[str, int] = {}
    for place, tool in enumerate(body.tools):
        if (seen := first.setdefault(tool.name, place)) != place:
            problems[f"tools[{place}].name"] = f"tools[{seen}] has the same name"
        problems |= _schema_problem(f"tools[{place}].parameters", tool.parameters)
    return problems


def _schema_problem(path: str, schema: JsonSchema) -> dict[str, str]:
    if schema.get("type", "object") != "object":
        return {f"{path}.type": "parameters describe an object"}
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        inside = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        return {f"{path}{inside}": error.message[:300]}
    except RecursionError:
        return {path: f"it is nested deeper than {MAX_DEPTH} levels"}
    return {}


def _listing(body: _Body) -> Listing:
    """The tools as any source's. What of one cannot be kept as it stands is refused here, not left out quietly."""
    entries = [tool.model_dump() for tool in body.tools]
    try:
        listing = read_listing(entries, curated=True)
    except SourceError as error:
        raise UnfitRegistrationError({"tools": str(error)}) from None
    if listing.problems:
        raise UnfitRegistrationError(dict(_placed(problem) for problem in listing.problems[:MAX_TOLD]))
    return listing


def _placed(problem: Problem) -> tuple[str, str]:
    number = problem.where.split(" ")[1] if problem.where.startswith("tool ") else ""
    return (f"tools[{int(number) - 1}]" if number.isdigit() else "tools"), problem.message
