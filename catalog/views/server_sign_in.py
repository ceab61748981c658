"""Signing in to an MCP server by OAuth: finding out where, coming back from there, and signing out."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.forms.server_sign_in import ServerSignInForm
from catalog.invisible import cleaned
from catalog.models import Server, ServerSignIn, SignInAttempt
from catalog.oauth.kept import authority_of
from catalog.oauth.signing_in import Visitor, begin, finish, sign_out
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.sessions.current import review_soon
from catalog.sources.errors import SourceError


@require_http_methods(["GET", "POST"])
@needs(Role.ADMIN)
def server_sign_in(request: Request, slug: str) -> HttpResponse:
    """GET: where one would be sent, once that is known. POST: find it out; without fields, as the last time."""
    server = get_object_or_404(Server, slug=slug)
    before = ServerSignIn.objects.filter(server=server, url=server.url).first()
    form = ServerSignInForm(request.POST if "client_id" in request.POST else None, before)
    problem = ""
    if request.method == "POST" and (form.is_valid() or not form.is_bound):
        try:
            begin(server, form.asked() if form.is_bound else form.asked_before(), _visitor(request, server))
            return redirect("server_sign_in", slug)
        except SourceError as failed:
            problem = str(failed)
    visitor = _visitor(request, server)
    attempt = SignInAttempt.under_way(server, visitor.user, visitor.session)
    context = {"server": server, "form": form, "problem": problem, "redirect": visitor.redirect}
    if attempt and "authority" in attempt.kept and not (problem or form.errors):
        context |= {"errand": attempt.kept, "authority": authority_of(attempt.kept["authority"]), "attempt": attempt}
    return render(request, "catalog/server_sign_in.html", context)


@require_GET
@needs(Role.ADMIN)
def server_sign_in_callback(request: Request, slug: str) -> HttpResponse:
    """Where the authorization server sends people back to."""
    server = get_object_or_404(Server, slug=slug)
    try:
        sign_in = finish(server, _visitor(request, server), request.GET.dict())
    except SourceError as problem:
        messages.error(request, cleaned(str(problem)))
        return redirect(server)
    review_soon()
    who = f" as {cleaned(sign_in.who)}" if sign_in.who else ""
    messages.success(request, f"Pegboard is signed in to {server.title}{who}.")
    return redirect(server)


@require_POST
@needs(Role.ADMIN)
def server_sign_out(request: Request, slug: str) -> HttpResponse:
    server = get_object_or_404(Server, slug=slug)
    if sign_in := ServerSignIn.objects.filter(server=server).first():
        problem = sign_out(sign_in)
        review_soon()
        messages.success(request, f"Pegboard is signed out of {server.title}, and its tokens are deleted.")
        if problem:
            messages.warning(request, f"The authorization server could not be told to forget them. {problem}")
    return redirect(server)


def _visitor(request: Request, server: Server) -> Visitor:
    scheme = "https" if settings.SESSION_COOKIE_SECURE else request.scheme
    address = f"{scheme}://{request.get_host()}{reverse('server_sign_in_callback', args=[server.slug])}"
    return Visitor(request.user, request.session.session_key or "", address)
