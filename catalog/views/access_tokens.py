"""A person's access tokens: the list, making one, which is shown once, and revoking one."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from catalog.auditing.recording import Act, audited, record
from catalog.forms.access_tokens import AccessTokenForm
from catalog.models import AccessToken
from catalog.requests import Request
from catalog.roles import Role, role_of


@never_cache
@require_http_methods(["GET", "POST"])
def access_tokens(request: Request) -> HttpResponse:
    """The list and the form; a token that was just made is in this answer and in no other."""
    may_curate = role_of(request.user) >= Role.CURATOR
    form = AccessTokenForm(request.POST or None, may_curate=may_curate)
    made = ""
    if request.method == "POST" and form.is_valid():
        made = _make(request, form.cleaned_data["title"], form.cleaned_data.get("may_register", False))
        form = AccessTokenForm(may_curate=may_curate)
    context = {"form": form, "made": made, "tokens": AccessToken.objects.filter(user=request.user)}
    return render(request, "catalog/access_tokens.html", context)


@require_POST
def access_token_revoke(request: Request, pk: int) -> HttpResponse:
    token = get_object_or_404(AccessToken, pk=pk, user=request.user)
    with audited(Act.TOKEN_REVOKED, token):
        token.delete()
    messages.success(request, f"{token.title} was revoked. What uses it is refused from now on.")
    return redirect("access_tokens")


@transaction.atomic
def _make(request: Request, title: str, may_register: bool) -> str:
    made = AccessToken.make(request.user, title, may_register=may_register)
    token = AccessToken.objects.filter(user=request.user).latest("pk")
    record(Act.TOKEN_MADE, token, after={"may register apps": may_register})
    return made
