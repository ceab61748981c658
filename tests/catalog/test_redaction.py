"""Secrets do not come out again, and ordinary words stay."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.redaction import MASK, Redactor
from tests.effort import bounded_effort

SECRET = 'pég"board/s3cr+et&<value>'


@pytest.mark.threat("T22")
@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        html.escape(SECRET),
        SECRET.encode().hex(),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
    ],
)
def test_a_known_secret_is_found_in_every_form(form: str) -> None:
    redacted = Redactor([SECRET]).text(f"before {form} after")
    assert form not in redacted
    assert redacted.startswith(f"before {MASK}")
    assert redacted.endswith(" after")


@given(st.binary(max_size=5), st.binary(max_size=5))
def test_base64_of_a_longer_text_does_not_carry_a_secret_out(before: bytes, after: bytes) -> None:
    secret = "canary-0123456789-canary"
    carried = base64.b64encode(before + secret.encode() + after).decode()
    assert MASK in Redactor([secret]).text(carried)


@pytest.mark.parametrize(
    "text",
    [
        "key sk-abcdefghijklmnop1234 refused",
        "token ghp_abcdefghijklmnop1234",
        "Authorization: Bearer abcdefgh12345678",
        "authorization: Basic dXNlcjpwYXNz",
        "slack xoxb-1234567890-abcdef",
        "aws AKIAIOSFODNN7EXAMPLE",
        "stripe sk_live_abcdefghijklmnop1234",
        "npm npm_abcdefghijklmnop1234",
        "groq gsk_abcdefghijklmnop1234",
        "google ya29.abcdefghijklmnop1234",
        "mail SG.abcdefghijklmnop1234.abcdefghijklmnop1234",
        "https://example.com/?api_key=abcd1234&page=2",
        '{"api_key": "abcd1234"}',
        r'"{\"password\": \"abcd1234\"}"',
        "x-api-key: abcdefgh12345678",
        "postgres://admin:abcd1234@db/pegboard",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcd1234",
        "-----BEGIN RSA PRIVATE KEY-----\nabcd1234\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_goes(text: str) -> None:
    redacted = Redactor().text(text)
    assert MASK in redacted
    for leaked in ("abcd", "1234567890", "IOSFODNN", "dXNlcjpwYXNz"):
        assert leaked not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "The basic plan has 12 tools",
        "max_tokens=4096, tokens: 812",
        "password: required",
        "Set the API key in the settings",
        "risk-assessment and task-list-with-a-long-name",
        "https://example.com/path?page=2#part",
        "half a \ud800 character",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor(["abc", ""]).text(text) == text


def test_json_keeps_its_shape() -> None:
    value = {"password": "hunter2", "n": [1, 2.5, None, True], "note": "canary-value", "canary-value": {"password": {}}}
    redacted = Redactor(["canary-value"]).json(value)
    assert redacted == {"password": MASK, "n": [1, 2.5, None, True], "note": MASK, MASK: {"password": {}}}


def test_the_longer_of_two_secrets_goes_whole() -> None:
    assert Redactor(["canary", "canary-and-more"]).text("=canary-and-more=") == f"={MASK}="


@pytest.mark.threat("T22")
@given(st.text(), st.text(min_size=6))
def test_no_secret_survives_and_twice_is_once(text: str, secret: str) -> None:
    redactor = Redactor([secret])
    once = redactor.text(text + secret + text)
    assert secret not in once or secret in MASK
    assert redactor.text(once) == once


def test_a_megabyte_written_to_hurt_costs_little() -> None:
    with bounded_effort():
        Redactor([SECRET]).text("api_key=api_key:sk-Bearer Bearer eyJ" * 28_000)
