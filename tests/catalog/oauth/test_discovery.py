"""Finding out where to sign in, from documents that strangers write."""

from typing import Any

import pytest

from catalog.oauth import hops as hops_module
from catalog.oauth.clients import written_down
from catalog.oauth.discovery import Authority, discover
from catalog.oauth.granting import send_out
from catalog.oauth.hops import Bounds, hops
from catalog.sources.errors import SourceError
from tests.catalog.oauth.strangers import PROTECTED, SERVER, Strangers

EVIL = [
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "vbscript:msgbox(1)",
    "http://x.example/$(touch c)",
    "--upload-pack=x",
    "https://ok.example@evil.example/",
    "https://ok.example/\r\nSet-Cookie: a=b",
    "https://ok.example/\tx",
    "ftp://ok.example/",
    "http://169.254.169.254/latest/meta-data/",
    "https://[::ffff:10.0.0.1]/",
    "https://0x7f000001:1/",
    "//evil.example/x",
]
"""The fourteen of T06, and spellings of inner addresses."""


async def found(strangers: Strangers, granted: str = "") -> Authority:
    async with hops(Bounds(f"{strangers.own}/mcp")) as way:
        return await discover(way, {}, granted)


async def refusal(strangers: Strangers) -> str:
    with pytest.raises(SourceError) as caught:
        await found(strangers)
    assert strangers.trapped == []
    return str(caught.value)


async def test_the_way_goes_from_the_server_to_its_resource_metadata_to_its_authorization_server(
    strangers: Strangers,
) -> None:
    strangers.documents[PROTECTED] = strangers.protected(scopes_supported=["notes:read"])
    authority = await found(strangers)
    assert (authority.issuer, authority.resource, authority.scopes) == (
        strangers.own, f"{strangers.own}/mcp", "notes:read",
    )  # fmt: skip
    assert strangers.hits == ["/mcp", PROTECTED, SERVER]


async def test_a_server_of_before_2025_06_18_is_its_own_authorization_server(strangers: Strangers) -> None:
    del strangers.documents[PROTECTED]
    assert (await found(strangers)).issuer == strangers.own


async def test_the_scopes_of_the_challenge_come_before_those_of_the_documents(strangers: Strangers) -> None:
    strangers.challenge = 'Bearer error="invalid_token", scope="a b"'
    strangers.documents[PROTECTED] = strangers.protected(scopes_supported=["c"])
    assert (await found(strangers)).scopes == "a b"
    assert (await found(strangers, granted="z a")).scopes == "z a b"


@pytest.mark.threat("T06")
@pytest.mark.parametrize("evil", EVIL)
async def test_an_evil_address_leads_nowhere_wherever_it_stands(evil: str, strangers: Strangers) -> None:
    for name in ("authorization_endpoint", "token_endpoint", "registration_endpoint", "issuer"):
        strangers.documents[SERVER] = strangers.metadata(**{name: evil})
        assert "is not gone to" in await refusal(strangers)
    strangers.documents = {PROTECTED: strangers.protected(authorization_servers=[evil])}
    assert "is not gone to" in await refusal(strangers)
    strangers.documents = {}
    strangers.challenge = f'Bearer resource_metadata="{" ".join(evil.splitlines())}"'
    assert "is not reached" in await refusal(strangers)


@pytest.mark.threat("T10")
@pytest.mark.parametrize("where", ["challenge", "server", "token", "register"])
async def test_a_document_that_points_inwards_is_not_followed_at_any_hop(where: str, strangers: Strangers) -> None:
    trap = strangers.trap
    match where:
        case "challenge":
            strangers.challenge = f'Bearer resource_metadata="{trap}/inner"'
        case "server":
            strangers.documents[PROTECTED] = strangers.protected(authorization_servers=[trap])
        case "token":
            strangers.documents[SERVER] = strangers.metadata(token_endpoint=f"{trap}/token")
        case "register":
            strangers.documents[SERVER] = strangers.metadata(registration_endpoint=f"{trap}/register")
    assert "An admin must allow it by host and port." in await refusal(strangers)


async def test_a_private_host_that_an_admin_named_may_take_part(strangers: Strangers) -> None:
    strangers.documents[PROTECTED] = strangers.protected(authorization_servers=[strangers.trap])
    strangers.documents[SERVER] = strangers.metadata(issuer=strangers.trap)
    host, _, port = strangers.trap.removeprefix("http://").partition(":")
    async with hops(Bounds(f"{strangers.own}/mcp", [(host, int(port))])) as way:
        assert (await discover(way, {})).issuer == strangers.trap


@pytest.mark.parametrize(
    ("path", "document", "words"),
    [
        (SERVER, {"issuer": "https://other.example"}, "and speaks for https://other.example"),
        (SERVER, {"code_challenge_methods_supported": ["plain"]}, "knows PKCE with S256"),
        (SERVER, {"code_challenge_methods_supported": None}, "knows PKCE with S256"),
        (SERVER, {"token_endpoint": None}, "cannot be read, at “token_endpoint”"),
        (PROTECTED, {"resource": "https://other.example/mcp"}, "not the address of this server"),
        (PROTECTED, {"authorization_servers": []}, "cannot be read, at “authorization_servers”"),
    ],
)
async def test_a_document_that_speaks_for_another_or_lacks_what_is_needed_is_refused(
    path: str, document: dict[str, Any], words: str, strangers: Strangers
) -> None:
    strangers.documents[path] = strangers.documents[path] | document
    assert words in await refusal(strangers)


@pytest.mark.parametrize(
    ("answer", "words"), [(302, "does not say how"), (503, "HTTP status 503"), ("page", "does not")]
)
async def test_what_answers_otherwise_than_with_a_document_is_told(
    answer: object, words: str, strangers: Strangers
) -> None:
    strangers.documents = dict.fromkeys([PROTECTED, SERVER], answer)
    assert words in await refusal(strangers)


@pytest.mark.threat("T10")
async def test_five_documents_are_asked_for_and_no_more(strangers: Strangers) -> None:
    strangers.challenge = f'Bearer resource_metadata="{strangers.own}/lost"'
    root = PROTECTED.removesuffix("/mcp")
    strangers.documents = {root: strangers.protected(authorization_servers=[f"{strangers.own}/far/away"])}
    assert "more than 5 documents" in await refusal(strangers)
    assert len(strangers.hits) == 1 + 5


@pytest.mark.threat("T10")
async def test_all_of_it_ends_in_time(strangers: Strangers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hops_module, "MOST_SECONDS", 0.0)
    assert "Signing in took more than" in await refusal(strangers)


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("https://auth.example.com/x", True),
        ("http://auth.example.com/x", False),
        ("http://127.0.0.1:9000/mcp", True),
        ("http://127.0.0.1:9001/mcp", False),
        ("http://localhost:9002/x", True),
        ("http://10.0.0.1:80/x", False),
        ("https://10.0.0.1/x", False),
        ("https://10.0.0.2/x", True),
        ("http://10.0.0.2:443/x", False),
    ],
)
def test_http_is_for_loopback_and_private_hosts_are_for_those_that_were_named(address: str, is_open: bool) -> None:
    bounds = Bounds("http://127.0.0.1:9000/mcp", [("localhost", 9002), ("10.0.0.2", 443), ("10.0.0.1", 80)])
    assert (bounds.problem(address) == "") is is_open


async def test_the_address_that_people_are_sent_to_keeps_its_own_query(strangers: Strangers) -> None:
    strangers.documents[SERVER] = strangers.metadata(authorization_endpoint=f"{strangers.own}/go?tenant=7#x")
    authority = await found(strangers)
    going = send_out(authority, written_down(authority, "pegboard", ""), "https://pegboard.example/back/").address
    assert going.startswith(f"{strangers.own}/go?tenant=7&response_type=code&client_id=pegboard&")
    assert "#" not in going
