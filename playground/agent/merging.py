"""Several streams of events as one: each goes on by itself, once what it gave was taken."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from playground.agent.events import Event

Events = AsyncGenerator[Event, None]


async def merged(streams: Sequence[Events]) -> Events:
    """A stream is asked for its next event only after the one before was taken: who commits each has it on record by then.

    What one raises ends all; closing this closes all.
    """
    steps = {_step(stream): stream for stream in streams}
    try:
        while steps:
            done, _ = await asyncio.wait(steps, return_when=asyncio.FIRST_COMPLETED)
            for step in [step for step in steps if step in done]:
                event = step.result()
                if event is not None:
                    yield event
                stream = steps.pop(step)
                if event is not None:
                    steps[_step(stream)] = stream
    finally:
        for step in steps:
            step.cancel()
        await asyncio.gather(*steps, return_exceptions=True)
        for stream in streams:
            await stream.aclose()


def _step(stream: Events) -> "asyncio.Task[Event | None]":
    return asyncio.create_task(_next(stream))


async def _next(stream: Events) -> Event | None:
    return await anext(stream, None)
