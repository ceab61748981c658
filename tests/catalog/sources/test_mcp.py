"""MCP servers, real and faulty: what they list, what they answer, and what is said when they do not."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from catalog.sources.call_outcome import MAX_PICTURE, read_outcome
from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection, HttpConnection, StdioConnection, Timeouts, connect, read
from tests.servers import (
    approved,
    everything_stdio_command,
    faulty_command,
    processes_naming,
    time_command,
    wait_until_gone,
)

QUICK = Timeouts(start=10, listing=20, call=3)


def faulty(mode: str, marker: Path | None = None, **env: str) -> StdioConnection:
    return StdioConnection(approved(faulty_command(mode, marker, **env)))


async def test_a_real_server_from_python() -> None:
    async with connect(StdioConnection(approved(time_command()))) as session:
        listing = await session.list_tools()
        outcome = await session.call("get_current_time", {"timezone": "UTC"})
    assert [tool.name for tool in listing.tools] == ["get_current_time", "convert_time"]
    assert listing.problems == ()
    assert (listing.server_title, listing.protocol) == ("mcp-time", "2026-07-28")
    assert '"timezone": "UTC"' in outcome.content_text


@pytest.fixture(params=["stdio", "http"])
def everything(request: pytest.FixtureRequest) -> Connection:
    if request.param == "stdio":
        return StdioConnection(approved(everything_stdio_command()))
    return HttpConnection(request.getfixturevalue("everything_http"), allow_private=True)


async def test_a_real_server_from_npm(everything: Connection) -> None:
    async with connect(everything) as session:
        listing = await session.list_tools()
        outcome = await session.call("get-sum", {"a": 1, "b": 2})
        refused = await session.call("get-sum", {"a": "one"})
        unknown = await session.call("no-such-tool", {})
        picture = await session.call("get-tiny-image", {})
        structured = await session.call("get-structured-content", {"location": "Chicago"})
    names = {tool.name for tool in listing.tools}
    assert {"echo", "get-sum", "get-tiny-image"} <= names
    assert listing.problems == ()
    assert listing.server_title == "Everything Reference Server"
    assert listing.instructions
    assert (outcome.content_text, outcome.is_error) == ("The sum of 1 and 2 is 3.", False)
    assert refused.is_error
    assert unknown.is_error
    assert "[image, image/png" in picture.content_text
    assert "temperature" in structured.structured


@pytest.mark.threat("T40")
@pytest.mark.parametrize(
    ("mode", "names", "problem"),
    [
        ("good", ["echo"], ""),
        ("garbage", ["echo"], ""),
        ("badschema", ["echo"], "its input schema is for “nope”"),
        ("dup", ["echo"], "the first wins"),
        ("pages", ["echo_None", "echo_again"], "It never ends"),
        ("bigdesc", ["echo"], "description of 4,882 KB is cut to 64 KB"),
    ],
)
async def test_what_can_be_read_of_a_faulty_list_is_read(mode: str, names: list[str], problem: str) -> None:
    listing = await read(faulty(mode), timeouts=QUICK)
    assert [tool.name for tool in listing.tools] == names
    assert problem in "".join(map(str, listing.problems))
    assert (listing.server_title, listing.server_version) == ("Faulty server", "1.2")
    assert (listing.instructions, listing.protocol) == ("Be careful.", "2025-06-18")


@pytest.mark.threat("T40")
async def test_a_list_of_new_cursors_ends_too() -> None:
    started = time.monotonic()
    listing = await read(faulty("fresh_pages"), timeouts=QUICK)
    assert len(listing.tools) == 1_000
    assert "more than 1,000 pages" in str(listing.problems[0])
    assert time.monotonic() - started < 20


async def test_a_long_list_tells_how_far_it_is() -> None:
    counts: list[int] = []
    threads: set[int] = set()

    def note(count: int) -> None:
        counts.append(count)
        threads.add(threading.get_ident())

    listing = await read(faulty("many"), note, QUICK)
    assert len(listing.tools) == 20_000
    assert counts == list(range(1_000, 20_001, 1_000))
    assert threading.get_ident() not in threads


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        (
            "exit3",
            "The server ended (exit status 3) instead of answering. Its last words: loading\ncannot read the settings",
        ),
        ("mute", "The server did not answer in time. Its last words: waiting for a password"),
        ("listerror", "The server answered with an error: “the database is away”."),
        ("nolist", "The server answered the request for its tools with something that is no list."),
    ],
)
async def test_a_server_that_cannot_be_read_says_why(mode: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        await read(faulty(mode), timeouts=Timeouts(start=2))
    assert str(caught.value) == sentence


async def test_secrets_do_not_come_back_in_errors() -> None:
    with pytest.raises(SourceError) as caught:
        await read(faulty("secret", TOKEN="canary-0123456789"), timeouts=QUICK)
    assert "login with •••• failed" in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "text", "is_error"),
    [
        ("good", "hello", False),
        ("failcall", "no such city", True),
        ("refusecall", "The server refused the call: no such tool", True),
        ("flood", "hello", False),
        ("wrongid", "right", False),
        ("strangecall", "[content of the kind hologram, which cannot be shown]", False),
    ],
)
async def test_what_a_call_gives_back(mode: str, text: str, is_error: bool) -> None:
    async with connect(faulty(mode), QUICK) as session:
        outcome = await session.call("echo", {"text": "x"})
    assert outcome.content_text.split("\n")[0] == text
    assert outcome.is_error is is_error


async def test_content_that_is_no_text_is_named() -> None:
    async with connect(faulty("mixed"), QUICK) as session:
        outcome = await session.call("echo", {})
    assert outcome.content_text.split("\n") == [
        "Two results",
        "[image, image/png, 3,000 bytes]",
        "[audio, audio/wav, 3 bytes]",
        "[resource file:///a.txt]",
        "contents of a",
        "[resource file:///b.bin, unknown type, 3 bytes]",
        "[link to c: file:///c.txt]",
    ]
    assert outcome.structured == {"found": 2}
    assert outcome.pictures == ("data:image/png;base64," + "QUJD" * 1_000,)


def test_only_pictures_that_browsers_show_without_running_anything_are_kept() -> None:
    def picture(kind: str, data: str) -> dict[str, str]:
        return {"type": "image", "mimeType": kind, "data": data}

    bad = [picture("image/svg+xml", "QUJD"), picture("image/png", 'QUJD" onerror="x'), picture("image/png", "")]
    large = picture("image/png", "QUJD" * MAX_PICTURE)
    good = [picture("image/webp", f"QUJ{letter}") for letter in "DEFGHI"]
    kept = read_outcome({"content": [*bad, large, *good]}).pictures
    assert kept == tuple(f"data:image/webp;base64,QUJ{letter}" for letter in "DEFG")


async def test_a_large_result_keeps_its_beginning_and_its_end() -> None:
    async with connect(faulty("bigcall"), QUICK) as session:
        outcome = await session.call("echo", {})
    assert len(outcome.content_text) < 263_000
    assert "characters are left out here" in outcome.content_text
    assert outcome.content_text.endswith("END")


@pytest.mark.threat("T40")
@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        ("crashcall", "The server ended (exit status 9) instead of answering. Its last words: out of memory"),
        ("hangcall", "The server did not answer in time."),
        ("hugecall", "The server sent a message of more than 10 MB and was ended."),
        ("noline", "The server sent a message of more than 10 MB and was ended."),
    ],
)
async def test_a_call_without_an_answer_says_why(mode: str, sentence: str) -> None:
    started = time.monotonic()
    with pytest.raises(SourceError) as caught:
        async with connect(faulty(mode), QUICK) as session:
            await session.call("echo", {}, 1.5)
    assert str(caught.value) == sentence
    assert time.monotonic() - started < 20


async def test_calls_run_side_by_side() -> None:
    async with connect(faulty("good"), QUICK) as session:
        outcomes = await asyncio.gather(*(session.call("echo", {}) for _ in range(20)))
    assert [outcome.content_text for outcome in outcomes] == ["hello"] * 20


async def test_an_error_of_ours_comes_out_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with connect(faulty("good"), QUICK):
            _ = 1 / 0


async def test_a_caller_who_is_cancelled_leaves_nothing_behind(tmp_path: Path) -> None:
    connected = asyncio.Event()

    async def hold() -> None:
        async with connect(faulty("ignoreeof", tmp_path), QUICK):
            assert len(processes_naming(tmp_path)) >= 2
            connected.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(hold())
    await connected.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert wait_until_gone(tmp_path, 0.5) == []


async def test_an_error_in_what_is_told_of_progress_is_ours() -> None:
    def fail(count: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await read(faulty("good"), fail, QUICK)


async def test_a_connection_that_broke_fails_each_call_and_nothing_else() -> None:
    async with connect(faulty("crashcall"), QUICK) as session:
        for _ in range(2):
            with pytest.raises(SourceError, match="exit status 9"):
                await session.call("echo", {})


async def test_a_session_is_used_and_left_from_any_task() -> None:
    opened = connect(faulty("good"), QUICK)
    session = await asyncio.create_task(opened.__aenter__())
    assert (await asyncio.create_task(session.call("echo", {}))).content_text == "hello"
    await asyncio.create_task(opened.__aexit__(None, None, None))
