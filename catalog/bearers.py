"""Who asks: the person of the session, or the one whose access token the request bears."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from catalog.models import AccessToken


def person_of(request: HttpRequest) -> User | None:
    """A request that bears a token stands or falls with it, whoever is signed in."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return AccessToken.holder(token.strip())
    return request.user if isinstance(request.user, User) else None
