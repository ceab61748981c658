"""The audit: who did what, narrowed by filters, and as a file with one entry a line."""

import json
from collections.abc import AsyncIterator
from typing import cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.looking import narrowed, page_of, readable_by
from catalog.auditing.recording import Act, record
from catalog.auditing.telling import to_json, told
from catalog.forms.audit import AuditFilterForm
from catalog.models import AuditEntry
from catalog.models.audit_entry import AuditEntryQuerySet
from catalog.requests import Request
from catalog.roles import Role, needs, role_of

AT_ONCE = 500
"""Entries of an export that are read at once."""


@require_GET
@vary_on_headers("HX-Target")
@needs(Role.CURATOR)
def audit(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    role = role_of(request.user)
    form = AuditFilterForm(request.GET, role)
    readable = readable_by(role)
    filters = form.cleaned_data if form.is_valid() else {}
    found = narrowed(readable, filters) if form.is_valid() else AuditEntry.objects.none()
    page = page_of(found, filters.get("before"), filters.get("after"))
    context = {
        "form": form,
        "page": page,
        "rows": told(page.entries),
        "any": bool(page.entries) or readable.exists(),
        "is_admin": role is Role.ADMIN,
    }
    return render(request, "catalog/_audit.html" if request.htmx.target == "results" else "catalog/audit.html", context)


@require_GET
@needs(Role.CURATOR)
async def audit_export(request: Request) -> StreamingHttpResponse:
    """The entries of the same filters, oldest first, as JSON Lines; sent as they are read."""
    found = await sync_to_async(_exported)(request, cast(User, await request.auser()))
    answer = StreamingHttpResponse(_lines(found), content_type="application/jsonl; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="audit.jsonl"'
    return answer


def _exported(request: Request, person: User) -> AuditEntryQuerySet:
    role = role_of(person)
    form = AuditFilterForm(request.GET, role)
    if not form.is_valid():
        raise Http404("There are no such filters.")
    record(Act.EXPORTED, "the audit", after={"filters": request.GET.urlencode()}, by=person)
    return narrowed(readable_by(role), form.cleaned_data)


async def _lines(found: AuditEntryQuerySet) -> AsyncIterator[str]:
    last = 0
    while entries := [entry async for entry in found.filter(pk__gt=last).order_by("pk")[:AT_ONCE]]:
        last = entries[-1].pk
        yield "".join(json.dumps(to_json(one), cls=DjangoJSONEncoder, ensure_ascii=False) + "\n" for one in entries)
