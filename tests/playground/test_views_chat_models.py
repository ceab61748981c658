"""The page of chat models: prices that an admin writes down."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from catalog.roles import Role
from playground.agent.spending import prices_by_million
from playground.models import ChatModel

ClientAs = Callable[[Role], Client]
MINE = {"title": "Mine", "name": "openai/mine", "base_url": "http://127.0.0.1:9/v1", "enabled": "on"}


def add(client_as: ClientAs, **prices: str) -> dict[str, list[str]]:
    """The errors of the form."""
    answer = client_as(Role.ADMIN).post(reverse("chat_models"), {**MINE, **prices})
    return {} if answer.status_code == 302 else dict(answer.context["form"].errors)


def test_prices_are_kept_for_an_endpoint_of_ones_own(client_as: ClientAs) -> None:
    assert add(client_as, prompt_price="0.5", completion_price="2", cached_price="0") == {}
    assert ChatModel.objects.get(title="Mine").prices == prices_by_million(0.5, 2.0, 0.0)


def test_without_prices_there_are_none(client_as: ClientAs) -> None:
    assert add(client_as) == {}
    assert ChatModel.objects.get(title="Mine").prices is None


@pytest.mark.parametrize(
    ("prices", "wrong"),
    [
        ({"prompt_price": "1"}, {"completion_price"}),
        ({"completion_price": "1"}, {"prompt_price"}),
        ({"cached_price": "1"}, {"prompt_price"}),
        ({"prompt_price": "-1", "completion_price": "1"}, {"prompt_price"}),
        ({"prompt_price": "nan", "completion_price": "1"}, {"prompt_price"}),
    ],
)
def test_half_a_price_is_none(client_as: ClientAs, prices: dict[str, str], wrong: set[str]) -> None:
    assert add(client_as, **prices).keys() == wrong
    assert not ChatModel.objects.filter(title="Mine").exists()
