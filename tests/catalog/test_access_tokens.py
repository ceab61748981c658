"""A person's access tokens: shown once, kept as a digest, revoked by their owner alone."""

import re
from collections.abc import Callable

from django.contrib.auth.models import User
from django.test import Client

from catalog.models import AccessToken
from catalog.roles import Role
from tests.catalog.pages import text_of


def test_a_token_is_shown_once_and_only_its_digest_is_kept(viewer: Client) -> None:
    made = viewer.post("/access-tokens/", {"title": "my script"})
    (token,) = re.findall(r"pegboard_[\w-]{40,}", made.content.decode())
    assert "no-store" in made["Cache-Control"]
    page = text_of(viewer, "/access-tokens/")
    assert "my script" in page
    assert token not in page
    row = AccessToken.objects.get()
    assert token not in (row.digest, str(row))
    assert AccessToken.holder(token) == row.user


def test_a_token_needs_a_title(viewer: Client) -> None:
    assert "This field is required." in viewer.post("/access-tokens/", {"title": " "}).content.decode()
    assert not AccessToken.objects.exists()


def test_only_its_owner_sees_and_revokes_it(viewer: Client, person: Callable[[Role], User]) -> None:
    AccessToken.make(person(Role.ADMIN), "theirs")
    pk = AccessToken.objects.get().pk
    assert "theirs" not in text_of(viewer, "/access-tokens/")
    assert viewer.post(f"/access-tokens/{pk}/revoke/").status_code == 404
    assert AccessToken.objects.exists()


def test_a_revoked_token_is_gone(viewer: Client) -> None:
    viewer.post("/access-tokens/", {"title": "my script"})
    response = viewer.post(f"/access-tokens/{AccessToken.objects.get().pk}/revoke/", follow=True)
    assert "my script was revoked." in response.content.decode()
    assert not AccessToken.objects.exists()
