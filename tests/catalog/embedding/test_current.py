"""Vectors of a catalog: made in the background, kept in the database, and never in the way of a search."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.editing import save_overlay
from catalog.embedding import current, store
from catalog.indexing import forget, ranking_of
from catalog.models import Catalog, EmbeddedText, Tool
from catalog.roles import Role
from catalog.search.choosing import choose
from catalog.search.ranking import Ranking
from tests.model_endpoint import ModelEndpoint

Named = Callable[[str], None]


@pytest.fixture
def named(model_endpoint: ModelEndpoint, settings: Settings) -> Iterator[Named]:
    """Set up the model of the endpoint, in a mood."""

    def name(mood: str) -> None:
        settings.PEGBOARD_EMBEDDINGS = "openai/letters"
        settings.PEGBOARD_EMBEDDINGS_URL = model_endpoint.url(mood)
        current.current_queries.cache_clear()

    yield name
    current.current_queries.cache_clear()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches wait until the vectors are there."""
    monkeypatch.setattr(current, "FIRST_WAIT", 30.0)


def asked(catalog: Catalog, engine: str, query: str) -> Ranking:
    return ranking_of(catalog, choose(engine), query, 5)


def texts_sent(endpoint: ModelEndpoint) -> list[str]:
    return [text for _, _, body in endpoint.requests for text in body["input"]]


def test_without_a_model_the_vector_engine_says_how_to_set_one_up(team: Catalog) -> None:
    assert django_settings.PEGBOARD_EMBEDDINGS == ""
    assert "PEGBOARD_EMBEDDINGS" in asked(team, "vector", "weather").problem
    pegboard = asked(team, "pegboard", "weather")
    assert pegboard.hits
    assert not any("meaning" in note for note in pegboard.notes)


@pytest.mark.django_db(transaction=True)
def test_each_text_is_sent_once_and_kept(
    patient: None, named: Named, model_endpoint: ModelEndpoint, team: Catalog
) -> None:
    named("vectors")
    first = asked(team, "vector", "wether getting").hits[0]
    assert first.tool.upstream_name == "getWeather"
    assert EmbeddedText.objects.count() == 5 == len(texts_sent(model_endpoint)) - 1
    forget(team)
    assert asked(team, "vector", "wether getting").hits[0].tool == first.tool
    assert len(texts_sent(model_endpoint)) == 6


@pytest.mark.django_db(transaction=True)
def test_an_edit_costs_one_text(patient: None, named: Named, model_endpoint: ModelEndpoint, team: Catalog) -> None:
    named("vectors")
    asked(team, "vector", "weather")
    model_endpoint.requests.clear()
    tool = Tool.objects.get(name="notify_channel")
    tool.search_text = "bulletin"
    save_overlay(tool, by=None)
    asked(team, "vector", "weather")
    assert [text for text in texts_sent(model_endpoint) if "bulletin" in text] == texts_sent(model_endpoint)
    assert len(texts_sent(model_endpoint)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_failing_model_never_breaks_a_search(patient: None, named: Named, team: Catalog) -> None:
    named("500")
    vector = asked(team, "vector", "weather")
    assert vector.hits == ()
    assert vector.problem.startswith("0 of 5 tools have vectors so far. The model openai/letters gave no vectors")
    assert "answered 500" in vector.problem
    pegboard = asked(team, "pegboard", "weather")
    assert pegboard.hits[0].tool.upstream_name == "getWeather"
    assert any(note.startswith("only words were counted, no meanings: 0 of 5") for note in pegboard.notes)


@pytest.mark.django_db(transaction=True)
def test_the_page_gives_meaning_its_colour(
    patient: None, named: Named, team: Catalog, client_as: Callable[[Role], Client]
) -> None:
    named("vectors")
    asked(team, "vector", "weather")
    page = client_as(Role.VIEWER).get("/search/", {"catalog": team.slug, "engine": "pegboard", "q": "weather"})
    assert 'class="seg field-meaning"' in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_search_does_not_wait_for_vectors_that_take_long(
    monkeypatch: pytest.MonkeyPatch, named: Named, model_endpoint: ModelEndpoint, team: Catalog
) -> None:
    monkeypatch.setattr(current, "FIRST_WAIT", 0.05)
    named("hang")
    ranking = asked(team, "pegboard", "weather")
    assert ranking.hits
    assert any("0 of 5 tools have vectors so far" in note for note in ranking.notes)


@pytest.mark.django_db(transaction=True)
def test_what_no_corpus_asks_for_is_deleted_in_time(patient: None, named: Named, team: Catalog) -> None:
    named("vectors")
    asked(team, "vector", "weather")
    today = timezone.now().date()
    EmbeddedText.objects.update(asked_on=today - timedelta(days=20))
    forget(team)
    asked(team, "vector", "weather")
    assert set(EmbeddedText.objects.values_list("asked_on", flat=True)) == {today}
    EmbeddedText.objects.create(digest="old", vector=b"", asked_on=today - timedelta(days=31))
    store.sweep()
    assert EmbeddedText.objects.count() == 5
