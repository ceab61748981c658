"""Suites and what people judged. Their pages change them."""

from django.contrib import admin

from catalog.admin.bases import ReadOnlyAdmin
from catalog.models import Judgement, Suite, SuiteQuery


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
