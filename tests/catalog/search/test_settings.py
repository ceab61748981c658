"""The settings of engines: read from anything, refused in words, stored as what differs."""

from dataclasses import dataclass
from typing import Any

import pytest

from catalog.search import ENGINES
from catalog.search.settings import (
    TypedSettings,
    UnfitSettingsError,
    changed,
    read_settings,
    setting,
    settings_of,
)


@dataclass(frozen=True, slots=True)
class Some(TypedSettings):
    limit: int = setting(5, "Limit", least=1, most=9)
    weight: float = setting(1.0, "Weight", least=0)
    typos: bool = setting(True, "Typos", "Whether slips are forgiven.")
    kind: str = setting("one", "Kind", choices=("one", "two"))


def test_what_is_not_given_has_its_default() -> None:
    assert read_settings(Some, {}) == Some()


def test_texts_of_an_address_are_read_by_their_type() -> None:
    typed = {"limit": "7", "weight": "0.5", "typos": "off", "kind": "two"}
    assert read_settings(Some, typed) == Some(7, 0.5, False, "two")


def test_stored_values_are_read_as_they_are() -> None:
    assert read_settings(Some, {"limit": 7, "weight": 2, "typos": False}) == Some(7, 2.0, False)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("limit", "x", "Limit: “x” is no whole number."),
        ("limit", "2.5", "Limit: “2.5” is no whole number."),
        ("limit", True, "Limit: “True” is no whole number."),
        ("limit", 10, "Limit: 10 is not from 1 to 9."),
        ("weight", "-1", "Weight: -1 is not 0 or more."),
        ("weight", "nan", "Weight: nan is not 0 or more."),
        ("weight", "inf", "Weight: inf is not 0 or more."),
        ("typos", "maybe", "Typos: “maybe” is neither on nor off."),
        ("kind", "three", "Kind: “three” is none of one, two."),
        ("colour", "red", "There is no setting colour."),
    ],
)
def test_what_cannot_be_taken_is_refused_in_words(name: str, value: Any, problem: str) -> None:
    with pytest.raises(UnfitSettingsError) as refused:
        read_settings(Some, {name: value})
    assert refused.value.problems == {name: problem}


def test_every_problem_is_told_at_once() -> None:
    with pytest.raises(UnfitSettingsError) as refused:
        read_settings(Some, {"limit": "x", "kind": "three", "weight": "1"})
    assert set(refused.value.problems) == {"limit", "kind"}


def test_only_what_differs_is_stored() -> None:
    settings = Some(weight=2.0, kind="two")
    assert changed(settings) == {"weight": 2.0, "kind": "two"}
    assert read_settings(Some, changed(settings)) == settings


@pytest.mark.parametrize("slug", ENGINES)
def test_an_engine_takes_its_own_defaults(slug: str) -> None:
    kind = ENGINES[slug].Settings
    told = settings_of(kind)
    assert read_settings(kind, {one.name: one.default for one in told}) == kind()
    assert all(one.label for one in told)
