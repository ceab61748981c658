"""Suites on their pages: made, filled by hand and from files, judged, filtered, and what is measured on them kept as it was."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalog.judging import entries_of, judge, judged_queries
from catalog.models import Catalog, ImmutableError, Judgement, Suite, SuiteContent, SuiteQuery
from catalog.suites import kept_content
from tests.forms import send

RIGHT, FINE, WRONG, NO_TOOL = Judgement.Verdict
FILE = '{"text": "tell everybody", "groups": [["team/notify_channel"], ["team/getWeather"]], "tags": ["chat"]}\n'
FILE += '{"text": "write to ada", "relevant": ["team__notify_user"], "wrong": ["team/gone"]}\n'


@pytest.fixture
def suite(team: Catalog) -> Suite:
    return Suite.objects.create(slug="asked", title="Asked", catalog=team)


@pytest.fixture
def query(suite: Suite) -> SuiteQuery:
    return SuiteQuery.objects.create(suite=suite, text="send a message")


def imported(client: Client, text: str, kind: str = "jsonl", **more: str) -> object:
    """Previewed, then applied as the page posts it."""
    page = client.post("/suites/asked/import/", {"format": kind, "text": text, **more})
    plan = page.context.get("plan")
    if plan is None:
        return page
    sent = {"format": kind, "text": text, "token": plan.token, "action": "apply", **more}
    return client.post("/suites/asked/import/", sent)


def test_a_suite_is_made_filled_judged_and_edited(curator: Client, team: Catalog) -> None:
    assert "No suite yet" in curator.get("/suites/").content.decode()
    curator.post("/suites/add/", {"title": "What agents ask", "catalog": team.pk})
    suite = Suite.objects.get()
    assert suite.slug == "what-agents-ask"
    answer = curator.post(f"{suite.get_absolute_url()}queries/", {"text": "send a message", "tags": "Chat, chat,b"})
    query = SuiteQuery.objects.get()
    assert answer["Location"] == query.get_absolute_url()
    assert (query.tags, query.origin) == (["b", "chat"], "by hand, a-curator")
    page = curator.get(query.get_absolute_url()).content.decode()
    assert "notify_channel" in page and "In no order" in page
    for verdict, tool in ((RIGHT, "team/notify_channel"), (WRONG, "team/ask_human")):
        curator.post(f"{query.get_absolute_url()}judge/", {"tool": tool, "verdict": verdict.value})
    curator.post(f"{query.get_absolute_url()}judge/", {"tool": "team/ask_human", "verdict": ""})
    assert [(one.key, one.verdict) for one in query.judgements.all()] == [("team/notify_channel", RIGHT)]
    send(curator, f"{query.get_absolute_url()}edit/", {"text": "send a word", "tags": "chat"})
    assert SuiteQuery.objects.get().text == "send a word"
    send(curator, f"{suite.get_absolute_url()}edit/", {"title": "Asked", "slug": "asked", "catalog": ""})
    assert "team/notify_channel" in curator.get("/suites/asked/").content.decode()
    curator.post(f"{query.get_absolute_url().replace('what-agents-ask', 'asked')}delete/")
    assert not SuiteQuery.objects.exists()
    assert Suite.objects.get().revision > 5, "every change of a suite counts"


def test_a_query_stands_once_in_a_suite(curator: Client, query: SuiteQuery) -> None:
    page = curator.post("/suites/asked/queries/", {"text": "send a message"}, follow=True).content.decode()
    assert "The suite has this query already." in page


def test_a_file_is_shown_before_it_is_applied_and_applied_at_once(curator: Client, suite: Suite) -> None:
    page = curator.post(
        "/suites/asked/import/", {"format": "jsonl", "file": SimpleUploadedFile("q.jsonl", FILE.encode())}
    )
    assert (len(page.context["plan"].added), page.context["unknown"]) == (2, [])
    assert not SuiteQuery.objects.exists()
    imported(curator, FILE)
    assert {entry.text: (entry.tags, entry.groups) for entry in entries_of(suite)} == {
        "tell everybody": (("chat",), (frozenset({"team/notify_channel"}), frozenset({"team/getWeather"}))),
        "write to ada": ((), (frozenset({"team/notify_user"}),)),
    }
    assert imported(curator, FILE).status_code == 302  # type: ignore[attr-defined]
    assert curator.post("/suites/asked/import/", {"format": "jsonl", "text": FILE}).context["plan"].same == 2


def test_a_plan_that_was_overtaken_is_shown_anew(curator: Client, suite: Suite, query: SuiteQuery) -> None:
    plan = curator.post("/suites/asked/import/", {"format": "jsonl", "text": FILE}).context["plan"]
    judge(query, "team/notify_user", RIGHT, None)
    sent = {"format": "jsonl", "text": FILE, "token": plan.token, "action": "apply"}
    assert "the suite was changed since" in curator.post("/suites/asked/import/", sent).content.decode()
    assert SuiteQuery.objects.count() == 1


def test_every_mistake_of_a_file_is_told_and_nothing_is_changed(curator: Client, suite: Suite) -> None:
    page = curator.post("/suites/asked/import/", {"format": "jsonl", "text": f'{FILE}{{"text": ""}}\n[]'})
    told = page.content.decode()
    assert "Line 3:" in told and "Line 4:" in told
    assert not SuiteQuery.objects.exists()


@pytest.mark.parametrize("kind", ["jsonl", "csv", "trec"])
def test_what_is_exported_comes_back_as_it_was(curator: Client, suite: Suite, kind: str) -> None:
    imported(curator, FILE + '{"text": "=1+1\\nand, more", "no_tool": true}')
    before = [(one.text, one.tags, one.said) for one in entries_of(suite)]
    kinds = ("topics", "qrels") if kind == "trec" else (kind,)
    texts = [curator.get(f"/suites/asked/export/{one}").content.decode() for one in kinds]
    suite.queries.all().delete()
    imported(curator, texts[0], kind, **({"qrels": texts[1]} if kind == "trec" else {}))
    assert [(one.text, one.tags, one.said) for one in entries_of(suite)] == before


def test_queries_are_filtered_by_what_people_said_of_them(viewer: Client, suite: Suite, query: SuiteQuery) -> None:
    ann, ben = (User.objects.create_user(name) for name in ("ann", "ben"))
    differing = SuiteQuery.objects.create(suite=suite, text="ask", tags=["chat"])
    judge(differing, "team/ask_human", RIGHT, ann)
    judge(differing, "team/ask_human", WRONG, ben)
    gone = SuiteQuery.objects.create(suite=suite, text="fly")
    judge(gone, "air/fly", RIGHT, ann)

    def texts(address: str) -> list[str]:
        return [one.row.text for one in viewer.get(f"/suites/asked/?{address}").context["queries"]]

    assert texts("state=judged") == ["ask", "fly"]
    assert texts("state=unjudged") == ["send a message"]
    assert texts("state=differing") == texts("tag=chat") == ["ask"]
    assert texts("state=missing") == texts("q=FLY") == ["fly"]
    page = viewer.get("/suites/asked/").content.decode()
    assert "people differ" in page and "not here" in page


def test_a_query_of_a_run_is_filed_with_what_was_called_as_a_suggestion(
    curator: Client, suite: Suite, query: SuiteQuery
) -> None:
    filed = {"suite": "asked", "text": query.text, "origin": "asked in run 1", "tool": "team/getWeather"}
    curator.post("/suites/file/", filed)
    curator.post("/suites/file/", {**filed, "text": "rain?"})
    assert {row.text: row.suggested for row in SuiteQuery.objects.all()} == {
        "send a message": ["team/getWeather"],
        "rain?": ["team/getWeather"],
    }
    assert not Judgement.objects.exists()
    assert "called after it" in curator.get(query.get_absolute_url()).content.decode()


def test_that_no_tool_answers_gives_way_to_a_later_word(query: SuiteQuery) -> None:
    ann, ben = (User.objects.create_user(name) for name in ("ann", "ben"))
    judge(query, "", NO_TOOL, ann)
    judge(query, "team/notify_user", FINE, ben)
    (entry,) = entries_of(query.suite)
    assert [one.verdict for one in entry.said] == ["fine"]
    assert judged_queries(query.suite)[0].fine == {"team/notify_user"}


def test_what_was_measured_on_is_kept_once_and_never_changes(suite: Suite, query: SuiteQuery) -> None:
    judge(query, "team/notify_user", RIGHT, None)
    first = kept_content(suite)
    assert kept_content(suite) == first
    judge(query, "team/notify_user", WRONG, None)
    assert kept_content(suite) != first
    with pytest.raises(ImmutableError):
        first.save()
    with pytest.raises(ImmutableError):
        SuiteContent.objects.all().delete()
