"""Parts of a text by its bytes: a range that a model asks for, or as much of the beginning as fits."""

import codecs
from dataclasses import dataclass

PLACEHOLDER = "\ufffd"


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `start` to `end`, both counted from 1 and included (P-30). Raises ValueError, worded for the model."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start < 1:
            raise ValueError("start must be 1 or greater")
        if self.end < self.start:
            raise ValueError("end must be greater than or equal to start")

    def of(self, content: bytes, most: int) -> str:
        """At most `most` bytes. Half a character at either end shows as one U+FFFD a byte. Raises ValueError."""
        if self.start > len(content):
            raise ValueError(f"start {self.start} exceeds file length {len(content)}")
        wanted = min(self.end, len(content))
        last = min(wanted, self.start + most - 1)
        part = content[self.start - 1 : last].decode("utf-8", _EACH_BYTE)
        more = f"Go on from {last + 1}; the file has {len(content)}."
        return part if last == wanted else f"{part}\n[Cut off here: at most {most:,} bytes are read at once. {more}]"


def first_bytes(text: str, most: int) -> str:
    """As many whole characters as fit into so many bytes."""
    return text.encode()[:most].decode("utf-8", "ignore")


def _each_byte(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return PLACEHOLDER * (error.end - error.start), error.end


_EACH_BYTE = "each-byte"
codecs.register_error(_EACH_BYTE, _each_byte)
