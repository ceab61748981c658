"""Where a command writes what it exports."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError


def write_out(command: BaseCommand, text: str, file: Path | None) -> None:
    """Into the file, or to standard output where none is said. Raises CommandError if the file cannot be written."""
    if file is None:
        command.stdout.write(text, ending="")
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
