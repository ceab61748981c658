"""Rows, keys and names in batches, since a database takes only so many values in one question."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Field, Model

BATCH = 500
"""Rows written, or values asked for, at once."""

T = TypeVar("T")


def batched(values: Iterable[T]) -> Iterator[list[T]]:
    """Each batch but the last is full; there is none where there are no values."""
    remaining = iter(values)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def write_fields(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Write these fields of rows of one model: one statement, prepared once and carried out for each row.

    `bulk_update` makes a `CASE` of as many branches as rows for every field, which takes ten times as long.
    """
    if not rows:
        return
    meta, quoted = rows[0]._meta, connection.ops.quote_name
    pk: Any = meta.pk
    fields: list[Field[object, object]] = [meta.get_field(name) for name in names]  # type: ignore[misc]
    wanted = ", ".join(f"{quoted(str(field.column))} = %s" for field in fields)
    key = quoted(pk.column)
    statement = f"UPDATE {quoted(meta.db_table)} SET {wanted} WHERE {key} = %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk]
                for row in rows
            ],
        )
