"""The settings of an engine, the options of a mode: a frozen dataclass of switches, numbers and choices, each told in words."""

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from math import isfinite
from typing import Any, Literal, TypeVar

Value = bool | int | float | str
Fidelity = Literal["documented", "implemented"]
"""Whether an engine or a mode does as its system's document says or as its program does, where the two differ."""


class UnfitSettingsError(ValueError):
    """Settings that cannot be taken; `problems` has a sentence for each, by the name of the setting."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True)
class TypedSettings:
    """What all settings derive from; by itself, the settings of what has none."""


DEFAULTS = TypedSettings()
Row = TypeVar("Row", bound=TypedSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reader is told of one setting. A number may have bounds, a text is one of its choices."""

    name: str
    default: Value
    label: str
    help: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]

    @property
    def kind(self) -> str:
        """`bool`, `int`, `float` or `str`."""
        return type(self.default).__name__


def setting(
    default: Value,
    label: str,
    help: str = "",
    *,
    least: float | None = None,
    most: float | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """A field of a settings dataclass."""
    told = {"label": label, "help": help, "least": least, "most": most, "choices": tuple(choices)}
    return field(default=default, metadata=told)


def settings_of(kind: type[TypedSettings]) -> list[Setting]:
    """The settings of a kind, in the order in which they are written."""
    return [_told(each) for each in fields(kind)]


def read_settings(kind: type[Row], given: Mapping[str, Any]) -> Row:
    """Settings from what was stored or typed; what is not given has its default. Raises UnfitSettingsError."""
    known = {told.name: told for told in settings_of(kind)}
    values: dict[str, Value] = {}
    problems = {name: f"There is no setting {name}." for name in given if name not in known}
    for name in given.keys() & known.keys():
        try:
            values[name] = _read(known[name], given[name])
        except ValueError as error:
            problems[name] = f"{known[name].label}: {error}."
    if problems:
        raise UnfitSettingsError(problems)
    return kind(**values)


def fitting_settings(kind: type[Row], given: Mapping[str, Any]) -> tuple[Row, dict[str, str]]:
    """As `read_settings`, but for what cannot be taken, which has its default and is told: a sentence for each."""
    try:
        return read_settings(kind, given), {}
    except UnfitSettingsError as error:
        fit = {name: value for name, value in given.items() if name not in error.problems}
        return read_settings(kind, fit), error.problems


def written(value: Value) -> str:
    """A value as a field and an address have it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).removesuffix(".0")


def changed(settings: TypedSettings) -> dict[str, Value]:
    """Those that differ from the defaults: what is stored, and what stands in an address."""
    values = {told: getattr(settings, told.name) for told in settings_of(type(settings))}
    return {told.name: value for told, value in values.items() if value != told.default}


def _told(each: Field[Any]) -> Setting:
    default: Any = each.default
    return Setting(name=each.name, default=default, **each.metadata)


def _read(told: Setting, given: Any) -> Value:
    match told.kind:
        case "bool":
            return _switch(given)
        case "str":
            return _choice(told, given)
        case _:
            return _number(told, given)


def _switch(given: Any) -> bool:
    said = str(given).lower()
    if said not in ("true", "false", "on", "off", "1", "0"):
        raise ValueError(f"“{given}” is neither on nor off")
    return said in ("true", "on", "1")


def _choice(told: Setting, given: Any) -> str:
    if given not in told.choices:
        raise ValueError(f"“{given}” is none of {', '.join(told.choices)}")
    return str(given)


def _number(told: Setting, given: Any) -> int | float:
    whole = told.kind == "int"
    try:
        value = int(str(given)) if whole else float(str(given))
    except ValueError:
        raise ValueError(f"“{given}” is no {'whole ' if whole else ''}number") from None
    if not isfinite(value) or not _least(told) <= value <= _most(told):
        raise ValueError(f"{given} is not {_range(told)}")
    return value


def _least(told: Setting) -> float:
    return float("-inf") if told.least is None else told.least


def _most(told: Setting) -> float:
    return float("inf") if told.most is None else told.most


def _range(told: Setting) -> str:
    if told.least is not None and told.most is not None:
        return f"from {told.least:g} to {told.most:g}"
    return f"{told.least:g} or more" if told.least is not None else f"{_most(told):g} or less"
