"""Eino's walk-throughs: keywords by default, the provider's own search, definitions in the answer, and the beta's patterns."""

from pathlib import Path

from playground.agent.loop import run_agent
from playground.agent.scripted_model import Reply
from playground.modes.protocol import Session
from playground.transcript import ProviderSearch
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlannedModel, PlayedTools, ask_for, collect, say
from tests.playground.scenarios.playing import Played, calls, mode_of, play, read_events
from tests.playground.scenarios.tools import MARKETS

STATIC = ("calculator",)
START = (*STATIC, "tool_search")
WEATHER = ("weather_forecast", "weather_history")
LAST = Reply("It will rain.")


def look(query: str, **more: object) -> Reply:
    return calls(("tool_search", {"query": query, **more}))


def test_default_two_rounds_from_a_search_to_a_call(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    """E2: round 1 sees static tools and tool_search, round 2 what was found as well."""
    mode, tools = mode_of("eino", MARKETS, tmp_path), PlayedTools()
    forecast = calls(("weather_forecast", {"city": "Oslo"}))
    played = play(model_endpoint, mode, look("weather forecast"), forecast, LAST, tools=tools)
    first, second, third = played.turns
    assert first.view == START == tuple(played.sent_tools(1))
    assert first.told == ('{"matches":["weather_forecast","weather_history"]}',)
    assert first.loaded == WEATHER
    assert second.view == (*START, *WEATHER) == tuple(played.sent_tools(2))
    assert second.outcomes == ("ok",) and tools.calls == [("weather_forecast", {"city": "Oslo"})]
    assert third.view == second.view
    assert (played.text, played.ended.outcome) == ("It will rain.", "completed")


def test_default_the_reminder_lists_every_dynamic_tool_before_the_task_and_never_shrinks(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    """E2-33, E2-34."""
    played = play(model_endpoint, mode_of("eino", MARKETS, tmp_path), look("weather"), LAST, task="Rain tomorrow?")
    for body in played.asked:
        system, reminder, task = body["messages"][:3]
        assert (system["role"], reminder["role"], task["content"]) == ("system", "user", "Rain tomorrow?")
        assert reminder["content"].splitlines() == [
            "<available-deferred-tools>",
            *(tool.name for tool in MARKETS.deferred),
            "</available-deferred-tools>",
        ]


def test_default_the_three_forms_of_a_query_add_up(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    """Words; a word that must match; exact names, of which max_results limits none."""
    played = play(
        model_endpoint,
        mode_of("eino", MARKETS, tmp_path),
        look("weather", max_results=1),
        look("+slack send message"),
        look("select:stock_quote,currency_rate,no_such_tool", max_results=1),
        LAST,
    )
    assert [turn.answer for turn in played.turns[:3]] == [
        {"matches": ["weather_forecast"]},
        {"matches": ["mcp__slack__send_message", "mcp__slack__list_channels"]},
        {"matches": ["stock_quote", "currency_rate"]},
    ]
    assert played.turns[3].view == (
        *START,
        "weather_forecast",
        "mcp__slack__send_message",
        "mcp__slack__list_channels",
        "stock_quote",
        "currency_rate",
    )
    assert all(turn.prefix_kept for turn in played.turns)


def test_default_a_hidden_tool_is_refused_and_runs_once_found(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    quote = calls(("stock_quote", {"ticker": "X"}))
    mode, tools = mode_of("eino", MARKETS, tmp_path), PlayedTools()
    played = play(model_endpoint, mode, quote, look("select:stock_quote"), quote, LAST, tools=tools)
    assert [turn.outcomes for turn in played.turns[:3]] == [("refused",), ("ok",), ("ok",)]
    assert len(tools.calls) == 1


def test_native_client_the_answer_holds_whole_definitions(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    played = play(model_endpoint, mode_of("eino-native-client", MARKETS, tmp_path), look("weather forecast"), LAST)
    definitions = played.turns[0].answer["tools"]
    assert definitions == [MARKETS.by_name[name].as_function()["function"] for name in WEATHER]
    assert played.turns[1].view == (*START, *WEATHER)


def test_native_provider_searches_and_calls_within_one_answer_and_tool_search_is_not_asked(tmp_path: Path) -> None:
    search = ProviderSearch("s-1", "weather forecast", ("weather_forecast",))
    answer = (search, *ask_for(("weather_forecast", '{"city": "Oslo"}')))
    model, tools = PlannedModel([answer, say("It will rain.")], most_handed=100), PlayedTools()
    mode = mode_of("eino-native", MARKETS, tmp_path, Session(most_handed=model.most_handed))
    played = read_events(collect(run_agent(mode, model, tools, "Rain?", catalog="c", engine="e")))
    first, second = played.turns
    assert first.view == STATIC
    assert [tool["function"]["name"] for tool in model.handed[0]] == [tool.name for tool in MARKETS.deferred]
    assert (first.loaded, first.outcomes) == (("weather_forecast",), ("ok", "ok"))
    assert second.view == (*STATIC, "weather_forecast")
    assert tools.calls == [("weather_forecast", {"city": "Oslo"})]
    assert [tool["function"]["name"] for tool in model.asked[1][1]] == [*STATIC]


def beta(model_endpoint: ModelEndpoint, folder: Path, *patterns: str) -> Played:
    plan = (calls(("tool_search", {"regex_pattern": pattern})) for pattern in patterns)
    return play(model_endpoint, mode_of("eino-regex", MARKETS, folder), *plan, LAST)


def test_beta_a_pattern_selects_by_name(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    played = beta(model_endpoint, tmp_path, "weather.*")
    assert played.turns[0].view == START
    assert played.turns[0].told == ('{"selectedTools":["weather_forecast","weather_history"]}',)
    assert played.turns[1].view == (*START, *WEATHER)
    assert "available-deferred-tools" not in str(played.asked[0]["messages"])


def test_beta_what_is_found_later_stands_where_the_catalog_has_it(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    """EB-7: selections add up, in the catalog's order, and the prompt's beginning breaks."""
    played = beta(model_endpoint, tmp_path, "weather", "^stock")
    assert played.turns[2].view == (*START, "stock_quote", *WEATHER)
    assert [turn.prefix_kept for turn in played.turns] == [True, True, False]


def test_beta_descriptions_and_letter_case_are_not_looked_at(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    played = beta(model_endpoint, tmp_path, "city", "WEATHER", "(")
    assert [turn.told for turn in played.turns[:2]] == [('{"selectedTools":null}',)] * 2
    assert played.turns[2].told[0].startswith("invalid regex pattern")
    assert played.turns[3].view == START
