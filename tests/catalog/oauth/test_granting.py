"""What is made of the answers of a token endpoint."""

import base64
import json
from typing import Any

import pytest
from django.utils import timezone
from mcp.shared.auth import OAuthMetadata

from catalog.oauth.clients import proved, written_down
from catalog.oauth.discovery import Authority
from catalog.oauth.granting import GrantEnded, Tokens, redeem, renew
from catalog.oauth.hops import Bounds, hops
from catalog.oauth.kept import times
from catalog.sources.errors import SourceError
from tests.catalog.oauth.strangers import Strangers

CODE = "code-CANARY-0123456789"


def authority(strangers: Strangers, **changed: Any) -> Authority:
    return Authority(OAuthMetadata.model_validate(strangers.metadata(**changed)), f"{strangers.own}/mcp", "a b")


def id_token(claims: dict[str, Any]) -> str:
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"header.{body}.signature"


async def redeemed(strangers: Strangers, answer: Any) -> Tokens:
    strangers.documents["/token"] = answer
    from_whom = authority(strangers)
    async with hops(Bounds(f"{strangers.own}/mcp")) as way:
        return await redeem(way, from_whom, written_down(from_whom, "pegboard", ""), "https://x/", CODE, "verifier")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, Tokens("t", "", None, "a b")),
        ({"expires_in": "60", "refresh_token": "r", "scope": "a"}, Tokens("t", "r", 60, "a")),
        (
            {"id_token": id_token({"sub": "7", "email": "ada@example.com"})},
            Tokens("t", "", None, "a b", "ada@example.com"),
        ),
        ({"id_token": id_token({"sub": 7})}, Tokens("t", "", None, "a b", "7")),
        ({"id_token": "no.token"}, Tokens("t", "", None, "a b")),
        ({"id_token": [1]}, Tokens("t", "", None, "a b")),
    ],
)
async def test_what_is_granted_is_what_is_said_and_else_what_was_asked_for(
    more: dict[str, Any], expected: Tokens, strangers: Strangers
) -> None:
    assert await redeemed(strangers, {"access_token": "t", "token_type": "bearer", **more}) == expected


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (500, "answered with the HTTP status 500."),
        (302, "answered with the HTTP status 302."),
        ("page", "holds no token that can be used"),
        ({"access_token": 7}, "holds no token that can be used"),
        ({"access_token": "t", "token_type": "mac"}, "holds no token that can be used"),
    ],
)
async def test_an_answer_without_a_token_is_told_without_what_was_sent(
    answer: Any, words: str, strangers: Strangers
) -> None:
    with pytest.raises(SourceError) as caught:
        await redeemed(strangers, answer)
    assert words in str(caught.value)
    assert "CANARY" not in str(caught.value)
    assert strangers.trapped == []


@pytest.mark.parametrize(
    ("status", "error", "is_final"),
    [
        (400, "invalid_grant", True),
        (401, "invalid_client", True),
        (400, "temporarily_unavailable", False),
        (503, "", False),
        (401, "", True),
    ],
)
async def test_only_what_asking_again_does_not_change_ends_a_grant(
    status: int, error: str, is_final: bool, strangers: Strangers
) -> None:
    strangers.statuses["/token"] = status
    strangers.documents["/token"] = {"error": error} if error else "page"
    from_whom = authority(strangers)
    async with hops(Bounds(f"{strangers.own}/mcp")) as way:
        with pytest.raises(SourceError) as caught:
            await renew(way, from_whom, written_down(from_whom, "pegboard", ""), "refresh", "a")
    assert isinstance(caught.value, GrantEnded) is is_final


@pytest.mark.parametrize(
    ("known", "secret", "form", "headers"),
    [
        (None, "", {"client_id": "a:b"}, {}),
        (["client_secret_post"], "s&", {"client_id": "a:b", "client_secret": "s&"}, {}),
        (None, "s&", {"client_id": "a:b"}, {"authorization": "Basic YSUzQWI6cyUyNg=="}),
    ],
)
def test_a_client_proves_itself_as_the_authorization_server_knows_it(
    known: list[str] | None, secret: str, form: dict[str, str], headers: dict[str, str]
) -> None:
    strangers = Strangers(own="https://own.example")
    from_whom = authority(strangers, token_endpoint_auth_methods_supported=known)
    assert proved(written_down(from_whom, "a:b", secret), {}) == (form, headers)


@pytest.mark.parametrize(("seconds", "before"), [(3600, 60), (60, 30), (0, 0)])
def test_a_token_is_renewed_a_minute_or_half_its_time_before_it_ends(seconds: int, before: int) -> None:
    now = timezone.now()
    found = times(seconds, now)
    assert found["expires_at"] and found["renew_at"]
    assert (found["expires_at"] - now).total_seconds() == seconds
    assert (found["expires_at"] - found["renew_at"]).total_seconds() == before
    assert times(None, now) == {"expires_at": None, "renew_at": None}
