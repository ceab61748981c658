"""The small catalog, gathering its changes in a draft; version 1 is in force."""

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog, Tool
from catalog.publishing.acts import gather


@pytest.fixture
def curating(db: None) -> User:
    return User.objects.create_user("cora")


@pytest.fixture
def gathering(team: Catalog) -> Catalog:
    gather(team)
    return team


def reword(name: str, description: str) -> None:
    tool = Tool.objects.get(name=name)
    tool.own_description = description
    tool.save()
