"""JSON as Go reads and writes it, its errors in Go's words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.modes.go_json import GoJsonError, go_dumps, read_struct

FIELDS = {"query": "string", "most": "int"}
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def problem(text: str) -> str:
    with pytest.raises(GoJsonError) as refused:
        read_struct(text, "tools.arguments", FIELDS)  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "unexpected end of JSON input"),
        ("{", "unexpected end of JSON input"),
        ("{bad", "invalid character 'b' looking for beginning of object key string"),
        ('{"a":1,}', "invalid character '}' looking for beginning of object key string"),
        ('{"a" 1}', "invalid character '1' after object key"),
        ('{"a":01}', "invalid character '1' after object key:value pair"),
        ("[1 2]", "invalid character '2' after array element"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("{} {}", "invalid character '{' after top-level value"),
        ("nul!", "invalid character '!' in literal null (expecting 'l')"),
        ("-x", "invalid character 'x' in numeric literal"),
        ("1.x", "invalid character 'x' after decimal point in numeric literal"),
        ("1ex", "invalid character 'x' in exponent of numeric literal"),
        ('"\n"', r"invalid character '\n' in string literal"),
        (r'"\q"', "invalid character 'q' in string escape code"),
        (r'"\u00g0"', r"invalid character 'g' in \u hexadecimal character escape"),
        ("'", r"invalid character '\'' looking for beginning of value"),
        ('{"query":1}', "json: cannot unmarshal number into Go struct field arguments.query of type string"),
        ('{"most":"1"}', "json: cannot unmarshal string into Go struct field arguments.most of type int"),
        ('{"most":1.0}', "json: cannot unmarshal number 1.0 into Go struct field arguments.most of type int"),
        ('{"most":{}}', "json: cannot unmarshal object into Go struct field arguments.most of type int"),
        ('{"query":[]}', "json: cannot unmarshal array into Go struct field arguments.query of type string"),
        ('{"query":true}', "json: cannot unmarshal bool into Go struct field arguments.query of type string"),
        ("[]", "json: cannot unmarshal array into Go value of type tools.arguments"),
    ],
)
def test_what_is_wrong_is_told_in_gos_words(text: str, expected: str) -> None:
    assert problem(text) == expected


def test_fields_are_read_whatever_their_case_and_others_passed_over() -> None:
    given = '{"QUERY": "a", "query": "b", "most": -3, "else": [1, {"x": null}], "Most": null}'
    assert read_struct(given, "t", FIELDS) == {"query": "b", "most": -3}  # type: ignore[arg-type]


def test_nothing_at_all_is_no_field() -> None:
    assert read_struct("null", "t", FIELDS) == {}  # type: ignore[arg-type]


def test_half_a_character_becomes_the_replacement_character() -> None:
    assert read_struct(r'{"query": "\ud800x"}', "t", FIELDS) == {"query": "\ufffdx"}  # type: ignore[arg-type]


def test_any_depth_is_an_answer() -> None:
    assert problem('{"x":' + "[" * 20_000 + "]" * 20_000 + "}") == "exceeded max depth"


@given(plain)
def test_whatever_is_json_passes(value: object) -> None:
    assert read_struct(json.dumps({"else": value}), "t", FIELDS) == {}  # type: ignore[arg-type]


@given(st.text())
def test_what_python_refuses_is_refused(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda name: 1 / 0)
    except (ValueError, ZeroDivisionError):
        assert problem(text)


@given(plain)
def test_what_is_written_reads_back(value: object) -> None:
    assert json.loads(go_dumps(value)) == value
    assert not set(go_dumps(value)) & set("<>&\u2028\u2029")
