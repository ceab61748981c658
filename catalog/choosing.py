"""Choosing operations of an OpenAPI document: finding them, ticking them, and planning the import of the chosen ones."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from catalog.api_documents import chosen_listing
from catalog.auditing.recording import Act, record
from catalog.batches import batched
from catalog.importing import stage
from catalog.models import ApiDocument, Import, Server
from catalog.models.api_document import OperationQuerySet
from catalog.patterns import compile_glob

MAX_TAGS = 200


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is chosen of how much, and what both would cost a prompt (estimated tokens)."""

    chosen: int
    all: int
    chosen_tokens: int
    all_tokens: int


def counts_of(server: Server) -> Counts:
    operations, chosen = server.operations.all(), server.operations.filter(is_chosen=True)
    return Counts(chosen.count(), operations.count(), chosen.tokens(), operations.tokens())


def found(server: Server, filters: Mapping[str, Any]) -> OperationQuerySet:
    """The operations that the filters of the page let through. Deprecated ones are apart, unless they are chosen."""
    operations = server.operations.matching(filters.get("q", "")).tagged(filters.get("tag", ""))
    if methods := filters.get("method"):
        operations = operations.filter(method__in=methods)
    match filters.get("show"):
        case "chosen":
            return operations.filter(is_chosen=True)
        case "new":
            return operations.filter(is_new=True)
        case "deprecated":
            return operations.filter(is_deprecated=True)
    return operations.filter(is_deprecated=False)


def method_counts(operations: OperationQuerySet) -> dict[str, int]:
    counted = operations.order_by().values_list("method").annotate(Count("pk"))
    return {str(method): int(count) for method, count in counted}


def tags_of(server: Server) -> list[str]:
    """The tags of its operations in alphabetical order, so many as a list can show."""
    words = server.operations.order_by().values_list("tag_words", flat=True).distinct()
    return sorted({tag for lines in words for tag in lines.split("\n") if tag}, key=str.casefold)[:MAX_TAGS]


def tick(shown: OperationQuerySet, before: Collection[int], ticked: Collection[int]) -> None:
    """Choose what somebody ticked of the operations that they were shown, and no longer what they unticked.

    What was ticked `before` and still is may be somebody else's to change meanwhile, and stays as it is.
    """
    shown.filter(pk__in=set(ticked) - set(before)).update(is_chosen=True)
    shown.filter(pk__in=set(before) - set(ticked)).update(is_chosen=False)


def choose_named(server: Server, patterns: Iterable[str]) -> list[str]:
    """Choose the operations whose names fit one of the patterns, in which * stands for any letters.

    The answer is the patterns that fit none.
    """
    names = dict(server.operations.values_list("pk", "name"))
    unmet = []
    for pattern in patterns:
        glob = compile_glob(pattern)
        fitting = [pk for pk, name in names.items() if glob.fullmatch(name)]
        if not fitting:
            unmet.append(pattern)
        for numbers in batched(fitting):
            server.operations.filter(pk__in=numbers).update(is_chosen=True)
    return unmet


@transaction.atomic
def plan_chosen(server: Server, by: User | None) -> Import:
    """The import of the chosen operations, ready to be shown. What was new has been seen by then."""
    waiting = server.imports.filter(state=Import.State.CHOOSING)
    source = ApiDocument.objects.get(server=server).source
    importation = waiting.first() or Import(server=server, by=by, source=source)
    server.operations.update(is_new=False)
    stage(importation, chosen_listing(server))
    server.imports.filter(state=Import.State.CHOOSING).update(state=Import.State.DISCARDED)
    record(Act.IMPORT_READ, server, after={"import": importation.pk, "source": source}, by=by)
    return importation
