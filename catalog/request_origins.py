"""The middleware that says where what a request does comes from, and names each request in its answer."""

import secrets
from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware

from catalog.origins import Origin, coming_from

HEADER = "X-Request-ID"
Answering = Callable[[HttpRequest], HttpResponseBase]


@sync_and_async_middleware
def origin_of_requests(
    get_response: Answering | Callable[[HttpRequest], Awaitable[HttpResponseBase]],
) -> Answering | Callable[[HttpRequest], Awaitable[HttpResponseBase]]:
    """Behind the one that says who is signed in."""
    if iscoroutinefunction(get_response):
        later = cast(Callable[[HttpRequest], Awaitable[HttpResponseBase]], get_response)

        async def answered_later(request: HttpRequest) -> HttpResponseBase:
            origin = _origin_of(request)
            with coming_from(origin):
                return _named(await later(request), origin)

        return answered_later
    now = cast(Answering, get_response)

    def answered(request: HttpRequest) -> HttpResponseBase:
        origin = _origin_of(request)
        with coming_from(origin):
            return _named(now(request), origin)

    return answered


def _origin_of(request: HttpRequest) -> Origin:
    return Origin(
        way="admin" if request.path.startswith(reverse("admin:index")) else "page",
        request=secrets.token_hex(16),
        address=request.META.get("REMOTE_ADDR") or "",
        person=request.user,
    )


def _named(response: HttpResponseBase, origin: Origin) -> HttpResponseBase:
    response[HEADER] = origin.request
    return response
