"""What the gate catches: one harmful edit planted among nineteen suggested ones, kind by kind.

    .venv/bin/python -m benchmarks.gate FOLDER [--queries SET] [--tools SET] [--engine ENGINE]

The nineteen are suggestions of *What if*, each tried on all queries and taken if it makes some better and none worse.
Of a planted edit it is told how many judged queries it makes worse, by itself and on top of the others, when all of them are
asked over indexes made anew, and what the gate names.
"""

import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.planting.ground import Edits, Ground, ground_of, suggested
from benchmarks.planting.kinds import PLANTINGS
from catalog.evaluating.judged import read_queries, read_tools
from catalog.evaluating.measuring import indexed
from catalog.search.choosing import choose
from catalog.search.orders import Order
from catalog.tools import ToolSpec
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side
from catalog.whatif.tally import Tally
from catalog.whatif.weighing_edits import Scale, Weighing

SUGGESTED = 19
OF_EACH = 3
"""Plantings of a kind."""
SECONDS = 120.0
HEAD = """| planted | tool | worse by itself | worse in the draft | held | named | others named | seconds of processor |
| --- | --- | ---: | ---: | --- | --- | ---: | ---: |"""


def weighed(ground: Ground, edits: Edits) -> Weighing:
    with TemporaryDirectory() as folder:
        until, known = monotonic() + SECONDS, {shift.query.text: shift.before for shift in ground.shifts}
        return Scale(ground.side, ground.with_edits(edits), ground.queries, known, Path(folder), until).weigh()


def worse_anew(ground: Ground, edits: Edits, planted: ToolSpec) -> int:
    """Of all queries, with the planted edit on top of these, over indexes that are made anew."""
    without, found = asked_anew(ground, edits), asked_anew(ground, edits | {planted.key: planted})
    return sum(Shift(query, without[query.text], found[query.text]).is_worse for query in ground.queries)


def asked_anew(ground: Ground, edits: Edits) -> dict[str, Order]:
    with indexed({tool.key: edits.get(tool.key, tool) for tool in ground.tools}) as corpus:
        ask = replace(ground.side, corpus=corpus).asking()
        return {query.text: ask(query.text) for query in ground.queries}


def row(ground: Ground, edits: Edits, kind: str, planted: ToolSpec) -> str:
    began = process_time()
    found = weighed(ground, edits | {planted.key: planted})
    took = process_time() - began
    named = [one.edit.name for one in found.harming]
    others = len([name for name in named if name != planted.key])
    held, is_named = bool(named or found.together), planted.key in named
    worse = worse_anew(ground, {}, planted), worse_anew(ground, edits, planted)
    told = (kind, f"`{planted.key}`", *worse, _yes(held), _yes(is_named), others, f"{took:.1f}")
    return f"| {' | '.join(map(str, told))} |"


def _yes(said: bool) -> str:
    return "yes" if said else "**no**"


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tools", default="livemcpbench")
    parser.add_argument("--queries", default="livemcp_agentq")
    parser.add_argument("--engine", default="pegboard")
    asked = parser.parse_args()
    tools = read_tools(asked.folder / asked.tools / "tools.jsonl")
    queries = known_queries(asked.folder / asked.queries / "queries.jsonl")
    with indexed(tools) as corpus, TemporaryDirectory() as folder:
        ground = ground_of(Side(corpus, choose(asked.engine)), queries, Path(folder))
        edits = suggested(ground, SUGGESTED)
        alone = weighed(ground, edits)
        figures = {one.name: f"{one.before:.3f} → {one.after:.3f}" for one in Tally(alone.shifts).told_figures}
        named = len(alone.harming), len(alone.together)
        print(f"{len(tools)} tools, {len(queries)} queries, {asked.engine}; {len(edits)} suggested edits: {figures}")  # noqa: T201
        print(f"of them alone the gate names {named[0]}, and holds {named[1]} queries for all together\n\n{HEAD}")  # noqa: T201
        for kind, plant in PLANTINGS.items():
            for tool in ground.found()[:OF_EACH]:
                print(row(ground, edits, kind, plant(ground, tool)), flush=True)  # noqa: T201


def known_queries(path: Path) -> list[KnownQuery]:
    read = (KnownQuery(query.text, query.groups, fine=query.fine) for query in read_queries(path))
    return list({query.text: query for query in read}.values())


if __name__ == "__main__":
    main()
