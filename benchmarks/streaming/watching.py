"""Watchers in a process of their own: each follows one run by a socket as its page does, and comes back when it is cut off."""

import asyncio
import json
import random
import re
import sys
import time
from dataclasses import asdict, dataclass, field

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from benchmarks.streaming.tokens import Told

_SEQ = re.compile(r'id="run-seq" data-seq="(\d+)"')
OVER = 1000
PATIENCE = 90.0
"""Seconds after which a watcher that has not been told everything gives up."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who watches what: watcher `n` the run `n % runs` with the cookie `n % cookies`. `drops` are the seconds between which a
    socket lives, none if it is never cut off."""

    port: int
    cookies: tuple[str, ...]
    runs: tuple[str, ...]
    watchers: int
    texts: int
    drops: tuple[float, float] | None
    seed: int = 1


@dataclass(slots=True)
class Seen:
    """What all watchers were told: `delays` of texts, `resumes` from a new connection to its first frame, both in seconds."""

    texts: int = 0
    incomplete: int = 0
    drops: int = 0
    delays: list[float] = field(default_factory=list)
    resumes: list[float] = field(default_factory=list)


class _Watcher:
    def __init__(self, number: int, crowd: Crowd, seen: Seen) -> None:
        self._crowd, self._seen = crowd, seen
        self._random = random.Random(f"{crowd.seed} {number}")
        self._address = f"ws://127.0.0.1:{crowd.port}/ws/runs/{crowd.runs[number % len(crowd.runs)]}/"
        self._cookie = crowd.cookies[number % len(crowd.cookies)]
        self._seq = 0
        self._told = Told()
        self.connected = asyncio.Event()

    async def watch(self) -> None:
        until = time.monotonic() + PATIENCE
        while self._told.last < self._crowd.texts and time.monotonic() < until:
            try:
                await self._follow()
            except (OSError, TimeoutError, ConnectionClosed):
                await asyncio.sleep(0.1)
        self._seen.texts += self._told.last
        self._seen.incomplete += self._told.last < self._crowd.texts
        self._seen.delays += self._told.delays

    async def _follow(self) -> None:
        """One socket, from what is known until it is cut off or the run is over."""
        begun = time.monotonic()
        headers = {"Cookie": self._cookie}
        origin = Origin(f"http://127.0.0.1:{self._crowd.port}")
        async with connect(self._address, additional_headers=headers, origin=origin, compression=None) as socket:
            await socket.send(json.dumps({"after": self._seq}))
            self.connected.set()
            lives = self._random.uniform(*self._crowd.drops) if self._crowd.drops else PATIENCE
            ends = time.monotonic() + lives
            is_first = self._seq > 0
            while self._told.last < self._crowd.texts:
                try:
                    frame = str(await asyncio.wait_for(socket.recv(), max(ends - time.monotonic(), 0.001)))
                except TimeoutError:
                    self._seen.drops += 1
                    socket.transport.abort()
                    return
                if is_first:
                    self._seen.resumes.append(time.monotonic() - begun)
                    is_first = False
                self._take(frame)

    def _take(self, frame: str) -> None:
        self._told.take(frame)
        if found := _SEQ.search(frame):
            self._seq = int(found[1])


async def watch(crowd: Crowd) -> Seen:
    """Says `ready` on standard output once all are connected."""
    seen = Seen()
    watchers = [_Watcher(number, crowd, seen) for number in range(crowd.watchers)]
    tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    await asyncio.gather(*(watcher.connected.wait() for watcher in watchers))
    print("ready", flush=True)  # noqa: T201
    await asyncio.gather(*tasks)
    return seen


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(watch(Crowd(**json.loads(sys.stdin.readline())))))))  # noqa: T201
