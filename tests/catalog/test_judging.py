"""What people say of tools for a query: each their own word, and of several the newest counts."""

import pytest
from django.contrib.auth.models import User

from catalog.judging import judge, judged_queries, standing, unjudge
from catalog.models import Judgement, Suite, SuiteQuery

pytestmark = pytest.mark.django_db

RIGHT, FINE, WRONG, NO_TOOL = Judgement.Verdict


@pytest.fixture
def query() -> SuiteQuery:
    suite = Suite.objects.create(slug="asked", title="Asked")
    return SuiteQuery.objects.create(suite=suite, text="tell somebody")


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


def groups(query: SuiteQuery) -> list[set[str]]:
    return [set(group) for judged in judged_queries(query.suite) for group in judged.groups]


def test_tools_of_one_need_are_alternatives_and_wrong_ones_are_none(query: SuiteQuery, ann: User) -> None:
    judge(query, "chat/post", RIGHT, ann)
    judge(query, "mail/send", FINE, ann)
    judge(query, "crm/find", RIGHT, ann, need=2)
    judge(query, "chat/delete", WRONG, ann)
    assert groups(query) == [{"chat/post", "mail/send"}, {"crm/find"}]


def test_a_person_has_one_word_on_a_tool_and_each_change_of_a_suite_counts(query: SuiteQuery, ann: User) -> None:
    judge(query, "chat/post", RIGHT, ann)
    judge(query, "chat/post", WRONG, ann)
    assert [row.verdict for row in query.judgements.all()] == [WRONG]
    assert groups(query) == []
    unjudge(query, "chat/post", ann)
    unjudge(query, "chat/post", ann)
    assert not query.judgements.exists()
    assert Suite.objects.get().revision == 4


def test_of_two_people_the_newest_word_counts_and_both_are_kept(query: SuiteQuery, ann: User, ben: User) -> None:
    judge(query, "chat/post", RIGHT, ann)
    judge(query, "chat/post", WRONG, ben)
    assert query.judgements.count() == 2
    assert standing(query.judgements.all())["chat/post"].by == ben
    judge(query, "chat/post", RIGHT, ann)
    assert groups(query) == [{"chat/post"}]


def test_that_no_tool_answers_and_that_one_does_exclude_each_other(query: SuiteQuery, ann: User, ben: User) -> None:
    judge(query, "chat/delete", WRONG, ann)
    judge(query, "chat/post", RIGHT, ann)
    judge(query, "mail/send", FINE, ben)
    judge(query, "", NO_TOOL, ann)
    assert {(row.key, row.verdict) for row in query.judgements.filter(by=ann)} == {
        ("chat/delete", WRONG),
        ("", NO_TOOL),
    }
    assert groups(query) == [{"mail/send"}]
    judge(query, "chat/post", RIGHT, ann)
    assert not query.judgements.filter(verdict=NO_TOOL).exists()
