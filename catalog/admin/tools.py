"""Tools and all that is known of them. What a person says over a source can be edited; what a source says cannot."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from catalog.admin.bases import SERVER_SECRETS, UNLISTED_OF_TOOL, PegboardAdmin, ReadOnlyAdmin, RevocableAdmin
from catalog.auditing.recording import Act, audited
from catalog.bulk_acts import ACTS
from catalog.bulk_planning import plan_edit
from catalog.editing import save_overlay
from catalog.forms.tools import ToolForm
from catalog.forms.versions import Versioned
from catalog.models import BulkEdit, Drift, EmbeddedText, Finding, Look, SavedView, Tool, ToolVersion

UNLISTED = (*UNLISTED_OF_TOOL, *(f"server__{name}" for name in SERVER_SECRETS))
UNLISTED_THROUGH_TOOL = tuple(f"tool__{name}" for name in UNLISTED)


class OverlayForm(Versioned, ToolForm):
    """The form of the tool's page; it says by its own version what it was made from."""

    began_from = None  # type: ignore[assignment]


@admin.register(Tool)
class ToolAdmin(PegboardAdmin[Tool]):
    """Tools come with their servers and go with them. Every edit is a version; edits of many are shown before they are made."""

    form = OverlayForm
    is_told = True
    list_display = ["name", "server", "category", "permission", "enabled", "searchable", "gone_at"]
    list_filter = ["server", "permission", "enabled", "searchable", "capability"]
    joined = ["server"]
    unlisted = UNLISTED
    search_fields = ["name", "server__slug"]
    readonly_fields = [
        *("server", "name", "title", "description", "category", "tags", "permission", "capability", "parameters"),
        *(
            "output_schema",
            "annotations",
            "suspicions",
            "suspicions_seen_at",
            "first_seen_at",
            "last_seen_at",
            "gone_at",
        ),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tool | None = None) -> bool:
        return False

    def keep(self, row: Tool, by: User) -> None:
        with audited(Act.TOOL_EDITED, row, by):
            save_overlay(row, by)

    def get_actions(self, request: HttpRequest) -> Any:
        """The acts of the tools page that need no value."""
        offered = {name: act for name, act in ACTS.items() if not act.asks}
        return {f"plan_{name}": (_planned(name), f"plan_{name}", f"{act.words}…") for name, act in offered.items()}


def _planned(act: str) -> Callable[[ToolAdmin, HttpRequest, QuerySet[Tool]], HttpResponse]:
    return partial(_plan, act=act)


def _plan(page: ToolAdmin, request: HttpRequest, tools: QuerySet[Tool], *, act: str) -> HttpResponse:
    """Plan the act and show it; it is applied from there, and undone."""
    edit = plan_edit(act, "", list(tools.values_list("pk", flat=True)), cast(User, request.user), "")
    messages.info(request, "Nothing was changed yet: look, then apply it.")
    return redirect(edit)


@admin.register(ToolVersion)
class ToolVersionAdmin(ReadOnlyAdmin):
    list_display = ["tool", "layer", "by", "at"]
    list_filter = ["layer"]
    joined = ["tool__server", "by"]
    unlisted = ["content", *UNLISTED_THROUGH_TOOL]
    search_fields = ["tool__name"]
    date_hierarchy = "at"


@admin.register(Drift)
class DriftAdmin(ReadOnlyAdmin):
    list_display = ["tool", "state", "changes_meaning", "rewrites", "found_at", "decided_by", "decided_at"]
    list_filter = ["state", "changes_meaning", "rewrites"]
    joined = ["tool__server", "decided_by"]
    unlisted = ["upstream", *UNLISTED_THROUGH_TOOL]
    search_fields = ["tool__name"]
    date_hierarchy = "found_at"


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    list_display = ["rule", "tool", "other", "state", "outdated", "found_at"]
    list_filter = ["rule", "state", "outdated"]
    joined = ["tool__server", "other__server"]
    unlisted = [*UNLISTED_THROUGH_TOOL, *(f"other__{name}" for name in UNLISTED)]
    search_fields = ["tool__name"]


@admin.register(Look)
class LookAdmin(ReadOnlyAdmin):
    list_display = ["of", "by", "tools", "problem", "began_at", "ended_at"]
    list_select_related = ["server", "catalog", "by"]
    date_hierarchy = "began_at"


@admin.register(BulkEdit)
class BulkEditAdmin(ReadOnlyAdmin):
    list_display = ["act", "value", "state", "by", "created_at"]
    list_filter = ["state", "act"]
    joined = ["by"]
    unlisted = ["tool_ids", "plan", "outcome"]
    date_hierarchy = "created_at"
    exclude = ["tool_ids", "plan", "outcome"]


@admin.register(SavedView)
class SavedViewAdmin(RevocableAdmin):
    list_display = ["name", "by", "query"]
    joined = ["by"]
    search_fields = ["name", "by__username"]


@admin.register(EmbeddedText)
class EmbeddedTextAdmin(RevocableAdmin):
    """Made anew when they are next needed."""

    list_display = ["digest", "asked_on"]
    search_fields = ["digest"]
    unlisted = ["vector"]
    date_hierarchy = "asked_on"
