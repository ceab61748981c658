"""The whole answer to "why not?": the gates of the catalog and of the search, and, if asked for, the edits."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from catalog.absence.finding import Found, find_edits
from catalog.absence.gates import (
    Gate,
    catalog_gates,
    joined,
    needed_steps,
    platform_gates,
    policy_gates,
    search_gates,
    version_gates,
    view_gates,
)
from catalog.absence.rows import candidate_of, offering_of
from catalog.absence.steps import Step
from catalog.absence.telling import ToldEdit, told_edits
from catalog.absence.trying import Asked, Trials
from catalog.asking import Search, ranking_under
from catalog.editions import Edition
from catalog.forms.searching import MAX_TOP_K, SearchForm
from catalog.indexing import corpus_of, engine_for
from catalog.models import Catalog, Tool
from catalog.search.ranking import Ranking
from catalog.search.standing import Standing, standing_of


@dataclass(frozen=True, slots=True)
class WhyNot:
    """`needed` opens the catalog's shut gates, None if that cannot be done here; `edits` is None until they are asked for."""

    tool: Tool
    rungs: list[Gate]
    standing: Standing | None
    needed: list[Step] | None
    edits: list[ToldEdit] | None = None
    found: Found | None = None


@dataclass(frozen=True, slots=True)
class HeldWhyNot:
    """Of a version, which no edit changes. `tool` is the row that is there by now, if one is."""

    tool: Tool | None
    rungs: list[Gate]
    standing: Standing | None


def answer_of_version(
    search: Search, edition: Edition, tool: Tool | None, ranking: Ranking | None
) -> HeldWhyNot | None:
    """What a version and the search that gave `ranking` say of a tool; None where there is no such tool anywhere."""
    form, policy, number = search.form, search.policy, edition.number or 0
    spec, gates = version_gates(search.why, search.exposure, number)
    if spec is None:
        server = tool.server.slug if tool else ""
        gates += search_gates(None, ranking, server, form.servers, form.chosen_engine.title)
        return HeldWhyNot(tool, joined(gates), None) if tool else None
    gates += [*platform_gates(spec, policy), *policy_gates(spec, policy), *view_gates(spec.name, form.in_view)]
    is_open = all(gate.state == "passed" for gate in gates)
    standing = None
    if ranking and is_open and (not form.servers or spec.server in form.servers):
        standing = standing_of(engine_for(edition, form.asked), ranking, spec, form.servers)
    gates += search_gates(standing, ranking, spec.server, form.servers, form.chosen_engine.title)
    return HeldWhyNot(tool, joined(gates), standing)


def answer(search: Search, catalog: Catalog, tool: Tool, ranking: Ranking | None, *, with_edits: bool) -> WhyNot:
    """What the catalog and the search that gave `ranking` say of the tool; edits are tried only `with_edits`."""
    form, exposure, policy = search.form, search.exposure, search.policy
    spec, chosen = tool.to_spec(), form.servers
    if ranking is None and form.query:
        ranking = ranking_under(policy, catalog, form.asked, form.query, form.top_k, chosen)
    is_here = catalog.servers.filter(server=tool.server_id).exists()
    gates = catalog_gates(candidate_of(tool, catalog), catalog.selection(), exposure, is_here=is_here)
    gates += [*platform_gates(spec, policy), *policy_gates(spec, policy), *view_gates(spec.name, form.in_view)]
    needed = needed_steps(gates)
    standing = None
    if ranking and needed == [] and (not chosen or spec.server in chosen):
        standing = standing_of(engine_for(catalog, form.asked), ranking, spec, chosen)
    gates += search_gates(standing, ranking, spec.server, chosen, form.chosen_engine.title)
    told = WhyNot(tool, joined(gates), standing, needed)
    if not with_edits or ranking is None or ranking.problem or needed is None:
        return told
    return _with_edits(told, catalog, form, needed)


def _with_edits(told: WhyNot, catalog: Catalog, form: SearchForm, needed: list[Step]) -> WhyNot:
    key, chosen = str(told.tool), form.chosen_server
    unchosen = chosen if chosen and chosen != told.tool.server.slug else ""
    servers = frozenset(filter(None, ["" if unchosen else chosen]))
    offering = offering_of(catalog, told.tool)
    asked = Asked(form.asked, form.query, form.top_k, servers)
    with TemporaryDirectory(prefix="pegboard-trials-") as folder:
        found = find_edits(Trials(asked, corpus_of(catalog), offering, key, Path(folder)), needed, MAX_TOP_K)
    edits = told_edits(found.edits, offering, key, form.asked, form.top_k, unchosen)
    return replace(told, edits=edits, found=found)
