"""What a run sends to its model and hears: kept exactly, in little space, clean of secrets, and never in the run's way."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.models import Catalog
from catalog.redaction import Redactor
from playground.agent.exchange import Exchange
from playground.models import ChatModel, Run, RunExchange
from playground.runs.exchange_deltas import delta, whole
from playground.runs.exchanges import ExchangeLog, exchanges_of
from playground.runs.executing import begin
from tests.model_endpoint import ModelEndpoint, model_endpoint
from tests.playground.conftest import ended

__all__ = ["model_endpoint"]
KEY = "CANARY-key-83b1-04de"
parts = st.lists(st.one_of(st.integers(0, 2), st.booleans(), st.dictionaries(st.sampled_from("ab"), st.integers(0, 1))))
requests = st.none() | st.text(max_size=3) | st.dictionaries(st.sampled_from(["messages", "tools", "model"]), parts)


@settings(deadline=None, max_examples=40)
@given(st.lists(requests, max_size=6))
def test_every_request_can_be_read_back_as_it_was(sent: Sequence[Any]) -> None:
    before: Any = None
    read: Any = None
    for now in sent:
        kept = json.loads(json.dumps([(told := delta(before, now)).same, told.sent]))
        assert kept[1] is not None or now is None
        read = whole(read, told)
        assert json.dumps(read) == json.dumps(now)
        before = now


def test_what_a_request_begins_with_as_the_one_before_is_kept_once() -> None:
    first = {"messages": ["a", "b"], "tools": ["x"], "stream": True}
    told = delta(first, {"messages": ["a", "b", "c"], "tools": ["x"], "stream": True})
    assert (told.same, told.sent) == ({"messages": 2, "tools": 1}, {"messages": ["c"], "tools": [], "stream": True})


def exchange(sent: Any, received: bytes = b"") -> Exchange:
    raw = json.dumps(sent).encode()
    return Exchange("https://models.example/v1/chat", raw, len(raw), 200, received, len(received), 0.1)


async def kept_of(run: Run, *exchanges: Exchange) -> list[RunExchange]:
    log = ExchangeLog(run.pk, Redactor([KEY]))
    for turn, one in enumerate(exchanges, start=1):
        log.turn = turn
        log.keep(one)
    await log.close()
    return [row async for row in RunExchange.objects.filter(run=run)]


async def test_exchanges_are_kept_in_order_with_their_turns(run: Run) -> None:
    rows = await kept_of(run, exchange({"messages": ["a"]}), exchange({"messages": ["a", "b"]}))
    assert [(row.number, row.turn, row.same) for row in rows] == [(1, 1, {}), (2, 2, {"messages": 1})]
    (second,) = await asyncio.to_thread(lambda: list(exchanges_of(run.pk, 2)))
    assert second.request == {"messages": ["a", "b"]}


@pytest.mark.threat("T22")
async def test_a_key_that_is_repeated_is_not_kept(run: Run) -> None:
    pieces = [f'data: {{"choices": [{{"delta": {{"content": "{piece}"}}}}]}}' for piece in (KEY[:7], KEY[7:])]
    rows = await kept_of(run, exchange({"messages": [{"content": f"My key is {KEY}"}]}, "\n\n".join(pieces).encode()))
    assert all(KEY not in json.dumps([row.sent, row.received]) for row in rows)
    assert all(piece not in json.dumps(rows[0].received) for piece in (KEY[:7], KEY[7:]))


async def test_one_that_cannot_be_kept_costs_itself_alone(run: Run) -> None:
    await RunExchange.objects.acreate(run=run, number=1, turn=1, at=run.created_at, seconds=0.0)
    rows = await kept_of(run, exchange({"messages": ["a"]}), exchange({"messages": ["a", "b"]}))
    assert [(row.number, row.sent) for row in rows] == [(1, None), (2, {"messages": ["a", "b"]})]


@pytest.mark.threat("T21")
async def test_a_run_keeps_what_its_endpoint_was_sent_and_no_header(
    team: Catalog, presenter: User, model_endpoint: ModelEndpoint
) -> None:
    model = ChatModel(title="Own", name="openai/own", base_url=model_endpoint.url("obedient"))
    model.secrets = {"api_key": KEY}
    await model.asave()
    run = await ended(await begin(team, model, "Notify Ada that lunch is ready.", presenter))
    kept = await asyncio.to_thread(lambda: list(exchanges_of(run.pk)))
    assert [one.request for one in kept] == [body for _, _, body in model_endpoint.requests]
    assert kept and all(f"Bearer {KEY}" == headers["authorization"] for _, headers, _ in model_endpoint.requests)
    assert {(one.row.status, one.row.address) for one in kept} == {
        (200, model_endpoint.url("obedient") + "/chat/completions")
    }
    assert KEY not in json.dumps([one.as_json for one in kept])
    assert [one.row.turn for one in kept] == list(range(1, len(kept) + 1))
