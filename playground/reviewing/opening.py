"""One recorded query as it is judged: each tool with its place then and now, and what was said of it."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User

from catalog.asked_engine import CannotAskError
from catalog.editions import Edition
from catalog.indexing import exposure_of, indexed
from catalog.judging import NO_TOOL
from catalog.models import Catalog, Judgement
from catalog.publishing.asking import published
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec
from playground.models import RunEvent, RunSearch
from playground.reviewing.agents_search import agents_search, context_key
from playground.reviewing.judgements import said_by_words
from playground.reviewing.keys import ToolKeys
from playground.reviewing.queries import RecordedQuery
from playground.reviewing.queue import differ
from playground.reviewing.wording import query_digest

LEAST_K = 5
MOST_CUT = 5
"""Cut hits that are shown below those that were returned."""
MOST_FOUND = 12
"""Tools that are offered where one looks for what should have been there."""


@dataclass(frozen=True, slots=True)
class Place:
    """A tool to judge. `then` is its rank in the last recorded search, `now` in what agents get now; None where it is not among the hits.

    `spec` is None where the catalog has it no longer. `others` is empty until the reader has judged the tool, or the query
    for all tools: two people judge apart from each other.
    """

    key: str
    name: str
    spec: ToolSpec | None
    then: int | None = None
    cut_by: str = ""
    now: int | None = None
    called: int = 0
    mine: str = ""
    others: tuple[Judgement, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """`problem` says why there is no `now`. `none` are the words of people that no tool answers, mine apart."""

    catalog: Catalog
    text: str
    words: str
    places: tuple[Place, ...]
    query: RecordedQuery | None = None
    last: RunSearch | None = None
    my_none: bool = False
    none: tuple[Judgement, ...] = ()
    differs: bool = False
    problem: str = ""
    judged_here: bool = field(default=False)
    """Whether the reader has said anything of the query."""


def opened(catalog: Catalog, query: RecordedQuery, person: User, shuffle: str = "") -> Opened:
    """A query of the queue, with the places of its tools; with a seed in a random order, the same for the same seed."""
    last = RunSearch.objects.select_related("run").filter(pk=query.latest).first()
    places = dict[str, Place]()
    if last is not None:
        places |= _as_recorded(catalog, last)
    context = context_key(last.run.context if last else {})
    ranking, problem = _as_of_now(catalog, query.text, max(LEAST_K, len(last.returned) if last else 0), context)
    specs = _specs(catalog)
    for hit in ranking.hits if ranking else ():
        place = places.get(hit.tool.key) or Place(hit.tool.key, hit.tool.name, hit.tool)
        places[hit.tool.key] = replace(place, now=hit.rank)
    for key, times in query.led_to.items():
        place = places.get(key) or _place(specs, key)
        places[key] = replace(place, called=times)
    about = _judged(catalog, query.text, query.words, places.values(), person, specs)
    if shuffle:
        shuffled = list(about.places)
        random.Random(f"{shuffle} {query.words}").shuffle(shuffled)
        about = replace(about, places=tuple(shuffled))
    return replace(about, query=query, last=last, problem=problem)


def opened_search(catalog: Catalog, body: Mapping[str, Any], person: User) -> Opened:
    """A search inside a run, from its event."""
    places = _places(catalog, body)
    return _judged(catalog, body["query"], query_digest(body["query"]), places.values(), person, _specs(catalog))


def tools_with(catalog: Catalog, words: str, person: User, query: str) -> tuple[Place, ...]:
    """The first tools of the catalog's draft that have all the words in their name or text."""
    wanted = words.casefold().split()
    pool = exposure_of(catalog).pool
    having = (
        tool
        for tool in pool
        if all(word in f"{tool.name} {tool.title} {tool.description}".casefold() for word in wanted)
    )
    found = (
        [Place(tool.key, tool.name, tool) for tool, _ in zip(having, range(MOST_FOUND), strict=False)] if wanted else []
    )
    about = _judged(catalog, query, query_digest(query), found, person, {})
    return tuple(place for place in about.places if any(place.key == one.key for one in found))


def _as_recorded(catalog: Catalog, last: RunSearch) -> dict[str, Place]:
    body = RunEvent.objects.filter(run=last.run_id, seq=last.answer).values_list("body", flat=True).first()
    return _places(catalog, body) if body else {}


def _places(catalog: Catalog, body: Mapping[str, Any]) -> dict[str, Place]:
    """The hits of a search's event: those that were returned, and the first that were cut."""
    keys, specs = ToolKeys(), _specs(catalog)
    hits = [hit for hit in body["hits"] if not hit.get("cut_by")]
    hits += [hit for hit in body["hits"] if hit.get("cut_by")][:MOST_CUT]
    found = {}
    for hit in hits:
        place = _place(specs, keys.key_of(hit["server"], hit["name"]), hit["name"])
        found[place.key] = replace(place, then=hit["rank"], cut_by=hit.get("cut_by", ""))
    return found


def _as_of_now(catalog: Catalog, query: str, most: int, context: str) -> tuple[Ranking | None, str]:
    """The first `most` hits that an agent would get now in a request of this context, and why they are not known."""
    edition: Edition = published(catalog)
    try:
        search = agents_search(edition)
    except CannotAskError as error:
        return None, str(error)
    if not exposure_of(edition).pool.searchable:
        return None, "The catalog has no tool to search now."
    if indexed(edition) is not None:
        return None, "The index is being made; where tools stand now is known in a moment."
    return search(query, most, context), ""


def _specs(catalog: Catalog) -> Mapping[str, ToolSpec]:
    return {tool.key: tool for tool in exposure_of(catalog).pool}


def _place(specs: Mapping[str, ToolSpec], key: str, name: str = "") -> Place:
    spec = specs.get(key)
    return Place(key, name or (spec.name if spec else key), spec)


def _judged(
    catalog: Catalog,
    text: str,
    words: str,
    places: Iterable[Place],
    person: User,
    specs: Mapping[str, ToolSpec],
) -> Opened:
    """The places with what was said of them, and those of tools that were judged besides."""
    said = said_by_words(catalog).get(words, ())
    shown = {place.key: place for place in places}
    for one in said:
        if one.key and one.key not in shown and one.by_id == person.pk:
            shown[one.key] = _place(specs, one.key)
    my_none = any(one.verdict == NO_TOOL and one.by_id == person.pk for one in said)
    judged = tuple(_with_words(place, said, person, seen=my_none) for place in shown.values())
    none = tuple(one for one in said if one.verdict == NO_TOOL and one.by_id != person.pk)
    mine = any(one.by_id == person.pk for one in said)
    return Opened(
        catalog,
        text,
        words,
        judged,
        my_none=my_none,
        none=none if mine else (),
        differs=mine and differ(said),
        judged_here=mine,
    )


def _with_words(place: Place, said: Sequence[Judgement], person: User, *, seen: bool) -> Place:
    about = [one for one in said if one.key == place.key]
    mine = next((one.verdict for one in about if one.by_id == person.pk), "")
    others = tuple(one for one in about if one.by_id != person.pk)
    return replace(place, mine=mine, others=others if mine or seen else (), hidden=0 if mine or seen else len(others))
