"""A guard against blow-up: what was written to hurt must not compute for minutes. How quick things are is for benchmarks."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def bounded_effort(seconds: float = 10.0) -> Iterator[None]:
    """Fails if the block takes more processor time: other work on the machine does not count."""
    began = time.process_time()
    yield
    spent = time.process_time() - began
    assert spent < seconds, f"{spent:.1f} seconds of computing, at most {seconds:g}"
