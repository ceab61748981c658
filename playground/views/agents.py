"""Agents that other agents can call: the list, one agent with what it did last, and the form of one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.agents import agent_tools, callers_of_themselves, drop_agent, keep_agent
from catalog.indexing import exposure_of
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Agent
from catalog.placement import places_of
from catalog.requests import Request
from catalog.roles import Role, needs
from playground.agent_forms import AgentForm
from playground.models import ChatModel
from playground.runs.family import MOST_DEPTH

RUNS_SHOWN = 10


@require_GET
def agent_list(request: Request) -> HttpResponse:
    agents = list(Agent.objects.select_related("catalog"))
    tools = agent_tools()
    rows = [(agent, tools.get(agent.name)) for agent in agents]
    context = {"rows": rows, "cycles": callers_of_themselves(agents)}
    return render(request, "playground/agents.html", context)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def agent_add(request: Request) -> HttpResponse:
    form = AgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _kept(request, form)
    return render(request, "playground/agent_form.html", {"form": form, "agent": None})


@require_GET
def agent_page(request: Request, name: str) -> HttpResponse:
    agent = get_object_or_404(Agent.objects.select_related("catalog"), name=name)
    tool = agent_tools().get(agent.name)
    context = {
        "agent": agent,
        "tool": tool,
        "places": places_of(tool) if tool else [],
        "exposure": exposure_of(agent.catalog) if agent.catalog else None,
        "chat_model": ChatModel.objects.filter(name=agent.chat_model, enabled=True).first(),
        "calls_itself": agent.name in callers_of_themselves(Agent.objects.select_related("catalog")),
        "most_depth": MOST_DEPTH,
        "runs": agent.runs.select_related("parent").order_by("-created_at")[:RUNS_SHOWN],
    }
    return render(request, "playground/agent.html", context)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@in_one_transaction
def agent_edit(request: Request, name: str) -> HttpResponse:
    agent = row_to_save(request, Agent.objects.all(), name=name)
    form = AgentForm(request.POST or None, instance=agent)
    if request.method == "POST" and form.is_valid():
        return _kept(request, form)
    context = {"form": form, "agent": Agent.objects.get(name=name)}
    return render(request, "playground/agent_form.html", context, status=form.status)


@require_POST
@needs(Role.CURATOR)
def agent_delete(request: Request, name: str) -> HttpResponse:
    agent = get_object_or_404(Agent, name=name)
    drop_agent(agent, request.user)
    messages.success(request, f"{agent.title} was deleted. Its runs are kept.")
    return redirect("agents")


def _kept(request: Request, form: AgentForm) -> HttpResponse:
    agent = form.save(commit=False)
    keep_agent(agent, request.user)
    messages.success(request, f"{agent.title} was saved. The next run that finds it reads it so.")
    return redirect(agent)
