"""What a run may use up, and what an answer costs."""

import subprocess
import sys

import pytest

from playground.agent.limits import LimitReached, Limits
from playground.agent.spending import Prices, Spending, Usage, prices_by_million, prices_in

CLAUDE = {
    "input_cost_per_token": 3e-6,
    "output_cost_per_token": 15e-6,
    "cache_read_input_token_cost": 0.3e-6,
    "cache_creation_input_token_cost": 3.75e-6,
}
GEMINI = {
    "input_cost_per_token": 1e-6,
    "output_cost_per_token": 10e-6,
    "cache_read_input_token_cost": 0.1e-6,
    "input_cost_per_token_above_200k_tokens": 2e-6,
    "input_cost_per_token_above_200k_tokens_priority": 9.0,
    "output_cost_per_token_above_200k_tokens": 15e-6,
}


def test_cached_and_written_tokens_have_their_own_prices() -> None:
    prices = prices_in(CLAUDE)
    assert prices is not None
    whole = prices.cost(Usage(prompt=10_000, completion=100, cached=6_000, written=1_000))
    assert whole == pytest.approx(3_000 * 3e-6 + 6_000 * 0.3e-6 + 1_000 * 3.75e-6 + 100 * 15e-6)


def test_a_long_prompt_has_the_long_prompts_price() -> None:
    prices = prices_in(GEMINI)
    assert prices is not None
    assert prices.cost(Usage(200_000, 100)) == pytest.approx(0.2 + 0.001)
    assert prices.cost(Usage(300_000, 100)) == pytest.approx(0.6 + 0.0015)


def test_what_has_no_price_of_its_own_has_the_plain_one() -> None:
    assert prices_in({"input_cost_per_token": 1.0, "output_cost_per_token": 2.0}) == Prices(1.0, 2.0, 1.0, 1.0)
    assert prices_by_million(2.0, 4.0) == Prices(2e-6, 4e-6, 2e-6, 2e-6)
    assert prices_by_million(2.0, 4.0, 0.5).cached == 0.5e-6


@pytest.mark.parametrize("entry", [{}, {"input_cost_per_token": 1.0}, {"output_cost_per_image": 1.0}])
def test_an_entry_without_prices_for_tokens_has_none(entry: dict[str, float]) -> None:
    assert prices_in(entry) is None


def test_another_prompt_is_cached_in_the_same_proportion() -> None:
    assert Usage(100, 7, cached=50, written=10).with_prompt_of(200) == Usage(200, 7, cached=100, written=20)
    assert Usage(0, 7).with_prompt_of(200) == Usage(200, 7)


def test_turns_end() -> None:
    spending = Spending(Limits(turns=2))
    spending.begin(2, 10)
    spending.spend(Usage(1_000, 234), None)
    with pytest.raises(LimitReached, match="limit of 2 turns; it used 1,234 tokens and 0 calls"):
        spending.begin(3, 10)


def test_tokens_end_before_the_prompt_that_would_not_fit() -> None:
    spending = Spending(Limits(tokens=1_000))
    spending.begin(1, 400)
    spending.spend(Usage(500, 200), None)
    spending.begin(2, 300)
    with pytest.raises(
        LimitReached, match="1,000 tokens: it used 700 tokens and 0 calls, and the next prompt has about 301"
    ):
        spending.begin(2, 301)


def test_dollars_end_once_they_are_spent() -> None:
    spending = Spending(Limits(dollars=0.5))
    spending.begin(1, 10)
    spending.spend(Usage(100, 10), 0.3)
    spending.begin(2, 10)
    spending.spend(Usage(100, 10), 0.25)
    with pytest.raises(LimitReached, match=r"limit of \$0\.5: it cost \$0\.5500; it used 220 tokens"):
        spending.begin(3, 10)


def test_a_limit_in_dollars_lets_no_model_go_on_that_has_no_price() -> None:
    spending = Spending(Limits(dollars=0.5))
    spending.begin(1, 10)
    spending.spend(Usage(100, 10), None)
    with pytest.raises(LimitReached, match="no price of its model is known"):
        spending.begin(2, 10)


def test_calls_end_with_what_was_made_and_asked() -> None:
    spending = Spending(Limits(calls=5))
    spending.call(4)
    with pytest.raises(LimitReached, match="limit of 5 calls: 4 were made, and the model asked for 2 more"):
        spending.call(2)


def test_the_price_table_is_read_from_the_package_and_no_network_is_asked() -> None:
    code = """
import socket
def refuse(*_, **__):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from catalog.litellm_library import price_entry
from playground.agent.spending import prices_in
print(prices_in(price_entry("anthropic/claude-sonnet-4-5")) is not None, price_entry("gemini/gemini-2.5-pro") is not None,
      price_entry("openai/claude-sonnet-4-5"), price_entry("openai/no-such-model"), price_entry("demo/scripted"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "True True None None None", done.stderr
