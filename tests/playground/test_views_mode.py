"""The mode of a catalog: choosing it, its options, and the first prompt as it will be sent."""

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from catalog.models import Catalog
from catalog.roles import Role
from playground.modes import MODES
from playground.runs.assembling import CannotRunError, mode_of
from tests.forms import send


@pytest.fixture
def curator(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


def page(client: Client, catalog: Catalog, **params: str) -> str:
    response = client.get(f"/catalogs/{catalog.slug}/mode/", params)
    assert response.status_code == 200
    return unescape(response.content.decode())


def sent(shown: str) -> dict[str, list[dict[str, object]]]:
    """The whole request, as the page has it."""
    found = re.search(r'aria-label="The request, in JSON">(.*?)</pre>', shown, re.S)
    assert found
    request: dict[str, list[dict[str, object]]] = json.loads(found[1])
    return request


def names(request: dict[str, list[dict[str, object]]]) -> list[object]:
    return [dict(tool["function"])["name"] for tool in request["tools"]]  # type: ignore[call-overload]


@pytest.mark.parametrize("slug", MODES)
def test_every_mode_shows_its_first_prompt_and_changes_nothing(curator: Client, sample: Catalog, slug: str) -> None:
    shown = page(curator, sample, mode=slug)
    assert f'value="{slug}" checked' in shown
    assert MODES[slug].summary in shown
    sample.refresh_from_db()
    assert sample.mode == "mcpagent"


def test_the_prompt_is_what_a_run_sends_first(curator: Client, sample: Catalog) -> None:
    request = sent(page(curator, sample, mode="eino"))
    sample.mode = "eino"
    offer = mode_of(sample)[0].offer(())
    assert names(request) == [tool.name for tool in offer.tools]
    assert request["messages"][1] == {"role": "user", "content": offer.reminder}
    assert offer.instructions in str(request["messages"][0]["content"])


def test_what_is_handed_to_a_provider_is_shown_and_costs_no_tokens(curator: Client, sample: Catalog) -> None:
    tools = sent(page(curator, sample, mode="eino-native"))["tools"]
    hidden = [tool for tool in tools if tool.get("defer_loading")]
    assert len(hidden) > 100 and len(tools) > len(hidden)
    native, client = (
        re.findall(r"about ([\d,]+) tokens", page(curator, sample, mode=slug))[0]
        for slug in ("eino-native", "eino-native-client")
    )
    assert int(native.replace(",", "")) < int(client.replace(",", ""))


def test_a_prompt_of_every_tool_costs_as_much_as_every_tool(curator: Client, sample: Catalog) -> None:
    shown = page(curator, sample, mode="everything")
    about, everything = re.findall(r"about (?:<b[^>]*>)?([\d,]+)", shown)
    assert about == everything


def test_options_are_those_of_the_chosen_mode(curator: Client, sample: Catalog) -> None:
    shown = page(curator, sample, mode="mastra", **{"mastra.inject_catalog": "on"})
    assert "Available tools:" in shown
    assert 'name="mastra.top_k"' in shown
    assert "eino.fidelity" not in shown


def test_a_mode_and_its_options_are_kept_and_runs_follow_them(curator: Client, sample: Catalog) -> None:
    kept = send(
        curator,
        f"/catalogs/{sample.slug}/mode/",
        {"mode": "mastra", "mastra.top_k": "3"},
        f"/catalogs/{sample.slug}/mode/keep/",
        follow=True,
    )
    assert "find their tools as in Mastra search and load" in kept.content.decode()
    sample.refresh_from_db()
    assert (sample.mode, sample.mode_options) == ("mastra", {"top_k": 3})
    mode, engine = mode_of(sample)
    assert (mode.slug, engine) == ("mastra", "mastra")
    assert 'value="3"' in page(curator, sample)


def test_an_option_out_of_range_is_told_at_its_field_and_nothing_is_kept(curator: Client, sample: Catalog) -> None:
    refused = send(
        curator,
        f"/catalogs/{sample.slug}/mode/",
        {"mode": "mastra", "mastra.top_k": "900"},
        f"/catalogs/{sample.slug}/mode/keep/",
    )
    assert "less than or equal to 50" in refused.content.decode()
    sample.refresh_from_db()
    assert sample.mode == "mcpagent"


def test_a_mode_that_is_not_there_is_refused(curator: Client, sample: Catalog) -> None:
    refused = send(
        curator, f"/catalogs/{sample.slug}/mode/", {"mode": "telepathy"}, f"/catalogs/{sample.slug}/mode/keep/"
    )
    assert refused.status_code == 200
    sample.refresh_from_db()
    assert sample.mode == "mcpagent"


def test_stored_options_that_cannot_be_taken_stop_a_run_and_not_the_page(curator: Client, sample: Catalog) -> None:
    sample.mode, sample.mode_options = "mastra", {"top_k": "many"}
    sample.save()
    with pytest.raises(CannotRunError, match="many"):
        mode_of(sample)
    assert 'name="mastra.top_k" value="5"' in page(curator, sample)


def test_a_number_is_shown_to_its_last_digit_so_that_keeping_the_page_changes_nothing(
    curator: Client, sample: Catalog
) -> None:
    sample.mode, sample.mode_options = "mastra", {"ttl": 1_234_567.5}
    sample.save()
    assert 'name="mastra.ttl" value="1234567.5"' in page(curator, sample)


def test_an_engine_that_is_gone_stops_a_run_and_not_the_page(curator: Client, sample: Catalog) -> None:
    sample.engine = "altavista"
    sample.save()
    with pytest.raises(CannotRunError, match="altavista"):
        mode_of(sample)
    assert "What the first call sends" in page(curator, sample)
