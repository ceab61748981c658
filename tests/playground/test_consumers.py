"""The socket of a run's page: who may watch, and that what arrives is whole."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from catalog.accounts import deactivate, sign_out_everywhere
from catalog.roles import Role, give_role
from playground import consumers
from playground.agent.events import CallSent, Event, RunEnded, TextStreamed
from playground.models import Run, Thread
from playground.runs.recording import Recorder
from playground.socket_rules import CloseCode
from tests.playground.runs.conftest import STARTED
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.sockets import BrowserSocket

ABSENT = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def run(transactional_db: None) -> Run:
    return Run.objects.create(thread=Thread.objects.create(title="t"), task="t")


@pytest.fixture
def viewer(transactional_db: None, client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


async def record(run: Run, *events: Event) -> None:
    recorder = Recorder(run.pk)
    for event in events:
        await recorder.record(event)
    await recorder.close()


async def watching(run: Run, client: Client, after: int = 0) -> BrowserSocket:
    one = BrowserSocket(run.pk, client)
    assert await one.connect()
    await one.say({"after": after, "HEADERS": {"HX-Request": "true"}})
    return one


async def frames_to(one: BrowserSocket, seq: int) -> list[str]:
    """Frames up to the one that brings the page to `seq`."""
    frames: list[str] = []
    while not frames or seq_of(frames[-1]) < seq:
        frames.append(await one.frame())
    return frames


def seq_of(frame: str) -> int:
    found = re.findall(r'id="run-seq" data-seq="(\d+)"', frame)
    assert len(found) == 1
    return int(found[0])


@pytest.mark.threat("T16")
async def test_who_is_not_signed_in_is_sent_away(run: Run) -> None:
    one = BrowserSocket(run.pk)
    assert await one.connect()
    assert await one.closing_code() == CloseCode.SIGNED_OUT


@pytest.mark.threat("T15")
@pytest.mark.parametrize(
    "origin", [b"http://evil.test", b"null", b"", b"http://localhost.evil.test", b"http://evillocalhost"]
)
async def test_a_page_of_another_origin_gets_no_socket(run: Run, viewer: Client, origin: bytes) -> None:
    assert not await BrowserSocket(run.pk, viewer, origin).connect()


@pytest.mark.threat("T16")
async def test_a_run_that_is_not_there_has_a_code_of_its_own(viewer: Client) -> None:
    one = BrowserSocket(ABSENT, viewer)
    assert await one.connect()
    assert await one.closing_code() == CloseCode.NO_RUN


async def test_nothing_is_sent_before_the_page_says_what_it_has(run: Run, viewer: Client) -> None:
    await record(run, STARTED)
    one = BrowserSocket(run.pk, viewer)
    await one.connect()
    assert await one.hears_nothing(0.3)
    await one.leave()


@pytest.mark.parametrize(
    "message",
    ["", "{}", "[]", "after", '{"after": -1}', '{"after": "3"}', '{"after": true}', '{"after": 1e9}', "[" * 9_000],
)
async def test_a_first_message_without_sense_is_refused(run: Run, viewer: Client, message: str) -> None:
    one = BrowserSocket(run.pk, viewer)
    await one.connect()
    await one.say_text(message)
    assert await one.closing_code() == CloseCode.UNREADABLE


async def test_a_watcher_is_sent_the_run_as_it_happens(run: Run, viewer: Client) -> None:
    one = await watching(run, viewer)
    await record(run, *EVERY_KIND)
    html = "".join(await frames_to(one, len(EVERY_KIND) - 1))
    assert "weather__get" in html
    assert await one.closing_code() == CloseCode.OVER


async def test_a_watcher_who_comes_back_misses_and_repeats_nothing(run: Run, viewer: Client) -> None:
    sent = [CallSent(1, f"call-{number}", "x", "s", True) for number in range(30)]
    recording = asyncio.create_task(_slowly(run, [STARTED, *sent, RunEnded("completed")]))
    seq, seqs = 0, []
    while seq < 32:
        one = await watching(run, viewer, after=seq)
        frame = await one.frame()
        seqs.append(seq_of(frame))
        seq = seqs[-1]
        await one.leave()
    await recording
    assert seqs == sorted(set(seqs))


async def test_a_watcher_of_an_ended_run_who_has_everything_is_told_that_it_is_over(run: Run, viewer: Client) -> None:
    await record(run, STARTED, RunEnded("completed"))
    one = await watching(run, viewer, after=2)
    assert await one.closing_code() == CloseCode.OVER


async def test_text_is_sent_once(run: Run, viewer: Client) -> None:
    await record(run, STARTED, TextStreamed(1, "one "))
    one = await watching(run, viewer, after=2)
    await record(run, TextStreamed(1, "two "), RunEnded("stopped"))
    (frame,) = await frames_to(one, 4)
    assert frame.count("two ") == 1


async def test_events_of_one_batch_are_one_frame(run: Run, viewer: Client) -> None:
    await record(run, *EVERY_KIND)
    one = await watching(run, viewer)
    assert len(await frames_to(one, len(EVERY_KIND) - 1)) == 1


async def test_watchers_share_what_was_rendered(run: Run, viewer: Client) -> None:
    await record(run, *EVERY_KIND)
    one, two = await watching(run, viewer), await watching(run, viewer)
    assert await one.frame() is await two.frame()


async def _signed_out(client: Client, user: User) -> None:
    await Session.objects.all().adelete()


async def _switched_off(client: Client, user: User) -> None:
    await User.objects.filter(pk=user.pk).aupdate(is_active=False)


async def _without_the_role(client: Client, user: User) -> None:
    await sync_to_async(give_role)(user, Role.VIEWER)


async def _signed_out_everywhere(client: Client, user: User) -> None:
    await sync_to_async(sign_out_everywhere)(user)


async def _deactivated(client: Client, user: User) -> None:
    await sync_to_async(deactivate)(user)


async def _logged_out(client: Client, user: User) -> None:
    await sync_to_async(client.post)("/sign-out/")


async def _new_password(client: Client, user: User) -> None:
    user.set_password("another long one")
    await user.asave()


RIGHTS_LOST = [_signed_out, _switched_off, _new_password, _without_the_role, _signed_out_everywhere, _deactivated]


@pytest.mark.threat("T17")
@pytest.mark.parametrize("lose_rights", [*RIGHTS_LOST, _logged_out])
async def test_who_loses_the_right_to_watch_is_sent_away(
    run: Run,
    client_as: Callable[[Role], Client],
    lose_rights: Callable[[Client, User], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumers, "CHECK_EVERY", 0.05)
    watcher = await sync_to_async(client_as)(Role.PRESENTER)
    one = await watching(run, watcher)
    assert await one.hears_nothing(0.2)
    await lose_rights(watcher, await User.objects.aget())
    assert await one.closing_code() == CloseCode.NO_RIGHT


def test_rights_are_looked_at_so_often_that_who_has_none_is_gone_within_five_seconds() -> None:
    assert consumers.CHECK_EVERY < 5


async def test_a_run_is_the_same_to_everybody_who_watches(run: Run, client_as: Callable[[Role], Client]) -> None:
    await record(run, *EVERY_KIND)
    frames = []
    for role in Role:
        one = await watching(run, await sync_to_async(client_as)(role))
        frames.append(await frames_to(one, len(EVERY_KIND) - 1))
    assert frames == [frames[0]] * len(Role)


async def test_a_flood_of_messages_is_cut_off(run: Run, viewer: Client) -> None:
    one = await watching(run, viewer)
    for _ in range(20):
        await one.say({"after": 0})
    assert await one.closing_code() == CloseCode.TOO_OFTEN


async def test_a_message_that_is_too_large_is_cut_off(run: Run, viewer: Client) -> None:
    one = BrowserSocket(run.pk, viewer)
    await one.connect()
    await one.say({"after": 0, "more": "x" * 70_000})
    assert await one.closing_code() == CloseCode.TOO_LARGE


async def test_one_person_has_no_endless_sockets(run: Run, viewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "MOST_SOCKETS", 2)
    await record(run, STARTED)
    held = [await watching(run, viewer) for _ in range(2)]
    for one in held:
        await one.frame()
    one = BrowserSocket(run.pk, viewer)
    await one.connect()
    assert await one.closing_code() == CloseCode.TOO_MANY
    for other in held:
        await other.leave()
    await (await watching(run, viewer)).leave()


async def test_a_socket_that_fails_says_so(
    run: Run, viewer: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await run.events.acreate(seq=1, kind="of_a_newer_release", at=run.created_at, body={})
    one = await watching(run, viewer)
    assert await one.closing_code() == CloseCode.FAILED
    assert "UnknownEventError" in caplog.text


async def _slowly(run: Run, events: list[Event]) -> None:
    recorder = Recorder(run.pk)
    for event in events:
        await recorder.record(event)
        await asyncio.sleep(0.01)
    await recorder.close()
