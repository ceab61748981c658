"""Django's admin for the playground's rows, and for agents. What happened in a run can be read here, and deleted on its page."""

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from catalog.admin.bases import PegboardAdmin, ReadOnlyAdmin, RevocableAdmin
from catalog.admin.tools import UNLISTED_THROUGH_TOOL
from catalog.agents import drop_agent, keep_agent
from catalog.auditing.recording import Act, audited
from catalog.models import Agent
from playground.agent_forms import AgentForm
from playground.forms import ChatModelForm
from playground.models import (
    ChatModel,
    HandCall,
    HeldCall,
    LaneSet,
    Run,
    RunEvent,
    RunExchange,
    RunFinding,
    RunImport,
    RunNote,
    RunReview,
    RunSearch,
    RunTag,
    SharedRun,
    TaskEvaluation,
    TaskTrial,
    Thread,
)


@admin.register(Agent)
class AgentAdmin(PegboardAdmin[Agent]):
    """The tool of an agent follows what is saved and deleted here too."""

    form = AgentForm
    is_told = True
    list_display = ["title", "name", "catalog", "chat_model", "turns", "updated_at"]
    list_filter = ["catalog"]
    list_select_related = ["catalog"]
    search_fields = ["title", "name"]

    def get_readonly_fields(self, request: HttpRequest, obj: Agent | None = None) -> list[str]:
        """Recorded runs and filters go by its name, which stays."""
        return ["name"] if obj else []

    def keep(self, row: Agent, by: User) -> None:
        keep_agent(row, by)

    def drop(self, row: Agent, by: User) -> None:
        drop_agent(row, by)


@admin.register(ChatModel)
class ChatModelAdmin(PegboardAdmin[ChatModel]):
    form = ChatModelForm
    is_told = True
    list_display = ["title", "name", "base_url", "enabled", "created_at"]
    list_filter = ["enabled"]
    search_fields = ["title", "name"]
    unlisted = ["secrets"]

    def keep(self, row: ChatModel, by: User) -> None:
        with audited(Act.CHAT_MODEL_SAVED, row, by):
            row.save()

    def drop(self, row: ChatModel, by: User) -> None:
        with audited(Act.CHAT_MODEL_DELETED, row, by):
            row.delete()

    def has_delete_permission(self, request: HttpRequest, obj: ChatModel | None = None) -> bool:
        return not (obj and obj.why_kept)

    def why_kept(self, row: ChatModel) -> str:
        return row.why_kept


@admin.register(Thread)
class ThreadAdmin(ReadOnlyAdmin):
    list_display = ["title", "by", "created_at"]
    joined = ["by"]
    search_fields = ["title"]
    date_hierarchy = "created_at"


@admin.register(LaneSet)
class LaneSetAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "lanes", "cap", "by", "created_at"]
    joined = ["by"]
    search_fields = ["task"]
    date_hierarchy = "created_at"


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["title", "status", "catalog", "chat_model", "agent", "by", "created_at", "ended_at"]
    list_filter = ["status", "imported_from", "catalog", "chat_model"]
    joined = ["catalog", "chat_model", "by", "agent"]
    unlisted = ["chat_model__secrets", "context", "limits", "mode_options", "ask_person", "ask_less"]
    search_fields = ["thread__title"]
    date_hierarchy = "created_at"


@admin.register(RunTag)
class RunTagAdmin(RevocableAdmin):
    list_display = ["name", "run"]
    joined = ["run"]
    search_fields = ["name"]


@admin.register(RunNote)
class RunNoteAdmin(RevocableAdmin):
    list_display = ["__str__", "run", "seq"]
    joined = ["run"]
    search_fields = ["text"]


@admin.register(SharedRun)
class SharedRunAdmin(RevocableAdmin):
    list_display = ["run", "by", "created_at", "expires_at", "revoked_at", "visits"]
    joined = ["run", "by"]
    exclude = ["digest"]


@admin.register(RunEvent)
class RunEventAdmin(ReadOnlyAdmin):
    """Searches that were recorded are among them."""

    list_display = ["run", "seq", "kind", "at"]
    list_filter = ["kind"]
    joined = ["run"]
    unlisted = ["body"]
    search_fields = ["run__thread__title"]


@admin.register(RunExchange)
class RunExchangeAdmin(ReadOnlyAdmin):
    """Not what was sent and received, which the run's page shows whole."""

    list_display = ["run", "number", "turn", "at", "status", "seconds", "sent_size", "received_size"]
    joined = ["run"]
    unlisted = ["same", "sent", "received"]
    search_fields = ["run__thread__title"]


@admin.register(RunReview)
class RunReviewAdmin(ReadOnlyAdmin):
    list_display = ["run", "rules", "at"]
    joined = ["run"]


@admin.register(RunSearch)
class RunSearchAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "run", "seq", "engine", "called", "at"]
    list_filter = ["engine"]
    joined = ["run"]
    unlisted = ["returned"]
    search_fields = ["text"]


@admin.register(RunFinding)
class RunFindingAdmin(ReadOnlyAdmin):
    list_display = ["rule", "sentence", "run", "seq", "source"]
    list_filter = ["rule", "source"]
    joined = ["run", "search"]
    unlisted = ["tools", "right", "search__returned"]
    search_fields = ["sentence"]


@admin.register(HandCall)
class HandCallAdmin(ReadOnlyAdmin):
    list_display = ["tool", "by", "at", "seconds", "is_error"]
    list_filter = ["is_error", "is_simulated"]
    joined = ["tool__server", "by"]
    exclude = ["pictures"]
    unlisted = ["result", "pictures", "arguments", *UNLISTED_THROUGH_TOOL]
    search_fields = ["tool__name"]
    date_hierarchy = "at"


@admin.register(HeldCall)
class HeldCallAdmin(ReadOnlyAdmin):
    list_display = ["tool", "asks", "decision", "by", "held_at", "decided_at"]
    list_filter = ["decision", "asks"]
    joined = ["run", "by"]
    exclude = ["said"]
    search_fields = ["tool"]
    date_hierarchy = "held_at"


@admin.register(RunImport)
class RunImportAdmin(ReadOnlyAdmin):
    """Not its logs, which are megabytes, and shown by its own page."""

    list_display = ["__str__", "by", "created_at"]
    list_select_related = ["by"]
    search_fields = ["by__username"]


@admin.register(TaskEvaluation)
class TaskEvaluationAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "state", "chat_model", "repeats", "cap", "by", "created_at"]
    list_filter = ["state"]
    joined = ["catalog", "chat_model", "by"]
    unlisted = ["chat_model__secrets", "tasks", "context"]
    date_hierarchy = "created_at"


@admin.register(TaskTrial)
class TaskTrialAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "evaluation", "run", "success", "status", "turns", "tokens", "cost"]
    list_filter = ["success", "status"]
    joined = ["evaluation__catalog", "run"]
    unlisted = ["evaluation__tasks", "evaluation__context"]
