"""The chain of audit entries: what is changed, taken out, put in or moved is named, and only what is older may be pruned."""

import importlib
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.auditing.chain import START, Link, first_misfit, hash_of
from catalog.auditing.pruning import prune, prune_old
from catalog.auditing.recording import Act, record
from catalog.auditing.sealing import seal, verify
from catalog.models import AuditEntry
from catalog.models.audit_entry import AuditIsAppendOnlyError

TABLE = "catalog_auditentry"


def links(count: int) -> list[Link]:
    made: list[Link] = []
    for number in range(1, count + 1):
        previous = made[-1].hash if made else START
        made.append(Link(number, (f"act {number}", None), previous, hash_of(number, (f"act {number}", None), previous)))
    return made


def test_an_untouched_chain_fits() -> None:
    assert first_misfit(links(5)) is None
    assert first_misfit(links(5)[2:], 2, links(2)[1].hash) is None


@pytest.mark.parametrize(
    ("tamper", "number", "reason"),
    [
        (lambda chain: chain[:2] + chain[3:], 3, "missing"),
        (lambda chain: chain[1:], 1, "missing"),
        (lambda chain: [*chain[:2], replace(chain[2], said=("another act", None)), *chain[3:]], 3, "changed"),
        (lambda chain: [*chain[:2], replace(chain[2], hash="0" * 64), *chain[3:]], 3, "changed"),
        (lambda chain: [chain[0], chain[2], chain[1], *chain[3:]], 2, "missing"),
        (lambda chain: [*chain[:2], *links(5)[1:]], 3, "missing"),
        (
            lambda chain: [*chain[:2], Link(3, ("x",), START, hash_of(3, ("x",), START)), *chain[3:]],
            3,
            "does not hold the hash",
        ),
    ],
)
def test_the_first_entry_that_does_not_fit_is_named(tamper, number: int, reason: str) -> None:  # type: ignore[no-untyped-def]
    misfit = first_misfit(tamper(links(5)))
    assert misfit is not None
    assert misfit.number == number
    assert reason in misfit.reason


@pytest.fixture
def entries(db: None) -> list[AuditEntry]:
    for name in ("one", "two", "three"):
        record(Act.EXPORTED, name, after={"as": name})
    seal()
    return list(AuditEntry.objects.sealed())


@pytest.fixture
def guarded(db: None) -> None:
    """With the trigger that tests go without."""
    with connection.cursor() as cursor:
        cursor.execute(importlib.import_module("catalog.migrations.0015_audit").SQLITE_NO_DELETE)


def test_an_entry_is_refused_every_change_by_the_model(entries: list[AuditEntry]) -> None:
    for change in (
        entries[0].save,
        entries[0].delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(who="another"),
        lambda: AuditEntry.objects.bulk_update(entries, ["who"]),
    ):
        with pytest.raises(AuditIsAppendOnlyError):
            change()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET who = 'another' WHERE number = 2",
        "UPDATE {} SET hash = 'x' WHERE number = 2",
        "UPDATE {} SET number = NULL WHERE number = 2",
        "UPDATE {} SET id = 99 WHERE number = 2",
        "DELETE FROM {} WHERE number = 3",
        "DELETE FROM {}",
    ],
)
def test_an_entry_is_refused_every_change_by_the_database(
    entries: list[AuditEntry], guarded: None, statement: str
) -> None:
    with pytest.raises(DatabaseError, match="an audit entry is not"), transaction.atomic():
        connection.cursor().execute(statement.format(TABLE))
    assert list(AuditEntry.objects.sealed()) == entries


def test_an_entry_that_waits_to_be_sealed_can_be_given_its_place_and_nothing_else(guarded: None) -> None:
    record(Act.EXPORTED, "one")
    for statement in ("UPDATE {} SET name = 'two', number = 1", "DELETE FROM {}"):
        with pytest.raises(DatabaseError, match="an audit entry is not"), transaction.atomic():
            connection.cursor().execute(statement.format(TABLE))
    assert seal() == 1
    assert verify() is None


@pytest.mark.parametrize("column", ["who", "after", "act", "at", "name", "address"])
def test_a_file_that_was_tampered_with_is_found_out(
    entries: list[AuditEntry], column: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_audit")
    assert f"3 entries fit. The last is 3, its hash {entries[2].hash}" in capsys.readouterr().out
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER audit_no_update")
        cursor.execute(f"UPDATE {TABLE} SET {column} = '2026-01-01 00:00:00' WHERE number = 2")
    with pytest.raises(CommandError, match="Entry 2 was changed"):
        call_command("verify_audit")


def test_an_end_that_was_taken_off_is_found_out_by_a_hash_that_was_kept_elsewhere(entries: list[AuditEntry]) -> None:
    call_command("verify_audit", has=entries[2].hash)
    connection.cursor().execute(f"DELETE FROM {TABLE} WHERE number = 3")
    call_command("verify_audit")
    with pytest.raises(CommandError, match="no entry has this hash"):
        call_command("verify_audit", has=entries[2].hash)


def test_what_is_pruned_is_told_and_the_rest_still_fits(
    entries: list[AuditEntry], guarded: None, settings: Settings
) -> None:
    settings.PEGBOARD_AUDIT_DAYS = 0
    assert prune_old() == 0, "by default all is kept"
    assert prune(entries[2].at) == 2
    seal()
    kept = list(AuditEntry.objects.sealed())
    assert [(entry.number, entry.act) for entry in kept] == [(3, "exported"), (4, "pruned")]
    assert kept[1].pruned_to == 2
    assert verify() is None
    assert prune(timezone.now() + timedelta(days=1)) == 2, "the entry on pruning too, told by a newer one"
    record(Act.EXPORTED, "four")
    seal()
    assert [entry.number for entry in AuditEntry.objects.sealed()] == [5, 6]
    assert verify() is None


def test_more_than_was_told_as_pruned_is_missed(entries: list[AuditEntry]) -> None:
    prune(entries[1].at)
    seal()
    connection.cursor().execute(f"DELETE FROM {TABLE} WHERE number = 2")
    misfit = verify()
    assert misfit is not None and misfit.number == 2


def test_many_at_once_make_one_chain_without_a_fork(transactional_db: None) -> None:
    def write(name: str) -> None:
        try:
            for number in range(10):
                with transaction.atomic():
                    record(Act.EXPORTED, f"{name} {number}")
        except Exception as problem:
            faults.append(problem)
        finally:
            connection.close()

    faults: list[Exception] = []
    writers = [threading.Thread(target=write, args=(f"writer {number}",)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert faults == []
    numbers = [entry.number for entry in AuditEntry.objects.sealed()]
    assert numbers == list(range(1, 81))
    assert verify() is None


def test_an_entry_of_a_change_that_is_undone_is_undone_with_it(transactional_db: None) -> None:
    with transaction.atomic():
        record(Act.EXPORTED, "kept")
        try:
            with transaction.atomic():
                record(Act.EXPORTED, "undone")
                raise KeyError
        except KeyError:
            pass
        assert AuditEntry.objects.get().number is None, "no entry is sealed while the change goes on"
    assert [(entry.name, entry.number) for entry in AuditEntry.objects.all()] == [("kept", 1)]
