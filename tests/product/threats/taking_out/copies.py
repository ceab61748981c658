"""A copy of the tree in which a defence can be missing."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.product.threats.taking_out.defence import Cut, Defence

LINKED = (".venv", "tests/mcp_servers/node_modules")
"""What was installed, and is only read."""


def copy_of(root: Path, folder: Path) -> Path:
    """The tree as git knows it, new files included, in `folder/tree`."""
    told = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    tree = folder / "tree"
    for name in set(told.stdout.decode().split("\0")) - {"", *LINKED}:
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tree / name)
    for name in LINKED:
        if (root / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).symlink_to((root / name).resolve())
    return tree


@contextmanager
def without(defence: Defence, tree: Path) -> Iterator[None]:
    """The copy without the defence, which stands there again afterwards."""
    before = {name: ((tree / name).read_bytes(), (tree / name).stat()) for name in defence.files}
    try:
        for cut in defence.cuts:
            _take_out(cut, tree)
        yield
    finally:
        for name, (content, facts) in before.items():
            (tree / name).write_bytes(content)
            os.utime(tree / name, ns=(facts.st_atime_ns, facts.st_mtime_ns))  # what was compiled of it counts again


def _take_out(cut: Cut, tree: Path) -> None:
    text = (tree / cut.file).read_text()
    (tree / cut.file).write_text(text.replace(cut.text, cut.instead))
