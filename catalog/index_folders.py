"""Where indexes lie on disk: a folder for each draft and version, with a stamp that says which revision it holds."""

import shutil
from pathlib import Path

from django.conf import settings

from catalog.generations import MOST_HELD, Key, catalog_of, family_of

STAMP = "revision"
"""The file beside an index that says which revision it holds; missing while the index is being changed."""


def folder_of(key: Key) -> Path:
    return Path(settings.PEGBOARD_INDEX_DIR) / str(key)


def stamp_of(folder: Path) -> str:
    """The revision that an index holds; empty if it is being changed, or not there."""
    try:
        return (folder / STAMP).read_text()
    except FileNotFoundError:
        return ""


def stamp(folder: Path, revision: str) -> None:
    (folder / STAMP).write_text(revision)


def unstamp(folder: Path) -> None:
    (folder / STAMP).unlink(missing_ok=True)


def copy_index(key: Key, to: Key, revision: str) -> None:
    """One index in the place of another, as one of that revision."""
    shutil.rmtree(folder_of(to), ignore_errors=True)
    shutil.copytree(folder_of(key), folder_of(to))
    stamp(folder_of(to), revision)


def clear_away(key: Key) -> list[str]:
    """Drop the indexes of the catalog's versions that were not begun for longest, and tell their keys."""
    if not (family := family_of(key)):
        return []
    (folder_of(key) / STAMP).touch()
    old = sorted(folder_of(key).parent.glob(f"{family}*"), key=_last_begun, reverse=True)[MOST_HELD:]
    for folder in old:
        shutil.rmtree(folder, ignore_errors=True)
    return [folder.name for folder in old]


def indexed_catalogs() -> set[int]:
    """The keys of the catalogs of which an index is on disk."""
    return {*map(_catalog_in, _folders())}


def drop_indexes(catalog: int) -> None:
    """All of the catalog of this key."""
    for folder in _folders():
        if _catalog_in(folder) == catalog:
            shutil.rmtree(folder, ignore_errors=True)


def _folders() -> list[Path]:
    folder = Path(settings.PEGBOARD_INDEX_DIR)
    return [*folder.glob("[0-9]*"), *folder.glob("version-*-*")]


def _catalog_in(folder: Path) -> int:
    return catalog_of(int(folder.name) if folder.name.isdecimal() else folder.name)


def _last_begun(folder: Path) -> float:
    try:
        return (folder / STAMP).stat().st_mtime
    except FileNotFoundError:
        return 0.0
