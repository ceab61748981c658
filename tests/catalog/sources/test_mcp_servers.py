"""Configurations of MCP servers, as the editors and desktops that keep them write them."""

import json
from typing import Any

import pytest

from catalog.sources import mcp_servers
from catalog.sources.errors import SourceError
from catalog.sources.mcp_servers import FoundServers
from catalog.sources.placeholders import filled
from tests.effort import bounded_effort

CLAUDE_DESKTOP = """{"mcpServers": {"files": {
  "command": "npx", "args": ["-y", "@scope/files", "/srv"], "env": {"FILES_KEY": "s3cret-value", "LEVEL": 3}}}}"""
CURSOR = """{"mcpServers": {"issues": {
  "url": "https://issues.example/mcp", "headers": {"Authorization": "Bearer ${env:ISSUES_TOKEN}"}}}}"""
VS_CODE = """{
  // kept by hand
  "inputs": [{"type": "promptString", "id": "key", "description": "Key of the weather", "password": true}],
  "servers": {
    "Weather // now": {"type": "stdio", "command": "uvx", "args": ["weather", "${input:town}",], "env": {"KEY": "${input:key}"}}, /* last */
  },
}"""
WINDSURF = '{"mcpServers": {"maps": {"serverUrl": "https://maps.example/mcp", "disabled": true}}}'


def read(text: str) -> FoundServers:
    return mcp_servers.read(text.encode())


def server(**entry: Any) -> FoundServers:
    return read(json.dumps({"mcpServers": {"one": entry}}))


def test_claude_desktop() -> None:
    [found] = read(CLAUDE_DESKTOP).servers
    assert (found.name, found.transport, found.command) == ("files", "stdio", "npx")
    assert found.args == ("-y", "@scope/files", "/srv")
    assert found.env == {"FILES_KEY": "s3cret-value", "LEVEL": "3"}
    assert "s3cret-value" not in repr(found)


def test_cursor() -> None:
    found = read(CURSOR)
    assert found.servers[0].url == "https://issues.example/mcp"
    [asked] = found.asked
    assert (asked.written, asked.label, asked.is_open) == ("${env:ISSUES_TOKEN}", "ISSUES_TOKEN", False)


def test_vs_code_with_its_comments_and_its_inputs() -> None:
    found = read(VS_CODE)
    assert [server.name for server in found.servers] == ["Weather // now"]
    town, key = found.asked
    assert (town.label, town.is_open, town.is_secret) == ("town", True, False)
    assert (key.description, key.is_open, key.is_secret) == ("Key of the weather", False, True)
    whole = filled(found.servers[0], {"input:key": "k", "input:town": "Bern"})
    assert (whole.args, whole.env) == (("weather", "Bern"), {"KEY": "k"})
    assert read('{"mcp": ' + VS_CODE + "}").servers == found.servers


def test_windsurf() -> None:
    [found] = read(WINDSURF).servers
    assert (found.transport, found.url, found.is_off) == ("http", "https://maps.example/mcp", True)
    assert found.remarks == ("It is switched off in the file.",)


def test_servers_without_a_frame_around_them_are_read() -> None:
    assert [found.name for found in read('{"a": {"command": "uvx"}, "b": {"url": "https://b.example"}}').servers] == [
        "a",
        "b",
    ]


def test_a_default_stands_behind_its_name() -> None:
    [asked] = server(url="https://x.example", headers={"X-Zone": "${ZONE:-eu}"}).asked
    assert (asked.label, asked.default) == ("ZONE", "eu")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({}, "it has neither a command nor an address"),
        ({"command": "a", "url": "https://x"}, "it has both a command and an address"),
        ({"command": ["npx"]}, "its command is a list, not text"),
        ({"command": "npx", "args": "-y"}, "its arguments are not a list of texts"),
        ({"command": "npx", "args": [None]}, "its arguments are not a list of texts"),
        ({"command": "npx 'open"}, "its command holds a quotation that does not end"),
        ({"command": "npx", "env": ["A=b"]}, "its env is no list of names with texts"),
        ({"command": "npx", "env": {"A": {}}}, "its env is no list of names with texts"),
        ({"url": "https://x", "headers": "A: b"}, "its headers is no list of names with texts"),
        ("npx", "it is text, not an object"),
        ({"url": "ftp://x/mcp"}, "its address does not begin with https:// or http://"),
    ],
)
def test_a_bad_entry_costs_that_entry(entry: Any, reason: str) -> None:
    found = read(json.dumps({"mcpServers": {"bad": entry, "good": {"command": "uvx"}}}))
    assert [server.name for server in found.servers] == ["good"]
    assert [str(problem) for problem in found.problems] == [f"“bad”: It is left out: {reason}."]


@pytest.mark.parametrize(
    ("entry", "remark"),
    [
        ({"command": "uvx", "envFile": ".env"}, "variables that it names is not read"),
        ({"command": "uvx", "alwaysAllow": ["x"]}, "without asking is not taken over"),
        ({"command": "uvx", "dev": {}, "gallery": True}, "Not taken over: dev, gallery."),
        ({"command": "uvx", "args": ["--token=ghp_" + "a1B2" * 9]}, "Something like a secret"),
        ({"command": "uvx", "args": ["tell", "the-secret"], "env": {"A": "the-secret"}}, "Something like a secret"),
    ],
)
def test_what_should_be_known_before_it_is_added_is_told(entry: Any, remark: str) -> None:
    [found] = server(**entry).servers
    assert any(remark in told for told in found.remarks)


def test_what_looks_like_a_secret_is_not_in_the_line_that_is_shown() -> None:
    [found] = server(command="uvx", args=["x", "ghp_" + "a1B2" * 9]).servers
    assert "a1B2" not in found.reach and found.reach.startswith("uvx x ")


def test_a_command_with_its_arguments_in_one_text_is_taken_apart() -> None:
    [found] = server(command="npx -y '@scope/a b'").servers
    assert (found.command, found.args) == ("npx", ("-y", "@scope/a b"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty."),
        ("{", "not valid JSON: line 1, column 2"),
        ('{"mcpServers": []}', "Its list of servers is a list."),
        ('{"tools": []}', "no MCP servers here"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": {"command": NaN}}', "not a JSON number"),
    ],
)
def test_what_is_no_configuration_says_why(text: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read(text)


def test_an_endless_comment_costs_no_more_than_its_length() -> None:
    with bounded_effort(10), pytest.raises(SourceError):
        read('{"a": 1} ' + "/* " * 300_000)


def test_a_server_that_speaks_sse_is_taken_without_remark_and_an_address_may_be_left_open() -> None:
    entries = {"old": {"type": "sse", "url": "https://x/sse"}, "open": {"url": "${input:address}"}}
    found = read(json.dumps({"servers": entries}))
    assert [(server.name, server.remarks) for server in found.servers] == [("old", ()), ("open", ())]
    assert found.problems == ()
