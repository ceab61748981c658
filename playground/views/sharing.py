"""Links to one run that need no sign-in: making and taking them back, and the one page that they open."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.models import Run, SharedRun
from playground.presenting.deck import Shown
from playground.presenting.sharing import count_visit, opened, share, take_back
from playground.presenting.showing import deck_for
from playground.presenting_forms import ShareForm
from playground.views.presenting import has_it_all, slide_asked, standing

FOR_STRANGERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
"""What the answers carry that need no sign-in."""


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
def run_share(request: Request, run_id: UUID) -> HttpResponse:
    """The links of a run and the form; one that was just made is in this answer and in no other."""
    run = get_object_or_404(Run, pk=run_id)
    form, made = ShareForm(request.POST or None), ""
    if request.method == "POST" and not settings.PEGBOARD_SHARING:
        raise PermissionDenied("Sharing is switched off on this installation (PEGBOARD_SHARING).")
    if request.method == "POST" and form.is_valid():
        shown = Shown(texts=form.cleaned_data["texts"], notes=form.cleaned_data["notes"])
        token = share(run, request.user, form.for_so_long, shown)
        made, form = request.build_absolute_uri(reverse("shared_run", args=[token])), ShareForm()
    context = {
        "run": run,
        "form": form,
        "made": made,
        "sharing": settings.PEGBOARD_SHARING,
        "links": run.shares.select_related("by"),
    }
    return render(request, "playground/run_share.html", context)


@require_POST
@needs(Role.PRESENTER)
def run_share_revoke(request: Request, run_id: UUID, pk: int) -> HttpResponse:
    take_back(get_object_or_404(SharedRun.objects.select_related("run"), pk=pk, run=run_id))
    messages.success(request, "The link was taken back. Whoever opens it from now on finds nothing.")
    return redirect("run_share", run_id)


@require_GET
@login_not_required
def shared_run(request: HttpRequest, token: str) -> HttpResponse:
    """The slides of one run, for whoever has its link. One that ended, was taken back or never was is answered alike."""
    link = opened(token)
    answer = _slides(request, link) if link else render(request, "playground/present/gone.html", status=404)
    for name, value in FOR_STRANGERS.items():
        answer[name] = value
    return answer


def _slides(request: HttpRequest, link: SharedRun) -> HttpResponse:
    if has_it_all(request, link.run):
        return HttpResponse(status=204)
    if not {"at", "after"} & request.GET.keys():
        count_visit(link)
    deck = deck_for(link.run, Shown(link.shows_texts, link.shows_notes))
    context = {**standing(deck, slide_asked(request, deck)), "address": "?at="}
    return render(request, "playground/present/page.html", context)
