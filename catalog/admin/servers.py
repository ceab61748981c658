"""Servers, and what was read of them. A server is edited by the form of its page, so that its approval and secrets hold."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from catalog.admin.bases import PegboardAdmin, ReadOnlyAdmin
from catalog.auditing.recording import Act, audited
from catalog.forms.server_edits import edit_form
from catalog.models import (
    ApiDocument,
    App,
    Catalog,
    Contact,
    Import,
    Introduction,
    Operation,
    Server,
    ServerSignIn,
    SignInAttempt,
    StagedTool,
)
from catalog.sessions.current import review_soon
from catalog.switching import drop_server, switch_server, why_kept


@admin.register(Server)
class ServerAdmin(PegboardAdmin[Server]):
    """Added on the page of servers, which asks for what each kind needs; approved on its own page, which shows what is approved."""

    list_display = ["title", "slug", "kind", "transport", "enabled", "approval", "synced_at"]
    list_filter = ["kind", "transport", "enabled"]
    search_fields = ["title", "slug"]
    unlisted = ["headers", "credentials", "description", "sync_problem"]
    readonly_fields = [
        "kind",
        "transport",
        "enabled",
        "approval",
        "approved_by",
        "approved_at",
        "synced_at",
        "sync_problem",
    ]
    actions = ("switch_on", "switch_off")
    is_told = True

    def form_of(self, row: Server | None) -> type[ModelForm[Server]]:
        return edit_form(row) if row else self.form

    def get_form(self, request: HttpRequest, obj: Server | None = None, change: bool = False, **options: Any) -> Any:
        """With the fields that the form itself has, some of which depend on the server."""
        return super().get_form(request, obj, change, **{**options, "fields": None})

    def get_fields(self, request: HttpRequest, obj: Server | None = None) -> Any:
        own = list(self.get_form(request, obj)(instance=obj).fields) if obj else []
        return [*own, *self.readonly_fields]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Server | None = None) -> bool:
        return not (obj and why_kept(obj))

    def keep(self, row: Server, by: User) -> None:
        with audited(Act.SERVER_EDITED, row, by):
            row.save()
        transaction.on_commit(review_soon)

    def drop(self, row: Server, by: User) -> None:
        drop_server(row)

    def why_kept(self, row: Server) -> str:
        return why_kept(row)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """With the catalogs whose agents lose its tools at once, of versions that are published, too."""
        rows = list(objs)
        return [_told(row) for row in rows], *super().get_deleted_objects(rows, request)[1:]

    @admin.action(description="Switch on", permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Server]) -> None:
        self._switch(request, queryset, True)

    @admin.action(description="Switch off", permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Server]) -> None:
        self._switch(request, queryset, False)

    def _switch(self, request: HttpRequest, servers: QuerySet[Server], is_on: bool) -> None:
        word = "on" if is_on else "off"
        for server in servers.filter(enabled=not is_on):
            switch_server(server, is_on)
            self.log_change(request, server, f"Switched {word}.")
        messages.success(request, f"They are switched {word}.")


def _told(server: Server) -> str:
    titles = [*Catalog.objects.filter(servers__server=server).order_by("title").values_list("title", flat=True)]
    return f"{server}: its tools leave {', '.join(titles)}" if titles else str(server)


@admin.register(App)
class AppAdmin(ReadOnlyAdmin):
    list_display = ["server", "is_registered", "registered_at", "unregistered_at"]
    list_select_related = ["server"]
    search_fields = ["server__slug", "server__title"]


@admin.register(ApiDocument)
class ApiDocumentAdmin(ReadOnlyAdmin):
    list_display = ["server", "title", "version", "source", "takes_new", "read_at"]
    list_filter = ["takes_new"]
    list_select_related = ["server"]
    search_fields = ["title", "server__slug"]
    unlisted = ["schemes", "problems", "addresses"]


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    list_display = ["name", "method", "server", "is_chosen", "is_new", "is_deprecated", "tokens"]
    list_filter = ["server", "method", "is_chosen", "is_new", "is_deprecated"]
    list_select_related = ["server"]
    search_fields = ["name", "server__slug"]
    unlisted = ["tool", "description"]


@admin.register(Contact)
class ContactAdmin(ReadOnlyAdmin):
    list_display = ["server", "kind", "at", "seconds", "problem"]
    list_filter = ["kind", "server"]
    list_select_related = ["server"]
    search_fields = ["server__slug"]
    date_hierarchy = "at"


@admin.register(ServerSignIn)
class ServerSignInAdmin(ReadOnlyAdmin):
    list_display = ["server", "issuer", "who", "by", "at", "expires_at", "problem"]
    list_select_related = ["server", "by"]
    search_fields = ["server__slug", "who"]


@admin.register(SignInAttempt)
class SignInAttemptAdmin(ReadOnlyAdmin):
    list_display = ["server", "user", "expires_at"]
    list_select_related = ["server", "user"]
    search_fields = ["server__slug", "user__username"]
    exclude = ["session", "state"]


@admin.register(Introduction)
class IntroductionAdmin(ReadOnlyAdmin):
    list_display = ["server", "name", "version", "protocol", "at"]
    list_select_related = ["server"]
    search_fields = ["name", "server__slug"]


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ["server", "state", "source", "by", "created_at", "ended_at"]
    list_filter = ["state", "server"]
    list_select_related = ["server", "by"]
    search_fields = ["source", "server__slug"]
    date_hierarchy = "created_at"
    unlisted = ["plan", "suspicions", "problems"]


@admin.register(StagedTool)
class StagedToolAdmin(ReadOnlyAdmin):
    """What an import has read and not yet applied; there may be as many as tools."""

    list_display = ["name", "importation"]
    list_select_related = ["importation__server"]
    search_fields = ["name", "importation__server__slug"]
    unlisted = ["content"]
