"""Rows in batches: how they are cut, and fields of many rows written at once."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.batches import BATCH, batched, write_fields
from catalog.models import Catalog, Tool


def test_no_value_is_lost_between_batches() -> None:
    assert list(batched(range(2 * BATCH + 1))) == [
        [*range(BATCH)],
        [*range(BATCH, 2 * BATCH)],
        [2 * BATCH],
    ]
    assert list(batched([])) == []


def test_fields_of_every_kind_are_written_as_a_save_writes_them(team: Catalog) -> None:
    wanted: list[dict[str, Any]] = [
        {"own_tags": ["a", "ü"], "enabled": False, "edited_at": timezone.now(), "own_description": "Says “'%s'”."},
        {"own_tags": None, "enabled": True, "edited_at": None, "own_description": None},
        {"own_tags": [], "enabled": False, "edited_at": None, "own_description": ""},
    ]
    rows = list(Tool.objects.order_by("pk"))[: len(wanted)]
    others = list(Tool.objects.exclude(pk__in=[row.pk for row in rows]).values())
    for row, fields in zip(rows, wanted, strict=True):
        for name, value in fields.items():
            setattr(row, name, value)
    with CaptureQueriesContext(connection) as questions:
        write_fields(rows, list(wanted[0]))
    assert len(questions) == 1
    assert [Tool.objects.values(*wanted[0]).get(pk=row.pk) for row in rows] == wanted
    assert Tool.objects.filter(own_tags__isnull=True, pk=rows[1].pk).exists()
    assert list(Tool.objects.exclude(pk__in=[row.pk for row in rows]).values()) == others


@pytest.mark.django_db
def test_of_no_rows_nothing_is_asked() -> None:
    with CaptureQueriesContext(connection) as questions:
        write_fields([], ["enabled"])
    assert len(questions) == 0
