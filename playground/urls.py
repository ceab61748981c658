"""The addresses of the home page, the playground and the runs."""

from django.urls import path

from playground.views import (
    agents,
    answers,
    calling,
    catalog_import,
    chat_models,
    comparing,
    forks,
    home,
    mode,
    outputs,
    playground,
    run_exports,
    run_import,
    run_list,
    runs,
    threads,
)

RUN = "runs/<uuid:run_id>/"
THREAD = "threads/<uuid:thread_id>/"
TOOL = "tools/<slug:server>/<path:name>/"
AGENT = "agents/<slug:name>/"
CHAT_MODEL = "chat-models/<int:pk>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("playground/", playground.playground, name="playground"),
    path("playground/answer/", answers.search_answer, name="search_answer"),
    path("playground/start/", playground.run_start, name="run_start"),
    path("catalogs/import/", catalog_import.catalog_import, name="catalog_import"),
    path("catalogs/<slug:slug>/mode/", mode.catalog_mode, name="catalog_mode"),
    path("catalogs/<slug:slug>/mode/keep/", mode.catalog_mode_keep, name="catalog_mode_keep"),
    path(TOOL + "call/", calling.tool_call, name="tool_call"),
    path(TOOL + "call/arguments/", calling.tool_call_arguments, name="tool_call_arguments"),
    path("agents/", agents.agent_list, name="agents"),
    path("agents/add/", agents.agent_add, name="agent_add"),
    path(AGENT, agents.agent_page, name="agent"),
    path(AGENT + "edit/", agents.agent_edit, name="agent_edit"),
    path(AGENT + "delete/", agents.agent_delete, name="agent_delete"),
    path("runs/", run_list.run_list, name="runs"),
    path("runs/import/", run_import.run_import_add, name="run_import_add"),
    path("runs/import/<int:pk>/", run_import.run_import, name="run_import"),
    path("runs/tag/", run_list.runs_tag, name="runs_tag"),
    path("runs/untag/", run_list.runs_untag, name="runs_untag"),
    path("runs/delete/", run_list.runs_delete, name="runs_delete"),
    path("runs/compare/", comparing.runs_compare, name="runs_compare"),
    path("runs/compare/choose/", comparing.runs_compare_choose, name="runs_compare_choose"),
    path("runs/storage/", run_list.runs_storage, name="runs_storage"),
    path(RUN, runs.run_page, name="run"),
    path(RUN + "stop/", runs.run_stop, name="run_stop"),
    path(RUN + "nested/", runs.run_nested, name="run_nested"),
    path(RUN + "tool/", runs.run_tool, name="run_tool"),
    path(RUN + "search/", runs.run_search, name="run_search"),
    path(RUN + "policy/", runs.run_policy, name="run_policy"),
    path(RUN + "version/", runs.run_version, name="run_version"),
    path(RUN + "events.json", run_exports.run_events, name="run_events"),
    path(RUN + "spans.json", run_exports.run_spans, name="run_spans"),
    path(RUN + "run.md", run_exports.run_markdown, name="run_markdown"),
    path(RUN + "outputs/<str:file>/", outputs.run_output, name="run_output"),
    path(RUN + "fork/", forks.run_fork, name="run_fork"),
    path(THREAD, threads.thread_page, name="thread"),
    path(THREAD + "go-on/", threads.thread_go_on, name="thread_go_on"),
    path(THREAD + "store/clear/", threads.thread_clear, name="thread_clear"),
    path(THREAD + "store/clear-all/", threads.thread_clear_all, name="thread_clear_all"),
    path(THREAD + "store/clean-up/", threads.thread_clean_up, name="thread_clean_up"),
    path("chat-models/", chat_models.chat_models, name="chat_models"),
    path(CHAT_MODEL, chat_models.chat_model_edit, name="chat_model_edit"),
    path(CHAT_MODEL + "delete/", chat_models.chat_model_delete, name="chat_model_delete"),
]
