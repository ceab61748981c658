"""What the playground and the runs page say to those who cannot start a run, or have nothing to start it with."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.roles import Role
from playground.agent.events import CallFinished, CallMade, KeptOutput, SearchAnswered
from playground.models import Run, Thread
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS
from playground.runs.state import state_of
from playground.runs.steps import Searched
from playground.templatetags.run_text import bars, dollars, duration, gist, indented, short
from playground.views.playground import MOST_PEGS, Outlook
from tests.playground.runs.recordings import EVERY_KIND, recorded
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]


def test_a_viewer_reads_why_there_is_no_button(client_as: ClientAs, sample: Catalog) -> None:
    page = client_as(Role.VIEWER).get("/playground/").content.decode()
    assert "You may watch runs, not start them" in page
    assert "Start the run" not in page


def test_a_catalog_without_tools_says_the_next_act(client_as: ClientAs, db: None) -> None:
    Catalog.objects.create(slug="empty", title="Empty")
    page = client_as(Role.PRESENTER).get("/playground/").content.decode()
    assert "Empty offers no tools" in page
    assert "Open the catalog" in page
    assert not Run.objects.exists()


def test_the_catalogs_are_told_with_their_counts(client_as: ClientAs, sample: Catalog) -> None:
    page = client_as(Role.PRESENTER).get("/playground/", {"catalog": sample.slug}).content.decode()
    pool = exposure_of(sample).pool
    assert f"{sample.title} · {len(pool)} tools, {len(pool.upfront_names)} from the start" in page
    assert f"{len(pool.deferred)} of {len(pool)} tools</b> stay hidden" in page


def test_a_mistake_is_told_at_its_field(client_as: ClientAs, sample: Catalog) -> None:
    page = client_as(Role.PRESENTER).post("/playground/start/", {"catalog": sample.slug, "task": ""}).content.decode()
    assert 'aria-describedby="id_task_error"' in page
    assert 'id="id_task_error"' in page


def test_the_runs_tell_what_their_last_turn_came_to(client_as: ClientAs, team: Catalog) -> None:
    run_with(*EVERY_KIND, catalog=team)
    run_with(task="not begun")
    rows = client_as(Role.VIEWER).get("/runs/").context["rows"]
    figures = {run.task: figures for run, figures in rows}
    assert figures["not begun"] is None
    assert (figures["Weather in Oslo?"].turns, figures["Weather in Oslo?"].in_view) == (4, 1)
    assert figures["Weather in Oslo?"].tokens == 300


def test_a_peg_leads_to_its_tool_and_has_a_card(client_as: ClientAs, team: Catalog) -> None:
    run = run_with(*EVERY_KIND, catalog=team)
    client = client_as(Role.VIEWER)
    name = exposure_of(team).pool.tools[0].name
    tool = client.get(f"{run.get_absolute_url()}tool/", {"name": name})
    assert tool.headers["Location"].startswith("/tools/team/")
    card = client.get(f"{run.get_absolute_url()}tool/", {"name": name}, headers={"HX-Request": "true"})
    assert "tokens a turn" in card.content.decode()
    meta = client.get(f"{run.get_absolute_url()}tool/", {"name": "search_tools"}, headers={"HX-Request": "true"})
    assert "Look for tools" in meta.content.decode()
    gone = client.get(f"{run.get_absolute_url()}tool/", {"name": "<b>"}, headers={"HX-Request": "true"})
    assert "no such tool now" in gone.content.decode()
    assert "<b>" not in gone.content.decode()


def test_why_leads_to_the_search_in_the_catalog_of_the_run(client_as: ClientAs, team: Catalog) -> None:
    run = run_with(*EVERY_KIND, catalog=team)
    address = client_as(Role.VIEWER).get(f"{run.get_absolute_url()}search/7/").headers["Location"]
    assert address.startswith("/search/?catalog=team-agent&q=weather&")


def test_a_providers_search_cannot_be_asked_why(client_as: ClientAs, team: Catalog) -> None:
    search = SearchAnswered(1, "s-1", "mail", "provider’s search", (), 0, 9, False)
    made = CallMade(1, "s-1", "tool_search", "{}", True)
    run = run_with(*EVERY_KIND[:2], made, search, catalog=team)
    address = client_as(Role.VIEWER).get(f"{run.get_absolute_url()}search/3/").headers["Location"]
    assert address.startswith("/search/?catalog=team-agent&q=mail") and "engine=" not in address


def test_why_asks_the_engine_that_the_run_asked(client_as: ClientAs, team: Catalog) -> None:
    made = CallMade(1, "search-2", "search_tools", "{}", True)
    found = SearchAnswered(1, "search-2", "wea.*", "mcpagent", (), 0, 40, False)
    run = run_with(*EVERY_KIND[:9], made, found, catalog=team)
    client = client_as(Role.VIEWER)
    words, pattern = (client.get(f"{run.get_absolute_url()}search/{seq}/").headers["Location"] for seq in (7, 10))
    assert "&engine=mcpagent" in pattern and "q=wea.%2A" in pattern
    assert "&engine=bm25f" in words


def test_a_run_without_its_catalog_has_no_tools_to_lead_to(client_as: ClientAs) -> None:
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t")
    assert client_as(Role.VIEWER).get(f"{run.get_absolute_url()}search/1/").status_code == 404


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1_234, "1.2k"), (58_214, "58.2k"), (1_020_000, "1.0M"), (-2_000, "-2.0k")],
)
def test_figures_in_short(number: int, text: str) -> None:
    assert short(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "<1 ms"), (0.184, "184 ms"), (4.24, "4.2 s"), (75.0, "1 min 15 s"), (59.97, "60.0 s")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_json_in_one_line_and_in_many() -> None:
    assert gist('{"城市":\n "东京"}') == '{"城市": "东京"}'
    assert gist("\n  first\nsecond") == "first"
    assert len(gist("x" * 900)) == 180
    assert indented('{"a":1}') == '{\n  "a": 1\n}'
    assert indented("{broken") == "{broken"


def test_a_bar_is_the_messages_what_was_kept_and_what_was_added() -> None:
    found = bars(state_of(recorded(EVERY_KIND)).meter)
    assert [bar.tools for bar in found] == [2.54, 2.54, 3.52, 2.93]
    assert [bar.kept for bar in found] == [0, 2.54, 2.54, 2.93]
    assert [bar.messages for bar in found] == [0.39, 0, 0, 0.88]
    assert found[-1].all_y == 0 and found[1].all_y > 0


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0, "$0"), (1_234.5, "$1,234.50"), (1.2, "$1.20"), (0.034, "$0.034"), (0.00056, "$0.00056")]
)
def test_dollars(amount: float, text: str) -> None:
    assert dollars(amount) == text


def test_a_search_tells_which_of_its_hits_were_loaded() -> None:
    searched = [step for step in state_of(recorded(EVERY_KIND)).steps if isinstance(step, Searched)]
    assert [step.loaded for step in searched] == [("weather__get",)]


def test_the_start_tells_the_tools_for_large_outputs_where_the_catalog_has_them(
    client_as: ClientAs, team: Catalog
) -> None:
    presenter = client_as(Role.PRESENTER)

    def outlook() -> Outlook:
        found: Outlook = presenter.get("/playground/", {"catalog": team.slug}).context["outlook"]
        return found

    before = outlook()
    assert before.aids == LARGE_OUTPUT_TOOLS
    team.mode_options = {"offload_over": 0}
    team.save()
    after = outlook()
    assert (after.aids, after.starting) == ((), before.starting - 3)
    assert after.tokens < before.tokens


def test_a_step_says_that_its_output_is_in_a_file(client_as: ClientAs, team: Catalog) -> None:
    kept = KeptOutput("tool_1_x.txt", 190_000, 48_210, 5_000)
    finished = CallFinished(1, "get-1", "weather__get", "ok", "It begins:", 0.2, True, kept)
    run = run_with(*EVERY_KIND[:2], CallMade(1, "get-1", "weather__get", "{}", False), finished, catalog=team)
    page = client_as(Role.VIEWER).get(run.get_absolute_url()).content.decode()
    assert (
        '<span class="num">48,210</span> tokens; the model saw the first <span class="num">5,000</span> bytes' in page
    )
    assert 'href="outputs/tool_1_x.txt/"' in page


def test_the_start_of_a_mode_without_a_search_hides_what_it_hides(client_as: ClientAs, team: Catalog) -> None:
    presenter = client_as(Role.PRESENTER)
    every = len(exposure_of(team).pool)

    def start_of(mode: str) -> tuple[Outlook, str]:
        team.mode = mode
        team.save()
        answer = presenter.get("/playground/", {"catalog": team.slug})
        return answer.context["outlook"], answer.content.decode()

    everything, page = start_of("everything")
    assert (len(everything.in_view), everything.hidden, everything.meta_tools) == (every, (), ())
    assert everything.saved == 0
    assert everything.more == 0
    assert f"stay hidden. The model starts with {every} tools in view." in page
    upfront, page = start_of("none")
    assert len(upfront.in_view) + len(upfront.hidden) == every
    native, _ = start_of("eino-native")
    assert native.meta_tools == ()
    gone, page = start_of("telepathy")
    assert gone.meta_tools == ()


def test_of_many_tools_in_view_the_first_are_named_and_the_rest_counted(client_as: ClientAs, sample: Catalog) -> None:
    sample.mode = "everything"
    sample.save()
    answer = client_as(Role.PRESENTER).get("/playground/", {"catalog": sample.slug})
    found: Outlook = answer.context["outlook"]
    assert f"and {len(found.in_view) - MOST_PEGS} more" in answer.content.decode()
