"""The small catalog of the engines' tests, and a catalog with two judged queries."""

from collections.abc import Iterator

import pytest

from catalog import background
from catalog.models import Catalog, Judgement, Suite, SuiteQuery
from catalog.search.engine import Corpus
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.model_endpoint import model_endpoint

__all__ = ["model_endpoint"]


@pytest.fixture(scope="session")
def corpus() -> Iterator[Corpus]:
    with corpus_of(TOOLS) as made:
        yield made


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page waits for is done before it asks."""
    monkeypatch.setattr(background, "submit", lambda work: work())


@pytest.fixture
def judged(team: Catalog) -> Catalog:
    Catalog.objects.filter(pk=team.pk).update(engine="pegboard")
    team.refresh_from_db()
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=team)
    for text, tool in (("direct message to a person", "notify_user"), ("announce the release", "notify_channel")):
        query = SuiteQuery.objects.create(suite=suite, text=text)
        query.judgements.create(server="team", tool=tool, verdict=Judgement.Verdict.RIGHT, at=suite.created_at)
    return team
