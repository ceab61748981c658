"""Files with lists of tools, good and bad."""

import gzip
import json
from typing import Any

import pytest

from catalog.sources import json_file, tool_file
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing
from tests.effort import bounded_effort

TOOL = {"name": "send_mail", "description": "Sends a mail", "inputSchema": {"type": "object"}}


def read(value: Any) -> Listing:
    return tool_file.read(json.dumps(value).encode())


def test_a_file_keeps_what_was_curated() -> None:
    curated: dict[str, Any] = {
        "category": "mail",
        "tags": ["write"],
        "permission": "write",
        "aliases": ["post"],
        "search_text": "smtp",
    }
    curated["simulated_result"] = {"sent": "{to}"}
    curated["localised"] = {"de": {"title": "Senden", "other": "x"}}
    [tool] = read({"tools": [TOOL | curated]}).tools
    assert (tool.category, tool.tags, tool.permission) == ("mail", ("write",), "write")
    assert (tool.aliases, tool.search_text) == (("post",), "smtp")
    assert tool.simulated_result == {"sent": "{to}"}
    assert tool.localised == {"de": {"title": "Senden"}}


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf", b"\n\n"])
def test_a_byte_order_mark_and_blank_lines_do_no_harm(prefix: bytes) -> None:
    assert tool_file.read(prefix + json.dumps(TOOL).encode()).tools[0].name == "send_mail"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b" \n\t", "The file is empty."),
        (b"\xef\xbb\xbf", "The file is empty."),
        (b'{"tools": [\n  {"name": "a",}\n]}', "line 2, column 16: expecting property name enclosed in double quotes"),
        (b'{"tools": []', "line 1, column 13: expecting ',' delimiter"),
        (b'{"tools": []}}', "line 1, column 14: extra data"),
        (b'{"tools": [\n"\xff"]}', "not UTF-8: line 2, column 2. Save it as UTF-8."),
        ('{"tools": []}'.encode("utf-16"), "UTF-16"),
        (b'{"tools": [\n {"name": "NaN", "x": NaN}]}', "Line 2, column 23: NaN is not a JSON number"),
        (b'{"x": -Infinity}', "Line 1, column 7: -Infinity is not a JSON number"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[" + b"9" * 5_000 + b"]", "more than 4,300 digits"),
        (b"\x1f\x8bnonsense, not gzip", "cannot be unpacked"),
        (gzip.compress(b'{"tools": []}', mtime=0)[:-12], "ends too early"),
        (b'{"openapi": "3.1.0"}', "OpenAPI document"),
        (b'{"mcpServers": {}}', "configuration of MCP servers"),
        (b'{"jsonrpc": "2.0", "error": {"code": 1, "message": "no such method"}}', "no such method"),
        (b'"tools"', "no list of tools"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_why(content: bytes, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        tool_file.read(content)
    assert sentence in str(caught.value)


def test_a_file_over_the_limit_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "MAX_BYTES", 1024 * 1024)
    for content in (b" " * 2_000_000, gzip.compress(b" " * 200_000_000, 1, mtime=0)):
        with pytest.raises(SourceError, match="larger than 1 MB"):
            tool_file.read(content)


def test_a_key_written_twice_is_told_and_the_last_counts() -> None:
    listing = tool_file.read(b'[{"name": "a", "title": "one", "title": "two"}]')
    assert listing.tools[0].title == "two"
    assert str(listing.problems[0]) == "the file: An object holds a key twice, and the last one counts: “title”."


def test_a_bad_line_costs_that_line() -> None:
    lines = ['{"name": "a"}', "", '{"name": }', "[1]", '{"name": "b", "x": NaN}', '{"name": "c", "server": "s"}']
    listing = tool_file.read("\r\n".join(lines).encode())
    assert [(tool.group, tool.name) for tool in listing.tools] == [("", "a"), ("s", "s__c")]
    assert [problem.where for problem in listing.problems] == ["line 3, column 10", "line 5", "line 4"]


def test_a_large_file_of_many_servers_becomes_one_server_in_seconds() -> None:
    schema = {
        "type": "object",
        "properties": {f"field_{n}": {"type": "string", "description": "x" * 40} for n in range(8)},
    }
    rows = [
        {"id": str(n), "server": f"@acme/server {n % 2_120}", "name": f"tool_{n % 9_000}", "parameters": schema}
        for n in range(16_000)
    ]
    content = gzip.compress("\n".join(map(json.dumps, rows)).encode(), 1)
    with bounded_effort(60):
        listing = tool_file.read(content)
    names = {tool.name for tool in listing.tools}
    assert len(names) == len(listing.tools) == 16_000
    assert listing.tools[0].name == "acme_server_0__tool_0"
