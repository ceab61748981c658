"""Signing in by password or by a one-time link, and signing out."""

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from catalog.forms.signing_in import COOKIE, SignInForm
from catalog.models import SignInLink
from catalog.sign_in_tries import KNOWN_FOR, known_browser


class SignIn(LoginView):
    redirect_authenticated_user = True
    form_class = SignInForm

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_invalid(form)
        if isinstance(form, SignInForm) and form.wait:
            answer.status_code, answer["Retry-After"] = 429, str(form.wait)
        return answer

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        answer.set_cookie(
            COOKIE,
            known_browser(form.get_user().get_username()),
            max_age=KNOWN_FOR,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
        return answer


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
