"""Which commands may be saved, which are refused and why, and what an admin is told of the others."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.sources.stdio_command import StdioCommand, command_problems, command_warnings

COMMAND = StdioCommand("uvx", ("mcp-server-time", "--local-timezone", "UTC"), {"TOKEN": "a"}, "/srv")


def command(line: str) -> StdioCommand:
    name, *args = line.split(" ")
    return StdioCommand(name, tuple(args))


@pytest.mark.parametrize(
    "line",
    [
        "npx -y @modelcontextprotocol/server-everything stdio",
        "npx --yes pkg@1.2.3 --eval-mode -e",
        "uvx mcp-server-time",
        "uvx --from git+https://example.com/x server",
        "uv run --directory /srv server",
        "python -m mcp_server_time --local-timezone UTC",
        "python3.11 -I -u /srv/server.py -c config.toml",
        "python -W ignore /srv/server.py",
        "node /srv/server.js -e production",
        "node --enable-source-maps /srv/server.js",
        "bash /srv/start.sh -c",
        "docker run -i --rm -e TOKEN image",
        "mcp-server-git --repository /srv/repo;x$(y)",
        "/usr/bin/mcp-server",
        "deno run --allow-net /srv/server.ts",
    ],
)
def test_how_people_run_servers_may_be_saved(line: str) -> None:
    assert command_problems(command(line)) == []


@pytest.mark.threat("T04")
@pytest.mark.parametrize(
    "line",
    [
        "bash -c id",
        "bash -lc id",
        "bash",
        "sh",
        "sh -s",
        "/bin/sh -c id",
        "zsh -ic id",
        "cmd.exe /c dir",
        "pwsh -Command x",
        "python -c pass",
        "python3 -c pass",
        "python3.11 -Ic pass",
        "python -uIc pass",
        "python -cpass",
        "python -W ignore -c pass",
        "python -",
        "python -i",
        "python",
        "node -e 1",
        "node --eval 1",
        "node --eval=1",
        "node -p 1",
        "node -pe 1",
        "node -r /tmp/x.js /srv/server.js",
        "node --import=/tmp/x.js server.js",
        "node --require /tmp/x.js server.js",
        "node",
        "nodejs -e 1",
        "deno eval 1",
        "bun -e 1",
        "perl -e 1",
        "perl -E 1",
        "ruby -e 1",
        "php -r 1",
        "npx -c id",
        "npx --call=id",
        "npx --node-options=--require=/tmp/x pkg",
        "npm exec -c id",
        "env X=Y server",
        "sudo server",
        "nohup server",
        "timeout 5 server",
        "xargs server",
        "busybox sh",
        "../x",
        "./server",
        "bin/server",
        "a;b",
        "$(x)",
        "`x`",
        "a|b",
        "server>file",
        "",
        " ",
    ],
)
def test_what_would_hide_what_runs_is_refused(line: str) -> None:
    problems = command_problems(StdioCommand("  ") if line == " " else command(line))
    assert len(problems) >= 1
    assert all(problem.endswith(".") for problem in problems)


@pytest.mark.threat("T04")
@pytest.mark.parametrize("char", ["\0", "\n", "\r", "\x1b", "\x85", "\ud800"])
@pytest.mark.parametrize("part", ["command", "args", "cwd", "env"])
def test_control_characters_are_refused_everywhere(char: str, part: str) -> None:
    changed = {"command": f"a{char}", "args": (f"a{char}",), "cwd": f"/a{char}", "env": {"A": f"a{char}"}}
    problems = command_problems(replace(COMMAND, **{part: changed[part]}))  # type: ignore[arg-type]
    assert "control character" in " ".join(problems)


@pytest.mark.threat("T04")
@pytest.mark.parametrize(
    "name", ["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "PYTHONPATH", "path", "BASH_ENV", "A=B", ""]
)
def test_a_variable_that_becomes_code_is_refused(name: str) -> None:
    problems = command_problems(replace(COMMAND, env={name: "x"}))
    assert ["variable" in problem for problem in problems] == [True]


def test_the_words_of_a_line_belong_into_the_arguments() -> None:
    assert "arguments" in command_problems(StdioCommand("npx -y server"))[0]


def test_a_relative_folder_is_refused() -> None:
    assert "full path" in command_problems(replace(COMMAND, cwd="srv"))[0]


@pytest.mark.threat("T04")
def test_a_link_to_a_shell_is_a_shell(tmp_path: Path) -> None:
    link = tmp_path / "server"
    link.symlink_to("/bin/sh")
    assert "script" in " ".join(command_problems(StdioCommand(str(link), ("-c", "id"))))


@pytest.mark.threat("T04")
def test_a_file_that_anybody_can_change_is_refused_and_one_of_a_group_told(tmp_path: Path) -> None:
    file = tmp_path / "server"
    file.touch()
    file.chmod(0o755)
    assert command_problems(StdioCommand(str(file))) == []
    file.chmod(0o775)
    assert command_problems(StdioCommand(str(file))) == []
    assert "group" in command_warnings(StdioCommand(str(file)))[0]
    file.chmod(0o757)
    assert "anybody" in " ".join(command_problems(StdioCommand(str(file))))


@pytest.mark.parametrize(
    "line", ["npx -y pkg", "uvx pkg", "uv run pkg", "pnpm dlx pkg", "docker run image", "npm exec p"]
)
def test_code_that_is_fetched_at_every_start_is_told(line: str) -> None:
    assert "each time it starts" in command_warnings(command(line))[0]


def test_a_command_that_is_not_here_and_a_registry_of_its_own_are_told() -> None:
    warnings = command_warnings(StdioCommand("no-such-command", env={"npm_config_registry": "x", "TOKEN": "y"}))
    assert ["not on this machine" in warnings[0], "npm_config_registry" in warnings[1], len(warnings)] == [
        True,
        True,
        2,
    ]


def test_what_only_a_shell_would_read_and_a_folder_that_is_not_here_are_told() -> None:
    warnings = command_warnings(replace(command("python3 /srv/a.py | tee $LOG --x=$y"), cwd="/no/such/folder"))
    assert warnings[-2].startswith("The folder /no/such/folder is not on this machine")
    assert warnings[-1].startswith("| $LOG means something to a shell alone")


def test_the_file_behind_a_command_is_found() -> None:
    assert StdioCommand(sys.executable).resolved() == sys.executable
    assert StdioCommand("no-such-command").resolved() is None


CHANGES = {
    "command": "/usr/local/bin/uvx",
    "command with a space": "uvx ",
    "command that looks alike": "uvх",
    "argument added": ("mcp-server-time", "--local-timezone", "UTC", ""),
    "arguments joined": ("mcp-server-time --local-timezone", "UTC"),
    "arguments in another order": ("mcp-server-time", "UTC", "--local-timezone"),
    "folder": "/srv/",
    "variable renamed": {"Token": "a"},
    "variable added": {"TOKEN": "a", "OTHER": ""},
}


@pytest.mark.threat("T03")
@pytest.mark.parametrize("what", CHANGES)
def test_every_change_of_what_runs_changes_the_fingerprint(what: str) -> None:
    part = {"a": "args", "f": "cwd", "v": "env", "c": "command"}[what[0]]
    assert replace(COMMAND, **{part: CHANGES[what]}).fingerprint() != COMMAND.fingerprint()  # type: ignore[arg-type]


def test_a_new_secret_needs_no_new_approval() -> None:
    assert replace(COMMAND, env={"TOKEN": "rotated"}).fingerprint() == COMMAND.fingerprint()
    assert "rotated" not in repr(replace(COMMAND, env={"TOKEN": "rotated"}))
