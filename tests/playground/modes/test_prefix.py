"""Which modes keep the beginning of the prompt while the model searches three times; as docs/modes.md tells it."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.conf import settings

from catalog.search.settings import read_settings
from catalog.tools import ToolPool
from playground.agent.events import OfferMade
from playground.agent.limits import Limits
from playground.agent.loop import run_agent
from playground.modes import MODES
from playground.modes.protocol import Session
from playground.transcript import ProviderSearch
from tests.playground.agent.doubles import PlannedModel, PlayedTools, Turn, ask_for, collect, of_kind, say
from tests.playground.modes.conftest import WordEngine
from tests.playground.modes.test_every_mode import CONTROLS, way_of

SOUGHT = ("send_message", "get_weather", "update_workspace_file")
"""Found later, two of them stand earlier in the catalog."""


def told() -> dict[str, str]:
    """The table of docs/modes.md: what happens to the prefix in each mode."""
    text = (settings.BASE_DIR / "docs" / "modes.md").read_text()
    table = text.partition("## Order and the prompt")[2]
    rows = re.findall(r"^\| (`.*`) \| (\w+):", table, re.M)
    return {slug: word for slugs, word in rows for slug in re.findall(r"`([^`]+)`", slugs)}


def turns(slug: str, pool: ToolPool, most_handed: int) -> Iterator[Turn]:
    """The model brings three tools into view, one a turn, as the mode has it."""
    way = way_of(MODES[slug](pool, WordEngine(pool)))
    for name in SOUGHT:
        if most_handed:
            search = ProviderSearch(f"s-{name}", name, (name,))
            yield (search, *ask_for((name, "{}")))
        elif slug in CONTROLS:
            yield ask_for(("list_files", "{}"))
        else:
            yield ask_for((way.search, json.dumps({way.query: name})))
            if way.load:
                yield ask_for((way.load, json.dumps({way.names: [name]})))
    yield say("Done.")


def offers(slug: str, pool: ToolPool) -> list[OfferMade]:
    most_handed = len(pool) if slug == "eino-native" else 0
    mode = MODES[slug](pool, WordEngine(pool), read_settings(MODES[slug].Options, {}), Session(most_handed=most_handed))
    model = PlannedModel(turns(slug, pool, most_handed), most_handed=most_handed)
    return of_kind(
        collect(run_agent(mode, model, PlayedTools(), "Do", catalog="c", engine="e", limits=Limits())), OfferMade
    )


def verdict(made: list[OfferMade]) -> str:
    if any(not offer.prefix_kept for offer in made):
        return "breaks"
    return "grows" if any(offer.prefix and offer.prefix.appended for offer in made) else "stands"


def test_the_document_tells_of_every_mode() -> None:
    assert told().keys() == MODES.keys()


@pytest.mark.parametrize("slug", MODES)
def test_the_prefix_is_what_the_document_says(slug: str, pool: ToolPool) -> None:
    made = offers(slug, pool)
    assert len(made) >= 4
    assert verdict(made) == told()[slug]


def test_the_beta_says_which_tool_came_between(pool: ToolPool) -> None:
    made = offers("eino-regex", pool)
    assert [offer.prefix.broke for offer in made if offer.prefix] == [
        "",
        "",
        "tools: get_weather was put before send_message",
        "",
    ]


@pytest.mark.parametrize("slug", MODES)
def test_what_is_counted_as_kept_was_sent_before(slug: str, pool: ToolPool) -> None:
    made = offers(slug, pool)
    for before, now in pairwise(made):
        assert now.prefix and now.prefix.tokens <= before.tokens + before.message_tokens
        if now.prefix_kept and not now.prefix.appended:
            handed = sum(tool.tokens for tool in before.tools if tool.name in SOUGHT and before.path == "provider")
            assert now.prefix.tokens == before.tokens - handed + before.message_tokens
