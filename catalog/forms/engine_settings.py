"""The settings of an engine as a form shows them: each with its value, and where that comes from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Literal

from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine
from catalog.search.settings import (
    Setting,
    TypedSettings,
    UnfitSettingsError,
    Value,
    fitting_settings,
    read_settings,
    settings_of,
    written,
)

Origin = Literal["default", "catalog", "address"]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """`usual` is what holds where the address says nothing; `typed` is what it says, and `problem` why that cannot be."""

    engine: str
    told: Setting
    usual: Value
    typed: str
    value: Value
    problem: str

    @property
    def name(self) -> str:
        """Its name in an address: `mastra.min_score`."""
        return f"{self.engine}.{self.told.name}"

    @property
    def id(self) -> str:
        return f"setting-{self.engine}-{self.told.name}"

    @property
    def origin(self) -> Origin:
        if self.problem or self.value != self.usual:
            return "address"
        return "default" if self.value == self.told.default else "catalog"

    @property
    def shown(self) -> str:
        """What stands in the field: what was typed if it cannot be, else the value."""
        return self.typed if self.problem else written(self.value)

    @property
    def options(self) -> list[tuple[str, str]]:
        """What can be chosen, as the address has it and as it is said; none for a number."""
        if self.told.kind == "bool":
            return [("on", "On"), ("off", "Off")]
        return [(choice, choice) for choice in self.told.choices]

    @property
    def step(self) -> str:
        """What one press of an arrow adds."""
        if self.told.kind == "int":
            return "1"
        size = floor(log10(float(self.told.default))) if self.told.default else 0
        return f"{10.0 ** (size - 1):g}"

    @property
    def range(self) -> str:
        """The bounds in words; empty without any."""
        least, most = self.told.least, self.told.most
        if least is not None and most is not None:
            return f"from {least:g} to {most:g}"
        return f"{least:g} or more" if least is not None else f"{most:g} or less" if most is not None else ""

    @property
    def said_default(self) -> str:
        return written(self.told.default)

    @property
    def said_usual(self) -> str:
        return written(self.usual)


@dataclass(frozen=True, slots=True)
class AskedSettings:
    """The settings of one engine, as catalog and address have them; `problems` by their name in an address."""

    engine: str
    rows: tuple[SettingRow, ...]
    problems: Mapping[str, str]

    @property
    def title(self) -> str:
        return ENGINES[self.engine].title

    @property
    def chosen(self) -> ChosenEngine:
        values = {row.told.name: row.value for row in self.rows}
        return ChosenEngine(self.engine, read_settings(ENGINES[self.engine].Settings, values))

    @property
    def changed(self) -> list[SettingRow]:
        """Those that differ from the engine's own defaults."""
        return [row for row in self.rows if row.value != row.told.default or row.problem]

    @property
    def said(self) -> str:
        """The engine and what is changed of it: `Mastra BM25 with minimum score 0.5`."""
        said = ", ".join(f"{row.told.label.lower()} {row.shown}" for row in self.changed)
        return f"{self.title} with {said}" if said else self.title

    @property
    def of_address(self) -> list[SettingRow]:
        """Those that an address has to name."""
        return [row for row in self.rows if row.origin == "address"]


def asked_settings(engine: str, stored: Mapping[str, Any], address: Mapping[str, Any]) -> AskedSettings:
    """What the engine is asked with: its defaults, over them what is stored, over that what the address says."""
    kind = ENGINES[engine].Settings
    prefix = f"{engine}."
    typed = {key.removeprefix(prefix): value for key, value in address.items() if key.startswith(prefix) and value}
    kept, unfit = fitting_settings(kind, stored)
    rows = tuple(_row(engine, told, kind, getattr(kept, told.name), typed) for told in settings_of(kind))
    unknown = typed.keys() - {row.told.name for row in rows}
    problems = {f"{prefix}{name}": f"There is no setting {name}." for name in sorted(unknown)}
    problems |= {f"{prefix}{name}": f"{problem} (stored with the catalog)" for name, problem in unfit.items()}
    return AskedSettings(engine, rows, problems | {row.name: row.problem for row in rows if row.problem})


def _row(engine: str, told: Setting, kind: type[TypedSettings], usual: Value, typed: Mapping[str, Any]) -> SettingRow:
    said = typed.get(told.name)
    if said is None:
        return SettingRow(engine, told, usual, "", usual, "")
    try:
        value: Value = getattr(read_settings(kind, {told.name: said}), told.name)
    except UnfitSettingsError as error:
        return SettingRow(engine, told, usual, str(said), usual, str(error))
    return SettingRow(engine, told, usual, str(said), value, "")


def engines_named(address: Mapping[str, Any]) -> Iterator[str]:
    """The engines that an address has settings for, in the order of the registry."""
    named = {key.partition(".")[0] for key in address}
    return (slug for slug in ENGINES if slug in named)
