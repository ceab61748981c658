"""Programs that run other code: shells, interpreters, wrappers and package runners, and what they may be given."""

import re
from collections.abc import Mapping, Sequence

_SHELLS = frozenset((
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "elvish", "pwsh", "powershell",
))  # fmt: skip
_WRAPPERS = frozenset((
    "env", "sudo", "doas", "su", "runuser", "pkexec", "nohup", "setsid", "nice", "ionice", "timeout", "time", "stdbuf",
    "script", "watch", "xargs", "find", "parallel", "chroot", "unshare", "nsenter", "strace", "ltrace", "gdb", "ssh",
    "busybox", "toybox", "expect", "socat", "nc", "ncat", "eval", "exec", "command", "bwrap", "firejail", "cmd",
    "systemd-run", "setpriv", "capsh", "awk", "gawk", "mawk", "sed", "make", "vim", "vi", "ed", "tclsh", "wish",
))  # fmt: skip
_INLINE: Mapping[str, tuple[str, ...]] = {
    "python": ("c",),
    "pypy": ("c",),
    "perl": ("e", "E"),
    "ruby": ("e",),
    "php": ("r",),
    "lua": ("e",),
    "node": ("e", "p", "r", "i"),
    "nodejs": ("e", "p", "r", "i"),
    "bun": ("e", "p", "r"),
    "deno": (),
    "osascript": ("e",),
    "Rscript": ("e",),
}
"""Interpreter to the letters of the options that take code; those after `-m` or a file are the program's own."""
_VALUE_LETTERS = {"python": "WX", "pypy": "WX", "perl": "IMm", "ruby": "IrCE", "node": "C", "php": "dcz"}
_LONG_INLINE = frozenset((
    "--eval", "--print", "--require", "--import", "--loader", "--experimental-loader", "--node-options",
    "--interactive", "--call", "--inspect", "--inspect-brk", "--run", "--preload", "--env-file",
    "--experimental-default-config-file",
))  # fmt: skip
_RUNNERS: Mapping[str, tuple[str, ...]] = {
    "npx": (),
    "bunx": (),
    "uvx": (),
    "npm": ("exec", "x"),
    "pnpm": ("dlx",),
    "yarn": ("dlx",),
    "pipx": ("run",),
    "uv": ("run", "tool"),
    "bun": ("x",),
    "deno": ("run",),
    "docker": ("run",),
    "podman": ("run",),
}
_VERSION = re.compile(r"[\d.]+$")


def launcher_problem(name: str, args: Sequence[str]) -> str:
    """Why this program may not be started with these arguments; empty if it may."""
    program = _program(name)
    if program in _WRAPPERS:
        return f"{name} starts another command, which would hide what runs. Name that command itself."
    if program in _SHELLS:
        if not args or args[0].startswith("-"):
            return f"{name} would run code out of the command line. Put it into a script and name that."
        return ""
    if program in _INLINE:
        return _interpreter_problem(name, program, args)
    if program in _RUNNERS and any(_is_inline(arg) or (program in ("npx", "npm") and arg == "-c") for arg in args):
        return f"{name} would run code out of the command line. Name the package that starts the server."
    return ""


def fetch_warning(name: str, args: Sequence[str]) -> str:
    """That the program fetches code when it starts; empty if it does not."""
    program = _program(name)
    words = _RUNNERS.get(program)
    if words is None or (words and not any(arg in words for arg in args[:2])):
        return ""
    what = "runs a container image" if program in ("docker", "podman") else "fetches code from a package registry"
    return f"{name} {what} each time it starts: what runs can change without a new approval. Name an exact version."


def _interpreter_problem(name: str, program: str, args: Sequence[str]) -> str:
    if not args:
        return f"{name} without a program would run whatever is sent to it. Name the program."
    if program == "deno" and args[0] in ("eval", "repl"):
        return f"deno {args[0]} would run code out of the command line. Put it into a file and name that."
    waits_for_value = False
    for arg in args:
        if waits_for_value:
            waits_for_value = False
            continue
        if not arg.startswith("-"):
            return ""
        if arg == "-" or _is_inline(arg) or _letter_takes_code(program, arg):
            return f"{name} {arg} would run code out of the command line. Put it into a file and name that."
        if program in ("python", "pypy") and "m" in arg[1:] and not arg.startswith("--"):
            return ""
        waits_for_value = len(arg) == 2 and arg[1] in _VALUE_LETTERS.get(program, "")
    return f"{name} without a program would run whatever is sent to it. Name the program."


def _letter_takes_code(program: str, arg: str) -> bool:
    """Letters may be joined (`-Ic`); what follows one that takes a value, or `-m`, is that value."""
    if arg.startswith("--"):
        return False
    for letter in arg[1:]:
        if letter in _INLINE[program]:
            return True
        if letter in _VALUE_LETTERS.get(program, "") or (letter == "m" and program in ("python", "pypy")):
            return False
    return False


def _is_inline(arg: str) -> bool:
    return arg.partition("=")[0] in _LONG_INLINE


def _program(name: str) -> str:
    """`python3.11` is python, `CMD.EXE` is cmd."""
    bare = name.removesuffix(".exe").removesuffix(".EXE").removesuffix("-cli.js")
    return _VERSION.sub("", bare) or bare if bare in _INLINE else _VERSION.sub("", bare.lower()) or bare
