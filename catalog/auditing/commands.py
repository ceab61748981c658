"""What a command does is told with the command, and with the name under which its person is known to the machine."""

import getpass
import os
from contextlib import AbstractContextManager

from catalog.origins import Origin, coming_from


def by_command(name: str) -> AbstractContextManager[None]:
    """What is done within comes from that command."""
    return coming_from(Origin(way="command", title=name, login=_login()))


def _login() -> str:
    """A user of a container may have no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
