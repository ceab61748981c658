"""Who asks: the person of the session, or the one whose access token the request bears."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from catalog.models import AccessToken


def person_of(request: HttpRequest) -> User | None:
    """A request that bears a token stands or falls with it, whoever is signed in."""
    if (token := _borne(request)) is not None:
        return AccessToken.holder(token)
    return request.user if isinstance(request.user, User) else None


def token_of(request: HttpRequest) -> AccessToken | None:
    """The access token that the request bears, for addresses that ask for one whoever is signed in."""
    token = _borne(request)
    return AccessToken.known(token) if token is not None else None


def _borne(request: HttpRequest) -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
