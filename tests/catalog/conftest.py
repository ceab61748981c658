"""Clients of people by role, and background work that waits."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog import background
from catalog.roles import Role

ClientAs = Callable[[Role], Client]


@pytest.fixture
def curator(client_as: ClientAs) -> Client:
    return client_as(Role.CURATOR)


@pytest.fixture
def viewer(client_as: ClientAs) -> Client:
    return client_as(Role.VIEWER)


@pytest.fixture
def admin(client_as: ClientAs) -> Client:
    return client_as(Role.ADMIN)


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Work for the background, kept instead of run."""
    work: list[Callable[[], None]] = []
    monkeypatch.setattr(background, "submit", work.append)
    monkeypatch.setattr(background, "A_MOMENT", 0)
    return work
