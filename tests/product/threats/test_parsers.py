"""What strangers write is read within bounds, and builds nothing but plain values (T34 to T42)."""

import gzip
import json
import re
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import strategies as st

from catalog import background
from catalog.models import Catalog, Import, Server, Tool
from catalog.roles import Role
from catalog.sources.arguments import check_arguments
from catalog.sources.errors import SourceError
from catalog.sources.json_text import inflated, load_strict
from catalog.sources.listing import read_listing
from catalog.sources.openapi.document import load_document
from catalog.sources.openapi.listing import read as read_api
from catalog.sources.yaml_text import load_yaml
from tests.child import told_by_child
from tests.product.test_access import ROUTES

ROOT = Path(__file__).parents[3]
Load = Callable[[str], object]


def yaml_document(text: str) -> object:
    return load_document(f"openapi: 3.1.0\nx: {text}".encode())


READERS: list[Load] = [load_yaml, yaml_document]

TAGS = [
    "!!python/object/apply:os.system ['touch {}']",
    "!!python/object/new:os.system ['touch {}']",
    "!!python/object/apply:subprocess.check_output [['touch', '{}']]",
    "!!python/object:os.system {{}}",
    "!!python/name:os.system ''",
    "!!python/module:os ''",
    "!!python/tuple [1]",
    "!!python/object/apply:eval [\"open('{}', 'w')\"]",
    "!!python/bytes 'eA=='",
    "!!binary eA==",
    "!!set {{a}}",
    "!own {{a: 1}}",
    "!<tag:yaml.org,2002:python/object/apply:os.system> ['touch {}']",
]


@pytest.mark.threat("T34")
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("read", READERS)
def test_a_tag_builds_nothing(read: Load, tag: str, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    with pytest.raises(SourceError, match="Only plain values are read"):
        read(tag.format(canary))
    assert not canary.exists()


DEEP = {
    "one too many": "[" * 65 + "]" * 65,
    "lists": "[" * 100_000,
    "mappings": "{a: " * 100_000,
    "both": "[{a: " * 50_000,
    "a mapping by indents": "".join(f"{' ' * level}a:\n" for level in range(200)),
    "lists in one line": "- " * 50_000 + "x",
    "keys of keys": "? " * 50_000 + "x",
}


READ_ALL = """
import json, sys
from catalog.sources.errors import SourceError
from catalog.sources.yaml_text import load_yaml
for kind, text in json.load(sys.stdin).items():
    try:
        load_yaml(text)
    except SourceError as error:
        print(json.dumps([kind, str(error)]), flush=True)
"""


@pytest.mark.threat("T35")
def test_a_deep_document_is_refused_and_takes_no_process_down() -> None:
    told = told_by_child(READ_ALL, DEEP, seconds=8)
    assert [kind for kind, _ in told] == list(DEEP)
    for kind, problem in told:
        assert re.search("nested deeper than 64 levels|A key of the file is no plain", problem), kind


@pytest.mark.threat("T35")
def test_a_deep_document_is_told_on_its_page_and_the_next_request_is_served(
    client_as: Callable[[Role], Client], team: Catalog
) -> None:
    client = client_as(Role.CURATOR)
    page = client.post("/catalogs/import/", {"text": "catalog: " + "[" * 100_000})
    assert page.status_code == 200
    assert "nested deeper than 64 levels" in page.content.decode()
    assert client.get("/catalogs/").status_code == 200


BOMBS = {
    "laughs": "a: &a [" + "x," * 9 + "]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [" + f"*{chr(97 + n)}," * 9 + "]\n" for n in range(9)
    ),
    "itself": "a: &a {b: *a}",
    "itself in a list": "&a [*a]",
    "many words by alias": "a: &a '" + "x" * 100_000 + "'\nb: [" + "*a," * 5_000 + "]",
    "many merges": "a: &a {" + ",".join(f"k{n}: 1" for n in range(1_000)) + "}\nb: [" + "{<<: *a}," * 5_000 + "]",
}  # fmt: skip


@pytest.mark.threat("T36")
@pytest.mark.parametrize("kind", BOMBS)
def test_what_grows_by_aliases_is_refused_before_it_has_grown(kind: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=r"grows too large|inside itself"):
            load_yaml(BOMBS[kind])
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()


JSON_REFUSED = [
    "[" * 100_000, '{"a":' * 100_000, "[" * 65 + "]" * 65, "NaN", "[-Infinity]", "[1e999]", "9" * 5_000,
    '{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 1}}', '"\\ud800"', '{"\\udfff": 1}', "\ufeff{}", "", " ", "{", "[1,]",
    "{'a': 1}", "[1 2]", "01", "1.", ".5", "+1", "0x1", "tru", "nul", '"\x01"', '"\\x41"', '"\\u00g0"', "[1]]", "// x\n1",
    '{"a" 1}', '{"a":}', '{1: 1}', "[,]", "\x00", '"a', "[\x0b1]", "\u2028", "[1e]", "--1", "[\"a\",\n4\n,1,",
]  # fmt: skip


@pytest.mark.threat("T37")
@pytest.mark.parametrize("text", JSON_REFUSED, ids=range(len(JSON_REFUSED)))
def test_json_that_parsers_read_differently_is_no_argument(text: str) -> None:
    with pytest.raises(ValueError):
        load_strict(text)


@pytest.mark.threat("T37")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=20,
    )
)  # fmt: skip
def test_json_that_all_read_alike_is_read(value: Any) -> None:
    assert load_strict(json.dumps(value)) == value


def hostile_files() -> dict[str, bytes]:
    tool = '{"name": "a", "description": "b"'
    return {
        "deep": b'{"tools": ' + b"[" * 100_000,
        "deep schema": f'[{tool}, "inputSchema": '.encode() + b'{"a":' * 90_000,
        "a long number": f'[{tool}, "x": {"9" * 5_000}}}]'.encode(),
        "NaN": f'[{tool}, "x": NaN}}]'.encode(),
        "infinity": f'[{tool}, "inputSchema": {{"default": 1e999}}}}]'.encode(),
        "a key twice": f'[{tool}, "name": "c"}}]'.encode(),
        "a mark": b"\xef\xbb\xbf" + f"[{tool}}}]".encode(),
        "half a character": f'[{tool}, "title": "\\ud800"}}]'.encode(),
        "NUL": f'[{tool}, "title": "\\u0000"}}]'.encode(),
        "no UTF-8": b'[{"name": "\xff"}]',
        "UTF-16": json.dumps([{"name": "a"}]).encode("utf-16"),
        "a long text": f'[{tool}, "title": "{"x" * 3_000_000}"}}]'.encode(),
        "a bomb": gzip.compress(b" " * (65 << 20), compresslevel=1),
        "nothing": b" ",
        "yaml deep": b"tools: " + b"[" * 100_000,
        "openapi": b'{"openapi": "3.1.0", "paths": ' + b"[" * 100_000,
    }


@pytest.mark.threat("T37")
def test_a_hostile_file_is_refused_or_becomes_rows_that_browsers_read(
    client_as: Callable[[Role], Client], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "submit", lambda work: work())
    client = client_as(Role.CURATOR)
    states, added = {}, set()
    for number, (kind, content) in enumerate(hostile_files().items()):
        form = {"title": f"Hostile {number}", "name_rule": "prefixed"}
        client.post("/servers/add/file/", {**form, "file": SimpleUploadedFile("tools.json", content)})
        added |= {kind} if Server.objects.filter(title=form["title"]).exists() else set()
        here = Server.objects.create(slug=f"here-{number}", title="Here", kind=Server.Kind.FILE)
        client.post(f"{here.get_absolute_url()}upload/", {"file": SimpleUploadedFile("tools.json", content)})
        importation = Import.objects.latest("pk")
        client.post(f"{importation.get_absolute_url()}apply/")
        importation.refresh_from_db()
        states[kind] = importation.get_state_display()
    taken = {kind for kind, state in states.items() if state == "Applied"}
    assert added == taken == {"a key twice", "a mark", "half a character", "NUL", "a long text"}
    assert all(states[kind] == "Failed" for kind in states.keys() - taken), states
    for tool in Tool.objects.all():
        json.dumps(tool.upstream(), allow_nan=False).encode()
        assert "\0" not in json.dumps(tool.upstream(), ensure_ascii=False)
    assert client.get("/tools/").status_code == 200


LIMITLESS: dict[str, dict[str, Any]] = {
    "itself": {"$ref": "#"},
    "each other": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "many ways": {
        "$ref": "#/$defs/d9",
        "$defs": {"d0": {"type": "null"}}
        | {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n - 1}"}] * 3} for n in range(1, 10)},
    },
    "all of all": {"allOf": [{"allOf": [{"allOf": [{"type": "object"}] * 40}] * 40}] * 40},
    "a slow pattern": {"properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}},
    "a pattern of names": {"patternProperties": {"^(a|aa)+$": {"type": "integer"}}},
    "an endless text": {"properties": {"x": {"minLength": 10**12}}},
    "a hundred thousand properties": {"properties": {f"p{n}": {"type": "string"} for n in range(100_000)}},
    "unique things": {"properties": {"list": {"uniqueItems": True}}},
    "no schema at all": {"type": 7, "properties": []},
    "a pattern too large": {"properties": {"x": {"pattern": "(a{1,1000}){1,1000}"}}},
}
ARGUMENTS = {"x": "a" * 40 + "!", "a" * 40 + "!": 1, "list": [[n, {"a": n}] for n in range(300)]}


CHECK_ALL = """
import json, sys, time
from catalog.sources.arguments import check_arguments
schemas, arguments = json.load(sys.stdin)
for kind, schema in schemas.items():
    began = time.process_time()
    check_arguments(arguments, schema)
    print(json.dumps([kind, time.process_time() - began]), flush=True)
"""


@pytest.mark.threat("T39")
def test_a_schema_without_end_costs_little() -> None:
    told = told_by_child(CHECK_ALL, [LIMITLESS, ARGUMENTS], seconds=20)
    assert [kind for kind, _ in told] == list(LIMITLESS)
    assert {kind: spent for kind, spent in told if spent > 0.8} == {}


ELSEWHERE = [
    "http://127.0.0.1:{port}/schema", "//127.0.0.1:{port}/schema", "file:///etc/passwd", "../../etc/passwd",
    "https://127.0.0.1:{port}/a#/b", "urn:x:y", "http://127.0.0.1:{port}/a?b#c",
]  # fmt: skip
_opened: list[str] = []
sys.addaudithook(
    lambda event, args: (
        _opened.append(str(args[0]))
        if event == "open"
        else _opened.append(str(args[1]))
        if event == "socket.connect"
        else None
    )
)


@pytest.mark.threat("T38")
@pytest.mark.parametrize("reference", ELSEWHERE)
def test_a_schema_that_lies_elsewhere_is_neither_fetched_nor_read(reference: str) -> None:
    reference = reference.format(port=9)
    schema = {"type": "object", "properties": {"x": {"$ref": reference}}, "$schema": reference}
    paths = {"/a": {"get": {"parameters": [{"name": "x", "in": "query", "schema": {"$ref": reference}}]}}}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    check_arguments({"x": 1}, schema)
    del _opened[:]
    check_arguments({"x": 1}, schema)
    (tool,) = read_listing([{"name": "a", "inputSchema": schema}]).tools
    read_api(json.dumps(document).encode())
    assert [name for name in _opened if "passwd" in name or "127.0.0.1" in name or ":9" in name] == []
    assert tool.parameters["properties"]["x"] == {"$ref": reference}


@pytest.mark.threat("T40")
def test_a_bomb_is_not_unpacked_beyond_its_limit() -> None:
    bomb = gzip.compress(b"x" * (80 << 20), compresslevel=1)
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match="larger than 8 MB"):
            inflated(bomb, 8 << 20)
        assert tracemalloc.get_traced_memory()[1] < 30 << 20
    finally:
        tracemalloc.stop()


IMPORTED = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.MULTILINE)
UNPACKERS = {
    "zipfile",
    "tarfile",
    "pickle",
    "cPickle",
    "dill",
    "shelve",
    "marshal",
    "joblib",
    "lzma",
    "bz2",
    "zstandard",
}


@pytest.mark.threat("T41")
@pytest.mark.threat("T42")
def test_archives_are_unpacked_in_one_place_and_nothing_is_unpickled() -> None:
    files = [path for folder in ("catalog", "playground", "config") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 200
    found = {
        str(path.relative_to(ROOT)): names
        for path in files
        if (names := set(IMPORTED.findall(path.read_text())) & UNPACKERS)
    }
    assert found == {"catalog/sources/skill_files.py": {"zipfile"}}


@pytest.mark.threat("T42")
def test_an_index_folder_that_others_may_change_stops_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir(mode=0o700)
    with override_settings(PEGBOARD_INDEX_DIR=folder):
        assert run_checks() == []
        for mode in (0o720, 0o702, 0o777):
            folder.chmod(mode)
            assert ["can be changed by others" in problem.msg for problem in run_checks()] == [True]
    with override_settings(PEGBOARD_INDEX_DIR=tmp_path / "new" / "index"):
        assert run_checks() == []
    assert (tmp_path / "new" / "index").stat().st_mode & 0o777 == 0o700


@pytest.mark.threat("T42")
def test_no_address_takes_an_index_and_none_lies_in_a_table() -> None:
    assert [name for name in ROUTES if "index" in name or "backup" in name or "restore" in name] == []
    tables = [model._meta.db_table for model in apps.get_models()]
    assert [name for name in tables if "index" in name or "pickle" in name] == []
