"""Tools declared in YAML: what is read of a declaration, and what of a bad one is told, and where."""

import pytest

from catalog.sources import tool_file
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing
from catalog.sources.tool_entry import ListedTool

DECLARED = """
tools:
  send_mail:
    available: false
    searchable: false
    category: mail
    tags: [write, office]
    permission_kind: write
    platforms: [macos, linux]
    display: {en: Send mail, zh-CN: 发送邮件}
    desc:
      zh-CN: 给某人写信
      en: Sends a mail to somebody
    parameters:
      to: {type: string, required: true, desc: {en: Whom, zh-CN: 收件人}}
      copies: {type: array, items: {type: string}}
      urgent: boolean
"""


def read(text: str) -> Listing:
    return tool_file.read(text.encode())


def test_a_declaration_is_read_whole() -> None:
    listing = read(DECLARED)
    assert listing.tools == (
        ListedTool(
            name="send_mail",
            title="Send mail",
            description="Sends a mail to somebody",
            parameters={
                "type": "object",
                "properties": {
                    "to": {"type": "string", "description": "Whom"},
                    "copies": {"type": "array", "items": {"type": "string"}},
                    "urgent": {"type": "boolean"},
                },
                "required": ["to"],
            },
            localised={
                "en": {"title": "Send mail", "description": "Sends a mail to somebody"},
                "zh-CN": {"title": "发送邮件", "description": "给某人写信"},
            },
            category="mail",
            tags=("write", "office"),
            permission="write",
            available=False,
            searchable=False,
            platforms=("macos", "linux"),
        ),
    )
    assert [str(problem) for problem in listing.problems] == [
        "line 3, column 3 “send_mail”: It is kept, but the text of its parameter to in one language only."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "tools:\n  - {name: find, description: Finds}",
        "- {name: find, description: Finds}",
        "- {name: find, desc: Finds}",
        "find: {desc: {de: Finds}}",
        "name: find\ndescription: {en: Finds}",
        "%YAML 1.2\n---\ntools: {find: {description: Finds}}",
    ],
)
def test_every_way_to_list_tools_is_read(text: str) -> None:
    assert [(tool.name, tool.description) for tool in read(text).tools] == [("find", "Finds")]


def test_a_json_schema_stands_as_it_is_and_parameters_may_be_a_list() -> None:
    listing = read(
        "a: {parameters: {type: object, properties: {x: {type: string}}}}\n"
        "b: {parameters: [{name: x, type: string, required: true}], required: [x]}\n"
        "c: {parameters: {type: {type: string, required: true}}}\n"
        "d: {parameters: {}}"
    )
    assert [tool.parameters for tool in listing.tools] == [
        {"type": "object", "properties": {"x": {"type": "string"}}},
        {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
        {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
        {},
    ]


def test_a_bad_tool_costs_that_tool_and_is_told_by_line_and_column() -> None:
    listing = read(
        "tools:\n  good: {desc: x}\n  bad: 7\n  odd:\n    desc: x\n    available: maybe\n  ill: {parameters: [1]}\n"
    )
    assert [tool.name for tool in listing.tools] == ["good", "odd"]
    assert [str(problem) for problem in listing.problems] == [
        "line 3, column 3 “bad”: It is left out: it is a number, not an object.",
        "line 4, column 3 “odd”: It is kept, but without its available: it is text, not true or false.",
        "line 7, column 3 “ill”: It is left out: its input schema is a list, not an object.",
    ]


def test_a_field_that_no_tool_has_is_told_once_with_its_first_place() -> None:
    listing = read("tools:\n  a: {desc: x, serchable: false}\n  b: {desc: y, serchable: true, note: null}\n")
    assert [str(problem) for problem in listing.problems] == [
        "line 2, column 3 “a”: It is kept, but without “serchable”, which is no field of a tool here. 2 tools have it."
    ]


def test_a_tool_that_is_declared_twice_is_told() -> None:
    listing = read("tools:\n  a: {desc: x}\n  a: {desc: y}\n")
    assert listing.tools[0].description == "y"
    assert str(listing.problems[0]) == "the file: A key stands twice, and the last one counts: “a” (line 3, column 3)."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tools: [", "not valid YAML: line"),
        ("tools: !!python/object/apply:os.system [id]", "holds the tag"),
        ("- " * 100, "nested deeper than 64 levels"),
        ("openapi: 3.1.0", "OpenAPI document"),
        ("just a sentence", "no list of tools"),
        ("tools: 3", "no list of tools"),
    ],
)
def test_a_file_that_is_no_list_of_tools_says_why(text: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read(text)
