"""Tuning a catalog of some 150 real tools on queries that an agent asked: suggested edits help, and the gate names one that harms."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from django.contrib.auth.models import User

from catalog.editing import change_overlay
from catalog.evaluating.entries import Entry, Said
from catalog.evaluating.judged import JudgedQuery, read_queries, read_tools
from catalog.importing import import_listing
from catalog.models import Catalog, Server, Suite, Tool
from catalog.publishing.acts import gather
from catalog.shaping import place_server
from catalog.sources.listing import read_listing
from catalog.suites import write
from catalog.tools import ToolSpec
from catalog.whatif.changes import publishing_change, tool_change, wanted_of
from catalog.whatif.foreseeing import foresee
from catalog.whatif.known import judged_of
from catalog.whatif.proposing import proposals
from catalog.whatif.shifts import Shift
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import Verdict, verdict_on

ENOUGH = 150
"""Tools."""
SUGGESTED = 2
MOST_TRIED = 8


def write_set(folder: Path, by: User) -> Catalog:
    """The tools in a catalog that gathers its changes, and every fourth query in its suite."""
    catalog = Catalog.objects.create(slug="bench", title="Bench", engine="pegboard")
    queries = read_queries(folder / "livemcp_agentq/queries.jsonl")[::4]
    for place, tools in enumerate(servers_of(read_tools(folder / "livemcpbench/tools.jsonl").values(), queries)):
        told = [
            {"name": one.upstream_name, "description": one.description, "inputSchema": one.parameters} for one in tools
        ]
        server = Server.objects.create(slug=tools[0].server, title=str(place), kind=Server.Kind.FILE)
        import_listing(server, read_listing(told))
        place_server(catalog, server, "everything")
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=catalog)
    write(suite, [*map(entry, queries)], "a test set", by)
    gather(catalog)
    return catalog


def servers_of(tools: Iterable[ToolSpec], queries: Sequence[JudgedQuery]) -> Iterator[list[ToolSpec]]:
    """The tools of each server until there are enough of them, those of servers that answer a query first."""
    servers: defaultdict[str, list[ToolSpec]] = defaultdict(list)
    for tool in tools:
        servers[tool.server].append(tool)
    asked = {key.partition("/")[0] for query in queries for group in query.groups for key in group}
    count = 0
    for server in sorted(servers, key=lambda server: server not in asked):
        if count < ENOUGH:
            count += len(servers[server])
            yield servers[server]


def entry(query: JudgedQuery) -> Entry:
    said = {tool: Said(tool, "right", need) for need, group in enumerate(query.groups, 1) for tool in group}
    return Entry(query.id, query.text, (), tuple(said.values()))


def shifts_of(change: Change) -> list[Shift]:
    return list(foresee(change.queries, change.before, change.before, change.known()))


def recall(catalog: Catalog, folder: Path) -> tuple[float, float]:
    """recall@5 of what is published, and of the draft."""
    change = publishing_change(catalog, judged_of(catalog))
    after = change.after(change.before, folder)
    tally = Tally(tuple(foresee(change.queries, change.before, after, change.known())))
    return next((one.before, one.after) for one in tally.figures if one.name == "recall@5")


def failing(catalog: Catalog) -> list[str]:
    """Tools that queries lack, of which fewest answer the same query first: these an edit can help most."""
    tool = Tool.objects.filter(server__in_catalogs__catalog=catalog).first()
    assert tool is not None
    lacking = [shift for shift in shifts_of(tool_change(catalog, tool)) if shift.fails(Tally.k)]
    lacking.sort(key=lambda shift: len(shift.query.answers))
    offered = {one.key for one in wanted_of(catalog).tools}
    return list(dict.fromkeys(key for shift in lacking for key in sorted(shift.query.answers & offered)))


def take_suggestions(catalog: Catalog, by: User) -> Iterator[str]:
    """Of the first tools that queries lack, what is proposed and makes none worse."""
    for key in failing(catalog)[:MOST_TRIED]:
        tool = tool_of(key)
        change = tool_change(catalog, tool)
        helping, _ = proposals(change, tool, shifts_of(change))
        if good := next((one for one in helping if not one.tally.worse), None):
            edit(key, good.text, by)
            yield key


def tool_of(key: str) -> Tool:
    server, _, name = key.partition("/")
    return Tool.objects.select_related("server").get(server__slug=server, name=name)


def edit(key: str, search_text: str, by: User) -> None:
    change_overlay(tool_of(key), {"search_text": search_text}, 0, by)


def verdict_of(catalog: Catalog) -> Verdict:
    """What the gate says of the draft, however long that takes."""
    return verdict_on(catalog, publishing_change(catalog, judged_of(catalog)), wanted_of(catalog), seconds=600.0)


def test_suggested_edits_help_and_the_gate_names_the_one_of_ten_that_harms(
    db: None, shared: Path, tmp_path: Path
) -> None:
    tuner = User.objects.create(username="tuner")
    catalog = write_set(shared / "data", tuner)
    taken = list(islice(take_suggestions(catalog, tuner), SUGGESTED))
    before, after = recall(catalog, tmp_path / "suggested")
    assert after > before
    assert not verdict_of(catalog).holds
    judged = judged_of(catalog)
    asked_for = {key for query in judged for key in query.answers}
    unasked = [tool.key for tool in wanted_of(catalog).tools if tool.key not in asked_for]
    planted, *others = unasked[:: len(unasked) // 10][: 10 - len(taken)]
    for number, key in enumerate(others):
        edit(key, f"harmless{number}", tuner)
    edit(planted, " ".join(query.text for query in judged[::4]), tuner)
    verdict = verdict_of(catalog)
    assert verdict.weighing.total == 10
    assert [one.edit.name for one in verdict.harming] == [planted]
    assert {planted, *others} == {one.edit.name for one in verdict.uncovered}
