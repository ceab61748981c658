"""Documents of both versions, read into tools."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from catalog.sources.arguments import check_arguments
from catalog.sources.errors import SourceError
from catalog.sources.openapi.call_plan import CallPlan
from catalog.sources.openapi.listing import ApiListing, read
from catalog.sources.openapi.operations import Operation

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def library() -> ApiListing:
    return read((HERE / "library.yaml").read_bytes())


@pytest.fixture(scope="module")
def workshop() -> ApiListing:
    return read((HERE / "workshop.json").read_bytes(), "https://bikes.example.com/docs/openapi.json")


def operation(listing: ApiListing, key: str) -> Operation:
    return next(one for one in listing.operations if one.key == key)


def parameters(listing: ApiListing, key: str) -> dict[str, Any]:
    return operation(listing, key).tool.parameters["properties"]  # type: ignore[no-any-return]


def told(listing: ApiListing, where: str) -> list[str]:
    return [problem.message for problem in listing.problems if problem.where.startswith(where)]


def document(operation: dict[str, Any], path: str = "/x", **parts: Any) -> bytes:
    whole = {
        "openapi": "3.1.0",
        "info": {},
        "servers": [{"url": "https://x.test"}],
        "paths": {path: {"get": operation}},
    }
    return json.dumps(whole | parts).encode()


def test_each_operation_is_a_tool_named_by_its_id_or_by_method_and_path(library: ApiListing) -> None:
    names = {one.key: one.tool.name for one in library.operations}
    assert names["GET /books"] == "searchBooks"
    assert names["POST /members"] == "post_members"
    assert names["GET /shelves"] == "getBook_2"
    assert (
        told(library, "GET /shelves")[0]
        == "It is kept, but named getBook_2, since another operation is named getBook already."
    )
    assert (library.title, library.version) == ("Town Library", "2.4")


def test_dots_of_an_id_give_way(workshop: ApiListing) -> None:
    assert operation(workshop, "GET /jobs").tool.name == "jobs_list"


def test_what_a_model_reads_comes_from_summary_and_description(library: ApiListing) -> None:
    tool = operation(library, "GET /books").tool
    assert (tool.title, tool.description) == ("Search the shelves", "Finds books by words, subject and year.")
    assert tool.tags == ("books",)
    assert operation(library, "GET /books/{isbn}").tool.description == "One book"
    assert operation(library, "GET /exports").tool.description == "GET /exports"


@pytest.mark.parametrize(
    ("key", "permission"),
    [
        ("GET /books", "read"),
        ("POST /books", "write"),
        ("PATCH /books/{isbn}", "write"),
        ("DELETE /books/{isbn}", "dangerous"),
    ],
)
def test_the_method_says_what_a_tool_may(library: ApiListing, key: str, permission: str) -> None:
    assert operation(library, key).tool.permission == permission


def test_parameters_of_every_place_stand_side_by_side(library: ApiListing) -> None:
    tool = operation(library, "POST /members/{id}/loans").tool
    assert list(tool.parameters["properties"]) == ["id", "X-Desk", "visit", "isbn", "id_body", "due"]
    assert tool.parameters["required"] == ["id", "isbn"]
    plan = CallPlan.of(tool.call_plan)
    assert [(one.argument, one.place, one.name) for one in plan.arguments if one.name == "id"] == [
        ("id", "path", "id"),
        ("id_body", "body", "id"),
    ]


def test_names_that_no_model_takes_are_changed_and_remembered(library: ApiListing) -> None:
    plan = CallPlan.of(operation(library, "GET /books").tool.call_plan)
    assert [one.name for one in plan.arguments if one.argument == "year_from"] == ["year[from]"]


def test_a_reference_is_written_out_and_shared_parameters_are_taken(library: ApiListing) -> None:
    assert parameters(library, "GET /books")["page"] == {"type": "integer", "default": 1}


def test_what_only_the_api_writes_is_not_asked_of_a_model(library: ApiListing) -> None:
    tool = operation(library, "POST /books").tool
    assert "id" not in tool.parameters["properties"]
    assert tool.parameters["required"] == ["title"]
    output = operation(library, "GET /books/{isbn}").tool.output_schema
    assert output is not None
    assert {"id", "title"} <= output["properties"].keys()
    assert "staffNote" not in output["properties"]


def test_the_own_words_of_3_0_become_json_schema(library: ApiListing) -> None:
    book = parameters(library, "POST /books")
    assert book["subtitle"] == {"type": ["string", "null"]}
    assert book["binding"] == {"type": ["string", "null"], "enum": ["hard", "soft", None]}
    assert parameters(library, "GET /books")["year_from"] == {"type": "integer", "exclusiveMinimum": 1450}
    schema = operation(library, "POST /books").tool.parameters
    assert check_arguments({"title": "T", "binding": None}, schema) == []
    assert check_arguments({"title": "T", "binding": "cloth"}, schema) != []


def test_schemas_of_3_1_stay_as_they_are(workshop: ApiListing) -> None:
    assert parameters(workshop, "GET /jobs")["state"] == {"type": ["string", "null"], "enum": ["open", "done", None]}
    job = parameters(workshop, "POST /jobs")
    assert job["price"] == {"anyOf": [{"type": "number"}, {"type": "null"}]}
    assert job["work"] == {"type": "string", "enum": ["brakes", "gears", "wheels"], "description": "What is to be done"}


def test_what_refers_to_itself_is_written_once_and_told(workshop: ApiListing) -> None:
    apprentice = parameters(workshop, "POST /jobs")["mechanic"]["properties"]["apprentice"]
    assert apprentice == {"type": "object", "description": "A Person, not written out here."}
    assert told(workshop, "POST /jobs") == ["It is kept, but Person refers to itself, and is written out once."]


def test_a_body_that_is_no_object_or_not_needed_is_one_argument(workshop: ApiListing) -> None:
    assert list(parameters(workshop, "POST /parts")) == ["body"]
    assert operation(workshop, "POST /parts").tool.parameters["required"] == ["body"]
    replace = operation(workshop, "PUT /jobs/{job}").tool.parameters
    assert list(replace["properties"]) == ["job", "body"]
    assert replace["required"] == ["job"]


def test_an_operation_that_cannot_be_called_is_left_out_with_its_pointer(library: ApiListing) -> None:
    keys = {one.key for one in library.operations}
    assert "PUT /books/{isbn}/cover" not in keys
    assert "GET /partners" not in keys
    pointers = {problem.where: problem.message for problem in library.problems}
    cover = "PUT /books/{isbn}/cover (#/paths/~1books~1{isbn}~1cover/put/requestBody/content)"
    assert pointers[cover] == "It is left out: its body is image/png, and only JSON and forms are sent."
    partners = "GET /partners (#/paths/~1partners/get/parameters/0)"
    assert "outside of the document, which is never fetched" in pointers[partners]


def test_deprecated_operations_are_marked(library: ApiListing) -> None:
    card = operation(library, "GET /members/{id}/card")
    assert card.is_deprecated
    assert card.tool.annotations == {"deprecated": True}
    assert not operation(library, "GET /books").is_deprecated


def test_the_ways_to_sign_in_are_read(library: ApiListing) -> None:
    assert {(one.name, one.place, one.parameter, one.form) for one in library.schemes} == {
        ("key", "header", "X-Library-Key", "key"),
        ("staff", "header", "Authorization", "basic"),
        ("oldKey", "query", "api_key", "key"),
        ("visitor", "cookie", "visitor", "key"),
        ("account", "header", "Authorization", "bearer"),
    }
    assert "device" in told(library, "the document")[0]
    security = {
        key: CallPlan.of(operation(library, key).tool.call_plan).security for key in ("GET /books", "POST /books")
    }
    assert security == {"GET /books": (("key",),), "POST /books": (("staff",),)}


def test_addresses_have_their_variables_filled_in_or_are_read_against_the_document(
    library: ApiListing, workshop: ApiListing
) -> None:
    assert library.addresses == ("https://north.library.example.com/v2",)
    assert workshop.addresses == ("https://bikes.example.com/api",)
    assert read((HERE / "workshop.json").read_bytes()).addresses == ()


def test_an_operation_served_elsewhere_says_so(library: ApiListing) -> None:
    assert CallPlan.of(operation(library, "GET /exports").tool.call_plan).server == "https://exports.example.com"
    assert "it is served at https://exports.example.com" in told(library, "GET /exports")[0]


def test_a_plan_survives_being_stored(library: ApiListing) -> None:
    for one in library.operations:
        stored = json.loads(json.dumps(one.tool.call_plan))
        assert CallPlan.of(stored).as_json() == one.tool.call_plan


def test_a_part_of_the_path_that_nobody_describes_is_text() -> None:
    listing = read(document({}, "/x/{day}/{hour}"))
    assert list(listing.operations[0].tool.parameters["required"]) == ["day", "hour"]


@pytest.mark.parametrize(
    ("parameter", "reason"),
    [
        ({"name": "X-A\r\nX-B", "in": "header"}, "cannot be the name of a header"),
        ({"name": "X A", "in": "header"}, "cannot be the name of a header"),
        ({"name": "a=b", "in": "cookie"}, "cannot be the name of a cookie"),
        ({"name": "Host", "in": "header"}, "not a tool’s to set"),
        ({"name": "", "in": "query"}, "has no name"),
        ({"name": "a", "in": "fragment"}, "no place among"),
        ({"name": "a", "in": "query", "style": "matrix"}, "a style that a query parameter cannot have"),
        ({"name": "a", "in": "query", "content": {"text/csv": {}}}, "another media type than JSON"),
        ({"name": "a", "in": "query", "schema": []}, "a schema is a list"),
    ],
)
def test_a_parameter_that_cannot_be_sent_costs_the_operation(parameter: dict[str, Any], reason: str) -> None:
    listing = read(document({"parameters": [parameter]}))
    assert listing.operations == ()
    assert reason in listing.problems[0].message


def test_a_parameter_that_stands_twice_costs_the_operation() -> None:
    twice = [{"name": "X-Day", "in": "header"}, {"name": "x-day", "in": "header"}]
    assert "stands there twice" in read(document({"parameters": twice})).problems[0].message


@pytest.mark.parametrize("path", ["x", "/a/../b", "/a?b", "/a#b", "/a\\b", "/a\nb"])
def test_a_path_that_cannot_be_called_is_left_out(path: str) -> None:
    listing = read(document({}, path))
    assert listing.operations == ()
    assert "not a path that can be called" in listing.problems[0].message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"{", "not valid JSON: line 1"),
        (b"a: [", "not valid YAML: line 2"),
        (b'{"swagger": "2.0"}', "Swagger 2.0"),
        (b'{"openapi": "4.0.0"}', "OpenAPI 3.0 and 3.1 are read"),
        (b"[1, 2]", "not an OpenAPI document"),
        (b"just words", "not an OpenAPI document"),
        (b"<!doctype html>", "not an OpenAPI document"),
        (b"\xff\xfe{", "UTF-16"),
    ],
)
def test_what_is_no_openapi_document_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read(content)


def test_the_same_document_in_json_and_yaml_is_the_same() -> None:
    import yaml

    text = (HERE / "workshop.json").read_text()
    as_yaml = yaml.safe_dump(json.loads(text), sort_keys=False)
    assert read(as_yaml.encode()) == read(text.encode())


def test_a_public_document_is_read_whole() -> None:
    """The parts of LiteLLM's own API (3.1, generated by FastAPI), which its package ships."""
    found = find_spec("litellm")
    assert found is not None
    assert found.origin is not None
    shipped = Path(found.origin).with_name("proxy") / "_lazy_openapi_snapshot.json"
    parts = json.loads(shipped.read_text())
    listings = {
        name: read(json.dumps({"openapi": "3.1.0", "info": {"title": name}, **part}).encode())
        for name, part in parts.items()
        if isinstance(part, dict) and part.get("paths")
    }
    operations = [one for listing in listings.values() for one in listing.operations]
    assert len(operations) > 250
    left_out = [
        str(problem) for listing in listings.values() for problem in listing.problems if "left out" in problem.message
    ]
    assert all("multipart/form-data" in one for one in left_out)
    assert all(json.loads(json.dumps(one.tool.parameters))["type"] == "object" for one in operations)


def test_words_of_a_schema_that_hold_what_they_should_not_are_left_away() -> None:
    odd = {"type": "integer", "title": 7, "minimum": "1", "maxLength": -1, "enum": "a", "required": [], "format": ["x"]}
    parameter = {"name": "a", "in": "query", "schema": {**odd, "maximum": 9, "description": "kept"}}
    schema = read(document({"parameters": [parameter]})).operations[0].tool.parameters
    assert schema["properties"]["a"] == {"type": "integer", "maximum": 9, "description": "kept"}
