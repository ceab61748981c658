"""Sessions that stay warm: who shares one, when one is replaced, and when it is closed."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from catalog.sessions import kept as kept_sessions
from catalog.sessions.pool import Key, SessionPool
from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection, HttpConnection, StdioConnection, Timeouts
from tests.clock import Clock
from tests.servers import approved, faulty_command, processes_naming, wait_until_gone

QUICK = Timeouts(start=20, call=20)
IDLE = 300.0


class Sessions:
    """A pool, its clock, and the connections by which its servers are reached now."""

    def __init__(self, idle: float = IDLE, most: int = 8) -> None:
        self.clock = Clock()
        self.reached: dict[int, Connection] = {}
        self.pool = SessionPool(self._reach, idle, most, self.clock, QUICK)

    async def _reach(self, servers: Collection[int]) -> Mapping[int, Connection]:
        return {key: self.reached[key] for key in servers if key in self.reached}

    async def call(self, text: str = "", run: str = "a", server: int = 1, own: bool = False) -> tuple[int, int, bool]:
        """The server's process, how many calls it has had, and whether it was started for this one."""
        key = Key(server, run if own else "")
        async with self.pool.lend(key, self.reached[server], run) as lent:
            outcome = await lent.session.call("echo", {"text": text}, 4 if text == "hang" else 20)
        process, count = map(int, outcome.content_text.split())
        return process, count, lent.start_seconds is not None


Made = Callable[..., Sessions]


@pytest_asyncio.fixture
async def made() -> AsyncIterator[Made]:
    pools: list[SessionPool] = []

    def make(connections: list[Connection], **options: float) -> Sessions:
        sessions = Sessions(**options)  # type: ignore[arg-type]
        sessions.reached = dict(enumerate(connections, start=1))
        pools.append(sessions.pool)
        return sessions

    yield make
    for pool in pools:
        await pool.close()


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "server"


def counting(marker: Path, mode: str = "counting") -> Connection:
    return StdioConnection(approved(faulty_command(mode, marker)), "off")


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while True:
            if is_so():
                return
            await asyncio.sleep(0.02)


async def test_the_first_call_starts_the_server_and_the_next_finds_it_running(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    process, *first = await sessions.call()
    assert first == [1, True]
    assert await sessions.call() == (process, 2, False)


async def test_runs_share_a_session_unless_each_is_to_have_its_own(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    shared = await sessions.call(run="a")
    assert (await sessions.call(run="b"))[:2] == (shared[0], 2)
    own = [await sessions.call(run=run, own=True) for run in ("a", "b")]
    assert {count for _, count, _ in own} == {1}
    assert len({process for process, *_ in [shared, *own]}) == 3


async def test_calls_at_the_same_time_open_one_session(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    answers = await asyncio.gather(*(sessions.call(run=f"run-{number}") for number in range(5)))
    assert len({process for process, *_ in answers}) == 1
    assert sorted(count for _, count, _ in answers) == [1, 2, 3, 4, 5]


async def test_a_session_is_closed_when_no_run_used_it_for_long(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    await sessions.call()
    sessions.clock.now += 10 * IDLE
    await sessions.pool.review()
    assert sessions.pool.standing(1).state == "warm", "a run that has not ended keeps it"
    sessions.pool.leave("a")
    sessions.clock.now += IDLE - 1
    await sessions.pool.review()
    assert sessions.pool.standing(1).closes_in == 1
    sessions.clock.now += 1
    await sessions.pool.review()
    assert sessions.pool.standing(1).state == "not started"
    await sessions.pool.closed()
    assert wait_until_gone(marker) == []


async def test_without_idle_time_a_session_ends_with_the_last_run_that_used_it(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)], idle=0)
    await sessions.call(run="a")
    await sessions.call(run="b")
    sessions.pool.leave("a")
    assert sessions.pool.standing(1).runs == 1
    sessions.pool.leave("b")
    await sessions.pool.closed()
    assert wait_until_gone(marker) == []


async def test_a_runs_own_session_ends_with_the_run(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    await sessions.call(run="a", own=True)
    sessions.pool.leave("a")
    await sessions.pool.closed()
    assert wait_until_gone(marker) == []


async def test_a_changed_server_gets_another_session_at_the_next_call(made: Made, marker: Path, tmp_path: Path) -> None:
    sessions = made([counting(marker)])
    before = await sessions.call()
    sessions.reached[1] = counting(tmp_path / "other")
    after = await sessions.call()
    assert (after[0] != before[0], after[1:]) == (True, (1, True))
    await sessions.pool.closed()
    assert wait_until_gone(marker) == []


@pytest.mark.parametrize("what", ["changed", "no longer approved"])
async def test_a_session_is_closed_when_its_server_is(made: Made, marker: Path, tmp_path: Path, what: str) -> None:
    sessions = made([counting(marker)])
    await sessions.call()
    sessions.reached = {1: counting(tmp_path / "other")} if what == "changed" else {}
    await sessions.pool.review()
    assert sessions.pool.standing(1).state == "not started"
    await sessions.pool.closed()
    assert wait_until_gone(marker) == []


async def test_a_server_that_died_is_replaced_before_the_next_call_is_sent(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    process, *_ = await sessions.call(run="a")
    os.kill(process, signal.SIGKILL)
    (kept,) = sessions.pool._sessions.values()
    await until(lambda: kept.is_broken)
    another, count, is_new = await sessions.call(run="b")
    assert (another != process, count, is_new) == (True, 1, True)


async def test_a_server_killed_in_the_middle_of_a_call_is_not_asked_again(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    await sessions.call(run="b")
    with pytest.raises(SourceError, match="ended"):
        await sessions.call("crash", run="a")
    _, count, is_new = await sessions.call(run="b")
    assert (count, is_new) == (1, True), "the call that was lost was not sent to the new process"


async def test_a_call_without_an_answer_spoils_no_call_under_way(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    process, *_ = await sessions.call()
    hanging = asyncio.create_task(sessions.call("hang", run="a"))
    await until(lambda: sessions.pool.standing(1).calls == 1)
    assert (await sessions.call(run="b"))[0] == process
    with pytest.raises(SourceError, match="did not answer in time"):
        await hanging
    assert (await sessions.call(run="b"))[0] != process
    await until(lambda: process not in processes_naming(marker))


async def test_a_quiet_session_is_tried_before_it_is_used(
    made: Made, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_sessions, "PROBE_WITHIN", 0.3)
    sessions = made([counting(marker), counting(marker, "muteping")])
    answering, mute = await sessions.call(server=1), await sessions.call(server=2)
    sessions.clock.now += 60
    assert (await sessions.call(server=1))[0] == answering[0]
    assert (await sessions.call(server=2))[0] != mute[0]


async def test_a_quiet_session_over_http_is_tried_too(made: Made, everything_http: str) -> None:
    sessions = made([HttpConnection(everything_http, allow_private=True)])
    starts = []
    for _ in range(2):
        async with sessions.pool.lend(Key(1), sessions.reached[1], "a") as lent:
            outcome = await lent.session.call("get-sum", {"a": 1, "b": 2})
        starts.append((lent.start_seconds is not None, outcome.is_error))
        sessions.clock.now += 60
    assert starts == [(True, False), (False, False)]


async def test_a_session_that_was_opened_while_servers_were_looked_at_is_not_judged_by_what_was_seen_before(
    made: Made, marker: Path, tmp_path: Path
) -> None:
    sessions = made([counting(marker), counting(tmp_path / "old")])
    await sessions.call(server=2)
    seen, go_on = asyncio.Event(), asyncio.Event()

    async def slow_look(servers: Collection[int]) -> Mapping[int, Connection]:
        old = dict(sessions.reached)
        seen.set()
        await go_on.wait()
        return old

    sessions.pool._reach = slow_look
    review = asyncio.create_task(sessions.pool.review())
    await seen.wait()
    sessions.reached[2] = counting(tmp_path / "new")
    process, *_ = await sessions.call(server=2)
    go_on.set()
    await review
    assert (await sessions.call(server=2))[0] == process


async def test_the_session_least_recently_used_makes_room(made: Made, marker: Path, tmp_path: Path) -> None:
    sessions = made([counting(tmp_path / name) for name in ("one", "two", "three")], most=2)
    for server in (1, 2):
        await sessions.call(server=server, run=f"run-{server}")
        sessions.clock.now += 1
    sessions.pool.leave("run-2")
    await sessions.call(server=3)
    states = [sessions.pool.standing(server).state for server in (1, 2, 3)]
    assert states == ["warm", "not started", "warm"], "that of a run under way is not the first to go"


async def test_no_more_sessions_are_opened_than_may_be(made: Made, marker: Path, tmp_path: Path) -> None:
    sessions = made([counting(marker), counting(tmp_path / "other")], most=1)
    hanging = asyncio.create_task(sessions.call("hang"))
    await until(lambda: sessions.pool.standing(1).state == "warm")
    with pytest.raises(SourceError, match="no more are opened"):
        await sessions.call(server=2)
    with pytest.raises(SourceError):
        await hanging


async def test_a_run_that_is_stopped_while_a_server_starts_leaves_it_to_the_others(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    stopped = asyncio.create_task(sessions.call(run="a"))
    other = asyncio.create_task(sessions.call(run="b"))
    await asyncio.sleep(0)
    stopped.cancel()
    assert (await other)[1] == 1


async def test_a_server_that_cannot_start_says_so_to_every_call(made: Made, marker: Path) -> None:
    sessions = made([counting(marker, "exit3")])
    for _ in range(2):
        with pytest.raises(SourceError, match="cannot read the settings"):
            await sessions.call()
    assert sessions.pool.standing(1).state == "not started"


async def test_closing_the_pool_leaves_no_process(made: Made, marker: Path, tmp_path: Path) -> None:
    sessions = made([counting(marker), counting(marker, "ignoreeof")])
    hanging = asyncio.create_task(sessions.call("hang"))
    await until(lambda: sessions.pool.standing(1).state == "warm")
    await sessions.pool.close()
    with pytest.raises(SourceError):
        await hanging
    assert wait_until_gone(marker) == []


async def test_how_it_stands_with_a_server_counts_its_runs(made: Made, marker: Path) -> None:
    sessions = made([counting(marker)])
    assert sessions.pool.standing(1).state == "not started"
    for run in ("a", "b", "b"):
        await sessions.call(run=run)
    standing = sessions.pool.standing(1)
    assert (standing.state, standing.runs, standing.calls, standing.closes_in) == ("warm", 2, 0, None)
    sessions.pool.close_server(1)
    assert sessions.pool.standing(1).state == "not started"
