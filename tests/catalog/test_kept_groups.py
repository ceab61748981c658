"""The groups of all tools that facets count: kept while nothing that decides them changes, and no longer."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from catalog.kept_groups import groups_of_all, kept
from catalog.models import Catalog, Drift, Server, Tool
from catalog.narrowing import groups_of

LONG_AGO = timedelta(hours=1)


@pytest.fixture
def settled(team: Catalog) -> Iterator[None]:
    """Tools that nobody has edited for an hour."""
    Tool.objects.update(updated_at=timezone.now() - LONG_AGO)
    yield
    kept.stamped = None, ()


def weather() -> Tool:
    return Tool.objects.get(name="getWeather")


def test_what_nothing_has_changed_of_is_not_grouped_again(settled: None) -> None:
    groups = groups_of_all()
    assert list(groups) == groups_of("")
    assert groups_of_all() is groups


def _edited() -> None:
    tool = weather()
    tool.own_category = "skies"
    tool.save()


def _drifted() -> None:
    Drift.objects.create(tool=weather(), upstream={}, changes_meaning=True)


def _renamed() -> None:
    Server.objects.filter(slug="team").update(slug="crew")


@pytest.mark.parametrize(
    "change",
    [
        _edited,
        _drifted,
        _renamed,
        lambda: weather().delete(),
        lambda: Tool.objects.filter(name="getWeather").update(last_used_at=timezone.now()),
        lambda: Tool.objects.filter(name="getWeather").update(gone_at=timezone.now()),
        lambda: Tool.objects.filter(name="getWeather").update(enabled=False),
        lambda: Tool.objects.filter(name="getWeather").update(suspicions=[{"kind": "order to the model"}]),
    ],
)
def test_any_change_is_seen(settled: None, change: Callable[[], object]) -> None:
    before = groups_of_all()
    change()
    assert groups_of_all() != before
    assert list(groups_of_all()) == groups_of("")


def test_another_tool_in_a_state_is_seen_though_they_are_as_many(settled: None) -> None:
    Tool.objects.filter(name="getWeather").update(enabled=False)
    before = groups_of_all()
    Tool.objects.filter(name="getWeather").update(enabled=True)
    Tool.objects.filter(name="notify_user").update(enabled=False)
    assert list(groups_of_all()) == groups_of("") != list(before)


def test_nothing_is_kept_while_an_edit_may_still_be_on_its_way(settled: None) -> None:
    Tool.objects.filter(name="getWeather").update(updated_at=timezone.now())
    assert groups_of_all() is not groups_of_all()
