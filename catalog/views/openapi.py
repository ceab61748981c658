"""The operations of an OpenAPI document: finding, choosing, and on to the plan of their import."""

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, record
from catalog.choosing import counts_of, found, method_counts, plan_chosen, tags_of, tick
from catalog.forms.openapi import OperationFilterForm
from catalog.models import ApiDocument, Operation, Server
from catalog.models.api_document import OperationQuerySet
from catalog.requests import Request
from catalog.roles import Role, needs

ROWS_A_PAGE = 100


@require_GET
@vary_on_headers("HX-Target")
def operations(request: Request, slug: str) -> HttpResponse:
    """The page, or its list alone where htmx replaces that."""
    server, document, form = _asked(slug, request.GET)
    matching = _matching(server, form)
    page = _page(matching, request.GET)
    context = {
        "server": server,
        "document": document,
        "form": form,
        "page": page,
        "counts": counts_of(server),
        "methods": _method_counts(server, form),
        "tags": tags_of(server),
        "left_out": [problem for problem in document.problems if "left out" in problem["message"]],
        "query": request.GET.urlencode(),
        "ticked": [str(row.pk) for row in page if row.is_chosen],
    }
    template = "catalog/_openapi_list.html" if request.htmx.target == "operations" else "catalog/openapi.html"
    return render(request, template, context)


@require_POST
@needs(Role.CURATOR)
def operations_choose(request: Request, slug: str) -> HttpResponse:
    """Keep the ticks of the page that was shown, then do what the button says: `all`, `none`, `new`, `plan` or no more."""
    server, document, form = _asked(slug, request.GET)
    matching = _matching(server, form)
    shown = server.operations.filter(pk__in=_numbers(request.POST.getlist("shown")))
    ticked = request.POST.getlist("selected")
    tick(shown, _numbers(request.POST.get("ticked", "").split(",")), _numbers(ticked))
    match request.POST.get("action"):
        case "all" | "none" as action:
            server.operations.filter(pk__in=matching.values("pk")).update(is_chosen=action == "all")
        case "new":
            _switch_new(document)
        case "plan" if server.operations.filter(is_chosen=True).exists():
            return redirect(plan_chosen(server, request.user))
        case "plan":
            messages.error(request, "Choose at least one operation first.")
    if request.htmx.target == "chosen":
        return render(
            request, "catalog/_openapi_chosen.html", {"counts": counts_of(server), "announced": True, "ticked": ticked}
        )
    return redirect(f"{reverse('operations', args=[slug])}?{request.GET.urlencode()}")


@transaction.atomic
def _switch_new(document: ApiDocument) -> None:
    document.takes_new = not document.takes_new
    document.save(update_fields=["takes_new"])
    now = document.takes_new
    record(Act.SERVER_EDITED, document.server, {"takes new operations": not now}, {"takes new operations": now})


def _asked(slug: str, query: QueryDict) -> tuple[Server, ApiDocument, OperationFilterForm]:
    document = get_object_or_404(ApiDocument.objects.select_related("server"), server__slug=slug)
    form = OperationFilterForm(query)
    form.is_valid()
    return document.server, document, form


def _method_counts(server: Server, form: OperationFilterForm) -> list[tuple[str, int]]:
    """The methods of the tab that is shown, whatever else is filtered, in the order of the form's choices."""
    counts = method_counts(found(server, {"show": form.cleaned_data.get("show")}))
    return [(method, counts[method]) for method, _ in OperationFilterForm.METHODS if method in counts]


def _matching(server: Server, form: OperationFilterForm) -> OperationQuerySet:
    return found(server, form.cleaned_data)


def _page(matching: OperationQuerySet, query: QueryDict) -> Page[Operation]:
    return Paginator(matching.defer("tool"), ROWS_A_PAGE).get_page(query.get("page"))


def _numbers(texts: list[str]) -> list[int]:
    return [int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 18]
