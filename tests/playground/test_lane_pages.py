"""The pages of lanes: the form, which tells the cost first, and the lanes side by side, live and as they were."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from catalog.models import Catalog
from catalog.roles import Role
from catalog.sources import sample as shipped
from playground.lane_forms import LanesForm
from playground.models import ChatModel, LaneSet, Run
from playground.runs.expectation import read_expectation
from playground.runs.lane_plans import LanePlan
from playground.runs.lanes import Undertaking, _add_first, _add_next
from playground.runs.threads import Setup
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]
FORECAST = shipped.tasks()[1]


@pytest.fixture
def presenter(client_as: ClientAs) -> Client:
    return client_as(Role.PRESENTER)


@pytest.fixture
def priced(db: None) -> ChatModel:
    return ChatModel.objects.create(title="Priced", name="openai/x", prompt_price=2.0, completion_price=10.0)


def lanes_of(form: LanesForm) -> list[str]:
    """The modes, in order."""
    return [lane["mode"].value() for lane in form.lanes]


def asked(address: str) -> dict[str, str]:
    return {name: value for name, (value, *_) in parse_qs(urlsplit(address).query).items()}


def a_set(*runs: Run, expected: str = "") -> LaneSet:
    lanes = LaneSet.objects.create(task="Weather in Oslo?", lanes=len(runs), expected=expected)
    for lane, run in enumerate(runs, 1):
        Run.objects.filter(pk=run.pk).update(lane_set=lanes, lane=lane)
    return lanes


def test_the_form_begins_with_lanes_that_make_sense(team: Catalog) -> None:
    form = LanesForm({})
    assert lanes_of(form) == ["", "everything", "eino"]
    assert form.data["cap"] == "1"
    Catalog.objects.update(mode="everything")
    assert lanes_of(LanesForm({})) == ["", "mcpagent", "eino"]


def test_lanes_are_added_duplicated_and_removed(team: Catalog) -> None:
    form = LanesForm({"task": "x"})
    assert lanes_of(form.changed("add")) == ["", "everything", "eino", "mastra"]
    assert lanes_of(form.changed("duplicate-2")) == ["", "everything", "everything", "eino"]
    assert lanes_of(form.changed("remove-1")) == ["everything", "eino"]
    assert lanes_of(form.changed("add").changed("add")) == ["", "everything", "eino", "mastra"], "four at most"
    assert lanes_of(form.changed("remove-1").changed("remove-1")) == ["everything", "eino"], "two at least"
    for nonsense in ("remove-9", "duplicate-", "add-1x", "\x00"):
        assert form.changed(nonsense).data["task"] == "x"


def test_an_address_brings_the_form_back(team: Catalog) -> None:
    said = {"task": "a & b", "cap": "", "turns": "3", "unknown": "x"}
    form = LanesForm(LanesForm(said).changed("add").data | {"4-mastra.top_k": "2"}).changed("remove-1")
    form = form.changed("duplicate-3")
    assert [lane.changed_options for lane in form.lanes] == [{}, {}, *[{"mastra.top_k": "2"}] * 2]
    again = LanesForm(QueryDict(form.address).dict())
    assert (again.data, again.address) == (form.data, form.address)
    assert again.data["cap"] == "" and "unknown" not in again.address


def test_the_options_of_a_lanes_mode_are_those_of_its_catalog_until_others_are_chosen(team: Catalog) -> None:
    Catalog.objects.update(mode="mastra", mode_options={"top_k": 9})
    form = LanesForm({"1-catalog": team.slug, "2-catalog": team.slug, "2-mode": "mastra"})
    assert [lane["mastra.top_k"].value() for lane in form.lanes] == ["9", "5"]
    own, other = LanesForm({**form.data, "2-mastra.top_k": "7", "1-mastra.top_k": "", "1-eino.fidelity": "x"}).lanes
    assert (own.changed_options, other.changed_options) == ({}, {"mastra.top_k": "7"})
    own, other = LanesForm({**form.data, "1-mastra.top_k": "5", "2-mastra.top_k": "900"}).lanes
    assert "900" in other.said.values() and not other.is_valid()
    assert "mastra.top_k" in other.errors


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ({}, ("", {})),
        ({"1-mastra.top_k": "9", "1-mastra.inject_catalog": "off"}, ("", {})),
        ({"1-mastra.inject_catalog": "on"}, ("mastra", {"top_k": 9, "inject_catalog": True})),
        ({"1-mastra.top_k": "5"}, ("mastra", {})),
        ({"1-mode": "mastra"}, ("mastra", {})),
        ({"1-mode": "sanqian", "1-sanqian.most": "2", "1-mastra.top_k": "3"}, ("sanqian", {"most": 2})),
        ({"1-mode": "none"}, ("none", {})),
    ],
)
def test_a_lane_runs_with_options_of_its_own_once_they_are_not_its_catalogs(
    team: Catalog, said: dict[str, str], made: tuple[str, dict[str, object]]
) -> None:
    Catalog.objects.update(mode="mastra", mode_options={"top_k": 9})
    usual = LanesForm({"task": "x"}).data
    lane = LanesForm({**usual, **said}).lanes[0]
    assert lane.is_valid(), lane.errors
    assert lane.made == made


def test_the_cost_is_told_before_the_start(presenter: Client, team: Catalog, priced: ChatModel) -> None:
    said = {"1-catalog": team.slug, "1-mode": "everything", "2-catalog": team.slug, "2-mode": "none"}
    said |= {"1-chat_model": str(priced.pk), "2-chat_model": str(priced.pk), "task": "Tell Ada", "tokens": "10000"}
    context = presenter.get("/lanes/", said | {"cap": "0.05"}).context
    plans: list[LanePlan] = [plan for _, plan in context["planned"]]
    assert plans[0].tokens > plans[1].tokens > 0
    assert plans[0].first_cost == pytest.approx(plans[0].tokens * 2e-6)
    assert [plan.most_cost for plan in plans] == [pytest.approx(0.1)] * 2
    costs = context["costs"]
    assert costs.first == pytest.approx(sum(plan.first_cost or 0.0 for plan in plans))
    assert (costs.bound, costs.most, costs.is_capped) == (pytest.approx(0.2), 0.05, True)
    assert not presenter.get("/lanes/", said | {"cap": "", "dollars": "0.02"}).context["costs"].is_capped


def test_the_demo_model_costs_nothing_and_says_so(presenter: Client, team: Catalog) -> None:
    page = presenter.get("/lanes/")
    assert page.context["costs"].is_free
    assert "The demo model follows rules: no LLM is asked" in page.content.decode()


def test_what_was_written_in_the_playground_comes_along(presenter: Client, team: Catalog, priced: ChatModel) -> None:
    said = {"catalog": team.slug, "version": "draft", "chat_model": priced.pk, "task": "Tell Ada", "turns": "3"}
    where = presenter.post("/lanes/choose/", said)
    assert where.status_code == 302
    told = asked(where["Location"])
    assert (told["task"], told["turns"], told["3-version"], told["3-chat_model"]) == (
        "Tell Ada",
        "3",
        "draft",
        str(priced.pk),
    )
    long = presenter.post("/lanes/choose/", said | {"task": "x" * 9_000})
    assert long.status_code == 200 and long.context["form"].data["task"] == "x" * 9_000


def test_under_a_cap_no_lane_begins_whose_price_is_not_known(presenter: Client, team: Catalog) -> None:
    model = ChatModel.objects.create(title="Own", name="openai/own", base_url="http://127.0.0.1:9/v1")
    said = LanesForm({"task": "Tell Ada", "chat_model": str(model.pk)}).data
    page = presenter.post("/lanes/start/", said).content.decode()
    assert "No price of Own is known, so a cap cannot hold it" in page
    assert not LaneSet.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"task": ""}, "This field is required"),
        ({"expected": "x {"}, "Line 1: what follows the name is not JSON"),
        ({"context": "no sense"}, "context"),
        ({"2-catalog": "gone"}, "Select a valid choice"),
        ({"2-mode": "gone"}, "Select a valid choice"),
        ({"2-version": "77"}, "Select a valid choice"),
        ({"cap": "-1"}, "greater than or equal"),
        ({"turns": "9999"}, "At most 100"),
    ],
)
def test_a_mistake_is_told_at_its_field(team: Catalog, wrong: dict[str, str], told: str) -> None:
    form = LanesForm({**LanesForm({"task": "Tell Ada"}).data, **wrong}, is_start=True)
    assert not form.is_valid()
    (name,) = wrong
    parts = (form.common, form.limits, *form.lanes)
    (errors,) = [part.errors[name.partition("-")[2] or name] for part in parts if part.errors]
    assert told in str(errors) or name == told


def test_nothing_begins_while_there_is_a_mistake(presenter: Client, team: Catalog) -> None:
    answer = presenter.post("/lanes/start/", {**LanesForm({}).data, "2-catalog": "gone"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "This field is required" in html and "Select a valid choice" in html
    assert not LaneSet.objects.exists()


def test_a_task_of_the_sample_expects_its_tools_unless_others_are_written(sample: Catalog) -> None:
    form = LanesForm({"task": FORECAST.task})
    assert form.is_valid()
    assert tuple(call.tool for call in read_expectation(form.common.cleaned_data["expected"])) == FORECAST.expects
    form = LanesForm({"task": FORECAST.task, "expected": "# none"})
    assert form.is_valid()
    assert read_expectation(form.common.cleaned_data["expected"]) == ()


def test_a_viewer_may_look_and_not_start(client_as: ClientAs, team: Catalog) -> None:
    page = client_as(Role.VIEWER).get("/lanes/").content.decode()
    assert "You may look at what lanes would cost, not start them" in page
    assert "lanes-start" not in page


def test_lanes_stand_side_by_side_with_what_tells_them_apart(presenter: Client, team: Catalog) -> None:
    ended, live = run_with(*EVERY_KIND, catalog=team), run_with(*EVERY_KIND[:6], catalog=team)
    Run.objects.filter(pk=live.pk).update(mode="eino", mode_options={"fidelity": "implemented", "gone": 1})
    page = presenter.get(a_set(ended, live, expected="files__list").get_absolute_url())
    html = page.content.decode()
    assert [head.title for _, head in page.context["lanes"]] == ["mcpagent", "Eino tool search · fidelity implemented"]
    assert page.context["live"] and "/ws/lanes/" in html and "Stop all" in html
    assert [f.expected for _, f in page.context["summary"].lanes] == [1, 1]
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(ids) == len(set(ids)), "two lanes show the same events, each under ids of its own"


def test_lanes_are_shown_as_they_were(presenter: Client, team: Catalog) -> None:
    lanes = a_set(run_with(*EVERY_KIND, catalog=team), run_with(*EVERY_KIND, catalog=team))
    at = presenter.get(lanes.get_absolute_url(), {"by": "turn", "at": "2", "lead": "2"}).context
    assert [lane.state.summary.turn for lane, _ in at["lanes"]] == [2, 2]
    assert (at["lead"], at["previous"].seq, at["next"].seq, at["live"]) == (2, 1, 3, False)
    whole = presenter.get(lanes.get_absolute_url(), {"by": "nonsense", "at": "x", "lead": "7"}).context
    assert (whole["at"], whole["lead"], whole["by"]) == (None, 1, "turn")


def test_a_lane_whose_run_was_deleted_is_named(presenter: Client, team: Catalog) -> None:
    one, other = run_with(*EVERY_KIND, catalog=team), run_with(*EVERY_KIND, catalog=team)
    lanes = a_set(one, other)
    presenter.post("/runs/delete/", {"selected": [str(one.pk)], "sure": "yes"})
    assert Run.objects.count() == 2, "somebody else's run is a curator's to delete"
    Run.objects.filter(pk=one.pk).delete()
    assert (
        "Lane 1 was deleted with its run; the others stay." in presenter.get(lanes.get_absolute_url()).content.decode()
    )


def test_run_again_leads_to_the_same_lanes(presenter: Client, team: Catalog, person: Callable[[Role], User]) -> None:
    model, by = ChatModel.objects.get(), User.objects.first()
    assert by
    chosen = [("mastra", {"top_k": 2, "inject_catalog": True}), ("", {})]
    made = [Setup(team, model, "Tell Ada", by, *one, limits={"turns": 3}) for one in chosen]
    lanes, runs = _add_first(Undertaking("Tell Ada", by, 0.5, "x"), made)
    page = presenter.get(lanes.get_absolute_url())
    form = LanesForm(asked(page.context["again"]))
    assert lanes_of(form) == ["mastra", ""] and form.is_valid()
    assert [lane.made for lane in form.lanes] == chosen
    assert (form.common.cleaned_data["cap"], form.limits.limits) == (0.5, {"turns": 3})
    Run.objects.update(status=Run.Status.COMPLETED)
    after, _ = _add_next(lanes, Undertaking("And Bob", by))
    assert [(run.mode, run.mode_options) for run in after.runs.order_by("lane")] == chosen
    assert presenter.get(lanes.get_absolute_url()).context["after"] == after
    assert presenter.get(after.get_absolute_url()).context["before"] == lanes
    listed = presenter.get("/runs/").content.decode()
    assert listed.count("lane 1 of 2") == 2 and runs[0].get_absolute_url() in listed


def test_a_message_that_no_lane_can_take_is_told(transactional_db: None, presenter: Client, team: Catalog) -> None:
    lanes = a_set(run_with(*EVERY_KIND[:3], catalog=team))
    Run.objects.update(chat_model=ChatModel.objects.create(title="Mine", name="openai/x"))
    answer = presenter.post(f"{lanes.get_absolute_url()}go-on/", {"task": "And Bob"}, follow=True)
    assert "Lane 1: A run of this conversation is still under way" in answer.content.decode()
    assert "Write a message first" in presenter.post(f"{lanes.get_absolute_url()}go-on/", follow=True).content.decode()


def test_there_is_no_page_of_lanes_that_are_not_there(presenter: Client) -> None:
    assert presenter.get(f"/lanes/{UUID(int=5)}/").status_code == 404
