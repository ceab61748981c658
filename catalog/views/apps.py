"""The address at which apps register their tools, and the page that tells how."""

import shlex
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from catalog.bearers import token_of
from catalog.models import AccessToken, App
from catalog.models.server import SLUG
from catalog.registering import NameTaken, Registered, register, unregister
from catalog.requests import Request
from catalog.roles import Role, needs, role_of
from catalog.sources.sdk import MAX_BYTES, UnfitRegistrationError, read_registration
from catalog.views.json_answers import answer, refused

EXAMPLE = """{
  "title": "Weather desk",
  "callback_url": "http://127.0.0.1:9000/calls",
  "tools": [{
    "name": "get_forecast",
    "description": "Forecast for a city, for up to ten days.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    "category": "weather",
    "permission": "read"
  }]
}"""
CALL = """{
  "call": "6f1d0c2ab3e4f596",
  "run": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  "tool": "get_forecast",
  "arguments": {"city": "Oslo"}
}"""
NO_TOKEN = "Send an access token that may register apps: Authorization: Bearer <token>."  # noqa: S105
NO_SCOPE = "This access token may only search. Make one that may register apps."
NO_ROLE = "Only a curator or an admin may register apps; the owner of this access token is neither."


@csrf_exempt  # a cookie counts for nothing here, only the access token does
@login_not_required
@require_http_methods(["GET", "PUT", "DELETE"])
def app(request: HttpRequest, name: str) -> JsonResponse:
    """Register (PUT), ask how it stands (GET), unregister (DELETE). docs/sdk-apps.md tells every field."""
    token = _registrar(request)
    if isinstance(token, JsonResponse):
        return token
    if request.method == "PUT":
        return _register(request, name, token)
    if request.method == "DELETE" and unregister(name):
        return JsonResponse({"name": name, "registered": False})
    found = App.objects.select_related("server").filter(server__slug=name).first()
    if found is None:
        return refused(404, {"name": f"There is no app {name}."})
    return answer(_about(found))


@require_GET
@needs(Role.CURATOR)
def app_add(request: Request) -> HttpResponse:
    """How an app registers, with a command to try it."""
    address = request.build_absolute_uri(reverse("app", args=["weather-desk"]))
    return render(request, "catalog/app_add.html", {"kind": "app", "curl": _curl(address), "sent": CALL})


def _register(request: HttpRequest, name: str, token: AccessToken) -> JsonResponse:
    try:
        SLUG(name)
    except ValidationError as unfit:
        return refused(400, {"name": unfit.messages[0]})
    try:
        done = register(name, read_registration(_body(request)), token.user)
    except RequestDataTooBig:
        return refused(413, {"body": f"It is larger than {MAX_BYTES // 1024**2} MB."})
    except UnfitRegistrationError as unfit:
        return refused(400, unfit.problems)
    except NameTaken as taken:
        return refused(409, {"name": str(taken)})
    return answer(_told(done), 201 if done.is_new else 200)


def _body(request: HttpRequest) -> bytes:
    """Raises RequestDataTooBig."""
    if len(request.body) > MAX_BYTES:
        raise RequestDataTooBig
    return request.body


def _registrar(request: HttpRequest) -> AccessToken | JsonResponse:
    """The token that lets the request pass, or the refusal."""
    token = token_of(request)
    if token is None:
        return refused(401, {"authorization": NO_TOKEN})
    if not token.may_register:
        return refused(403, {"authorization": NO_SCOPE})
    if role_of(token.user) < Role.CURATOR:
        return refused(403, {"authorization": NO_ROLE})
    return token


def _told(done: Registered) -> dict[str, Any]:
    plan = done.plan
    changes = {"added": plan.added, "changed": tuple(plan.changed), "gone": plan.gone, "back": plan.back}
    key = {"signing_key": done.signing_key} if done.signing_key else {}
    return {**_about(done.server.app), "changes": {**changes, "unchanged": plan.unchanged}, **key}


def _about(app: App) -> dict[str, Any]:
    """`approved`: an admin approved the callback address as it stands, so that calls go out."""
    server = app.server
    return {
        "name": server.slug,
        "registered": app.is_registered,
        "approved": server.is_approved,
        "enabled": server.enabled,
        "tools": [tool.exposed_name for tool in server.tools.here().select_related("server")],
    }


def _curl(address: str) -> str:
    """The command that registers the example. The token is read from the environment, so that it stands in no history."""
    bearer, body = '"Authorization: Bearer $PEGBOARD_TOKEN"', shlex.quote(EXAMPLE)
    return (
        f"curl -sS -X PUT {shlex.quote(address)} \\\n  -H {bearer} -H 'Content-Type: application/json' \\\n  -d {body}"
    )
