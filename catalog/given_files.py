"""Files as a command line gives them: read from disk or standard input, told apart, and read into what they hold."""

import sys
from dataclasses import dataclass
from pathlib import Path

from catalog.models import Server
from catalog.sources import skills, tool_file
from catalog.sources.errors import SourceError
from catalog.sources.file_kinds import FileKind, kind_of_file
from catalog.sources.listing import Listing

STANDARD_INPUT = "-"
KIND_OF_SERVER: dict[FileKind, str] = {
    "tools": Server.Kind.FILE,
    "skills": Server.Kind.SKILLS,
    "openapi": Server.Kind.OPENAPI,
}


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file with its content, or a folder of skills, which has none."""

    name: str
    kind: FileKind
    content: bytes = b""
    folder: Path | None = None

    def listing(self) -> Listing:
        """Its tools or skills. Raises SourceError."""
        if self.folder is not None:
            return skills.read_folder(self.folder)
        return skills.read(self.content) if self.kind == "skills" else tool_file.read(self.content)


def is_file_name(text: str) -> bool:
    return text == STANDARD_INPUT or Path(text).exists()


def given_file(name: str, kind: FileKind | None = None) -> GivenFile:
    """The file of that name, `-` being standard input; its kind is recognised unless it is said. Raises SourceError."""
    path = Path(name)
    if name != STANDARD_INPUT and path.is_dir():
        if kind not in (None, "skills"):
            raise SourceError(f"{name} is a folder; only skills are read from one.")
        return GivenFile(name, "skills", folder=path)
    try:
        content = sys.stdin.buffer.read() if name == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}.") from None
    return GivenFile(
        "standard input" if name == STANDARD_INPUT else path.name, kind or kind_of_file(content, name), content
    )
