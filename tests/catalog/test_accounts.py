"""Accounts: people are added by a link, roles given and taken, sessions ended, and somebody is always admin."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import strip_tags

from catalog.accounts import LastAdminError, add_person, change_role, deactivate, sessions_by_person
from catalog.models import AccessToken, AuditEntry, SignInLink
from catalog.roles import Role, give_role, role_of


@pytest.fixture
def owner(person: Callable[[Role], User]) -> User:
    return person(Role.ADMIN)


@pytest.fixture
def admin(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_somebody_new_comes_in_by_a_link_that_is_shown_once(admin: Client) -> None:
    answer = admin.post("/accounts/", {"username": "ada", "role": "presenter"})
    link = answer.context["link"]
    assert link in answer.content.decode()
    assert answer["Cache-Control"].count("no-store") == 1
    assert link not in admin.get("/accounts/").content.decode()
    theirs = Client()
    assert theirs.get(link, follow=True).context["user"].username == "ada"
    assert role_of(User.objects.get(username="ada")) is Role.PRESENTER
    assert Client().get(link).status_code == 410, "it works once"
    assert link.rstrip("/").rsplit("/", 1)[1] not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize("name", ["A-Admin", "", "two words", "<b>"])
def test_a_name_that_cannot_be_had_adds_nobody(admin: Client, name: str) -> None:
    answer = admin.post("/accounts/", {"username": name, "role": "viewer"})
    assert answer.context["form"].errors
    assert User.objects.count() == 1


def test_the_page_tells_roles_sign_ins_and_sessions(admin: Client) -> None:
    ada = add_person("ada", Role.CURATOR)
    signed_in(ada), signed_in(ada)
    assert sessions_by_person()[ada.pk] == 2
    answer = admin.get("/accounts/")
    told = {(person.username, role, sessions) for person, role, sessions in answer.context["rows"]}
    assert told == {("a-admin", Role.ADMIN, 1), ("ada", Role.CURATOR, 2)}
    said = " ".join(strip_tags(answer.content.decode()).split())
    assert "ada curator" in said
    assert "2 people" in said


def test_signing_out_everywhere_ends_the_sessions_of_one_person(admin: Client) -> None:
    ada = add_person("ada", Role.VIEWER)
    devices = [signed_in(ada), signed_in(ada)]
    page = admin.post(f"/accounts/{ada.pk}/sign-out/", follow=True).content.decode()
    assert "signed out of 2 sessions" in page
    assert [device.get("/").status_code for device in devices] == [302, 302]
    assert admin.get("/").status_code == 200


def test_an_admin_can_end_their_own_sessions(admin: Client, owner: User) -> None:
    assert admin.post(f"/accounts/{owner.pk}/sign-out/").status_code == 302
    assert admin.get("/")["Location"].startswith("/sign-in/")


def test_who_is_deactivated_gets_in_by_no_way_and_comes_back_when_reactivated(admin: Client) -> None:
    ada = add_person("ada", Role.CURATOR)
    device, link, token = signed_in(ada), SignInLink.make(ada), AccessToken.make(ada, "mine")
    admin.post(f"/accounts/{ada.pk}/switch/")
    assert device.get("/").status_code == 302
    assert Client().get(f"/sign-in/{link}/").status_code == 410
    assert AccessToken.known(token) is None
    assert admin.post(f"/accounts/{ada.pk}/link/").status_code == 404
    admin.post(f"/accounts/{ada.pk}/switch/")
    assert AccessToken.known(token) is not None
    assert device.get("/").status_code == 302, "the old session stays ended"


def test_the_last_admin_keeps_the_role_and_stays_active(admin: Client, owner: User) -> None:
    for act, sent in (("role", {"role": "viewer"}), ("switch", {})):
        assert "the last admin" in admin.post(f"/accounts/{owner.pk}/{act}/", sent, follow=True).content.decode()
    assert role_of(User.objects.get(pk=owner.pk)) is Role.ADMIN
    other = add_person("ada", Role.ADMIN)
    give_role(other, Role.VIEWER)
    other.is_active = False
    with pytest.raises(LastAdminError):
        deactivate(owner)
    give_role(other, Role.ADMIN)
    User.objects.filter(pk=other.pk).update(is_active=False)
    with pytest.raises(LastAdminError):
        change_role(owner, Role.CURATOR)
    User.objects.filter(pk=other.pk).update(is_active=True)
    change_role(owner, Role.CURATOR)
    assert admin.get("/accounts/").status_code == 403


def test_a_role_that_there_is_not_changes_nothing(admin: Client) -> None:
    ada = add_person("ada", Role.CURATOR)
    admin.post(f"/accounts/{ada.pk}/role/", {"role": "emperor"})
    assert role_of(User.objects.get(pk=ada.pk)) is Role.CURATOR
