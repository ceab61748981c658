"""The version of the static files, which is part of their addresses, so that browsers may keep them for good."""

from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path


def version_of(folder: Path, packages: Iterable[str]) -> str:
    """Twelve hexadecimal digits, others whenever a file below `folder` changes or one of `packages` has another version."""
    told = sha256()
    for package in packages:
        told.update(f"{package} {version(package)}\n".encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        told.update(f"{path.relative_to(folder)}\n".encode() + sha256(path.read_bytes()).digest())
    return told.hexdigest()[:12]
