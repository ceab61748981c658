"""The command of an MCP server over stdio, and what can be said of it before anyone starts it.

No shell ever reads it. What is refused here would hide from an admin what really runs.
"""

import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from catalog.sources.launchers import fetch_warning, launcher_problem

_SHELL_SIGNS = ";|&$`<>\"'"
_SHELL_WORDS = frozenset(("|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"))
_VARIABLE = re.compile(r"\$\w+|\$\{\w+\}|~(/.*)?")
_MAX_LENGTH = 4_096
_CODE_VARIABLES = frozenset((
    "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONHOME",
    "PYTHONSTARTUP", "PYTHONINSPECT", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS", "CLASSPATH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "EDITOR",
))  # fmt: skip
_CODE_PREFIXES = ("LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG")
_SOURCE_PREFIXES = ("NPM_CONFIG_", "UV_", "PIP_", "YARN_", "BUN_")


@dataclass(frozen=True, slots=True)
class StdioCommand:
    """What is started, with which arguments, where, and with which variables (their values are secrets)."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str = ""

    def fingerprint(self) -> str:
        """What an approval is bound to: everything that decides what runs, and the names of the variables."""
        facts = {"command": self.command, "args": list(self.args), "cwd": self.cwd, "env": sorted(self.env)}
        return hashlib.sha256(json.dumps(facts, sort_keys=True, ensure_ascii=True).encode()).hexdigest()

    def resolved(self) -> str | None:
        """The file that would be started, None if it is not on this machine."""
        return shutil.which(self.command) if self.command else None

    @property
    def line(self) -> str:
        """The command as one line for people to read; never for a shell."""
        return " ".join([self.command, *self.args])


def resolved(command: StdioCommand) -> str | None:
    return command.resolved()


def command_problems(command: StdioCommand) -> list[str]:
    """Why the command may not be saved, as plain sentences; none if it may."""
    if not command.command.strip():
        return ["Name the command that starts the server."]
    if unreadable := _unreadable(command):
        return [unreadable]
    problems = [_shape_problem(command.command), folder_problem(command.cwd), _file_problem(command)]
    problems += [launcher_problem(name, command.args) for name in _names(command)]
    problems += [_variable_problem(name) for name in command.env]
    return list(dict.fromkeys(problem for problem in problems if problem))


def command_warnings(command: StdioCommand) -> list[str]:
    """What an admin should know before approving; none of it forbids the command."""
    path = command.resolved()
    warnings = [fetch_warning(Path(command.command).name, command.args)]
    if path is None:
        warnings.append(f"{command.command} is not on this machine now: install it, or give its full path.")
    else:
        warnings += _file_warnings(path)
    if command.cwd and not Path(command.cwd).is_dir():
        warnings.append(f"The folder {command.cwd} is not on this machine now: make it, or name another.")
    if meant := [arg for arg in command.args if arg in _SHELL_WORDS or _VARIABLE.fullmatch(arg)]:
        warnings.append(
            f"{' '.join(meant[:5])} means something to a shell alone: no shell reads it, the command is given it as it stands."
        )
    warnings += [
        f"{name} can change where code is fetched from, and its value is not part of the approval."
        for name in command.env
        if name.upper().startswith(_SOURCE_PREFIXES)
    ]
    return list(dict.fromkeys(warning for warning in warnings if warning))


def _file_warnings(path: str) -> list[str]:
    facts = Path(path).stat()
    warnings = []
    if facts.st_mode & stat.S_IWGRP:
        warnings.append(f"{path} can be changed by every member of its group.")
    if facts.st_uid not in (0, os.getuid()):
        warnings.append(f"{path} belongs to another user, who can change it.")
    return warnings


def _unreadable(command: StdioCommand) -> str:
    texts = [command.command, *command.args, command.cwd, *command.env, *command.env.values()]
    if any(ord(char) < 32 or 127 <= ord(char) < 160 or "\ud800" <= char <= "\udfff" for text in texts for char in text):
        return (
            "The command holds a line break or a control character. Write each argument on its own line, without them."
        )
    if any(len(text) > _MAX_LENGTH for text in texts):
        return f"A part of the command is longer than {_MAX_LENGTH:,} characters."
    return ""


def _shape_problem(command: str) -> str:
    if any(sign in command for sign in _SHELL_SIGNS):
        return f"“{command}” is not a command: no shell reads it, so signs like {' '.join(_SHELL_SIGNS)} mean nothing."
    if any(char.isspace() for char in command) and not Path(command).is_file():
        return "The command is one word or one path. Write what follows it as arguments."
    if os.sep in command and not Path(command).is_absolute():
        return f"“{command}” depends on the folder that it is started in. Give its full path, or a name found on PATH."
    return ""


def folder_problem(cwd: str) -> str:
    """Why a server may not be started in that folder; empty if it may."""
    return "" if not cwd or Path(cwd).is_absolute() else f"Give the full path of the folder “{cwd}”."


def _file_problem(command: StdioCommand) -> str:
    path = command.resolved()
    if path and Path(path).stat().st_mode & stat.S_IWOTH:
        return f"{path} can be changed by anybody on this machine. Take that right away first."
    return ""


def _variable_problem(name: str) -> str:
    upper = name.upper()
    if not name or "=" in name:
        return f"“{name}” is not the name of a variable."
    if upper in _CODE_VARIABLES or upper.startswith(_CODE_PREFIXES):
        return f"The variable {name} can change what runs, and its value is not part of the approval. Leave it out."
    return ""


def _names(command: StdioCommand) -> list[str]:
    """The command's own name, and that of the file behind it: a link named `tool` to a shell is a shell."""
    path = command.resolved()
    names = [Path(command.command).name]
    return [*names, Path(path).resolve().name] if path else names
