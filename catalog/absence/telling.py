"""Edits as a page tells them: what is changed in words, and the address of the search that then finds the tool."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from catalog.absence.finding import Edit
from catalog.absence.offering import Offering
from catalog.absence.steps import Told, take, tell
from catalog.search.choosing import ChosenEngine
from catalog.search.settings import settings_of


@dataclass(frozen=True, slots=True)
class ToldEdit:
    """`address` holds what changes in the address of the search: None for what is left out of it."""

    edit: Edit
    changes: tuple[Told, ...]
    address: Mapping[str, str | None]

    @property
    def text(self) -> str:
        """The words that the edit adds."""
        return next((step.text for step in self.edit.steps if step.text), "")


def told_edits(
    edits: Sequence[Edit], offering: Offering, key: str, engine: ChosenEngine, limit: int, unchosen: str
) -> list[ToldEdit]:
    """`unchosen` is the server that the search was kept to, where the tool is of another."""
    return [
        ToldEdit(
            edit,
            (*_steps(edit, offering, key), *_search(edit, engine, limit, unchosen)),
            {**edit.search, **({"server": None} if unchosen else {})},
        )
        for edit in edits
    ]


def _steps(edit: Edit, offering: Offering, key: str) -> Iterator[Told]:
    for place, step in enumerate(edit.steps):
        yield tell(step, reduce(lambda before, one: take(one, before, key), edit.steps[:place], offering), key)


def _search(edit: Edit, engine: ChosenEngine, limit: int, unchosen: str) -> Iterator[Told]:
    if unchosen:
        yield Told("Search every server", "Server", unchosen, "any")
    for name, value in edit.search.items():
        if name == "k":
            yield Told(f"Return the top {value}", "Top k", str(limit), value)
    for setting in settings_of(engine.kind.Settings):
        if lower := edit.search.get(f"{engine.slug}.{setting.name}"):
            before = getattr(engine.settings, setting.name)
            yield Told(f"Set “{setting.label}” to {lower}", setting.label, f"{before:g}", lower)
