"""Django's admin for the catalog's rows. Secrets are not shown, approval and history not edited."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from catalog.agents import drop_agent, keep_agent
from catalog.models import (
    AccessToken,
    Agent,
    ApiDocument,
    App,
    BulkEdit,
    Catalog,
    CatalogServer,
    Contact,
    Finding,
    Import,
    Introduction,
    Look,
    Operation,
    PolicyRule,
    PreDiscovered,
    SavedView,
    Server,
    SignInLink,
    Tool,
    ToolVersion,
)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that are written by the product alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Server)
class ServerAdmin(admin.ModelAdmin[Server]):
    list_display = ["title", "slug", "kind", "transport", "enabled", "approval", "synced_at"]
    list_filter = ["kind", "transport", "enabled"]
    search_fields = ["title", "slug"]
    readonly_fields = ["approval", "approved_by", "approved_at", "synced_at", "sync_problem"]


@admin.register(App)
class AppAdmin(ReadOnlyAdmin):
    list_display = ["server", "is_registered", "registered_at", "unregistered_at"]
    list_select_related = ["server"]


@admin.register(Contact)
class ContactAdmin(ReadOnlyAdmin):
    list_display = ["server", "kind", "at", "seconds", "problem"]
    list_filter = ["kind", "server"]
    list_select_related = ["server"]


@admin.register(Introduction)
class IntroductionAdmin(ReadOnlyAdmin):
    list_display = ["server", "name", "version", "protocol", "at"]
    list_select_related = ["server"]


class ToolVersionInline(admin.TabularInline[ToolVersion, Tool]):
    model = ToolVersion
    extra = 0
    can_delete = False
    readonly_fields = ["layer", "content", "by", "at"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Tool)
class ToolAdmin(admin.ModelAdmin[Tool]):
    list_display = ["name", "server", "category", "permission", "enabled", "searchable", "gone_at"]
    list_filter = ["server", "permission", "enabled", "searchable", "capability"]
    list_select_related = ["server"]
    search_fields = ["name", "title", "description"]
    inlines = [ToolVersionInline]


@admin.register(ToolVersion)
class ToolVersionAdmin(ReadOnlyAdmin):
    list_display = ["tool", "layer", "by", "at"]
    list_filter = ["layer"]
    list_select_related = ["tool__server", "by"]
    search_fields = ["tool__name"]


@admin.register(BulkEdit)
class BulkEditAdmin(ReadOnlyAdmin):
    list_display = ["act", "value", "state", "by", "created_at"]
    list_filter = ["state", "act"]
    list_select_related = ["by"]


@admin.register(SavedView)
class SavedViewAdmin(admin.ModelAdmin[SavedView]):
    list_display = ["name", "by", "query"]
    list_select_related = ["by"]


class CatalogServerInline(admin.TabularInline[CatalogServer, Catalog]):
    model = CatalogServer
    extra = 0


class PreDiscoveredInline(admin.TabularInline[PreDiscovered, Catalog]):
    model = PreDiscovered
    extra = 0
    autocomplete_fields = ["tool"]


class PolicyRuleInline(admin.TabularInline[PolicyRule, Catalog]):
    """The catalog's policy page writes phases and conditions."""

    model = PolicyRule
    extra = 0
    readonly_fields = ["phases", "conditions"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Catalog)
class CatalogAdmin(admin.ModelAdmin[Catalog]):
    list_display = ["title", "slug", "mode", "engine", "updated_at"]
    search_fields = ["title", "slug"]
    autocomplete_fields = ["excluded"]
    inlines = [CatalogServerInline, PreDiscoveredInline, PolicyRuleInline]


@admin.register(Agent)
class AgentAdmin(admin.ModelAdmin[Agent]):
    """The tool of an agent follows what is saved and deleted here too."""

    list_display = ["title", "name", "catalog", "chat_model", "turns", "updated_at"]
    list_select_related = ["catalog"]
    search_fields = ["title", "name"]

    def get_readonly_fields(self, request: HttpRequest, obj: Agent | None = None) -> list[str]:
        return ["name"] if obj else []

    def save_model(self, request: HttpRequest, obj: Agent, form: ModelForm[Agent], change: bool) -> None:
        keep_agent(obj, cast(User, request.user))

    def delete_model(self, request: HttpRequest, obj: Agent) -> None:
        drop_agent(obj, cast(User, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Agent]) -> None:
        for agent in queryset:
            self.delete_model(request, agent)


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ["server", "state", "source", "by", "created_at", "ended_at"]
    list_filter = ["state"]
    exclude = ["staged"]


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    list_display = ["rule", "tool", "other", "state", "outdated", "found_at"]
    list_filter = ["rule", "state", "outdated"]
    list_select_related = ["tool__server", "other__server"]
    search_fields = ["tool__name"]


@admin.register(Look)
class LookAdmin(ReadOnlyAdmin):
    list_display = ["of", "by", "tools", "problem", "began_at", "ended_at"]
    list_select_related = ["server", "catalog", "by"]


@admin.register(ApiDocument)
class ApiDocumentAdmin(ReadOnlyAdmin):
    list_display = ["server", "title", "version", "source", "takes_new", "read_at"]


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    list_display = ["name", "method", "path", "server", "is_chosen", "is_new", "is_deprecated", "tokens"]
    list_filter = ["server", "method", "is_chosen", "is_new", "is_deprecated"]
    list_select_related = ["server"]
    search_fields = ["name", "path", "title"]


@admin.register(SignInLink)
class SignInLinkAdmin(ReadOnlyAdmin):
    list_display = ["user", "expires_at", "used_at"]
    exclude = ["digest"]


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin):
    list_display = ["user", "title", "may_register", "created_at", "used_at"]
    exclude = ["digest"]
