"""Watching: whoever comes when, everyone gets every event once, in order."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async

from playground.agent.events import CallSent, Event, RunEnded, TextStreamed
from playground.models import Run, RunEvent
from playground.runs import feed
from playground.runs.live import RELAY, Relay
from playground.runs.reading import all_events, events_after
from playground.runs.state import Recorded
from tests.playground.runs.conftest import STARTED, record
from tests.playground.runs.recordings import EVERY_KIND

pytestmark = pytest.mark.usefixtures("quick_polls")


@pytest.fixture
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "POLL_EVERY", 0.2)


@pytest.fixture(params=["this process", "another process"])
def relay(request: pytest.FixtureRequest) -> Relay:
    """Whose watchers: those of the process that records are handed what it commits, others read it."""
    return RELAY if request.param == "this process" else Relay()


def script(count: int) -> list[Event]:
    return [STARTED, *(CallSent(1, f"call-{number}", "x", "s", True) for number in range(count)), RunEnded("completed")]


async def watched(relay: Relay, run: Run, after: int = 0) -> list[Recorded]:
    async with asyncio.timeout(20), aclosing(relay.watch(run.pk, after)) as batches:
        return [one async for batch in batches for one in batch]


def seqs(events: list[Recorded]) -> list[int]:
    return [one.seq for one in events]


@pytest.mark.usefixtures("layer")
async def test_watchers_who_come_at_any_time_get_the_same(run: Run, relay: Relay) -> None:
    early = asyncio.create_task(watched(relay, run))
    recording = asyncio.create_task(record(run, script(60), pace=0.004))
    await asyncio.sleep(0.1)
    middle = asyncio.create_task(watched(relay, run))
    await recording
    late = await watched(relay, run)
    assert await early == await middle == late
    assert seqs(late) == list(range(1, 63))


@pytest.mark.usefixtures("layer")
async def test_a_watcher_who_was_cut_off_goes_on_where_it_was(run: Run, relay: Relay) -> None:
    recording = asyncio.create_task(record(run, script(60), pace=0.004))
    got: list[Recorded] = []
    while not got or not isinstance(got[-1].event, RunEnded):
        async with aclosing(relay.watch(run.pk, got[-1].seq if got else 0)) as batches:
            got += await anext(batches)
    await recording
    assert seqs(got) == list(range(1, 63))


async def test_many_watchers_lose_and_repeat_nothing(run: Run, relay: Relay) -> None:
    recording = asyncio.create_task(record(run, script(80), pace=0.003))

    async def restless(number: int) -> list[int]:
        got: list[int] = []
        while not got or got[-1] < 82:
            await asyncio.sleep(0.001 * number)
            async with aclosing(relay.watch(run.pk, got[-1] if got else 0)) as batches:
                async for batch in batches:
                    got += seqs(batch)
                    if len(batch) % 3 == number % 3:
                        break
        return got

    async with asyncio.timeout(20):
        everyone = await asyncio.gather(*(restless(number) for number in range(20)))
    await recording
    assert everyone == [list(range(1, 83))] * 20


async def test_what_is_handed_over_is_what_would_be_read(run: Run) -> None:
    watcher = asyncio.create_task(watched(RELAY, run))
    await asyncio.sleep(0.05)
    await record(run, EVERY_KIND)
    assert await watcher == await sync_to_async(lambda: [*all_events(run.pk)])()


async def test_what_this_process_commits_is_not_read_back_for_its_watchers(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    loop, is_told = asyncio.get_running_loop(), asyncio.Event()

    def look(run_id: UUID, seq: int) -> list[Recorded]:
        found = events_after(run_id, seq)
        looks.append(len(found))
        if len(looks) == 2:  # once as it comes, once when it is told of pokes
            loop.call_soon_threadsafe(is_told.set)
        return found

    monkeypatch.setattr(feed, "POLL_EVERY", 60)
    monkeypatch.setattr(feed, "events_after", look)
    watcher = asyncio.create_task(watched(RELAY, run))
    async with asyncio.timeout(20):
        await is_told.wait()
    await record(run, script(100), pace=0.004)
    assert seqs(await watcher) == list(range(1, 103))
    assert looks == [0, 0]


async def test_what_is_not_handed_over_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over = RELAY.hand_over

    def forget_some(rows: Sequence[RunEvent]) -> None:
        hand_over([row for row in rows if row.seq % 3])

    monkeypatch.setattr(RELAY, "hand_over", forget_some)
    watcher = asyncio.create_task(watched(RELAY, run))
    await record(run, script(100), pace=0.004)
    assert seqs(await watcher) == list(range(1, 103))


async def test_a_watcher_gets_only_what_follows_its_last_event(run: Run) -> None:
    await record(run, script(3))
    assert seqs(await watched(Relay(), run, after=2)) == [3, 4, 5]


async def test_a_watcher_far_behind_the_feed_reads_what_it_keeps_no_more(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MOST_KEPT", 5)
    relay = Relay()
    await record(run, script(40)[:-1])
    near = relay.watch(run.pk, 40)
    await anext(near)
    far = asyncio.create_task(watched(relay, run))
    await asyncio.sleep(0.1)
    await record(run, [RunEnded("completed")])
    assert seqs(await far) == list(range(1, 43))
    await near.aclose()


async def test_a_feed_ends_with_its_last_watcher(run: Run) -> None:
    relay = Relay()
    await record(run, script(1)[:-1])
    before = asyncio.all_tasks()
    one, two = relay.watch(run.pk, 0), relay.watch(run.pk, 0)
    await anext(one)
    await anext(two)
    assert len(asyncio.all_tasks() - before) == 2
    await one.aclose()
    await two.aclose()
    assert asyncio.all_tasks() <= before


async def test_a_watcher_who_joins_while_the_last_one_leaves_is_served(run: Run) -> None:
    relay = Relay()
    await record(run, script(1)[:-1])
    for _ in range(20):
        leaving = relay.watch(run.pk, 0)
        await anext(leaving)
        joining = asyncio.create_task(_first(relay.watch(run.pk, 0)))
        await leaving.aclose()
        assert seqs(await asyncio.wait_for(joining, 5)) == [1, 2]


async def test_two_recorders_that_follow_each_other_are_one_run(run: Run) -> None:
    await record(run, [STARTED, TextStreamed(1, "a")])
    await record(run, [RunEnded("interrupted")])
    kinds = [one.event.kind for one in await watched(Relay(), run)]
    assert kinds[0] == "run_started"
    assert kinds[-1] == "run_ended"


async def _first(batches: AsyncIterator[list[Recorded]]) -> list[Recorded]:
    async with aclosing(batches) as open_batches:  # type: ignore[type-var]
        return await anext(open_batches)
