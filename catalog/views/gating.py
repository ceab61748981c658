"""The gate before what acts at once: a view's post is tried first, and held where it makes judged queries worse."""

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from django.contrib.messages.storage import default_storage
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render

from catalog.forms.gate import OverrideForm
from catalog.locking import TRIALS
from catalog.requests import Request
from catalog.whatif.gate import held_act
from catalog.whatif.verdicts import Held

CONFLICT = 409
View = Callable[..., HttpResponse]
OWN = ("csrfmiddlewaretoken", "gate_reason")


def gated(view: View) -> View:
    """A view whose posts change rows, of which nothing reaches agents that makes judged queries worse unless a person says why.

    It does nothing but change rows, its session and its messages.
    """

    @wraps(view)
    def whole(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST" or request.POST.get("action") in TRIALS:
            return view(request, *args, **kwargs)
        held = held_act(lambda: view(_trial(_rewound(request)), *args, **kwargs), request.user)
        return let_through(request, lambda: view(_rewound(request), *args, **kwargs), held)

    return whole


def let_through(request: Request, act: Callable[[], HttpResponse], held: Held | None) -> HttpResponse:
    """What `act` answers, or the page that says what it makes worse."""
    override = OverrideForm(request.POST)
    if held is None:
        return act()
    if not (held.may_override and override.reason):
        return _held_page(request, held, override)
    with transaction.atomic():
        held.tell(None, override.reason, request.user)
        return act()


def _held_page(request: Request, held: Held, override: OverrideForm) -> HttpResponse:
    posted = [(name, value) for name, values in request.POST.lists() if name not in OWN for value in values]
    context = {"held": held, "override": override, "posted": posted, "back": request.headers.get("Referer", "")}
    return render(request, "catalog/held_act.html", context, status=CONFLICT)


def _trial(request: Request) -> Request:
    """The request with a session and messages that nobody gets."""
    tried = copy(request)
    session = type(request.session)()
    session.update(dict(request.session.items()))
    tried.session = session
    setattr(tried, "_messages", default_storage(tried))  # noqa: B010
    return tried


def _rewound(request: Request) -> Request:
    """With the files that were sent at their beginnings."""
    for _, files in request.FILES.lists():
        for file in files:
            file.seek(0)
    return request
