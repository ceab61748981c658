"""Django's admin for the playground's rows. What happened in a run can be read and deleted, never edited."""

from django.contrib import admin

from catalog.admin import ReadOnlyAdmin
from playground.forms import ChatModelForm
from playground.models import ChatModel, HandCall, Run, RunEvent, Thread


@admin.register(ChatModel)
class ChatModelAdmin(admin.ModelAdmin[ChatModel]):
    form = ChatModelForm
    list_display = ["title", "name", "base_url", "enabled", "created_at"]
    list_filter = ["enabled"]


@admin.register(Thread)
class ThreadAdmin(admin.ModelAdmin[Thread]):
    list_display = ["title", "by", "created_at"]
    readonly_fields = ["forked_from", "forked_at"]
    search_fields = ["title"]


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["title", "status", "catalog", "chat_model", "agent", "by", "created_at", "ended_at"]
    list_filter = ["status", "catalog", "chat_model"]
    list_select_related = ["catalog", "chat_model", "by", "agent"]
    search_fields = ["task"]


@admin.register(RunEvent)
class RunEventAdmin(ReadOnlyAdmin):
    list_display = ["run", "seq", "kind", "at"]
    list_filter = ["kind"]
    list_select_related = ["run"]
    search_fields = ["run__task"]


@admin.register(HandCall)
class HandCallAdmin(ReadOnlyAdmin):
    list_display = ["tool", "by", "at", "seconds", "is_error"]
    list_filter = ["is_error", "is_simulated"]
    list_select_related = ["tool__server", "by"]
    search_fields = ["tool__name"]
