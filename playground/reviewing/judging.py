"""Judging recorded queries: one person's words, kept in a suite of the catalog, and taken back as they were."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.judging import changed, judge, unjudge
from catalog.models import Catalog, Judgement, Suite, SuiteQuery
from playground.reviewing.wording import query_digest

ORIGIN = "Recorded in runs"
Before = list[list[Any]]
"""What a person had said of a query: row of the query, tool, verdict, need and time of each, as JSON can hold it."""


def reviewed_slug(catalog: Catalog) -> str:
    return f"reviewed-{catalog.slug}"[:60]


def reviewed_suite(catalog: Catalog, by: User | None) -> Suite:
    """The suite that holds the catalog's reviewed queries, made on first use."""
    about = {
        "title": f"Reviewed: {catalog.title}"[:100],
        "description": "Queries that models asked in recorded runs, as people judged them under Review.",
        "catalog": catalog,
        "by": by,
    }
    suite, _ = Suite.objects.get_or_create(slug=reviewed_slug(catalog), defaults=about)
    if suite.catalog_id is None:
        Suite.objects.filter(pk=suite.pk).update(catalog=catalog)
        suite.catalog = catalog
    return suite


def rows_of_words(catalog: Catalog, words: str) -> list[SuiteQuery]:
    """The queries of the catalog's suites that are the same words."""
    rows = SuiteQuery.objects.filter(suite__catalog=catalog).select_related("suite").order_by("pk")
    return [row for row in rows if query_digest(row.text) == words]


@transaction.atomic
def say(catalog: Catalog, query: str, tool: str, verdict: str, by: User) -> Before:
    """One person's word on a tool (`server/name`, empty with “no such tool”), in place of their last; an empty one takes it back.

    What they had said of the query comes back, for `take_back`.
    """
    rows = rows_of_words(catalog, query_digest(query))
    before = _said(rows, by)
    if not verdict:
        for row in rows:
            unjudge(row, tool, by)
        return before
    row = _row_for(catalog, query, rows, by)
    server, _, name = tool.partition("/")
    old = row.judgements.filter(server=server, tool=name, by=by).first()
    judge(row, tool, Judgement.Verdict(verdict), by, need=old.need if old else 1)
    return before


@transaction.atomic
def take_back(catalog: Catalog, words: str, before: Before, by: User) -> None:
    """Have one person's judgements of a query be as they were, with their times: what others said since stays newer."""
    rows = {row.pk: row for row in rows_of_words(catalog, words)}
    Judgement.objects.filter(query__in=rows, by=by).delete()
    for pk, tool, verdict, need, at in before:
        if pk in rows:
            again = judge(rows[pk], tool, Judgement.Verdict(verdict), by, need=need)
            Judgement.objects.filter(pk=again.pk).update(at=at)
    for row in rows.values():
        changed(row.suite)


def _row_for(catalog: Catalog, query: str, rows: list[SuiteQuery], by: User) -> SuiteQuery:
    """The row that they judged before, else the first of these words, else a new one among the reviewed queries."""
    for row in sorted(rows, key=lambda one: not one.judgements.filter(by=by).exists()):
        return row
    suite = reviewed_suite(catalog, by)
    return SuiteQuery.objects.get_or_create(suite=suite, text=query, defaults={"origin": ORIGIN})[0]


def _said(rows: list[SuiteQuery], by: User) -> Before:
    theirs = Judgement.objects.filter(query__in=rows, by=by).order_by("at", "pk")
    return [[one.query_id, one.key, one.verdict, one.need, one.at.isoformat()] for one in theirs]
