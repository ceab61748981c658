"""Memory that long work has let go of, given back to the machine: the C library keeps it for the process, if not asked."""

from ctypes import CDLL
from functools import cache


def give_back() -> None:
    """Where the C library can be asked; elsewhere nothing is done."""
    trim = getattr(_c_library(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@cache
def _c_library() -> CDLL:
    return CDLL(None)
