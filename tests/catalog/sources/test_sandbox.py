"""What stands before a command that is started in the sandbox."""

from itertools import pairwise
from pathlib import Path

import pytest

from catalog.sources.sandbox import sandbox_line
from catalog.sources.stdio_command import StdioCommand


@pytest.mark.parametrize(("runner", "cache"), [("npx", ".npm"), ("uvx", ".local/share/uv"), ("/usr/bin/uvx", ".cache")])
def test_a_package_runner_finds_its_caches_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runner: str, cache: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    line = sandbox_line("bwrap", StdioCommand(runner, ("some-server",)), ())
    folder = str(tmp_path / cache)
    assert Path(folder).is_dir()
    assert ("--bind-try", folder, folder) in zip(line, line[1:], line[2:], strict=False)


def test_a_command_that_runs_no_packages_has_no_folders_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    sandbox_line("bwrap", StdioCommand("/usr/bin/server"), ())
    assert list(tmp_path.iterdir()) == []


def test_what_is_hidden_is_covered(tmp_path: Path) -> None:
    line = sandbox_line("bwrap", StdioCommand("/usr/bin/server"), (tmp_path,))
    assert ("--tmpfs", str(tmp_path)) in pairwise(line)
