"""Edits of many tools: the plan is shown, applied whole, and undone where nobody edited since."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog import bulk_applying
from catalog.bulk_applying import NotNowError, apply_edit, undo_edit
from catalog.bulk_planning import BulkPlan, plan_edit
from catalog.models import BulkEdit, Catalog, Finding, Server, Tool, ToolVersion
from catalog.progress import begin, end
from catalog.roles import Role

PersonOf = Callable[[Role], Any]
NAMES = ["notify_user", "notify_channel", "getWeather"]
MOST_QUESTIONS = 50
"""Asked by an edit of 1,200 tools: some for every 500, none for one."""


def keys(*names: str) -> list[int]:
    return [Tool.objects.get(name=name).pk for name in names]


def tags_of(name: str) -> list[str]:
    return Tool.objects.get(name=name).effective_tags


@pytest.fixture
def edit(team: Catalog, person: PersonOf) -> BulkEdit:
    return plan_edit("add-tag", "chat", keys(*NAMES), person(Role.CURATOR), "q=notify")


def test_a_plan_changes_nothing_and_tells_each_tool(edit: BulkEdit) -> None:
    plan = BulkPlan.of(edit.plan)
    assert [(change.before, change.after) for change in plan.changes] == [
        ({"own_tags": None}, {"own_tags": ["chat"]}),
        ({"own_tags": None}, {"own_tags": ["chat"]}),
    ]
    assert plan.same == keys("notify_user")
    assert tags_of("getWeather") == []


def test_applying_writes_a_version_of_each_tool_in_the_persons_name(edit: BulkEdit) -> None:
    assert edit.by is not None
    apply_edit(edit, edit.by)
    assert tags_of("getWeather") == tags_of("notify_channel") == ["chat"]
    versions = ToolVersion.objects.filter(layer="overlay")
    assert {(version.tool.name, str(version.by)) for version in versions} == {
        ("getWeather", "a-curator"),
        ("notify_channel", "a-curator"),
    }
    with pytest.raises(NotNowError):
        apply_edit(edit, edit.by)


def test_what_was_edited_after_the_plan_is_left_alone(edit: BulkEdit) -> None:
    assert edit.by is not None
    Tool.objects.filter(name="getWeather").update(own_tags=["rain"])
    apply_edit(edit, edit.by)
    assert tags_of("getWeather") == ["rain"]
    assert edit.outcome == {"done": keys("notify_channel"), "missed": keys("getWeather")}


def test_undoing_puts_back_all_but_what_was_edited_since(edit: BulkEdit) -> None:
    assert edit.by is not None
    apply_edit(edit, edit.by)
    Tool.objects.filter(name="getWeather").update(own_tags=["chat", "rain"])
    undo_edit(edit, edit.by)
    assert tags_of("notify_channel") == []
    assert tags_of("getWeather") == ["chat", "rain"]
    assert (edit.outcome["undone"], edit.outcome["kept"]) == (keys("notify_channel"), keys("getWeather"))


def test_an_edit_that_fails_on_the_way_changes_no_tool(edit: BulkEdit, monkeypatch: pytest.MonkeyPatch) -> None:
    assert edit.by is not None

    def fail(*args: object) -> None:
        raise RuntimeError("no more room")

    monkeypatch.setattr(bulk_applying, "_end", fail)
    with pytest.raises(RuntimeError):
        apply_edit(edit, edit.by)
    edit.refresh_from_db()
    assert edit.state == BulkEdit.State.FAILED
    assert tags_of("getWeather") == []
    assert not ToolVersion.objects.filter(layer="overlay").exists()


def test_tokens_of_cleared_descriptions_are_told(team: Catalog, person: PersonOf) -> None:
    Tool.objects.filter(name="getWeather").update(own_description="Weather. " * 100)
    edit = plan_edit("clear-description", "", keys("getWeather"), person(Role.CURATOR), "")
    assert edit.plan["tokens"] < -150


def test_lint_looks_again_at_what_an_edit_rewords(team: Catalog, person: PersonOf) -> None:
    Tool.objects.filter(name="getWeather").update(description="", own_description="The weather of a city, right now.")
    by = person(Role.CURATOR)
    edit = plan_edit("clear-description", "", keys("getWeather"), by, "")
    apply_edit(edit, by)
    assert Finding.objects.get(rule="no-description").tool.name == "getWeather"
    edit.refresh_from_db()
    undo_edit(edit, by)
    assert not Finding.objects.filter(rule="no-description").exists()


def test_thousands_are_edited_in_the_background(
    team: Catalog, person: PersonOf, submitted: list[Callable[[], None]]
) -> None:
    server = Server.objects.get(slug="team")
    now = timezone.now()
    Tool.objects.bulk_create(Tool(server=server, name=f"t{place}", last_seen_at=now) for place in range(1_200))
    by = person(Role.CURATOR)
    edit = plan_edit("off", "", list(server.tools.values_list("pk", flat=True)), by, "")
    apply_edit(edit, by)
    assert edit.state == BulkEdit.State.APPLYING
    assert server.tools.filter(enabled=False).count() == 0
    with CaptureQueriesContext(connection) as questions:
        submitted[0]()
    assert len(questions) < MOST_QUESTIONS
    assert server.tools.filter(enabled=False).count() == 1_205
    edit.refresh_from_db()
    assert edit.state == BulkEdit.State.APPLIED


def test_the_page_of_an_edit_under_way_reads_no_plan(viewer: Client, edit: BulkEdit) -> None:
    BulkEdit.objects.update(state=BulkEdit.State.APPLYING)
    address = edit.get_absolute_url()
    with CaptureQueriesContext(connection) as questions:
        elsewhere = viewer.get(address).content.decode()
    assert not any('"plan"' in asked["sql"] for asked in questions)
    assert "Applying…" in elsewhere
    assert "value=" not in elsewhere.partition("<progress")[2].partition(">")[0]
    begin(edit, "Applying", 40_000)(2_500)
    here = viewer.get(address).content.decode()
    end(edit)
    assert "2,500 of 40,000." in here
    assert 'max="40000" value="2500"' in here


def test_the_pages_lead_from_selection_to_undo(curator: Client, team: Catalog) -> None:
    chosen = {"act": "category", "value": "team work", "selected": keys(*NAMES), "query": "sort=name"}
    page = curator.post("/tools/edits/", chosen, follow=True).content.decode()
    assert "Nothing is changed yet." in page
    assert "Set the category: team work" in page
    assert 'href="/tools/?sort=name"' in page
    edit = BulkEdit.objects.get()
    applied = curator.post(f"/tools/edits/{edit.pk}/apply/", follow=True).content.decode()
    assert Tool.objects.filter(own_category="team work").count() == 3
    assert "/undo/" in applied
    curator.post(f"/tools/edits/{edit.pk}/undo/")
    assert not Tool.objects.filter(own_category="team work").exists()
    assert "was applied already" in curator.post(f"/tools/edits/{edit.pk}/apply/", follow=True).content.decode()


def test_all_that_a_list_holds_can_be_edited(curator: Client, team: Catalog) -> None:
    curator.post("/tools/edits/", {"act": "off", "all": "1", "query": "q=notify", "selected": keys("getWeather")})
    assert BulkEdit.objects.get().tool_ids == keys("notify_channel", "notify_user")


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"act": "add-tag", "value": ""}, "“Add a tag” needs a tag."),
        ({"act": "make tea"}, "make tea is not one of the available choices"),
    ],
)
def test_an_edit_that_cannot_be_planned_keeps_the_selection(
    curator: Client, team: Catalog, sent: dict[str, str], problem: str
) -> None:
    (key,) = keys("getWeather")
    page = curator.post("/tools/edits/", {**sent, "selected": [key]}).content.decode()
    assert problem in page
    assert f'name="selected" value="{key}"' in page
    assert not BulkEdit.objects.exists()


def test_without_a_selection_there_is_only_the_way_back(curator: Client, team: Catalog) -> None:
    page = curator.post("/tools/edits/", {"act": "off", "query": "q=notify"}).content.decode()
    assert "Select at least one tool first." in page
    assert 'href="/tools/?q=notify"' in page
    assert 'name="act"' not in page


def test_what_is_refused_says_why(curator: Client, team: Catalog) -> None:
    Tool.objects.filter(name="getWeather").update(permission="dangerous")
    page = curator.post("/tools/edits/", {"act": "read", "selected": keys("getWeather")}, follow=True).content.decode()
    assert "one by one, in its own form" in page
    assert "nothing to change" in page
