"""Who asks: the person of the session, or the one whose access token the request bears."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from catalog.models import AccessToken
from catalog.origins import came_by_token


def person_of(request: HttpRequest) -> User | None:
    """A request that bears a token stands or falls with it, whoever is signed in."""
    if (token := _borne(request)) is not None:
        return AccessToken.holder(token)
    return request.user if isinstance(request.user, User) else None


def token_of(request: HttpRequest) -> AccessToken | None:
    """The access token that the request bears, for addresses that ask for one whoever is signed in."""
    token = _borne(request)
    row = AccessToken.known(token) if token is not None else None
    if row is not None:
        came_by_token(row.title, row.user)
    return row


def _borne(request: HttpRequest) -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
