"""What all pages of the admin have in common: every change is recorded in one place, and none is made over a newer one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar, cast

from django.contrib import admin
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import CASCADE, Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse

from catalog.auditing.recording import Act, record
from catalog.forms.shown_values import shown_value
from catalog.forms.versions import Difference, Versioned

M = TypeVar("M", bound=Model)
ACTS = {ADDITION: Act.ADMIN_ADDED, CHANGE: Act.ADMIN_CHANGED, DELETION: Act.ADMIN_DELETED}
SERVER_SECRETS = ("env", "headers", "credentials")
UNLISTED_OF_TOOL = ("parameters", "output_schema", "annotations", "localised", "simulated_result", "files", "call_plan")


class PegboardAdmin(admin.ModelAdmin[M]):
    """Rows that can be changed here, by the same verbs as on the pages."""

    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    save_as = False
    joined: ClassVar[Sequence[str]] = ()
    """Rows that a list names beside its own."""
    unlisted: ClassVar[Sequence[str]] = ()
    """Fields that are read for the page of one row only."""
    is_told = False
    """Whether what is done here leaves its entry in the audit where it is done."""

    def record(self, request: HttpRequest, rows: Iterable[M], act: int, said: Any) -> None:
        """Every addition, change, deletion and action is told here, deletions before they are made."""
        rows = list(rows)
        LogEntry.objects.log_actions(cast(User, request.user).pk, rows, act, said)
        if not self.is_told:
            for row in rows:
                record(ACTS[act], f"{self.opts.verbose_name} {row}")

    def log_addition(self, request: HttpRequest, obj: M, message: Any) -> None:  # type: ignore[override]
        self.record(request, [obj], ADDITION, message)

    def log_change(self, request: HttpRequest, obj: M, message: Any) -> None:  # type: ignore[override]
        self.record(request, [obj], CHANGE, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[M]) -> None:  # type: ignore[override]
        self.record(request, queryset, DELETION, "")

    def keep(self, row: M, by: User) -> None:
        """Save a row that a form filled in."""
        row.save()

    def drop(self, row: M, by: User) -> None:
        row.delete()

    def why_kept(self, row: M) -> str:
        """Why a row cannot be deleted; empty if it can."""
        return ""

    def save_model(self, request: HttpRequest, obj: M, form: ModelForm[M], change: bool) -> None:
        self.keep(obj, cast(User, request.user))

    def delete_model(self, request: HttpRequest, obj: M) -> None:
        self.drop(obj, cast(User, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[M]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What would go, with the number of rows that go along; rows that must stay hold up the rest."""
        rows = list(objs)
        counts = {str(self.opts.verbose_name_plural): len(rows)} | going_along(self.model, rows)
        return [str(row) for row in rows], counts, set(), [why for row in rows if (why := self.why_kept(row))]

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        match = request.resolver_match
        is_one = match is not None and "object_id" in match.kwargs
        found = super().get_queryset(request)
        if self.joined:
            found = found.select_related(*self.joined)
        return found if is_one else found.defer(*self.unlisted)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> M | None:
        """Where something is posted, nobody else saves the row before the transaction ends."""
        row = super().get_object(request, object_id, from_field)
        if row is None or request.method != "POST":
            return row
        self.model._default_manager.select_for_update().filter(pk=row.pk).first()
        row.refresh_from_db()
        return row

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Actions happen whole or not at all."""
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        with transaction.atomic():
            return super().changelist_view(request, extra_context)

    def form_of(self, row: M | None) -> type[ModelForm[M]]:
        return self.form

    def get_form(self, request: HttpRequest, obj: M | None = None, change: bool = False, **options: Any) -> Any:
        """The form says from which version it was made."""
        form = self.form_of(obj)
        options["form"] = form if issubclass(form, Versioned) else type(form.__name__, (Versioned, form), {})
        return super().get_form(request, obj, change, **options)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> Any:
        """A save that came too late shows what stands and what was filled in, in rows below the form as well."""
        form = context["adminform"].form
        if form.stale:
            groups = context["inline_admin_formsets"]
            below = [one for group in groups for one in differing_rows(group.formset)]
            if form.is_only_stale and not any(group.formset.total_error_count() for group in groups):
                context["errors"] = []
            context["stale"] = replace(form.stale, differing=(*form.stale.differing, *below))
        context["version"] = form.version
        answer = super().render_change_form(request, context, *args, **options)
        answer.status_code = form.status
        return answer


class ReadOnlyAdmin(PegboardAdmin[Any]):
    """Rows that the product alone writes: to be read, and neither added nor changed nor deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RevocableAdmin(ReadOnlyAdmin):
    """Rows that can be taken away, and are otherwise only read."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


def going_along(model: type[Model], rows: Sequence[Model]) -> dict[str, int]:
    """How many rows go with these, by what they are; what goes with those in turn is not counted."""
    counts = {}
    for relation in model._meta.related_objects:
        if relation.on_delete is CASCADE:
            found = relation.related_model._default_manager.filter(**{f"{relation.field.name}__in": rows})
            counts[str(relation.related_model._meta.verbose_name_plural)] = found.count()
    return {name: count for name, count in counts.items() if count}


def differing_rows(formset: Any) -> list[Difference]:
    """What was filled in of rows below a form, against what stands; rows that came meanwhile."""
    there = {row.pk: row for row in formset.get_queryset().all()}
    told: list[Difference] = []
    for form in formset.forms:
        row = there.pop(form.instance.pk, None)
        for name in form.changed_data if row else ():
            field = form.fields[name]
            stands, mine = shown_value(field, form[name].initial), shown_value(field, form[name].data)
            told.append((f"{row}: {form[name].label}", stands, mine))
    kind = str(formset.model._meta.verbose_name)
    return [*told, *((kind, str(row), "") for row in there.values())]
