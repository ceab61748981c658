"""The versions of a catalog: the list, one version, and publishing a draft or an old version once its summary was seen."""

from contextlib import nullcontext

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.editions import DRAFT
from catalog.forms.gate import OverrideForm
from catalog.forms.publishing import PublishForm
from catalog.indexing import exposure_of
from catalog.models import Catalog, CatalogVersion
from catalog.publishing.acts import (
    MovedError,
    NothingToPublishError,
    gather,
    plan_publishing,
    plan_rolling_back,
    publish,
    roll_back,
)
from catalog.publishing.asking import NoSuchVersionError, at_version, version_numbered
from catalog.publishing.drafts import draft_of
from catalog.publishing.settings_text import settings_told, shape_told
from catalog.publishing.standing import standing_of, versions_beside
from catalog.publishing.summary import Side, Summary, side_of, side_of_draft, summarise
from catalog.requests import Request
from catalog.roles import Role, needs, require
from catalog.whatif.gate import held_publishing, is_gated

VERSIONS_A_PAGE = 30
REWORDED_A_PAGE = 20
CONFLICT = 409


@require_GET
def catalog_versions(request: Request, slug: str) -> HttpResponse:
    catalog = get_object_or_404(Catalog, slug=slug)
    versions = catalog.versions.select_related("by", "content")
    page = Paginator(versions, VERSIONS_A_PAGE).get_page(request.GET.get("page"))
    context = {"catalog": catalog, "page": page, "standing": standing_of(catalog)}
    return render(request, "catalog/versions.html", context)


@require_GET
def catalog_version(request: Request, slug: str, number: int) -> HttpResponse:
    """What it changed of the version before, or of the one that `?against=` names, which may be the draft."""
    catalog = get_object_or_404(Catalog, slug=slug)
    version = _version(catalog, str(number))
    against = request.GET.get("against") or (str(number - 1) if number > 1 else "")
    summary = summarise(_side(catalog, against), side_of(version))
    context = {
        "catalog": catalog,
        "version": version,
        "against": against,
        "against_words": f"version {against}" if against.isdigit() else against or "before",
        "version_words": f"version {number}",
        "beside": versions_beside(version),
        "left_out": exposure_of(at_version(version)).left_out,
        "settings": settings_told(version.content.settings) | shape_told(version.content.settings),
        "standing": standing_of(catalog),
        **_summarised(request, summary),
    }
    return render(request, "catalog/version.html", context)


@require_http_methods(["GET", "POST"])
def catalog_publish(request: Request, slug: str) -> HttpResponse:
    """What publishing the draft would change for an agent, or `?version=` once more; posted, it is done if that is so still."""
    if request.method == "POST":
        require(request.user, Role.CURATOR)
    catalog = get_object_or_404(Catalog, slug=slug)
    old = _version(catalog, request.GET["version"]) if "version" in request.GET else None
    form = PublishForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, catalog, old, form)
    held, override = None if old else held_publishing(catalog, request.user), OverrideForm(request.POST)
    if held and not (held.may_override and override.reason):
        return _page(request, catalog, old, form, held=held, override=override)
    try:
        with transaction.atomic() if held else nullcontext():
            made = _carry_out(request, catalog, old, form)
            if held:
                held.tell(catalog, override.reason, request.user)
    except MovedError:
        moved = "Nothing was published: something changed since you saw the summary. This is the summary now."
        return _page(request, catalog, old, form, moved)
    except NothingToPublishError:
        return _page(request, catalog, old, form, "Nothing was published: there is nothing to publish.")
    messages.success(request, f"Version {made.number} of {catalog.title} is published: agents get it from now on.")
    return redirect(made)


@require_POST
@needs(Role.CURATOR)
def catalog_gather(request: Request, slug: str) -> HttpResponse:
    """From now on changes gather in a draft."""
    version = gather(get_object_or_404(Catalog, slug=slug))
    said = f"Changes gather in a draft from now on. Agents get version {version.number} until you publish another."
    messages.success(request, said)
    return redirect("catalog", slug)


def _carry_out(request: Request, catalog: Catalog, old: CatalogVersion | None, form: PublishForm) -> CatalogVersion:
    """Raises MovedError and NothingToPublishError."""
    note, token = form.cleaned_data["note"], form.cleaned_data["token"]
    if old is not None:
        return roll_back(old, request.user, note, token)
    by_itself = form.cleaned_data["by_itself"]
    return publish(catalog, request.user, note, token, from_now_on_by_itself=by_itself)


def _page(
    request: Request, catalog: Catalog, old: CatalogVersion | None, form: PublishForm, problem: str = "", **held: object
) -> HttpResponse:
    plan = plan_rolling_back(old) if old else plan_publishing(catalog)
    context: dict[str, object] = {
        "catalog": catalog,
        "old": old,
        "form": form,
        "problem": problem,
        "plan": plan,
        "left_out": exposure_of(at_version(old)).left_out if old else (),
        **held,
    }
    context |= {"gated": not old and plan.changes and is_gated(catalog)} | _summarised(request, plan.summary)
    if not plan.changes and not old and catalog.publishes_itself:
        context["standing"] = standing_of(catalog)
    status = CONFLICT if problem or held else HttpResponse.status_code
    return render(request, "catalog/publish.html", context, status=status)


def _summarised(request: Request, summary: Summary) -> dict[str, object]:
    reworded = Paginator(summary.reworded, REWORDED_A_PAGE).get_page(request.GET.get("page"))
    return {"summary": summary, "reworded": reworded}


def _version(catalog: Catalog, number: str) -> CatalogVersion:
    try:
        return version_numbered(catalog, number)
    except NoSuchVersionError as error:
        raise Http404(str(error)) from None


def _side(catalog: Catalog, named: str) -> Side:
    if named == DRAFT:
        return side_of_draft(draft_of(catalog))
    return side_of(_version(catalog, named) if named else None)
