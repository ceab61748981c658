"""The files of a conversation's large outputs: folders that only this account reads, and names that lead nowhere else."""

import json
import os
import re
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import NoReturn

MOST_NAME = 50
"""Characters of the tool's name in a file's."""
_OUT_OF_PLACE = re.compile(r"[^A-Za-z0-9_-]")


class UnfitNameError(Exception):
    """The name is none of a file that may be read; the message says why, in words for the model."""


class UnreadableError(Exception):
    """There is no such file, or it cannot be read; the message says which, in words for the model."""


class OutputFiles:
    """A run's folder, made with its first file, and those of `earlier` runs, which are only read.

    `parent/folder/name` is understood where `name` is. No two files bear the same name.
    """

    def __init__(self, folder: Path, earlier: Sequence[Path] = ()) -> None:
        self._folder = folder
        self._readable = (folder, *earlier)
        self._numbers = count(1)

    def put(self, tool: str, text: str) -> str:
        """A new file that holds the text, in UTF-8; its name (P-28). Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = self._new_name(tool, text)
        at = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(at, "wb") as file:
            file.write(text.encode())
        return name

    def read(self, filename: str) -> bytes:
        """What a file holds, by its name as a model wrote it (P-31). Raises UnfitNameError and UnreadableError."""
        name = self._plain_name(filename)
        try:
            with os.fdopen(self._open(name), "rb") as file:
                return file.read()
        except OSError as error:
            reason = (error.strerror or "it cannot be opened").lower()
            raise UnreadableError(f"failed to read file {name}: {reason}") from None
        except ValueError:
            raise UnfitNameError(f"invalid filename: {filename}") from None

    def _open(self, name: str) -> int:
        """The file, in the first folder that has it."""
        *others, last = self._readable
        for folder in others:
            with suppress(FileNotFoundError):
                return self._open_in(folder, name)
        return self._open_in(last, name)

    def _open_in(self, path: Path, name: str) -> int:
        """A file of the folder itself: nothing that a link points to, here or on the way."""
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            at = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
        if not stat.S_ISREG(os.fstat(at).st_mode):
            os.close(at)
            raise UnreadableError(f"failed to read file {name}: not a file")
        return at

    def _plain_name(self, filename: str) -> str:
        path = filename.replace("\\", "/").removeprefix("./")
        prefixes = (f"{folder.parent.name}/{folder.name}/" for folder in self._readable)
        own = next((prefix for prefix in prefixes if path.startswith(prefix)), "")
        name = path.removeprefix(own)
        if not name.startswith("tool_") and "/tool_" not in name:
            raise UnfitNameError(f"invalid filename: {filename}")
        if ".." in path and ("/" not in path or PurePosixPath(normpath(path)).is_relative_to(self._folder.parent.name)):
            _refuse("path traversal detected")
        if "/" in name:
            _refuse("file path escapes allowed directory")
        return name

    def _new_name(self, tool: str, text: str) -> str:
        now = time.time_ns()
        moment = datetime.fromtimestamp(now // 10**9, UTC)
        said = _OUT_OF_PLACE.sub("_", tool)[:MOST_NAME]
        end = "json" if _is_json(text) else "txt"
        return f"tool_{moment:%Y%m%d_%H%M%S}_{now % 10**9:09}_{next(self._numbers)}_{said}.{end}"


def _refuse(reason: str) -> NoReturn:
    raise UnfitNameError(f"file path validation failed: {reason}")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
