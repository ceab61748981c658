"""Importing a catalog from its YAML: what it would change is shown first, then applied at once."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from catalog.bulk_telling import rows_of
from catalog.catalog_yaml.applying import Applied, ChangedError, Plan, foreseen
from catalog.catalog_yaml.reading import Mistake, MistakesError
from catalog.differences import compare
from catalog.forms.catalog_yaml import YamlForm
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.gating import gated
from playground.bringing_catalogs import bring_catalog, plan_catalog

TOOLS_SHOWN = 100
"""Tools of which a plan tells what would change; of more it tells how many."""


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@gated
def catalog_import(request: Request) -> HttpResponse:
    """Posted, the plan of the text; `action=apply` applies it, if the catalog is as it was when the plan was shown."""
    form = YamlForm(request.POST or None, request.FILES or None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, {"form": form})
    text = form.cleaned_data["text"]
    try:
        if request.POST.get("action") == "apply":
            applied = bring_catalog(text, request.POST.get("token", ""), request.user)
            messages.success(request, f"{applied.catalog.title} is as the file says{_also(applied)}.{_where(applied)}")
            return redirect(applied.edit or applied.catalog)
        plan, problem = plan_catalog(text), ""
    except MistakesError as error:
        return _page(request, {"form": YamlForm(initial={"text": text}), "mistakes": _quoted(error.mistakes, text)})
    except ChangedError:
        plan = plan_catalog(text)
        problem = "Nothing was applied: the catalog was changed since you saw the plan. This is the plan now."
    return _page(request, {"form": form, "problem": problem, **_shown(plan, text)})


def _quoted(mistakes: list[Mistake], text: str) -> list[tuple[Mistake, str]]:
    """Each with the line that it is of, as far as there is one."""
    lines = ["", *text.splitlines()]
    return [(one, lines[one.line].strip() if one.line < len(lines) else "") for one in mistakes]


def _also(applied: Applied) -> str:
    if not applied.edit:
        return ""
    count = len(applied.edit.tool_ids)
    return f", and so {'is 1 tool' if count == 1 else f'are {count:,} tools'}; that can be undone here"


def _where(applied: Applied) -> str:
    return "" if applied.catalog.publishes_itself else " What changed is in its draft."


def _shown(plan: Plan, text: str) -> dict[str, Any]:
    told = [(one.tool, "") for one in plan.overlays.changes[:TOOLS_SHOWN]]
    tools = {"tools": rows_of(plan.overlays, told), "tools_shown": TOOLS_SHOWN}
    preview = foreseen(plan) if plan.before != plan.after else None
    return {"plan": plan, "lines": compare(plan.before, plan.after), "text": text, "preview": preview, **tools}


def _page(request: Request, context: dict[str, Any]) -> HttpResponse:
    return render(request, "playground/catalog_import.html", context)
