"""Suites, what people judged, and what was measured on them. Their pages change them."""

from django.contrib import admin

from catalog.admin.bases import ReadOnlyAdmin
from catalog.models import Evaluation, EvaluationAnswer, Judgement, Suite, SuiteContent, SuiteQuery


@admin.register(Suite)
class SuiteAdmin(ReadOnlyAdmin):
    list_display = ["title", "slug", "catalog", "revision", "by", "created_at"]
    joined = ["catalog", "by"]
    search_fields = ["title", "slug"]


@admin.register(SuiteQuery)
class SuiteQueryAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "suite", "origin", "added_at"]
    list_filter = ["suite"]
    joined = ["suite"]
    search_fields = ["text"]


@admin.register(Judgement)
class JudgementAdmin(ReadOnlyAdmin):
    list_display = ["query", "key", "verdict", "need", "by", "at"]
    list_filter = ["verdict"]
    joined = ["query", "by"]
    search_fields = ["query__text", "tool"]


@admin.register(SuiteContent)
class SuiteContentAdmin(ReadOnlyAdmin):
    list_display = ["hash"]
    search_fields = ["hash"]
    unlisted = ["body"]


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "suite", "engine", "catalog", "state", "by", "created_at"]
    list_filter = ["state", "engine", "suite"]
    joined = ["suite", "catalog", "by"]
    search_fields = ["suite__title", "note"]


@admin.register(EvaluationAnswer)
class EvaluationAnswerAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "evaluation", "query"]
    joined = ["evaluation"]
    search_fields = ["query"]
