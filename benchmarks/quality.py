"""How well the engines find tools: a table for `quality.md`, over a folder of judged sets.

    .venv/bin/python -m benchmarks.quality FOLDER [--limit N] [SET …]

A set is a folder with `queries.jsonl` and, unless another set's tools are searched, `tools.jsonl` or `tools.jsonl.gz`.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from catalog.evaluating.judged import read_queries, read_tools, spread
from catalog.evaluating.measuring import Evaluation, evaluate, ids_by_name, indexed

ENGINES = ("bm25f", "mcpagent", "pegboard")
TOOLS_OF = {"livemcp_agentq": "livemcpbench", "livemcpbench_steps": "livemcpbench"}
SETS = (*TOOLS_OF, "livemcpbench", "mcpbench", "stabletoolbench", "bfcl_live", "metatool", "restbench")


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/quality.md.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--limit", type=int, default=0, help="at most so many queries a set; all if left out")
    options = parser.parse_args()
    print("| set | tools | queries |", *(f"{engine} |" for engine in ENGINES))  # noqa: T201
    print("| --- |" + " ---: |" * (2 + len(ENGINES)))  # noqa: T201
    for name in options.sets:
        found = list(measured(options.folder, name, options.limit))
        print(row(name, found), flush=True)  # noqa: T201


def measured(folder: Path, name: str, limit: int) -> Iterator[Evaluation]:
    plain = folder / TOOLS_OF.get(name, name) / "tools.jsonl"
    tools = read_tools(plain if plain.exists() else plain.with_suffix(".jsonl.gz"))
    queries = spread(read_queries(folder / name / "queries.jsonl"), limit)
    with indexed(tools) as corpus:
        for engine in ENGINES:
            sys.stderr.write(f"{name}: {len(queries):,} queries asked of {engine}\n")
            yield evaluate(engine, corpus, ids_by_name(tools), queries)


def row(name: str, found: Sequence[Evaluation]) -> str:
    """nDCG@10 and, after the stroke, completeness@5; the best of each in bold."""
    columns = []
    best = {metric: max(one.metrics[metric] for one in found) for metric in ("nDCG@10", "completeness@5")}
    for one in found:
        figures = ((f"{one.metrics[metric]:.3f}", one.metrics[metric] == top) for metric, top in best.items())
        columns.append(" / ".join(f"**{figure}**" if is_best else figure for figure, is_best in figures))
    return f"| {name} | {found[0].tools:,} | {found[0].queries:,} | {' | '.join(columns)} |"


if __name__ == "__main__":
    main()
