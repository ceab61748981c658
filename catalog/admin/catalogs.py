"""Catalogs with their servers, what is in view from the start, and their policies; each held to what the pages hold it to."""

from contextlib import nullcontext
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from catalog.admin.bases import PegboardAdmin
from catalog.admin.pickers import PickedRowForm, PickedRowInline
from catalog.auditing.facts import of_catalog
from catalog.auditing.recording import Act, audited, record
from catalog.forms.catalogs import CatalogForm
from catalog.forms.fields import LinesField
from catalog.models import Catalog, CatalogServer, PolicyRule, PreDiscovered
from catalog.models.policy_rule import check_pattern
from catalog.publishing.acts import publish_first


class PlaceForm(PickedRowForm):
    """A server's place: all its tools, by pattern, or by exact names."""

    patterns = LinesField(required=False, help_text="One a line; * stands for anything.")
    picked = LinesField(required=False, help_text="Exact names, one a line.")

    class Meta:
        model = CatalogServer
        fields = ["server", "position", "everything", "patterns", "picked"]

    def clean_patterns(self) -> list[str]:
        patterns: list[str] = self.cleaned_data["patterns"]
        for pattern in patterns:
            check_pattern(pattern)
        return patterns

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if sum(bool(cleaned.get(name)) for name in ("everything", "patterns", "picked")) > 1:
            raise ValidationError("Choose one: everything, patterns, or exact names.")
        return cleaned


class WholeCatalogForm(CatalogForm):
    """With the rows that are edited together with it."""

    class Meta(CatalogForm.Meta):
        fields = [*CatalogForm.Meta.fields, "excluded"]

    def beside(self) -> list[Any]:
        if self.row is None:
            return []
        rows = (self.instance.servers, self.instance.pre_discovered, self.instance.policy_rules)
        return [list(of.values()) for of in rows]


class CatalogServerInline(PickedRowInline):
    model = CatalogServer
    form = PlaceForm
    picks = "server"

    def get_queryset(self, request: HttpRequest) -> QuerySet[CatalogServer]:
        return super().get_queryset(request).select_related("server")


class PreDiscoveredInline(PickedRowInline):
    model = PreDiscovered
    form = PickedRowForm
    picks = "tool"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PreDiscovered]:
        return super().get_queryset(request).select_related("tool__server")


class PolicyRuleInline(admin.TabularInline[PolicyRule, Catalog]):
    """The catalog's policy page adds rules, and writes phases and conditions."""

    model = PolicyRule
    extra = 0
    readonly_fields = ["phases", "conditions"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Catalog)
class CatalogAdmin(PegboardAdmin[Catalog]):
    """Its mode, the settings of its engine and what its policy asks are tried, and kept, on its pages."""

    form = WholeCatalogForm
    list_display = ["title", "slug", "mode", "engine", "updated_at"]
    list_filter = ["mode", "engine"]
    search_fields = ["title", "slug"]
    autocomplete_fields = ["excluded"]
    readonly_fields = [
        "mode",
        "mode_options",
        "engine_settings",
        "policy",
        "context_to_try",
        "ask_person",
        "publishes_itself",
        "created_at",
        "updated_at",
    ]
    inlines = [CatalogServerInline, PreDiscoveredInline, PolicyRuleInline]
    is_told = True

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **options: Any
    ) -> HttpResponse:
        """What is changed of the catalog and of the rows below it is one act."""
        is_saved = request.method == "POST" and object_id is not None and object_id.isdecimal()
        row = Catalog.objects.filter(pk=str(object_id)).first() if is_saved else None
        with audited(Act.CATALOG_EDITED, row) if row else nullcontext():
            return super().changeform_view(request, object_id, *args, **options)

    def log_addition(self, request: HttpRequest, obj: Catalog, message: Any) -> None:  # type: ignore[override]
        super().log_addition(request, obj, message)
        record(Act.CATALOG_ADDED, obj, after=of_catalog(obj))

    def drop(self, row: Catalog, by: User) -> None:
        with audited(Act.CATALOG_DELETED, row, by):
            row.delete()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """A catalog that is made here is published as it was made, as on its page."""
        super().save_related(request, form, formsets, change)
        if not change:
            publish_first(form.instance, cast(User, request.user))
