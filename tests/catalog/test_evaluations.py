"""Evaluations: begun, measured, stopped, told with intervals, held against each other, and written for other evaluators."""

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from catalog import background
from catalog.editions import draft
from catalog.evaluating.metrics import METRICS
from catalog.evaluations import NothingToMeasureError, begin, carry_out, measured, stop
from catalog.judging import judge
from catalog.leftovers import end_leftovers
from catalog.models import Catalog, Evaluation, Judgement, Suite, SuiteQuery, Tool
from catalog.roles import Role
from catalog.search.choosing import choose

RIGHT = Judgement.Verdict.RIGHT
ASKED = {
    "direct message to one person": "team/notify_user",
    "post to a channel": "team/notify_channel",
    "weather in a city": "team/getWeather",
    "teleport me": "air/teleport",
}


@pytest.fixture
def suite(team: Catalog) -> Suite:
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=team)
    for text, tool in ASKED.items():
        judge(SuiteQuery.objects.create(suite=suite, text=text, tags=[text[0]]), tool, RIGHT, None)
    SuiteQuery.objects.create(suite=suite, text="not judged")
    return suite


@pytest.fixture
def presenter(client_as: Callable[[Role], Client], monkeypatch: pytest.MonkeyPatch) -> Client:
    """Whose evaluations are measured at once."""
    monkeypatch.setattr(background, "submit_in_line", lambda work: work())
    return client_as(Role.PRESENTER)


def evaluated(suite: Suite, *engines: str) -> list[Evaluation]:
    assert suite.catalog is not None
    rows = begin(suite, draft(suite.catalog), [choose(slug) for slug in engines], None)
    for row in rows:
        carry_out(row)
        row.refresh_from_db()
    return rows


def test_an_evaluation_keeps_what_came_back_for_every_judged_query(suite: Suite) -> None:
    (row,) = evaluated(suite, "pegboard")
    assert (row.state, row.total, row.done, row.tools, row.missing) == ("done", 4, 4, 5, ["air/teleport"])
    found = {one.text: one for one in measured(row)}
    assert found.keys() == ASKED.keys()
    assert found["weather in a city"].ranks == {"team/getWeather": 1}
    assert found["teleport me"].figures["nDCG@10"] == 0
    for name in METRICS:
        mean = sum(one.figures[name] for one in found.values()) / 4
        assert row.figures[name]["mean"] == pytest.approx(mean), "every mean is that of the queries behind it"
        assert row.figures[name]["low"] <= mean <= row.figures[name]["high"]


def test_later_judgements_change_nothing_of_it(suite: Suite) -> None:
    (row,) = evaluated(suite, "like")
    before = measured(row)
    judge(suite.queries.all()[0], "team/ask_human", RIGHT, None)
    suite.queries.all()[1].delete()
    assert measured(Evaluation.objects.get()) == before


def test_of_what_agents_get_the_number_is_known_afterwards(presenter: Client, suite: Suite) -> None:
    asked = {"suite": "asked", "catalog": "team-agent", "version": "published", "engines": ["like", "pegboard"]}
    answer = presenter.post("/evaluations/add/", {**asked, "settings": "like.max_terms = 3"})
    assert answer.status_code == 200 and "There is no setting" in answer.content.decode()
    answer = presenter.post("/evaluations/add/", asked)
    first, second = Evaluation.objects.order_by("pk")
    assert answer["Location"] == f"/evaluations/{first.pk}/together/"
    assert (first.version is not None, first.version, first.begun_with) == (True, second.version, first)
    page = presenter.get(answer["Location"]).content.decode()
    assert "the highest" in page and "Pegboard" in page and "LIKE" in page
    page = presenter.get(f"/evaluations/{second.pk}/?tag=t").content.decode()
    assert "teleport me" in page and "weather in a city" not in page
    assert f"version={second.version.number if second.version else 0}&amp;q=teleport+me" in page


def test_queries_stand_from_the_worst(presenter: Client, suite: Suite) -> None:
    (row,) = evaluated(suite, "pegboard")
    rows = presenter.get(f"{row.get_absolute_url()}?metric=MRR").context["rows"]
    assert rows[0][0].text == "teleport me"
    figures = [one.figures["MRR"] for one, _ in rows]
    assert figures == sorted(figures)


def test_two_are_compared_query_by_query(presenter: Client, suite: Suite) -> None:
    (before,) = evaluated(suite, "pegboard")
    Tool.objects.filter(name="getWeather").update(enabled=False)
    Tool.objects.get(name="notify_user").server.save()
    (after,) = evaluated(suite, "pegboard")
    page = presenter.get(f"/evaluations/compare/?a={before.pk}&b={after.pk}")
    kinds = {kind: [one.text for one in found] for kind, _, found in page.context["kinds"]}
    assert kinds["regressed"] == ["weather in a city"]
    assert kinds["failing"] == ["teleport me"]
    assert all(one.difference.outcome in ("unsure", "same") for _, one in page.context["metrics"]), (
        "of four nothing is told"
    )
    history = presenter.get("/suites/asked/history/?metric=MRR")
    assert [one.evaluation for one in history.context["chart_order"]] == [before, after]
    assert presenter.get("/suites/asked/history/?engine=pegboard").status_code == 200


def test_a_note_stands_in_the_history(presenter: Client, suite: Suite) -> None:
    (row,) = evaluated(suite, "like")
    presenter.post(f"{row.get_absolute_url()}note/", {"note": "before <b>rewriting"})
    assert "before &lt;b&gt;rewriting" in presenter.get("/suites/asked/history/").content.decode()


def test_one_that_was_stopped_keeps_no_figures(presenter: Client, suite: Suite) -> None:
    assert suite.catalog is not None
    (row,) = begin(suite, draft(suite.catalog), [choose("like")], None)
    assert "Stop" in presenter.get(row.get_absolute_url()).content.decode()
    presenter.post(f"{row.get_absolute_url()}stop/")
    carry_out(row)
    row.refresh_from_db()
    assert (row.state, row.figures, stop(row)) == ("stopped", {}, False)


def test_one_whose_process_ended_is_told_as_failed(suite: Suite) -> None:
    assert suite.catalog is not None
    (row,) = begin(suite, draft(suite.catalog), [choose("like")], None)
    Evaluation.objects.update(owner="no-process-ever-had-this-name")
    assert end_leftovers() == 1
    row.refresh_from_db()
    assert (row.state, row.problem) == ("failed", "The process that worked on it ended. Measure it again.")


def test_an_engine_that_can_run_no_query_has_no_figures(suite: Suite) -> None:
    (row,) = evaluated(suite, "vector")
    assert (row.state, row.figures) == ("failed", {})
    assert row.problem.startswith("The engine could run none of the queries.")


def test_with_its_catalog_an_evaluation_goes_and_the_suite_stays(presenter: Client, suite: Suite) -> None:
    asked = {"suite": "asked", "catalog": "team-agent", "version": "published", "engines": ["like"]}
    presenter.post("/evaluations/add/", asked)
    Catalog.objects.get().delete()
    assert not Evaluation.objects.exists()
    assert presenter.get("/suites/asked/").status_code == presenter.get("/suites/").status_code == 200


def test_a_suite_without_a_right_tool_cannot_be_measured(team: Catalog) -> None:
    suite = Suite.objects.create(slug="empty", title="Empty", catalog=team)
    with pytest.raises(NothingToMeasureError):
        begin(suite, draft(team), [choose("like")], None)
    assert not Evaluation.objects.exists()


def test_its_files_are_of_what_was_measured(presenter: Client, suite: Suite) -> None:
    (row,) = evaluated(suite, "pegboard")
    SuiteQuery.objects.all().delete()
    run, qrels = (presenter.get(f"{row.get_absolute_url()}export/{kind}").content.decode() for kind in ("run", "qrels"))
    weather = next(line.split()[0] for line in qrels.splitlines() if "getWeather" in line)
    assert f"{weather} Q0 team/getWeather 1 " in run
    assert presenter.get(f"{row.get_absolute_url()}export/nothing").status_code == 404


def test_its_trec_files_name_just_the_queries_that_were_measured_also_those_without_a_hit(
    presenter: Client, suite: Suite
) -> None:
    wrong = SuiteQuery.objects.create(suite=suite, text="only a wrong one")
    judge(wrong, "team/notify_user", Judgement.Verdict.WRONG, None)
    (row,) = evaluated(suite, "like")
    assert not measured(row)[-1].hits, "one has no hit"
    told = {
        kind: presenter.get(f"{row.get_absolute_url()}export/{kind}").content.decode().splitlines()
        for kind in ("run", "qrels", "topics")
    }
    named = {kind: {line.split()[0] for line in lines} for kind, lines in told.items()}
    assert named["run"] == named["qrels"] == named["topics"] == {one.query for one in row.answers.all()}
    assert told["run"][-1].split()[2:5] == ["-", "1", "1"]


def test_a_command_measures_a_suite_and_writes_nothing(suite: Suite) -> None:
    (row,) = evaluated(suite, "pegboard")
    out = StringIO()
    call_command("evaluate", suite="asked", engine="pegboard", json=True, stdout=out)
    assert json.loads(out.getvalue())["metrics"] == {name: told["mean"] for name, told in row.figures.items()}
    assert Evaluation.objects.count() == 1
    for named, problem in (({"suite": "none"}, "There is no suite none"), ({}, "Name a --suite")):
        with pytest.raises(CommandError, match=problem):
            call_command("evaluate", engine="like", **named)
