"""Where a command writes what it exports."""

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError


def write_out(command: BaseCommand, pieces: Iterable[str], file: Path | None) -> None:
    """The text, in pieces, into the file, or to standard output where none is said. Raises CommandError if the file cannot be written."""
    if file is None:
        for piece in pieces:
            command.stdout.write(piece, ending="")
        return
    try:
        with file.open("w", encoding="utf-8") as out:
            out.writelines(pieces)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
