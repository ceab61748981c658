"""The list of runs: its filters, tags on many, deleting many, and what runs take up."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog.models import Catalog
from catalog.roles import Role
from playground.agent.events import RunEnded
from playground.models import ChatModel, Run, Thread
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]


@pytest.fixture
def presenter(client_as: ClientAs) -> Client:
    return client_as(Role.PRESENTER)


@pytest.fixture
def curator(client_as: ClientAs) -> Client:
    return client_as(Role.CURATOR)


def found(client: Client, **query: str) -> list[Run]:
    return list(client.get(reverse("runs"), query).context["page"])


def said(answer: Any) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


def ended_run(task: str, by: str = "a-presenter") -> Run:
    run = run_with(RunEnded("completed"), task=task)
    Run.objects.filter(pk=run.pk).update(by=User.objects.filter(username=by).first())
    return run


def test_the_list_is_filtered_by_person_mode_model_and_tag(presenter: Client, team: Catalog) -> None:
    mine, other = ended_run("mine"), ended_run("other", by="nobody")
    model = ChatModel.objects.create(title="Planned", name="planned/model")
    Run.objects.filter(pk=mine.pk).update(mode="mastra", chat_model=model)
    Run.objects.filter(pk=other.pk).update(catalog=team)
    mine.tags.create(name="demo")
    assert found(presenter, by="a-presenter") == found(presenter, mode="mastra") == [mine]
    assert found(presenter, tag="demo") == found(presenter, model=str(model.pk)) == [mine]
    assert found(presenter, mode=team.mode) == [other]
    assert found(presenter, tag="no such tag") == []


def test_a_tag_is_put_on_many_and_taken_off(presenter: Client) -> None:
    runs = [ended_run(task) for task in ("one", "two", "three")]
    keys = [str(run.pk) for run in runs[:2]]
    answer = presenter.post(reverse("runs_tag"), {"selected": keys, "tag": "  For   Monday "}, follow=True)
    assert "2 runs got the tag “for monday”" in said(answer)
    assert set(found(presenter, tag="for monday")) == set(runs[:2])
    assert "for monday" in presenter.get(runs[0].get_absolute_url()).content.decode()
    presenter.post(reverse("runs_untag"), {"selected": keys[:1], "tag": "for monday"})
    assert found(presenter, tag="for monday") == [runs[1]]


def test_a_tag_goes_on_all_that_a_list_holds(presenter: Client) -> None:
    rain, _ = ended_run("rain"), ended_run("sun")
    query = {"all": "1", "query": "q=rain", "tag": "wet"}
    answer = presenter.post(reverse("runs_tag"), query, follow=True)
    assert answer.redirect_chain[0][0] == f"{reverse('runs')}?q=rain"
    assert found(presenter, tag="wet") == [rain]


@pytest.mark.parametrize(
    ("tag", "problem"),
    [("", "required"), (" \u200b", "needs a word"), ("a,b", "without a comma"), ("x" * 41, "40 characters")],
)
def test_a_tag_that_is_none_is_refused_in_words(presenter: Client, tag: str, problem: str) -> None:
    run = ended_run("one")
    answer = presenter.post(reverse("runs_tag"), {"selected": str(run.pk), "tag": tag}, follow=True)
    assert problem in said(answer)
    assert not run.tags.exists()


@pytest.mark.parametrize("name", ["runs_tag", "runs_delete"])
def test_nothing_selected_is_said(presenter: Client, name: str) -> None:
    answer = presenter.post(reverse(name), {"selected": "no key", "tag": "x"}, follow=True)
    assert "Select runs first." in said(answer)


def test_deleting_is_shown_first_and_then_done(presenter: Client, django_capture_on_commit_callbacks) -> None:  # type: ignore[no-untyped-def]
    run, other = ended_run("mine"), ended_run("other")
    shown = presenter.post(reverse("runs_delete"), {"selected": str(run.pk)})
    assert "Delete 1 run for good" in shown.content.decode()
    assert Run.objects.count() == 2
    with django_capture_on_commit_callbacks(execute=True):
        answer = presenter.post(reverse("runs_delete"), {"selected": str(run.pk), "sure": "1"}, follow=True)
    assert "1 run deleted for good" in said(answer)
    assert list(Run.objects.all()) == [other]
    assert list(Thread.objects.all()) == [other.thread]


def test_a_presenter_deletes_own_runs_and_a_curator_any(presenter: Client, curator: Client) -> None:
    run = ended_run("of another", by="nobody")
    chosen = {"selected": str(run.pk), "sure": "1"}
    assert "Someone else started it" in said(presenter.post(reverse("runs_delete"), chosen, follow=True))
    assert Run.objects.exists()
    curator.post(reverse("runs_delete"), chosen)
    assert not Run.objects.exists()


def test_what_runs_take_up_is_told_by_catalog(presenter: Client, team: Catalog) -> None:
    Run.objects.filter(pk=ended_run("one").pk).update(catalog=team)
    ended_run("two")
    use = presenter.get(reverse("runs_storage")).context["use"]
    assert (use.runs, use.events) == (2, 2)
    assert {share.title for share in use.shares} == {"Team agent", ""}
    assert all(share.characters > 10 for share in use.shares)


def test_the_boxes_are_for_those_who_may(client_as: ClientAs) -> None:
    run_with()
    assert "data-select-all" not in client_as(Role.VIEWER).get(reverse("runs")).content.decode()
    assert "data-select-all" in client_as(Role.PRESENTER).get(reverse("runs")).content.decode()


def test_a_key_is_a_uuid_or_passed_over(presenter: Client) -> None:
    run = ended_run("one")
    presenter.post(reverse("runs_tag"), {"selected": ["x", str(UUID(int=9)), str(run.pk)], "tag": "t"})
    assert [tag.name for tag in run.tags.all()] == ["t"]
