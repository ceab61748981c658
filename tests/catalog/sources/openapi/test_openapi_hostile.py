"""Documents that mean harm, or nothing: each is refused or read with remarks, and none is anyone else's trouble."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.sources.errors import SourceError
from catalog.sources.openapi.document import MAX_BYTES
from catalog.sources.openapi.listing import ApiListing, read
from catalog.sources.yaml_text import MAX_DEPTH, load_yaml

HEAD = {"openapi": "3.1.0", "info": {"title": "Hostile"}, "servers": [{"url": "https://x.test"}]}


def with_schemas(schemas: dict[str, Any], used: dict[str, Any]) -> ApiListing:
    body = {"required": True, "content": {"application/json": {"schema": used}}}
    paths = {"/x": {"post": {"operationId": "x", "requestBody": body}}}
    return read(json.dumps({**HEAD, "paths": paths, "components": {"schemas": schemas}}).encode())


def nodes(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(nodes, parts))


def test_a_schema_nested_a_hundred_thousand_times_is_refused() -> None:
    deep = '{"items":' * 100_000 + "{}" + "}" * 100_000
    paths = f'{{"/x": {{"get": {{"parameters": [{{"name": "a", "in": "query", "schema": {deep}}}]}}}}}}'
    with pytest.raises(SourceError, match="nested too deeply"):
        read(f'{{"openapi": "3.1.0", "paths": {paths}}}'.encode())


def test_a_schema_too_deep_for_a_tool_costs_its_operation() -> None:
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"type": "array", "items": deep}
    listing = with_schemas({}, deep)
    assert listing.operations == ()
    assert "its schema is too large" in listing.problems[0].message


def test_a_hundred_thousand_schemas_that_refer_to_each_other_are_cut() -> None:
    count = 100_000
    schemas = {
        f"S{n}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{n + 1}"}}}
        for n in range(count)
    }
    schemas[f"S{count}"] = {"$ref": "#/components/schemas/S0"}
    listing = with_schemas(schemas, {"$ref": "#/components/schemas/S0"})
    assert "references deep inside it are cut" in listing.problems[0].message
    assert nodes(listing.operations[0].tool.parameters) < 200


def test_schemas_that_double_at_every_step_are_cut() -> None:
    schemas = {
        f"S{n}": {
            "type": "object",
            "properties": {name: {"$ref": f"#/components/schemas/S{n + 1}"} for name in "abcdefghij"},
        }
        for n in range(30)
    }
    listing = with_schemas(schemas, {"$ref": "#/components/schemas/S0"})
    assert "references deep inside it are cut" in listing.problems[0].message
    assert nodes(listing.operations[0].tool.parameters) < 5_000


@pytest.mark.threat("T10")
@pytest.mark.parametrize(
    ("schemas", "reason"),
    [
        ({"A": {"$ref": "#/components/schemas/A"}}, "refers to itself"),
        ({"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}, "refers to itself"),
        ({"A": {"properties": {"a": {"$ref": "#"}}, "type": "object"}}, ""),
        ({"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}}, "refers to itself"),
        (
            {"A": {"properties": {"a": {"$ref": "#/components/schemas/B"}}}, "B": {"$ref": "#/components/schemas/B"}},
            "in a circle",
        ),
        ({"A": {"$ref": "#/nowhere"}}, "not in the document"),
        ({"A": {"$ref": "file:///etc/passwd"}}, "outside of the document"),
        ({"A": {"$ref": "//evil.test/x"}}, "outside of the document"),
        ({"A": {"$ref": "#anchor"}}, "only references like"),
        ({"A": {"$ref": 7}}, ""),
    ],
)
def test_references_that_lead_nowhere_or_in_circles_are_told(schemas: dict[str, Any], reason: str) -> None:
    listing = with_schemas(schemas, {"$ref": "#/components/schemas/A"})
    assert any(reason in problem.message for problem in listing.problems) or not reason
    assert len(listing.operations) + len(listing.problems) >= 1


LAUGHS = "\n".join([f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a0: &a0 [lol]\n" + LAUGHS, "grows too large once its aliases are written out"),
        (f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 5_000)}]", "grows too large"),
        ("a: &a {b: *a}", "inside itself or before"),
        ("a: *b", "inside itself or before|undefined alias"),
        ("a: !!python/object/apply:os.system [id]", "holds the tag"),
        ("a: !!python/name:os.system ''", "holds the tag"),
        ("a: !!binary aGk=", "holds the tag"),
        ("a: !own 1", "holds the tag"),
        ("[" * (MAX_DEPTH + 1), "nested deeper than 64 levels"),
        ("[" * 100_000, "nested deeper than 64 levels"),
        ("a:\n" + "".join(f"{' ' * n}- \n" for n in range(1, 3)) + "{" * 100, "nested deeper|not valid YAML"),
        ("? [a, b]\n: c", "no plain text"),
        ("a: \x01", "not valid YAML"),
        ("", "empty"),
    ],
)
def test_yaml_that_means_harm_is_refused(text: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        load_yaml(text)


def test_yaml_is_read_as_its_newest_version_has_it() -> None:
    text = "a: no\nb: 2024-01-31\nc: 0x1F\nd: 1e3\ne: ~\nf: [1, 'x', true]\n200: ok\n1.10: v\ng: &g {h: 1}\ni: {<<: *g, j: 2}"
    read_as = {"a": "no", "b": "2024-01-31", "c": "0x1F", "d": 1000.0, "e": None, "f": [1, "x", True], "200": "ok"}
    assert load_yaml(text).value == {**read_as, "1.10": "v", "g": {"h": 1}, "i": {"j": 2, "h": 1}}


def test_fifty_megabytes_are_refused_by_their_size() -> None:
    with pytest.raises(SourceError, match=f"larger than {MAX_BYTES // 1024**2} MB"):
        read(b'{"openapi": "3.0.0", "x": "' + b"x" * (50 * 1024 * 1024) + b'"}')


def test_two_thousand_operations_are_read_each_under_a_name_of_its_own() -> None:
    paths = {f"/things/{n}": {"get": {"operationId": f"thing {n % 100}", "summary": "One thing"}} for n in range(2_000)}
    listing = read(json.dumps({**HEAD, "paths": paths}).encode())
    assert len(listing.operations) == 2_000
    assert len({one.tool.name for one in listing.operations}) == 2_000


def test_problems_are_told_up_to_a_bound() -> None:
    paths = {f"/{n}": {"get": 7} for n in range(3_000)}
    problems = read(json.dumps({**HEAD, "paths": paths}).encode()).problems
    assert len(problems) == 1_001
    assert problems[0].message == "It is left out: it is a number, not an object."


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8),
    st.sampled_from(["object", "string", "path", "query", "#/components/schemas/A", "#/paths/~1x", "#", "3.0.0", "form"]),
)  # fmt: skip
KEYS = st.sampled_from([
    *("paths", "/x", "/x/{a}", "get", "post", "parameters", "requestBody", "content", "application/json", "schema"),
    *("$ref", "name", "in", "type", "properties", "items", "allOf", "anyOf", "required", "enum", "nullable", "default"),
    *("exclusiveMinimum", "minimum", "components", "schemas", "A", "securitySchemes", "security", "servers", "url"),
    *("variables", "responses", "200", "operationId", "summary", "description", "tags", "deprecated", "style", "encoding"),
    *("explode", "info", "title", "version", "application/x-www-form-urlencoded", "additionalProperties", "scheme"),
])  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=40
)
PARAMETER = st.fixed_dictionaries({"name": LEAVES, "in": LEAVES}, optional=dict.fromkeys(("schema", "content"), VALUES))
MEDIA = st.dictionaries(KEYS, st.fixed_dictionaries({"schema": VALUES}) | VALUES, max_size=3)
PARTS = ("responses", "operationId", "summary", "tags", "security", "servers", "deprecated")
OPERATIONS = st.fixed_dictionaries(
    {
        "parameters": st.lists(PARAMETER, max_size=3) | VALUES,
        "requestBody": st.fixed_dictionaries({"content": MEDIA}) | VALUES,
    },
    optional=dict.fromkeys(PARTS, VALUES),
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    whole=st.dictionaries(KEYS, VALUES, max_size=8),
    operation=OPERATIONS | VALUES,
    entry=st.dictionaries(KEYS, VALUES, max_size=3),
    version=st.sampled_from(["3.0.3", "3.1.0"]),
)
def test_wrong_types_anywhere_raise_nothing(
    whole: dict[str, Any], operation: Any, entry: dict[str, Any], version: str
) -> None:
    paths = {"/x/{a}": {**entry, "post": operation, "get": operation}}
    try:
        listing = read(json.dumps({**whole, "openapi": version, "paths": paths}).encode())
    except SourceError:
        return
    assert len(listing.operations) <= 2 + len(entry)
    assert all(one.tool.parameters["type"] == "object" for one in listing.operations)
    json.dumps([one.tool.call_plan for one in listing.operations], allow_nan=False)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=300) | st.text("[]{}:,&*!-?|>'\"#% \n\tab1~.", max_size=120).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read(content)
    except SourceError:
        return
    pytest.fail("this is no OpenAPI document")
