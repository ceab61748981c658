"""An admin's word for a command: without it there is no value that can be started."""

from dataclasses import dataclass, field

from catalog.sources.errors import SourceError
from catalog.sources.stdio_command import StdioCommand, command_problems

_SEAL = object()


class NotApproved(SourceError):
    """The command is not the one that an admin approved."""


@dataclass(frozen=True, slots=True)
class ApprovedCommand:
    """A command that may be started. Only `approve_check` makes one."""

    command: StdioCommand
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("an approved command comes from approve_check")


def approve_check(command: StdioCommand, approved_fingerprint: str) -> ApprovedCommand:
    """Raises NotApproved unless this is, to the letter, what was approved, and may be started at all."""
    if command.fingerprint() != approved_fingerprint:
        raise NotApproved("An admin must approve this command before it is started: it is new, or it was changed.")
    if problems := command_problems(command):
        raise NotApproved(f"This command may not be started. {problems[0]}")
    return ApprovedCommand(command, _SEAL)
