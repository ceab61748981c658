"""Secrets in the database: unreadable there, read back whole, and nothing to decrypt where there are none."""

from typing import Any

import pytest
from django.db import connection

from catalog.models import Server
from catalog.models.encryption import LOCKED, fernet

pytestmark = pytest.mark.django_db


def stored(server: Server) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT headers FROM catalog_server WHERE id = %s", [server.pk])
        return str(cursor.fetchone()[0])


def kept(headers: Any) -> Server:
    return Server.objects.create(slug="mail", title="Mail", headers=headers)


def test_secrets_are_unreadable_where_they_are_kept() -> None:
    server = kept({"Authorization": "Bearer walnut"})
    assert "walnut" not in stored(server) and "Authorization" not in stored(server)
    assert Server.objects.get().headers == {"Authorization": "Bearer walnut"}


def test_where_there_are_none_nothing_is_decrypted() -> None:
    assert stored(kept({})) == ""
    assert Server.objects.get().headers == {}


def test_none_that_were_encrypted_read_as_none() -> None:
    server = kept({})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_server SET headers = %s", [fernet().encrypt(b"{}").decode()])
    assert Server.objects.get(pk=server.pk).headers == {}


def test_a_value_of_another_key_is_told_as_locked() -> None:
    server = kept({})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_server SET headers = 'gAAAAABother'")
    assert Server.objects.get(pk=server.pk).headers == {LOCKED: ""}
