"""The socket of a page of lanes: what is new in any of them, as HTML, until all have ended."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from urllib.parse import parse_qs
from uuid import UUID

from playground.consumers import FollowingConsumer
from playground.lane_fragments import frame
from playground.models import LaneSet
from playground.runs.database import read
from playground.runs.expectation import read_expectation
from playground.runs.lane_feed import watch_lanes
from playground.runs.lane_heads import heads, runs_of, titles_of
from playground.runs.lane_summary import summary_of
from playground.runs.reading_lanes import lanes_after
from playground.socket_rules import read_afters


class LanesConsumer(FollowingConsumer):
    """`after` names the last event that the page has of each lane, by its place; `?lead=` of the address, the lead lane."""

    @property
    def _set_id(self) -> UUID:
        set_id: UUID = self.scope["url_route"]["kwargs"]["set_id"]
        return set_id

    @property
    def _lead(self) -> int:
        (asked,) = parse_qs(self.scope["query_string"].decode(errors="replace")).get("lead", ["1"])[:1]
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 3 else 1

    def _exists(self) -> bool:
        return LaneSet.objects.filter(pk=self._set_id).exists()

    def _frames_after(self, message: str | None) -> AsyncGenerator[str, None] | None:
        seqs = read_afters(message)
        return None if seqs is None else self._frames(seqs)

    async def _frames(self, seqs: dict[int, int]) -> AsyncGenerator[str, None]:
        row = await read(LaneSet.objects.get, pk=self._set_id)
        lanes, titles = await read(lanes_after, row, seqs), titles_of(heads(await read(runs_of, row)))
        calls = read_expectation(row.expected)
        summarize = partial(summary_of, lead=self._lead, expected=calls, titles=titles, cap=row.cap)
        async with aclosing(watch_lanes(lanes)) as feed:
            async for news in feed:
                moved = [lane.after(news.get(lane.place, ())) for lane in lanes]
                yield frame(lanes, moved, summarize)
                lanes = moved
