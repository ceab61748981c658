"""A search as JSON, for programs, and the command that asks for it."""

import shlex
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET

from catalog.asking import read_search
from catalog.bearers import person_of
from catalog.editions import Edition
from catalog.forms.searching import SearchForm, query_string
from catalog.indexing import revision_of
from catalog.models import Catalog
from catalog.publishing.asking import NoSuchVersionError, edition_for_agent
from catalog.search.record import record_of
from catalog.search.settings import settings_of
from catalog.views.json_answers import answer, refused

NOT_SIGNED_IN = "Sign in, or send an access token: Authorization: Bearer <token>. A person's access tokens are made on their own page."


@login_not_required
@require_GET
def search_json(request: HttpRequest, slug: str) -> JsonResponse:
    """What an engine finds for `q`, with its reasons. docs/search-api.md tells every parameter and every part."""
    if person_of(request) is None:
        return refused(401, {"authorization": NOT_SIGNED_IN})
    catalog = Catalog.objects.filter(slug=slug).first()
    if catalog is None:
        return refused(404, {"catalog": f"There is no catalog {slug}."})
    try:
        edition = edition_for_agent(catalog, request.GET.get("version", ""))
    except NoSuchVersionError as error:
        return refused(400, {"version": str(error)})
    search = read_search(edition, request.GET)
    problems = search.form.problems | ({} if search.form.query else {"q": "q is the query; it is missing."})
    if problems:
        return refused(400, problems)
    return answer({**_about(search.form, edition), **record_of(search.ranking(search.form.asked))})


def json_address(form: SearchForm) -> str:
    """The address of the search as JSON."""
    parameters = QueryDict(mutable=True)
    parameters.update({"q": form.query, "engine": form.chosen_engine.slug, "k": str(form.top_k)})
    if form.version:
        parameters["version"] = form.version
    if form.chosen_server:
        parameters["server"] = form.chosen_server
    parameters.update({row.name: row.shown for row in form.settings[0].of_address})
    return f"{reverse('search_json', args=[form.catalog.slug])}?{query_string(parameters)}"


def curl_of(url: str) -> str:
    """The command that asks for it. The token is read from the environment, so that it stands in no history."""
    return f'curl -sS -H "Authorization: Bearer $PEGBOARD_TOKEN" {shlex.quote(url)}'


def _about(form: SearchForm, edition: Edition) -> dict[str, Any]:
    settings = form.asked.settings
    return {
        "catalog": form.catalog.slug,
        "version": edition.number,
        "revision": revision_of(edition),
        "query": form.query,
        "engine": form.asked.slug,
        "settings": {told.name: getattr(settings, told.name) for told in settings_of(type(settings))},
        "k": form.top_k,
        "server": form.chosen_server or None,
    }
