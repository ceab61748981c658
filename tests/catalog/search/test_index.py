"""The index on disk: changes are seen, and a build that dies leaves the old index whole."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from catalog.search.bm25f import WhooshBm25f
from catalog.search.engine import Corpus
from catalog.search.index import UnreadableIndexError, build_index, open_index, update_index
from catalog.search.postings import Postings
from catalog.tools import ToolSpec

WEATHER = ToolSpec("get_weather", "Current weather")
MAIL = ToolSpec("send_email", "Deliver an email")


def found(folder: Path, query: str, *tools: ToolSpec) -> list[str]:
    return [hit.tool.name for hit in WhooshBm25f(Corpus(tools, folder)).search(query, 10).hits]


def test_a_changed_tool_is_found_by_its_new_words_only(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER, MAIL).index
    changed = ToolSpec("get_weather", "Rain and sunshine")
    update_index(folder, [changed])
    assert found(folder, "sunshine", changed, MAIL) == ["get_weather"]
    assert found(folder, "current", changed, MAIL) == []


def test_a_removed_tool_is_gone_and_an_added_one_is_there(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER, MAIL).index
    added = ToolSpec("read_file", "Read from disk")
    update_index(folder, [added], ["get_weather"])
    assert set(Postings(folder).keys) == {"send_email", "read_file"}
    assert found(folder, "disk weather", WEATHER, MAIL, added) == ["read_file"]


def test_an_engine_sees_the_index_as_it_was_when_it_was_made(build: Callable[..., Corpus]) -> None:
    corpus = build(WEATHER, MAIL)
    engine = WhooshBm25f(corpus)
    update_index(corpus.index, [ToolSpec("get_weather", "Rain")], ["send_email"])
    build_index(corpus.index, [MAIL])
    build_index(corpus.index, [MAIL])
    assert [hit.tool.name for hit in engine.search("current email", 5).hits] == ["send_email", "get_weather"]


def test_tools_that_the_index_lacks_are_counted_in_a_note(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER).index
    ranking = WhooshBm25f(Corpus((WEATHER, MAIL), folder)).search("weather", 5)
    assert ranking.notes == ("1 tool is not in the index yet",)


def test_progress_is_told_after_each_tool(tmp_path: Path) -> None:
    told: list[int] = []
    build_index(tmp_path, [WEATHER, MAIL], told.append)
    assert told == [1, 2]


def test_a_build_that_fails_half_way_leaves_the_old_index(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER).index

    def fail(done: int) -> None:
        raise RuntimeError("the power is out")

    with pytest.raises(RuntimeError):
        build_index(folder, [MAIL], fail)
    assert found(folder, "weather", WEATHER) == ["get_weather"]


ENDLESS_BUILD = """
import sys, itertools
from pathlib import Path
from catalog.search.index import build_index
from catalog.tools import ToolSpec
tools = (ToolSpec(f"tool_{number}", "One of very many tools") for number in itertools.count())
build_index(Path(sys.argv[1]), tools, lambda done: print(done, flush=True))
"""


def test_a_build_that_is_killed_leaves_the_old_index_and_the_next_cleans_up(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER).index
    with subprocess.Popen([sys.executable, "-c", ENDLESS_BUILD, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    assert found(folder, "weather", WEATHER) == ["get_weather"]
    assert list(folder.glob("building-*"))
    build_index(folder, [MAIL])
    assert not list(folder.glob("building-*"))
    assert found(folder, "email", MAIL) == ["send_email"]


def test_old_generations_do_not_pile_up(build: Callable[..., Corpus]) -> None:
    folder = build(WEATHER).index
    for _ in range(4):
        build_index(folder, [WEATHER])
    assert len(list(folder.glob("0*"))) == 2


def test_a_folder_without_an_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableIndexError, match="no index"):
        open_index(tmp_path / "nowhere")
    with pytest.raises(UnreadableIndexError, match="no index"):
        update_index(tmp_path / "nowhere", [WEATHER])


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # Whoosh leaves a file open that it cannot read
def test_a_damaged_index_is_named_at_once_or_when_it_is_asked(build: Callable[..., Corpus]) -> None:
    corpus = build(*(ToolSpec(f"tool_{number}", "Current weather and much more") for number in range(50)))
    for path in sorted(path for path in corpus.index.rglob("*") if path.suffix in (".toc", ".seg")):
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(UnreadableIndexError):
            WhooshBm25f(corpus).search("current weather more", 5)
        path.write_bytes(whole)
    gc.collect()


def test_readers_and_a_writer_get_along(build: Callable[..., Corpus]) -> None:
    tools = [ToolSpec(f"tool_{number}", "weather") for number in range(20)]
    folder = build(*tools).index
    until = time.monotonic() + 1.5
    seen: list[int] = []

    def read() -> None:
        while time.monotonic() < until:
            seen.append(len(Postings(folder).keys))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    while time.monotonic() < until:
        update_index(folder, tools[:3])
        build_index(folder, tools)
    for reader in readers:
        reader.join()
    assert set(seen) == {20}
