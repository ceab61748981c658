"""The socket of a page of lanes: what arrives brings it to where a page that is loaded now stands."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from catalog.roles import Role
from playground.agent.events import Event
from playground.models import LaneSet, Run, Thread
from playground.runs.recording import Recorder
from playground.socket_rules import CloseCode, read_afters
from tests.playground.runs.conftest import STARTED
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.sockets import BrowserSocket


class LanesSocket(BrowserSocket):
    where = "lanes"


@pytest.fixture
def lanes(transactional_db: None) -> LaneSet:
    made = LaneSet.objects.create(task="t", lanes=2)
    for lane in (1, 2):
        Run.objects.create(thread=Thread.objects.create(title="t"), task="t", lane_set=made, lane=lane)
    return made


@pytest.fixture
def viewer(transactional_db: None, client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


async def record(lanes: LaneSet, lane: int, *events: Event) -> None:
    recorder = Recorder((await lanes.runs.aget(lane=lane)).pk)
    for event in events:
        await recorder.record(event)
    await recorder.close()


async def watching(lanes: LaneSet, client: Client, after: Any) -> LanesSocket:
    one = LanesSocket(lanes.pk, client)
    assert await one.connect()
    await one.say({"after": after})
    return one


async def to_the_end(one: LanesSocket) -> str:
    frames, code = await one.until_closed()
    assert code == CloseCode.OVER
    return frames


async def test_every_lane_is_sent_until_the_last_has_ended(lanes: LaneSet, viewer: Client) -> None:
    one = await watching(lanes, viewer, {})
    await record(lanes, 2, *EVERY_KIND)
    await record(lanes, 1, STARTED, EVERY_KIND[-1])
    html = await to_the_end(one)
    assert 'id="lane-2-step-' in html and 'id="lane-1-step-' in html
    last = html[html.rindex('id="lanes-summary"') :]
    assert last.count("interrupted") >= 2
    seqs = [await run.events.acount() async for run in lanes.runs.order_by("lane")]
    assert f'data-seqs="{{&quot;1&quot;:{seqs[0]},&quot;2&quot;:{seqs[1]}}}"' in last


async def test_who_comes_back_gets_what_is_missing_and_nothing_twice(lanes: LaneSet, viewer: Client) -> None:
    await record(lanes, 1, *EVERY_KIND)
    await record(lanes, 2, STARTED, EVERY_KIND[-1])
    whole = await to_the_end(await watching(lanes, viewer, {"1": 0, "2": 0}))
    rest = await to_the_end(await watching(lanes, viewer, {"1": 4, "2": 2}))
    assert 'id="lane-2-step-' in whole and 'id="lane-2-step-' not in rest
    assert 'id="lane-1-step-2">' in whole and 'id="lane-1-step-2">' not in rest, (
        "it is completed there, not added again"
    )
    summary = re.compile(r'id="lanes-summary".*?</section>', re.DOTALL)
    assert summary.findall(whole)[-1] == summary.findall(rest)[-1]


async def test_lanes_that_have_all_ended_and_are_shown_whole_send_nothing(lanes: LaneSet, viewer: Client) -> None:
    for lane in (1, 2):
        await record(lanes, lane, STARTED, EVERY_KIND[-1])
    one = await watching(lanes, viewer, {"1": 2, "2": 2})
    assert await one.closing_code() == CloseCode.OVER


@pytest.mark.threat("T16")
async def test_who_may_not_watch_lanes_is_sent_away(lanes: LaneSet, viewer: Client) -> None:
    stranger, lost = LanesSocket(lanes.pk), LanesSocket("00000000-0000-0000-0000-000000000000", viewer)
    assert await stranger.connect() and await lost.connect()
    assert await stranger.closing_code() == CloseCode.SIGNED_OUT
    assert await lost.closing_code() == CloseCode.NO_RUN


async def test_a_message_without_sense_is_refused(lanes: LaneSet, viewer: Client) -> None:
    one = await watching(lanes, viewer, 3)
    assert await one.closing_code() == CloseCode.UNREADABLE


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ('{"after": {}}', {}),
        ('{"after": {"1": 12, "2": 0}}', {1: 12, 2: 0}),
        ('{"after": {"1": -1}}', None),
        ('{"after": {"1": true}}', None),
        ('{"after": {"x": 1}}', None),
        ('{"after": {"10": 1}}', None),
        ('{"after": [1]}', None),
        ('{"after": 1}', None),
        ("[" * 9_000, None),
        ("", None),
    ],
)
def test_what_a_page_says_that_it_has(message: str, read: dict[int, int] | None) -> None:
    assert read_afters(message) == read
