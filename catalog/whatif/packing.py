"""What is tried and not saved, as a text for an address."""

import base64
import binascii
import json
import zlib
from typing import Any

LONGEST = 6_000
"""Characters that an address has room for."""
MOST = 200_000
"""Bytes that a text is read to."""


class UnfitDraftError(Exception):
    """The text is none that can be tried; the message says why, as a sentence."""


def packed(said: Any) -> str:
    """JSON as a text; empty where it is too long for an address."""
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(said, sort_keys=True).encode(), 9)).decode()
    return text if len(text) <= LONGEST else ""


def unpacked(text: str) -> Any:
    """Raises UnfitDraftError."""
    try:
        return json.loads(zlib.decompressobj().decompress(base64.urlsafe_b64decode(text), MOST))
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise UnfitDraftError("The address has a draft that cannot be read.") from error
