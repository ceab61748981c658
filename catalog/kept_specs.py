"""Tools as this process holds them: each once, however many catalogs and looks of lint have it, while one of them does."""

from datetime import datetime
from weakref import ref

from catalog.models import Tool
from catalog.prompt_size import remember
from catalog.token_counts import counted
from catalog.tools import ToolSpec


class _Kept(ref[ToolSpec]):
    """A tool by the key of its row, and when that was last edited."""

    __slots__ = ("edited_at", "row")
    row: int
    edited_at: datetime


_kept: dict[int, _Kept] = {}


def spec_of(tool: Tool) -> ToolSpec:
    """As `to_spec`, and the very one that is held already if it was not edited since, and its server says the same. What its
    row says that it costs is remembered. Its server must be loaded."""
    spec = _the_one(tool, tool.to_spec())
    if (tokens := counted(tool)) is not None:
        remember(spec, tokens)
    return spec


def _the_one(tool: Tool, spec: ToolSpec) -> ToolSpec:
    kept = _kept.get(tool.pk)
    there = kept() if kept is not None and kept.edited_at == tool.updated_at else None
    if there == spec:
        return there
    kept = _kept[tool.pk] = _Kept(spec, _forget)
    kept.row, kept.edited_at = tool.pk, tool.updated_at
    return spec


def _forget(kept: _Kept) -> None:
    if _kept.get(kept.row) is kept:
        _kept.pop(kept.row, None)
