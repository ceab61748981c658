"""Signing in by password: whoever fails too often waits, and keeps nobody else out."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.auditing.acts import Act
from catalog.models import AuditEntry, FailedSignIn
from catalog.sign_in_tries import (
    MOST_OF_ACCOUNT,
    MOST_OF_ADDRESS,
    MOST_OF_BROWSER,
    WINDOW,
    MustWaitError,
    begin_try,
    known_browser,
)

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"
STRANGER = "203.0.113.5"


@pytest.fixture
def ada(settings: Settings) -> User:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return User.objects.create_superuser("ada", password=RIGHT)


def sign_in(password: str, name: str = "ada", address: str = STRANGER, browser: Client | None = None) -> HttpResponse:
    filled = {"username": name, "password": password}
    return (browser or Client()).post("/sign-in/", filled, REMOTE_ADDR=address)  # type: ignore[return-value]


def fail(times: int, name: str = "ada", address: str = STRANGER, known: str = "") -> None:
    for _ in range(times):
        begin_try(name, address, known)


def waits(name: str = "ada", address: str = STRANGER, known: str = "") -> bool:
    try:
        begin_try(name, address, known).was_good()
    except MustWaitError:
        return True
    return False


@pytest.mark.threat("T74")
def test_who_fails_too_often_is_told_when_to_try_again_and_the_audit_says_so_once(ada: User) -> None:
    for _ in range(MOST_OF_ACCOUNT):
        assert sign_in("wrong").status_code == 200
    answer = sign_in(RIGHT)
    assert answer.status_code == 429 and 0 < int(answer["Retry-After"]) <= WINDOW.total_seconds()
    assert "Too many tries failed. Try again in 15 minutes" in answer.content.decode()
    sign_in("wrong")
    acts = [entry.act for entry in AuditEntry.objects.order_by("pk")]
    assert acts == [Act.SIGN_IN_FAILED] * MOST_OF_ACCOUNT + [Act.SIGN_IN_HELD_OFF]
    entry = AuditEntry.objects.latest("pk")
    assert (entry.name, entry.address, "until" in entry.after) == ("ada", STRANGER, True)


@pytest.mark.threat("T74")
def test_a_stranger_keeps_nobody_out(ada: User, settings: Settings) -> None:
    own = Client()
    assert sign_in(RIGHT, browser=own).status_code == 302
    fail(MOST_OF_ACCOUNT)
    assert sign_in(RIGHT, address="198.51.100.7").status_code == 302, "who comes from elsewhere"
    own.cookies.pop(settings.SESSION_COOKIE_NAME)
    assert sign_in(RIGHT, browser=own).status_code == 302, (
        "who signed in with this browser before, behind the same proxy"
    )
    assert waits() and not waits("grace")


@pytest.mark.threat("T74")
@pytest.mark.parametrize("name", ["ada", "nobody has this name"])
def test_whether_a_name_is_somebodys_is_not_told_by_who_has_to_wait(ada: User, name: str) -> None:
    for _ in range(MOST_OF_ACCOUNT):
        assert sign_in("wrong", name).status_code == 200
    assert sign_in("wrong", name).status_code == 429


@pytest.mark.threat("T74")
def test_an_address_that_tries_many_accounts_waits_with_each(ada: User) -> None:
    for number in range(MOST_OF_ADDRESS // 2):
        fail(2, f"guess-{number}", "2001:db8:1:2::1")
    assert waits("ada", "2001:db8:1:2:ffff::9"), "the same 64 bits"
    assert not waits("ada", "2001:db8:1:3::1")


def test_a_known_browser_is_known_for_its_own_account_and_bounded_too() -> None:
    known = known_browser("ada")
    fail(MOST_OF_ACCOUNT)
    fail(MOST_OF_BROWSER - 1, known=known)
    assert waits("ada") and not waits("ada", known=known)
    fail(MOST_OF_BROWSER, known=known)
    assert waits("ada", known=known)
    fail(MOST_OF_ACCOUNT, "grace", known=known)
    assert waits("grace", known=known), "for another account it is any browser"
    fail(MOST_OF_ACCOUNT, "eve", known="made up")
    assert waits("eve", known="made up")


def test_failures_count_no_more_after_a_good_one_or_a_while() -> None:
    fail(MOST_OF_ACCOUNT - 1)
    begin_try("ada", STRANGER, "").was_good()
    fail(MOST_OF_ACCOUNT - 1)
    assert not waits()
    fail(MOST_OF_ACCOUNT)
    assert waits()
    FailedSignIn.objects.update(at=timezone.now() - WINDOW - timedelta(seconds=1))
    assert not waits()
    assert not FailedSignIn.objects.exists(), "what counts no more is not kept"
