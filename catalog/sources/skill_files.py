"""The files of skills: unpacked from a zip archive or read from a folder, in memory, with a bound on everything.

Nothing is ever written to a disk. An archive that tries to lead out of itself is refused whole.
"""

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from catalog.sources.errors import SourceError
from catalog.sources.listing import Problem

MAX_ARCHIVE = 8 * 1024 * 1024
"""Bytes of an archive as it comes; its table of contents takes a multiple of that in memory."""
MAX_FILES = 5_000
MAX_FILE = 1024 * 1024
"""Bytes of one file, unpacked; a larger one is left away."""
MAX_UNPACKED = 32 * 1024 * 1024
"""Bytes of all files together, unpacked."""
MAX_PATH = 200
_TAKEN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)


@dataclass(slots=True)
class Files:
    """Contents by path, `/` between folders; `problems` tells what was left away."""

    contents: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    size: int = 0

    def take(self, path: str, content: bytes) -> None:
        """Content is at most MAX_FILE bytes and one. Raises SourceError where it is all too much."""
        self.size += len(content)
        if self.size > MAX_UNPACKED:
            raise SourceError(f"Unpacked it has more than {MAX_UNPACKED // 1024**2} MB. Split it.")
        if path in self.contents:
            raise SourceError(f"It holds “{path[:100]}” twice.")
        if len(content) > MAX_FILE:
            self.problems.append(Problem(path, f"It is left away: it is larger than {MAX_FILE // 1024} KB."))
        else:
            self.contents[path] = content


def unpack(archive: bytes) -> Files:
    """Raises SourceError."""
    if len(archive) > MAX_ARCHIVE:
        raise SourceError(f"The archive is larger than {MAX_ARCHIVE // 1024**2} MB. Split it.")
    files = Files()
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            for entry in _entries(opened):
                with opened.open(entry) as content:
                    files.take(entry.filename, content.read(MAX_FILE + 1))
    except _BROKEN as error:
        raise SourceError(f"The archive cannot be unpacked: {str(error)[:200] or type(error).__name__}.") from None
    return files


def gather(folder: Path) -> Files:
    """The files below a folder of this machine; links are not followed. Raises SourceError."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder.")
    files = Files()
    for path in _paths(folder, files.problems):
        name = path.relative_to(folder).as_posix()
        if problem := _path_problem(name):
            raise SourceError(f"“{name[:100]}” {problem}.")
        with path.open("rb") as content:
            files.take(name, content.read(MAX_FILE + 1))
    return files


def _entries(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    """Those that are files and wanted. Every name is looked at before anything is unpacked."""
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise SourceError(f"The archive holds {len(entries):,} files, at most {MAX_FILES:,} are read. Split it.")
    for entry in entries:
        if problem := _path_problem(entry.orig_filename) or _entry_problem(entry):
            name = entry.orig_filename.encode("utf-8", "replace").decode()[:100]
            raise SourceError(f"The archive is refused: “{name}” {problem}.")
    return (entry for entry in entries if not entry.is_dir() and not _is_hidden(entry.filename))


def _path_problem(path: str) -> str:
    if path.startswith("/") or "\\" in path or path[1:2] == ":":
        return "is an absolute path, or one of Windows"
    if ".." in path.split("/"):
        return "leads out of it"
    if not path.isprintable():
        return "holds a character that cannot be seen"
    return "is longer than a path may be" if len(path) > MAX_PATH else ""


def _entry_problem(entry: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind and not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        return "is a link or a device, no file"
    if entry.flag_bits & 1:
        return "is encrypted"
    return "" if entry.compress_type in _TAKEN_METHODS else "is compressed in an unusual way"


def _is_hidden(path: str) -> bool:
    """What systems and editors leave behind."""
    return any(part.startswith((".", "__MACOSX", "__pycache__")) for part in path.split("/"))


def _paths(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    count = 0
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in sorted(names):
            path = Path(parent, name)
            if _is_hidden(name):
                continue
            if path.is_symlink() or not path.is_file():
                where = path.relative_to(folder).as_posix()
                problems.append(Problem(where, "It is left away: it is a link or a device, no file."))
                continue
            count += 1
            if count > MAX_FILES:
                raise SourceError(f"{folder} holds more than {MAX_FILES:,} files.")
            yield path
