"""Every number that a link tells (`data-counts`, the id of a list) is what the rows of that list come to (`data-counted`, 1 or so many)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog import background
from catalog.editing import change_overlay
from catalog.editions import draft
from catalog.evaluations import begin, carry_out
from catalog.forms.what_if import publishing_address
from catalog.judging import judge
from catalog.models import Catalog, Evaluation, Judgement, Suite, SuiteQuery, Tool
from catalog.publishing.acts import gather
from catalog.roles import Role, give_role
from catalog.search.choosing import choose
from playground.models import TaskEvaluation
from playground.models.chat_model import ChatModel
from playground.reviewing.advice import LEAST_RUNS
from tests.playground.reviewing.stories import call, end, search
from tests.playground.reviewing.sweeping import review_some
from tests.playground.reviewing.test_keeping import record
from tests.playground.reviewing.told import Told
from tests.playground.reviewing.told import record as told_record

VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
RIGHT, WRONG = Judgement.Verdict.RIGHT, Judgement.Verdict.WRONG
Numbers = dict[tuple[str, str], int]
"""By the address and the id of a list."""
WEATHER, NOTIFY, CHANNEL = "team__getWeather", "team__notify_user", "team__notify_channel"


@dataclass
class Element:
    """One element of a page, with its words."""

    tag: str
    given: dict[str, str | None]
    above: "Element | None" = None
    parts: list["Element | str"] = field(default_factory=list)

    def every(self) -> Iterator["Element"]:
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.every()

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    @property
    def list_within(self) -> "Element":
        """The section that it is the head of, or else itself."""
        if self.tag not in ("h1", "h2", "h3"):
            return self
        place = self
        while place.above and place.tag not in ("section", "main"):
            place = place.above
        return place


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.place = self.page = Element("page", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), self.place)
        self.place.parts.append(element)
        self.place = self.place if tag in VOID else element

    def handle_endtag(self, tag: str) -> None:
        place: Element | None = self.place
        while place and place.tag != tag:
            place = place.above
        if place and place.above:
            self.place = place.above

    def handle_data(self, data: str) -> None:
        self.place.parts.append(data)


def page_of(client: Client, address: str) -> Element:
    answer = client.get(urldefrag(address).url)
    assert answer.status_code == 200, address
    tree = _Tree()
    tree.feed(answer.content.decode())
    return tree.page


def rows_of(page: Element, name: str) -> int:
    """What the rows of a list come to; a list that is not there has none."""
    named = next((one for one in page.every() if one.given.get("id") == name), None)
    counted = [
        one.given["data-counted"] for one in (named.list_within.every() if named else ()) if "data-counted" in one.given
    ]
    return sum(int(count or 1) for count in counted)


@pytest.fixture
def places(team: Catalog, client: Client, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A catalog with runs that were read and judged by two people, evaluations of searches, and one of tasks; the pages that tell of it."""
    monkeypatch.setattr(background, "submit", lambda work: work())
    people = [User.objects.create_user(name) for name in ("ann", "ben")]
    give_role(people[0], Role.CURATOR)
    client.force_login(people[0])
    _runs(team)
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=team)
    for text, tool in {"rain": "getWeather", "post to a channel": "notify_channel", "teleport": "gone"}.items():
        query = SuiteQuery.objects.create(suite=suite, text=text, tags=["x"] if text == "rain" else ["x", "y"])
        judge(query, f"team/{tool}", RIGHT, people[0])
        judge(query, "team/ask_human", WRONG, people[1])
    SuiteQuery.objects.create(suite=suite, text="nobody judged this")
    rows = begin(suite, draft(team), [choose(slug) for slug in ("pegboard", "like")], None)
    for row in rows:
        carry_out(row)
    review_some()
    Tool.objects.filter(name="notify_channel").update(enabled=False)
    team.save()
    tasks = _tasks(team)
    first, second = (row.pk for row in rows)
    return [
        *(
            reverse("suites"),
            suite.get_absolute_url(),
            reverse("suite_history", args=["asked"]),
            reverse("evaluations"),
        ),
        reverse("evaluation", args=[second]),
        *(reverse("bake_off", args=[first]), f"{reverse('evaluation_compare')}?a={first}&b={second}"),
        *(reverse("task_evaluation", args=[tasks.pk]), reverse("run_findings")),
        f"{reverse('review')}?which=all",
        f"{reverse('review_replay')}?catalog={team.slug}&version=draft",
        *(f"{reverse('catalog_report_searches', args=[team.slug])}?{more}" for more in ("", f"tool={WEATHER}")),
        *(f"{reverse('confusion_map')}?catalog={team.slug}", reverse("pin_advice", args=[team.slug])),
    ]


def _runs(team: Catalog) -> None:
    for _ in range(LEAST_RUNS):
        told = Told(dict.fromkeys((WEATHER, NOTIFY), 10))
        told.search("rain", NOTIFY, WEATHER)
        told.call(WEATHER)
        told_record(team, told.end())
    for _ in range(2):
        record(team, search(1, "Rain", NOTIFY, cut=[WEATHER]), search(2, "post", CHANNEL), call(3, CHANNEL), end())
    record(team, search(1, "moon"), end())


def _tasks(team: Catalog) -> TaskEvaluation:
    """Two tasks in two modes: one succeeded, one broke off, one made other calls, one is not measured."""
    row = TaskEvaluation.objects.create(
        tasks=[{"text": "a", "needs": []}, {"text": "b", "needs": []}],
        catalog=team,
        modes=["", "everything"],
        own_mode=team.mode,
        chat_model=ChatModel.objects.first(),
        state=TaskEvaluation.State.STOPPED,
    )
    for task, mode, told in (
        (1, "", {"success": True, "status": "completed"}),
        (2, "", {"success": False, "status": "limit"}),
        (1, "everything", {"success": False, "status": "completed", "extra": 3}),
        (2, "everything", {}),
    ):
        row.trials.create(task=task, mode=mode, repeat=1, **told)
    return row


@pytest.fixture
def edited_places(team: Catalog, client: Client, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A draft of which one edit harms a judged query; its gate and what-ifs."""
    monkeypatch.setattr(background, "submit", lambda work: work())
    person = User.objects.create_user("ann")
    client.force_login(person)
    Catalog.objects.update(engine="pegboard")
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=team)
    for text, tool in {"direct message to a person": "notify_user", "post to a channel": "notify_channel"}.items():
        judge(SuiteQuery.objects.create(suite=suite, text=text), f"team/{tool}", RIGHT, person)
    gather(team)
    edits: dict[str, dict[str, Any]] = {
        "notify_channel": {"own_description": "Send a direct message to a person.", "search_text": "direct person"},
        "notify_user": {"aliases": ["direct message to a person"]},
        "getWeather": {"own_description": "Rain and sun in a city."},
    }
    for name, overlay in edits.items():
        change_overlay(Tool.objects.get(name=name), overlay, 0, person)
    alone = publishing_address(team.slug, "team/notify_channel")
    gate = reverse("catalog_gate", args=[team.slug])
    return [gate, alone.to(), publishing_address(team.slug).to()]


def test_the_rows_behind_a_number_of_the_gate_come_to_it(client: Client, edited_places: list[str]) -> None:
    told, found = told_and_found(client, edited_places)
    assert found == told
    lists = {name for address, name in told}
    assert lists == {"queries-title", "harmless-team-agent", "harmed-team-agent-1"}


def test_the_rows_behind_a_number_come_to_it(client: Client, places: list[str]) -> None:
    assert Evaluation.objects.filter(state="done").count() == 2
    told, found = told_and_found(client, places)
    assert found == told
    assert sum(count > 1 for count in told.values()) > 20


def told_and_found(client: Client, places: list[str]) -> tuple[Numbers, Numbers]:
    """What the links of pages tell, and what the rows of the lists come to that they lead to."""
    told: Numbers = {}
    for place in places:
        links = [one for one in page_of(client, place).every() if "data-counts" in one.given]
        assert links, place
        for link in links:
            (number,) = re.findall(r"\d+", link.text)
            told[urljoin(place, link.given["href"]), str(link.given["data-counts"])] = int(number)
    pages = {address: page_of(client, address) for address in {urldefrag(address).url for address, _ in told}}
    found = {(address, name): rows_of(pages[urldefrag(address).url], name) for address, name in told}
    return told, found
