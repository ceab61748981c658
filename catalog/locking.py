"""What a form posts is read, compared with what stands, and saved in one transaction, so that of many at once one wins."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

M = TypeVar("M", bound=Model)
View = Callable[..., HttpResponse]
TRIALS = frozenset(("preview", "find", "all", "none"))
"""What is posted with one of these as `action` shows what would be, and saves nothing."""


def in_one_transaction(view: View) -> View:
    """A view whose posts are one transaction; to read a page waits for nobody."""

    @wraps(view)
    def whole(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _saves(request):
            return view(request, *args, **kwargs)
        with transaction.atomic():
            return view(request, *args, **kwargs)

    return whole


def row_to_save(request: HttpRequest, rows: QuerySet[M], **named: Any) -> M:
    """The row, or 404; where something is posted, nobody else saves it before the transaction ends."""
    if _saves(request):
        rows = rows.select_for_update(of=("self",))
    return get_object_or_404(rows, **named)


def _saves(request: HttpRequest) -> bool:
    return request.method == "POST" and request.POST.get("action") not in TRIALS
