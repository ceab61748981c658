"""Accounts, for admins: who there is, their roles, their sessions, and links that sign them in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.accounts import (
    LastAdminError,
    add_person,
    change_role,
    deactivate,
    may_be_changed,
    reactivate,
    sessions_by_person,
    sign_out_everywhere,
)
from catalog.forms.accounts import PersonForm, RoleForm
from catalog.requests import Request
from catalog.roles import Role, needs, role_of
from catalog.sign_in_links import sign_in_address

LAST_ADMIN = "Nothing was changed: this is the last admin. Make somebody else one first."


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Role.ADMIN)
def accounts(request: Request) -> HttpResponse:
    """The people, and the form that adds one; their sign-in link is in this answer and in no other."""
    form = PersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = add_person(form.cleaned_data["username"], form.chosen)
        return _page(request, PersonForm(), _link(request, person), person)
    return _page(request, form)


@never_cache
@require_GET
@needs(Role.ADMIN)
def account(request: Request, pk: int) -> HttpResponse:
    person = get_object_or_404(User.objects.annotate(tokens=Count("access_tokens")), pk=pk)
    return render(request, "catalog/account.html", _shown(person))


@require_POST
@needs(Role.ADMIN)
def account_role(request: Request, pk: int) -> HttpResponse:
    person, form = get_object_or_404(User, pk=pk), RoleForm(request.POST)
    try:
        if form.is_valid():
            change_role(person, form.chosen)
            messages.success(request, f"{person} is now {form.chosen.word}. Their next request is judged by that.")
    except LastAdminError:
        messages.error(request, LAST_ADMIN)
    return redirect("account", pk)


@require_POST
@needs(Role.ADMIN)
def account_switch(request: Request, pk: int) -> HttpResponse:
    """Deactivate or reactivate."""
    person = get_object_or_404(User, pk=pk)
    try:
        if person.is_active:
            deactivate(person)
            messages.success(request, f"{person} was deactivated and signed out everywhere.")
        else:
            reactivate(person)
            messages.success(request, f"{person} may sign in again.")
    except LastAdminError:
        messages.error(request, LAST_ADMIN)
    return redirect("account", pk)


@require_POST
@needs(Role.ADMIN)
def account_sign_out(request: Request, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    count = sign_out_everywhere(person)
    messages.success(request, f"{person} was signed out of {count} session{'' if count == 1 else 's'}.")
    return redirect("account", pk)


@never_cache
@require_POST
@needs(Role.ADMIN)
def account_link(request: Request, pk: int) -> HttpResponse:
    """A new sign-in link, which is in this answer and in no other; those not yet used cease to work."""
    person = get_object_or_404(User.objects.annotate(tokens=Count("access_tokens")), pk=pk, is_active=True)
    return render(request, "catalog/account.html", _shown(person) | {"link": _link(request, person)})


def _page(request: Request, form: PersonForm, link: str = "", linked: User | None = None) -> HttpResponse:
    people = User.objects.prefetch_related("groups").order_by("-is_active", "username")
    sessions = sessions_by_person()
    rows = [(person, role_of(person), sessions[person.pk]) for person in people]
    return render(request, "catalog/accounts.html", {"rows": rows, "form": form, "link": link, "person": linked})


def _shown(person: User) -> dict[str, Any]:
    role = role_of(person)
    return {
        "person": person,
        "person_role": role.word,
        "sessions": sessions_by_person()[person.pk],
        "form": RoleForm(initial={"role": role.word}),
        "may_be_changed": may_be_changed(person),
    }


def _link(request: Request, person: User) -> str:
    return sign_in_address(person, request.build_absolute_uri("/").rstrip("/"))
