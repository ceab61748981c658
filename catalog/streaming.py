"""Sending a long text as it is made, so that its reader need not wait for the whole and nobody holds it."""

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async

PIECES = 100
"""Pieces that are made and sent at once."""


async def streamed(pieces: Iterator[str]) -> AsyncIterator[str]:
    """Texts that are made of rows, made off the event loop, in the order of the pieces."""
    while text := await sync_to_async(_next)(pieces):
        yield text


def _next(pieces: Iterator[str]) -> str:
    return "".join(islice(pieces, PIECES))
