"""Reading judged queries and their tools."""

import gzip
import json
from pathlib import Path

import pytest

from catalog.evaluating.judged import JudgedQuery, UnfitFileError, read_queries, read_tools, spread


def lines(path: Path, *values: object) -> Path:
    text = "".join(f"{json.dumps(value)}\n" for value in values)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("name", ["tools.jsonl", "tools.jsonl.gz"])
def test_a_tool_is_read_with_all_that_is_searched_of_it(tmp_path: Path, name: str) -> None:
    line = {"id": "w/now", "server": "w", "name": "now", "description": "Weather", "parameters": None}
    told = {"server_name": "Weather", "server_description": "All skies", "category": "Travel"}
    tool = read_tools(lines(tmp_path / name, line | told))["w/now"]
    assert (tool.name, tool.server, tool.description, tool.parameters) == ("now", "w", "Weather", {})
    assert (tool.server_text, tool.category) == ("Weather\nAll skies", "Travel")


def test_tools_of_one_name_are_told_apart(tmp_path: Path) -> None:
    values = [{"id": f"{number}", "server": server, "name": "get"} for number, server in enumerate("aabb")]
    tools = read_tools(lines(tmp_path / "tools.jsonl", *values))
    assert [tool.name for tool in tools.values()] == ["get", "a__get", "b__get", "3"]
    assert {tool.upstream_name for tool in tools.values()} == {"get"}


def test_a_query_without_groups_needs_any_of_its_tools(tmp_path: Path) -> None:
    grouped = {"id": 1, "text": "both", "groups": [["a", "b"], ["c"]]}
    loose = {"id": 2, "text": "any", "relevant": ["a", "b"]}
    first, second = read_queries(lines(tmp_path / "queries.jsonl", grouped, loose))
    assert first == JudgedQuery("1", "both", (frozenset("ab"), frozenset("c")))
    assert second.groups == (frozenset("ab"),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"id": 1, "name": "a"}\n{oops}', "line 2: Expecting"),
        ("[]", "line 1: not an object"),
        ('{"id": 1}', "line 1: not a tool"),
        ('{"id": 1, "name": "a"}\n{"id": 1, "name": "b"}', "line 2: the id 1 came before"),
    ],
)
def test_an_unfit_file_is_refused_with_the_place(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "tools.jsonl"
    path.write_text(text)
    with pytest.raises(UnfitFileError, match=f"tools.jsonl, {problem}"):
        read_tools(path)


@pytest.mark.parametrize(("limit", "kept"), [(0, "abcdef"), (3, "ace"), (2, "ad"), (9, "abcdef")])
def test_a_limit_takes_queries_at_even_distances(limit: int, kept: str) -> None:
    queries = [JudgedQuery(id, id, ()) for id in "abcdef"]
    assert "".join(query.id for query in spread(queries, limit)) == kept
