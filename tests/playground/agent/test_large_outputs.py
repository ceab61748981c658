"""Outputs that are too large for a prompt: where they go, what the model is given instead, and how it reads on."""

import json
import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.prompt_size import estimate_text
from catalog.tools import ToolPool, ToolSpec
from playground.agent.chain import Chain, Link, Ran
from playground.agent.events import CallFinished, CallSent, Event, OfferMade, RunStarted
from playground.agent.large_outputs.files import OutputFiles, UnfitNameError, UnreadableError
from playground.agent.large_outputs.offloading import LargeOutputs, OffloadingTools, Thresholds
from playground.agent.large_outputs.own_tools import OwnTools
from playground.agent.large_outputs.reading import ByteRange, first_bytes
from playground.agent.large_outputs.searching import matching_lines
from playground.agent.loop import run_agent
from playground.agent.tool_runner import ToolResult
from playground.modes.mcpagent import Mcpagent
from tests.playground.agent.doubles import PlannedModel, Turn, ask_for, collect, of_kind, say
from tests.playground.modes.conftest import WordEngine

LOG = "\n".join(f"line {number} {'ERROR' if number % 20_000 == 7 else 'ok'}" for number in range(1, 15_001))
TOOL = "files__read_log"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "outputs" / "run-1"


@pytest.fixture
def outputs(folder: Path) -> Callable[..., LargeOutputs]:
    def made(clean: Callable[[str], str] = str, **thresholds: int) -> LargeOutputs:
        return LargeOutputs(OutputFiles(folder), Thresholds(**thresholds), clean)

    return made


def said(outputs: LargeOutputs, **arguments: Any) -> str:
    return outputs.answer("search_large_output", arguments).content


def test_an_output_up_to_the_threshold_stays_as_it_is(outputs: Callable[..., LargeOutputs], folder: Path) -> None:
    text = "word " * 100
    result = ToolResult(text)
    assert outputs(offload=estimate_text(text)).relieve(TOOL, result) is result
    assert not folder.exists()


def test_one_token_more_puts_it_into_a_file(outputs: Callable[..., LargeOutputs], folder: Path) -> None:
    text = "word " * 100
    tokens = estimate_text(text)
    result = outputs(offload=tokens - 1).relieve(TOOL, ToolResult(text))
    assert result.kept
    assert (result.kept.tokens, result.kept.size, result.kept.shown) == (tokens, 500, (tokens - 1) // 2)
    assert (folder / result.kept.file).read_text() == text


def test_the_model_is_told_the_file_the_beginning_and_how_to_look_further(outputs: Callable[..., LargeOutputs]) -> None:
    result = outputs(offload=1_000).relieve(TOOL, ToolResult(LOG))
    assert result.kept
    assert f"\n{LOG[:500]}\n[Only the first 500 bytes are shown here.]" in result.content
    assert LOG[:501] not in result.content
    assert result.content.count(result.kept.file) == 2
    assert "search_large_output" in result.content
    assert not result.is_error


def test_a_failed_calls_output_is_still_a_failure(outputs: Callable[..., LargeOutputs]) -> None:
    result = outputs(offload=1_000).relieve(TOOL, ToolResult(LOG, is_error=True))
    assert result.kept and result.is_error


def test_the_beginning_ends_with_a_whole_character(outputs: Callable[..., LargeOutputs]) -> None:
    result = outputs(offload=101).relieve(TOOL, ToolResult("天气" * 300))
    assert result.kept and result.kept.shown == 48
    assert "\n" + "天气" * 8 + "\n" in result.content


@given(st.text(max_size=30), st.integers(0, 60))
def test_first_bytes_are_as_many_whole_characters_as_fit(text: str, most: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    shown = first_bytes(text, most)
    assert text.startswith(shown) and len(shown.encode()) <= most
    assert shown == text or len(text[: len(shown) + 1].encode()) > most


@pytest.mark.parametrize(
    ("tool", "text", "name"),
    [
        (TOOL, '{"rows": [' + ", ".join("1" * 2_000) + "]}", r"_1_files__read_log\.json"),
        (TOOL, LOG, r"_1_files__read_log\.txt"),
        ("../../etc/x y:天", LOG, r"_1_______etc_x_y__\.txt"),
        ("a" * 80, LOG, rf"_1_{'a' * 50}\.txt"),
    ],
)
def test_files_are_named_by_time_number_tool_and_kind(
    outputs: Callable[..., LargeOutputs], tool: str, text: str, name: str
) -> None:
    kept = outputs(offload=1_000).relieve(tool, ToolResult(text)).kept
    assert kept and re.fullmatch(rf"tool_\d{{8}}_\d{{6}}_\d{{9}}{name}", kept.file)


def test_only_this_account_reads_the_files(outputs: Callable[..., LargeOutputs], folder: Path) -> None:
    kept = outputs(offload=1_000).relieve(TOOL, ToolResult(LOG)).kept
    assert kept
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / kept.file).stat().st_mode) == 0o600


def test_secrets_go_neither_into_the_file_nor_into_what_is_read_of_it(outputs: Callable[..., LargeOutputs]) -> None:
    secretive = outputs(lambda text: text.replace("line 1 ", "**** "), offload=1_000)
    kept = secretive.relieve(TOOL, ToolResult(LOG)).kept
    assert kept
    assert said(secretive, filename=kept.file, operation="read", start=1, end=7) == "**** ok"


def test_an_output_beyond_all_measure_is_dropped(outputs: Callable[..., LargeOutputs], folder: Path) -> None:
    result = outputs(refuse=50_000).relieve(TOOL, ToolResult(LOG))
    assert result.is_error and result.kept is None
    assert "more than 50,000 tokens" in result.content and "line 1 " not in result.content
    assert not folder.exists()


def test_zero_is_never(outputs: Callable[..., LargeOutputs]) -> None:
    result = ToolResult(LOG)
    assert outputs(offload=0, refuse=0).relieve(TOOL, result) is result


def test_an_output_that_cannot_be_put_anywhere_is_told(outputs: Callable[..., LargeOutputs], folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file in the folder's place")
    result = outputs().relieve(TOOL, ToolResult(LOG))
    assert result.is_error and "could not be put into a file" in result.content


def test_half_characters_and_zeros_can_be_kept(outputs: Callable[..., LargeOutputs]) -> None:
    broken = outputs(offload=10)
    kept = broken.relieve(TOOL, ToolResult("\ud800\0" * 100)).kept
    assert kept
    assert said(broken, filename=kept.file, operation="read", start=1, end=6) == "\ufffd␀"


def test_an_answer_is_cut_at_four_bytes_for_each_token_of_the_threshold(outputs: Callable[..., LargeOutputs]) -> None:
    small = outputs(offload=1_000)
    kept = small.relieve(TOOL, ToolResult(LOG)).kept
    assert kept
    read = said(small, filename=kept.file, operation="read", start=1, end=10**9)
    assert (
        read
        == f"{LOG[:4_000]}\n[Cut off here: at most 4,000 bytes are read at once. Go on from 4001; the file has {len(LOG)}.]"
    )
    found = said(small, filename=kept.file, operation="search", pattern="", max_results=10_000)
    assert found.startswith("1:line 1 ok\n2:line 2 ok") and len(found) < 4_100 and "Ask for less" in found


@pytest.mark.parametrize(
    ("filename", "words"),
    [
        ("", "invalid filename: "),
        ("secret.txt", "invalid filename: secret.txt"),
        ("../secret.txt", "invalid filename: ../secret.txt"),
        ("/etc/passwd", "invalid filename: /etc/passwd"),
        ("tool_\0", "invalid filename: tool_\0"),
        ("tool_\ud800", "invalid filename: tool_\ud800"),
        ("../tool_secret.txt", "file path validation failed: file path escapes allowed directory"),
        ("tool_x/../../tool_secret.txt", "file path validation failed: file path escapes allowed directory"),
        ("..\\tool_secret.txt", "file path validation failed: file path escapes allowed directory"),
        ("/etc/tool_x", "file path validation failed: file path escapes allowed directory"),
        ("outputs/run-2/tool_other.txt", "file path validation failed: file path escapes allowed directory"),
        ("outputs/run-1/../run-2/tool_other.txt", "file path validation failed: path traversal detected"),
        ("tool_..", "file path validation failed: path traversal detected"),
    ],
)
def test_no_name_leads_out_of_the_runs_folder(folder: Path, filename: str, words: str) -> None:
    for place in (folder.parent / "tool_secret.txt", folder.parent / "run-2" / "tool_other.txt", folder / "tool_own"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("SECRET")
    with pytest.raises(UnfitNameError) as refused:
        OutputFiles(folder).read(filename)
    assert str(refused.value) == words


def test_a_name_with_its_own_folder_is_understood(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "tool_own").write_text("here")
    assert OutputFiles(folder).read("./outputs/run-1/tool_own") == b"here"


def test_the_files_of_earlier_runs_are_read_and_new_ones_put_with_the_runs_own(folder: Path) -> None:
    earlier = folder.parent / "run-0"
    name = OutputFiles(earlier).put("a__read", "then")
    files = OutputFiles(folder, [earlier])
    own = files.put("a__read", "now")
    assert (files.read(name), files.read(f"outputs/run-0/{name}"), files.read(own)) == (b"then", b"then", b"now")
    assert [path.name for path in folder.iterdir()] == [own]
    with pytest.raises(UnreadableError):
        files.read("tool_gone.txt")


def test_no_link_is_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "tool_secret"
    secret.write_text("SECRET")
    folder.mkdir(parents=True)
    (folder / "tool_link").symlink_to(secret)
    (folder / "tool_folder").mkdir()
    elsewhere = folder.with_name("run-2")
    elsewhere.symlink_to(tmp_path)
    for files, name in ((OutputFiles(folder), "tool_link"), (OutputFiles(elsewhere), "tool_secret")):
        with pytest.raises(UnreadableError):
            files.read(name)
    with pytest.raises(UnreadableError, match="not a file"):
        OutputFiles(folder).read("tool_folder")


def test_half_a_character_shows_as_a_placeholder_for_each_byte() -> None:
    weather = "a天气".encode()
    assert ByteRange(2, 3).of(weather, 100) == "\ufffd\ufffd"
    assert ByteRange(3, 7).of(weather, 100) == "\ufffd\ufffd气"


def test_groups_of_lines_are_parted_and_neighbours_joined() -> None:
    text = "\n".join("x" if place in (1, 3, 9) else "o" for place in range(1, 13))
    expected = ["1:x", "2-o", "3:x", "4-o", "5-o", "--", "7-o", "8-o", "9:x", "10-o", "11-o", ""]
    assert matching_lines(text, "X", ignore_case=True, most=50).split("\n") == expected


def test_a_match_right_after_the_last_that_counts_is_marked_as_one() -> None:
    assert matching_lines("x\nx\no\nx\n", "x", ignore_case=False, most=1) == "1:x\n2:x\n3-o\n"


def test_a_pattern_that_is_too_large_is_refused(outputs: Callable[..., LargeOutputs]) -> None:
    small = outputs(offload=1_000)
    kept = small.relieve(TOOL, ToolResult(LOG)).kept
    assert kept
    answer = said(small, filename=kept.file, operation="search", pattern="a.{0,900}b.{0,900}c")
    assert answer.startswith("search failed: ") and "too large" in answer


POOL = ToolPool((ToolSpec(TOOL, "Read the log.", server="files"),), (TOOL,))


class LogLink:
    """Answers every call with the log."""

    title = "the log"

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran:
        return Ran(ToolResult(LOG))


class ChainOf(Chain):
    """A chain as a tool runner: its first link, then the log."""

    def __init__(self, first: Link) -> None:
        super().__init__([first, LogLink()])

    def is_simulated(self, tool: ToolSpec) -> bool:
        return tool.server == "files"


def run(outputs: LargeOutputs, *turns: Turn) -> tuple[list[Event], PlannedModel]:
    model = PlannedModel(turns)
    tools = OffloadingTools(ChainOf(OwnTools(outputs)), outputs)
    mode = Mcpagent(POOL, WordEngine(POOL))
    return collect(run_agent(mode, model, tools, "Read it", catalog="office", engine="word")), model


def test_a_run_goes_on_with_a_file_in_place_of_60_000_tokens(
    outputs: Callable[..., LargeOutputs], folder: Path
) -> None:
    assert estimate_text(LOG) > 60_000
    events, model = run(
        outputs(),
        ask_for((TOOL, "{}")),
        ask_for(*(("search_large_output", json.dumps(look)) for look in ({"operation": "read"}, {"filename": "x"}))),
        say("Done."),
    )
    read, *looks = of_kind(events, CallFinished)
    assert read.kept and read.kept.tokens == estimate_text(LOG)
    assert (folder / read.kept.file).read_text() == LOG
    assert [message["content"] for message in model.asked[1][0] if message["role"] == "tool"] == [read.content]
    assert len(read.content) < 6_000
    assert [look.content for look in looks] == ["filename parameter is required", "operation parameter is required"]
    assert [(sent.server, sent.simulated) for sent in of_kind(events, CallSent)] == [
        ("files", True),
        ("", False),
        ("", False),
    ]


def test_the_tools_for_large_outputs_are_no_tools_of_the_catalog(outputs: Callable[..., LargeOutputs]) -> None:
    events, _ = run(outputs(), say("Done."))
    assert of_kind(events, RunStarted)[0].tools_all == 1
    causes = {tool.name: tool.cause for tool in of_kind(events, OfferMade)[0].tools}
    assert causes.pop(TOOL) == "pre-discovered"
    assert {"search_large_output", "read_large_output", "query_large_output"} < set(causes)
    assert set(causes.values()) == {"meta-tool"}
