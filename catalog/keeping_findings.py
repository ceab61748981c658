"""The rows of findings brought in line with what rules now say; setting one aside, and taking that back."""

from collections.abc import Collection, Iterable, Iterator

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.batches import BATCH, batched, write_fields
from catalog.lint.finding import Finding as Told
from catalog.models import Finding, Tool
from catalog.models.finding import FindingQuerySet

SPOKEN = ("where", "start", "end", "sentence", "advice", "facts", "only_here", "only_there", "rests_on", "outdated")
DECIDED = ("state", "reason", "by", "set_aside_at")
Key = tuple[str, int, int | None]
"""A finding's rule, tool and other tool."""


def keep(found: Iterable[Told], asked: Collection[int], rules: Collection[str]) -> None:
    """Have the findings of these rules about these tools (keys of rows) be those that were found.

    One that was set aside stays so, unless what it rests on has changed.
    """
    before = {(row.rule, row.tool_id, row.other_id): row for row in _rows(asked, rules)}
    told = {(row.rule, row.tool_id, row.other_id): row for row in _made(list(found))}
    Finding.objects.bulk_create([row for key, row in told.items() if key not in before], BATCH, ignore_conflicts=True)
    changed = [before[key] for key, row in told.items() if key in before and _follow(before[key], row)]
    write_fields(changed, [*SPOKEN, *DECIDED])
    for batch in batched([row.pk for key, row in before.items() if key not in told]):
        Finding.objects.filter(pk__in=batch).delete()


def set_aside(finding: Finding, by: User, reason: str) -> None:
    """Until the texts that it rests on change."""
    finding.state, finding.by, finding.reason = Finding.State.ASIDE, by, reason
    finding.set_aside_at = timezone.now()
    finding.save(update_fields=DECIDED)


def reopen(finding: Finding) -> None:
    _open(finding)
    finding.save(update_fields=DECIDED)


def _rows(asked: Collection[int], rules: Collection[str]) -> Iterator[Finding]:
    """Of tools that are gone, too: nothing is found of them, so that theirs go."""
    seen: set[int] = set()
    for batch in batched(asked):
        rows: FindingQuerySet = Finding.objects.about(batch)
        for row in rows.filter(rule__in=rules):
            if row.pk not in seen:
                seen.add(row.pk)
                yield row


def _made(found: list[Told]) -> Iterator[Finding]:
    keys = {key for one in found for key in (one.tool, one.other) if key}
    tools = {f"{server}/{name}": pk for pk, server, name in _named(keys)}
    for one in found:
        if one.tool not in tools or (one.other and one.other not in tools):
            continue
        yield Finding(
            rule=one.rule,
            tool_id=tools[one.tool],
            other_id=tools[one.other] if one.other else None,
            where=one.where,
            start=one.start,
            end=one.end,
            sentence=one.sentence,
            advice=one.advice,
            facts=[[fact.label, fact.text] for fact in one.facts],
            only_here=list(one.only_here),
            only_there=list(one.only_there),
            rests_on=one.rests_on,
        )


def _named(keys: set[str]) -> Iterator[tuple[int, str, str]]:
    for names in batched({key.partition("/")[2] for key in keys}):
        yield from Tool.objects.filter(name__in=names).values_list("pk", "server__slug", "name")


def _follow(row: Finding, told: Finding) -> bool:
    """Take over what is told now; whether anything differs."""
    if all(getattr(row, name) == getattr(told, name) for name in SPOKEN):
        return False
    if row.rests_on != told.rests_on:
        _open(row)
    for name in SPOKEN:
        setattr(row, name, getattr(told, name))
    return True


def _open(row: Finding) -> None:
    row.state, row.reason, row.by, row.set_aside_at = Finding.State.OPEN, "", None, None
