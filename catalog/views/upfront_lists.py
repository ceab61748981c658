"""Changing several tools of what a catalog shows from the start at once, and undoing that."""

import secrets
from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from catalog.auditing.recording import Act, audited
from catalog.forms.versions import FIELD, stale_since
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog, Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.upfront_lists import UpfrontChangedError, change_upfront, order_of, put_back

UNDO = "upfront_before"
"""What the session keeps of the list that was changed last."""
MOST = 200
"""Tools that one change names at most."""


@require_POST
@needs(Role.CURATOR)
@in_one_transaction
def catalog_upfront_change(request: Request, slug: str) -> HttpResponse:
    """Add the tools `add` and take away the tools `withdraw` (`server/name` each), if the list still is as it was shown."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    added, withdrawn = _tools(request.POST.getlist("add")), _tools(request.POST.getlist("withdraw"))
    if added is None or withdrawn is None or not added + withdrawn:
        return HttpResponseBadRequest("No such tools.")
    before = order_of(catalog)
    if stale_since(request.POST.get(FIELD, ""), before, catalog, list):
        messages.error(request, "The list was changed since you looked at it. Nothing was changed: look again.")
        return redirect("catalog_upfront", slug)
    with audited(Act.CATALOG_SHAPED, catalog):
        change_upfront(catalog, added, withdrawn)
    token = secrets.token_urlsafe(8)
    kept = {"before": before["order"], "after": order_of(catalog)["order"]}
    request.session[UNDO] = {"token": token, "catalog": slug, **kept}
    where = "in runs too" if catalog.publishes_itself else "in its draft"
    said = (
        f"{catalog.title}: {len(added)} added to what is in view from the start, {len(withdrawn)} taken away, {where}."
    )
    messages.success(request, said, extra_tags=reverse("catalog_upfront_undo", args=[slug, token]))
    return redirect("catalog_upfront", slug)


@require_POST
@needs(Role.CURATOR)
@in_one_transaction
def catalog_upfront_undo(request: Request, slug: str, token: str) -> HttpResponse:
    """Undo this session's last change of the list, if this is its token and nobody changed the list since."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    kept = request.session.get(UNDO) or {}
    if kept.get("token") != token or kept.get("catalog") != slug:
        messages.error(request, "That change can no longer be undone here.")
        return redirect("catalog_upfront", slug)
    del request.session[UNDO]
    try:
        with audited(Act.CATALOG_SHAPED, catalog):
            put_back(catalog, kept["before"], kept["after"])
        messages.success(request, "Undone: the list is as it was.")
    except UpfrontChangedError:
        messages.error(request, "Nothing was undone: the list was changed since.")
    return redirect("catalog_upfront", slug)


def _tools(keys: Iterable[str]) -> list[Tool] | None:
    """In the order named; None where one is not here, or too many are named."""
    named = list(dict.fromkeys(keys))
    if len(named) > MOST:
        return None
    found = []
    for key in named:
        server, _, name = key.partition("/")
        tool = Tool.objects.filter(server__slug=server, name=name).first()
        if tool is None:
            return None
        found.append(tool)
    return found
