"""Patterns that people and models write, compiled in RE2 under a size cap, so that none can stall a process."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import re2

MAX_LENGTH = 1_000
"""Characters of a pattern."""
MAX_PROGRAM_SIZE = 1_500
"""Instructions of the compiled program; `(?i)\\p{L}+` has about 1,200, `(?i)a.{0,200}b` 1,800."""
MAX_MEMORY = 1 << 20
"""Bytes that RE2 may use for one pattern."""

_QUOTES_AND_ESCAPES = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.", re.DOTALL)


class PatternError(ValueError):
    """The pattern cannot be used; the message says why, in words fit for whoever wrote it."""


def compile_regex(pattern: str, *, ignore_case: bool = False) -> "re2._Regexp":
    """An RE2 program for `pattern`. Raises PatternError if it is too long, malformed or too large."""
    if len(pattern) > MAX_LENGTH:
        raise PatternError(f"pattern too large: {len(pattern):,} characters, at most {MAX_LENGTH:,}")
    if any(escape == r"\C" for escape in _QUOTES_AND_ESCAPES.findall(pattern)):
        raise PatternError(r"invalid escape sequence: \C")
    try:
        program = re2.compile(pattern, _options(ignore_case))
    except re2.error as error:
        raise PatternError(_message(error)) from None
    except UnicodeEncodeError:
        raise PatternError("invalid UTF-8") from None
    if program.programsize > MAX_PROGRAM_SIZE:
        raise PatternError(f"pattern too large: {program.programsize:,} instructions, at most {MAX_PROGRAM_SIZE:,}")
    return program


def compile_by_line(pattern: str, *, ignore_case: bool = False) -> "re2._Regexp":
    """The program of a pattern that `compile_regex` takes, with `^` and `$` for the ends of lines, and without groups."""
    options = _options(ignore_case)
    options.never_capture = True
    return re2.compile(f"(?m){pattern}", options)


@lru_cache(maxsize=256)
def compile_glob(glob: str, *, ignore_case: bool = False) -> "re2._Regexp":
    """An RE2 program for a name pattern in which `*` stands for any run of characters and `?` for one. Raises PatternError."""
    wild = {"*": "(?s:.*)", "?": "(?s:.)"}
    try:
        pattern = "".join(wild.get(char) or re2.escape(char) for char in glob)
    except UnicodeEncodeError:
        raise PatternError("invalid UTF-8") from None
    return compile_regex(pattern, ignore_case=ignore_case)


def matched_spans(program: "re2._Regexp", text: str, most: int) -> Iterator[tuple[int, int]]:
    """Where the program matches, in characters, in order: of the first `most` matches those that are not empty."""
    without_surrogates = text.encode("utf-8", "replace").decode()
    for match in islice(program.finditer(without_surrogates), most):
        if match.end() > match.start():
            yield match.span()


def _options(ignore_case: bool) -> "re2.Options":
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = MAX_MEMORY
    return options


def _message(error: Exception) -> str:
    reason = error.args[0] if error.args else "invalid"
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
