"""A search as JSON: what it says, who may ask, and what is refused."""

import shlex
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from catalog.indexing import revision_of
from catalog.models import AccessToken, Catalog
from catalog.roles import Role
from catalog.search import ENGINES
from tests.catalog.pages import text_of
from tests.conftest import Served

PATH = "/catalogs/team-agent/search.json"


@pytest.fixture
def token(person: Callable[[Role], User]) -> str:
    return AccessToken.make(person(Role.VIEWER), "tests")


def asked(client: Client, **parameters: str | int) -> dict[str, Any]:
    response = client.get(PATH, parameters)
    assert response.status_code == 200
    return dict(response.json())


def value_of(told: dict[str, Any]) -> float:
    """What the parts come to, by the combination that is named."""
    values = [value_of(part) for part in told["parts"]]
    match told["combination"]:
        case "sum":
            return sum(values)
        case "best":
            return max(values, default=0.0)
        case "product":
            product = 1.0
            for value in values:
                product *= value
            return product
    return float(told["value"])


def test_it_says_what_was_asked_of_what(viewer: Client, team: Catalog) -> None:
    answer = asked(viewer, q="tell the channel", engine="mastra", k=2, **{"mastra.min_score": "0.1"})
    assert answer["catalog"] == "team-agent"
    assert answer["revision"] == revision_of(team)
    assert (answer["engine"], answer["k"], answer["query"]) == ("mastra", 2, "tell the channel")
    assert answer["settings"] == {"fidelity": "documented", "min_score": 0.1}
    assert [word["text"] for word in answer["reading"]["words"]] == ["tell", "the", "channel"]


@pytest.mark.parametrize("slug", [slug for slug in ENGINES if slug != "vector"])
def test_scores_follow_from_the_explanations(viewer: Client, team: Catalog, slug: str) -> None:
    answer = asked(viewer, q="channel", engine=slug)
    assert [hit["name"] for hit in answer["hits"]] == ["team__notify_channel"]
    for hit in answer["hits"]:
        assert hit["score"] == hit["explanation"]["value"] == pytest.approx(value_of(hit["explanation"]))
        assert hit["server"] == "team"


def test_what_was_cut_is_told_with_the_cut(viewer: Client, team: Catalog) -> None:
    answer = asked(viewer, q=".", engine="mcpagent", k=2)
    assert (answer["matched"], answer["searched"], answer["scored"]) == (5, 5, False)
    assert [cut["by"] for cut in answer["cuts"]] == ["top-k 2"]
    assert [hit["rank"] for hit in (*answer["hits"], *answer["cuts"][0]["hits"])] == [1, 2, 3, 4, 5]


def test_a_query_that_cannot_be_run_is_an_answer(viewer: Client, team: Catalog) -> None:
    answer = asked(viewer, q="(", engine="mcpagent")
    assert answer["problem"] == "invalid regex pattern: missing ): ("
    assert answer["hits"] == []


@pytest.mark.parametrize(
    ("parameters", "problems"),
    [
        ({}, {"q": "q is the query; it is missing."}),
        ({"q": "x", "k": "0"}, {"k": "k is a whole number from 1 to 50."}),
        ({"q": "x", "server": "nowhere"}, {"server": "server is one of those of the catalog: team."}),
        (
            {"q": "x", "engine": "bm25f", "bm25f.name": "-1"},
            {"bm25f.name": "Name: -1 is not from 0 to 10."},
        ),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(
    viewer: Client, team: Catalog, parameters: dict[str, str], problems: dict[str, str]
) -> None:
    response = viewer.get(PATH, parameters)
    assert response.status_code == 400
    assert response.json() == {"problems": problems}


def test_an_unknown_engine_is_refused_with_those_there_are(viewer: Client, team: Catalog) -> None:
    problems = viewer.get(PATH, {"q": "x", "engine": "altavista"}).json()["problems"]
    assert problems == {"engine": f"engine is one of {', '.join(ENGINES)}."}


def test_a_catalog_that_is_not_there_is_not_found_in_json(viewer: Client, team: Catalog) -> None:
    response = viewer.get("/catalogs/gone/search.json?q=x")
    assert response.status_code == 404
    assert response.json() == {"problems": {"catalog": "There is no catalog gone."}}


def test_a_token_asks_as_its_owner_and_notes_that_it_was_used(team: Catalog, token: str) -> None:
    response = Client().get(PATH, {"q": "channel"}, headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200
    assert AccessToken.objects.get().used_at is not None
    assert "sessionid" not in response.cookies
    assert "pegboard_session" not in response.cookies


def test_a_token_that_was_revoked_or_whose_owner_left_is_refused(team: Catalog, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    User.objects.update(is_active=False)
    assert Client().get(PATH, {"q": "x"}, headers=headers).status_code == 401
    User.objects.update(is_active=True)
    AccessToken.objects.all().delete()
    assert Client().get(PATH, {"q": "x"}, headers=headers).status_code == 401


def test_a_wrong_token_is_refused_even_from_someone_signed_in(viewer: Client, team: Catalog) -> None:
    assert viewer.get(PATH, {"q": "x"}, headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_a_token_opens_no_page(team: Catalog, token: str) -> None:
    response = Client().get("/catalogs/", headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 302


def curl_on(page: str) -> str:
    command = page[page.index('id="as-curl"') :]
    command = command[command.index(">") + 1 : command.index("</pre>")]
    return command.replace("&quot;", '"').replace("&#x27;", "'").replace("&amp;", "&")


def test_the_command_on_the_page_names_the_same_search(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=team-agent&q=it's+%24HOME&engine=mastra&mastra.min_score=0.5&k=3")
    *_, header, url = shlex.split(curl_on(page))
    assert header == "Authorization: Bearer $PEGBOARD_TOKEN"
    answer = viewer.get(url.removeprefix("http://testserver")).json()
    assert (answer["query"], answer["k"], answer["settings"]["min_score"]) == ("it's $HOME", 3, 0.5)


def test_the_command_works_in_a_shell(served: Served, team: Catalog, client: Client) -> None:
    client.force_login(served.admin)
    token = AccessToken.make(served.admin, "shell")
    page = text_of(client, "/search/?catalog=team-agent&q=it's+the+channel", Host=served.url.removeprefix("http://"))
    outcome = subprocess.run(
        ["/bin/sh", "-c", curl_on(page)],
        env={"PEGBOARD_TOKEN": token, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert '"name": "team__notify_channel"' in outcome.stdout
