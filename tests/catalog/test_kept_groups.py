"""The groups of all tools that facets count, and their counts: kept while nothing that decides them changes, and no longer."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from catalog.facets import Chosen, count
from catalog.kept_groups import counts_of_all, kept_groups, last
from catalog.models import Catalog, Drift, Server, Tool
from catalog.narrowing import groups_of

LONG_AGO = timedelta(hours=1)


@pytest.fixture
def settled(team: Catalog) -> Iterator[None]:
    """Tools that nobody has edited for an hour."""
    Tool.objects.update(updated_at=timezone.now() - LONG_AGO)
    yield
    last.kept = None


def weather() -> Tool:
    return Tool.objects.get(name="getWeather")


def test_what_nothing_has_changed_of_is_not_grouped_again(settled: None) -> None:
    groups = kept_groups().groups
    assert list(groups) == groups_of("")
    assert kept_groups().groups is groups


def test_what_was_counted_of_the_same_groups_is_not_counted_again(settled: None) -> None:
    counts = counts_of_all(Chosen(category="weather"))
    assert counts == count(groups_of(""), Chosen(category="weather"))
    assert counts_of_all(Chosen(category="weather")) is counts
    assert counts_of_all(Chosen()) != counts
    _edited()
    assert counts_of_all(Chosen(category="weather")) == count(groups_of(""), Chosen(category="weather")) != counts


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
    before = kept_groups().groups
    change()
    assert kept_groups().groups != before
    assert list(kept_groups().groups) == groups_of("")


def test_another_tool_in_a_state_is_seen_though_they_are_as_many(settled: None) -> None:
    Tool.objects.filter(name="getWeather").update(enabled=False)
    before = kept_groups().groups
    Tool.objects.filter(name="getWeather").update(enabled=True)
    Tool.objects.filter(name="notify_user").update(enabled=False)
    assert list(kept_groups().groups) == groups_of("") != list(before)


def test_an_edit_that_is_committed_after_a_later_one_is_seen(settled: None) -> None:
    earlier = timezone.now()
    Tool.objects.filter(name="notify_user").update(updated_at=timezone.now())
    before = kept_groups().groups
    Tool.objects.filter(name="getWeather").update(own_category="skies", updated_at=earlier)
    assert list(kept_groups().groups) == groups_of("") != list(before)


def test_an_edit_of_just_now_does_not_have_them_grouped_each_time(settled: None) -> None:
    Tool.objects.filter(name="getWeather").update(updated_at=timezone.now())
    assert kept_groups().groups is kept_groups().groups


def test_edits_of_long_ago_are_no_longer_told_apart(settled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    _edited()
    groups = kept_groups()
    assert len(groups.edits) == 1
    monkeypatch.setattr("catalog.kept_groups.OVERLAP", timedelta(0))
    later = kept_groups()
    assert (later.groups, later.edits) == (groups.groups, frozenset())
    assert later.groups is groups.groups
