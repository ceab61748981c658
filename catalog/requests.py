"""The request as views get it: someone is signed in, and htmx says what it asks for."""

from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """Every page asks for a sign-in, so that `user` is a person; error pages and the sign-in take Django's own request."""

    user: User
    htmx: HtmxDetails
