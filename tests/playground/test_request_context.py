"""The context of a request: given at the start of a run, asked by the policy, recorded, and shown."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from catalog.models import Catalog
from catalog.policy import Condition, Denial
from catalog.roles import Role
from playground.agent.events import RunStarted, ToolsDenied
from playground.models import ChatModel, Run, Thread
from playground.models.chat_model import SCRIPTED
from playground.modes import MODES
from playground.runs.assembling import Assembly, CannotRunError, assemble
from playground.runs.executing import start
from playground.runs.nested import AgentRuns
from tests.catalog.pages import text_of
from tests.catalog.policies import add
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]
GUEST = Condition("role", ("guest",))
STARTED = RunStarted("t", "c", "mcpagent", "e", "x", True, 9, 900, {"role": "guest", "trusted": False})


@pytest.fixture
def guarded(team: Catalog) -> Catalog:
    """The small catalog, in which guests may not use what notifies."""
    add(team, "team__notify_*", ["search", "load", "active"], GUEST)
    return team


def a_run(catalog: Catalog, context: dict[str, Any]) -> Run:
    model, _ = ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo"})
    thread = Thread.objects.create(title="t")
    return Run.objects.create(thread=thread, task="t", catalog=catalog, chat_model=model, context=context)


def assembled(run: Run) -> Assembly:
    return assemble(run.pk, AgentRuns(run.pk, start))


@pytest.mark.parametrize("slug", MODES)
@pytest.mark.parametrize(("context", "is_in_view"), [({"role": "guest"}, False), ({"role": "staff"}, True), ({}, True)])
def test_a_run_is_made_under_the_policy_for_its_context(
    guarded: Catalog, slug: str, context: dict[str, Any], is_in_view: bool
) -> None:
    Catalog.objects.filter(pk=guarded.pk).update(mode=slug)
    made = assembled(a_run(guarded, context))
    assert made.policy.context == context
    in_view = {tool.name for tool in made.mode.offer(()).tools}
    assert ("team__notify_user" in in_view) == is_in_view


def test_a_run_whose_policy_cannot_be_asked_says_so(team: Catalog, settings: Settings) -> None:
    settings.PEGBOARD_POLICIES = {"broken": "tests.catalog.policies:nobody"}
    for name, said in (("broken", "cannot be imported"), ("gone", "not in PEGBOARD_POLICIES")):
        Catalog.objects.filter(pk=team.pk).update(policy=name)
        with pytest.raises(CannotRunError, match=f"cannot be asked, so nothing is allowed.*{said}"):
            assembled(a_run(team, {}))


def test_the_address_fills_in_the_context_and_the_outlook_is_for_it(client_as: ClientAs, guarded: Catalog) -> None:
    client = client_as(Role.VIEWER)
    address = {"catalog": guarded.slug, "context": "role = guest"}
    page = client.get(reverse("playground"), address)
    assert page.context["outlook"].denied == 1
    assert "role = guest</textarea>" in page.content.decode()
    assert client.get(reverse("playground"), address | {"context": ""}).context["outlook"].denied == 0


def test_without_one_the_catalogs_context_to_try_stands_there(client_as: ClientAs, guarded: Catalog) -> None:
    Catalog.objects.filter(pk=guarded.pk).update(context_to_try={"role": "guest"})
    page = client_as(Role.VIEWER).get(reverse("playground"), {"catalog": guarded.slug})
    assert page.context["outlook"].denied == 1
    assert "role = guest</textarea>" in page.content.decode()


@pytest.mark.parametrize("context", ["guest", "{", "role = " + "x" * 501, "a\0 = b"])
def test_a_context_that_cannot_be_read_starts_nothing(client_as: ClientAs, team: Catalog, context: str) -> None:
    model = ChatModel.objects.create(title="Planned", name="planned/model")
    form = {"catalog": team.slug, "chat_model": model.pk, "task": "t", "context": context}
    answer = client_as(Role.PRESENTER).post(reverse("run_start"), form)
    assert "context" in answer.context["form"].errors
    assert not Run.objects.exists()


def test_the_runs_page_shows_the_context_and_runs_again_with_it(client_as: ClientAs, team: Catalog) -> None:
    run = run_with(STARTED, *EVERY_KIND[1:], catalog=team)
    page = text_of(client_as(Role.PRESENTER), run.get_absolute_url())
    assert "role <b>guest</b>" in page and "trusted <b>false</b>" in page
    assert "context=role%20%3D%20guest%0Atrusted%20%3D%20false" in page


def test_a_recording_of_before_has_no_context(client_as: ClientAs) -> None:
    assert client_as(Role.VIEWER).get(run_with(*EVERY_KIND).get_absolute_url()).context["state"].about.context == {}


def test_a_denial_is_told_with_the_way_to_its_rule(client_as: ClientAs, team: Catalog) -> None:
    rule = add(team, "team__get*")
    denied = ToolsDenied(1, "", (Denial("team__getWeather", "active", f"the rule “{rule}”", rule.pk),), 1)
    run = run_with(STARTED, denied, catalog=team)
    client = client_as(Role.VIEWER)
    page = text_of(client, run.get_absolute_url())
    assert "The policy keeps back" in page and f"the rule “{rule}”" in page
    answer = client.get(f"{run.get_absolute_url()}policy/", {"rule": rule.pk})
    assert answer["Location"] == f"/catalogs/team-agent/policy/?rule={rule.pk}#rule-{rule.pk}"
    card = text_of(client, f"{run.get_absolute_url()}tool/?name=team__getWeather", HX_Request="true")
    assert "denied in active" in card and f"the rule “{rule}”" in card


def test_the_first_prompt_and_the_exact_answer_are_for_the_context_to_try(
    client_as: ClientAs, guarded: Catalog
) -> None:
    client = client_as(Role.VIEWER)
    answer = f"/playground/answer/?catalog={guarded.slug}&q=notify"
    mode = f"/catalogs/{guarded.slug}/mode/"
    assert "team__notify_user" in text_of(client, answer) and "team__notify_user" in text_of(client, mode)
    Catalog.objects.filter(pk=guarded.pk).update(context_to_try={"role": "guest"})
    assert "team__notify" not in client.get(f"{answer}&raw").content.decode()
    assert "kept 2 tools out of it" in " ".join(text_of(client, answer).split())
    assert "team__notify_user" not in text_of(client, mode)
