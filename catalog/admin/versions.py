"""Published versions of catalogs and what they hold: nothing changes them, here no more than elsewhere."""

from django.contrib import admin

from catalog.admin.bases import ReadOnlyAdmin
from catalog.models import CatalogVersion, ToolDefinition, VersionContent


@admin.register(CatalogVersion)
class CatalogVersionAdmin(ReadOnlyAdmin):
    list_display = ["catalog", "number", "by", "at", "note", "restores"]
    list_filter = ["catalog"]
    list_select_related = ["catalog", "by"]
    search_fields = ["catalog__slug", "catalog__title", "note"]
    date_hierarchy = "at"
    joined = ["content"]


@admin.register(VersionContent)
class VersionContentAdmin(ReadOnlyAdmin):
    list_display = ["hash", "tool_count", "upfront_tokens", "all_tokens"]
    search_fields = ["hash"]
    unlisted = ["settings", "tools", "upfront"]


@admin.register(ToolDefinition)
class ToolDefinitionAdmin(ReadOnlyAdmin):
    list_display = ["hash"]
    search_fields = ["hash"]
    unlisted = ["body"]
