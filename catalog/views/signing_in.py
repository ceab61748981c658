"""Signing in by password or by a one-time link, and signing out."""

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from catalog.models import SignInLink


class SignIn(LoginView):
    redirect_authenticated_user = True


class SignOut(LogoutView):
    pass


@require_GET
@login_not_required
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Use the link up and sign its person in; a link that no longer works says how to get another."""
    link = SignInLink.use(token)
    if link is not None:
        login(request, link.user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("home")
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "catalog/sign_in_link_used.html", status=410)
