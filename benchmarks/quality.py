"""How well the engines find tools: a table for `quality.md`, over a folder of judged sets.

    .venv/bin/python -m benchmarks.quality FOLDER [--limit N] [--meaning] [SET …]

A set is a folder with `queries.jsonl` and, unless another set's tools are searched, `tools.jsonl` or `tools.jsonl.gz`.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from catalog.embedding.at_once import VectorsAtOnce
from catalog.embedding.local import LocalEmbedder
from catalog.evaluating.judged import read_queries, read_tools, spread
from catalog.evaluating.measuring import Evaluation, evaluate, ids_by_name, indexed
from catalog.search import ENGINES

WITH_MEANING = ("vector", "hybrid", "pegboard")
PLAIN = tuple(slug for slug in ENGINES if slug not in ("vector", "eino-regex"))
TOOLS_OF = {"livemcp_agentq": "livemcpbench", "livemcpbench_steps": "livemcpbench"}
SETS = (*TOOLS_OF, "livemcpbench", "mcpbench", "stabletoolbench", "bfcl_live", "metatool", "restbench")


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/quality.md.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--limit", type=int, default=0, help="at most so many queries a set; all if left out")
    parser.add_argument(
        "--meaning", action="store_true", help="with the local model: of the engines that compare meanings"
    )
    options = parser.parse_args()
    engines = WITH_MEANING if options.meaning else PLAIN
    print("| set | tools | queries |", *(f"{engine} |" for engine in engines))  # noqa: T201
    print("| --- |" + " ---: |" * (2 + len(engines)))  # noqa: T201
    for name in options.sets:
        found = list(measured(options.folder, name, options.limit, engines))
        print(row(name, found), flush=True)  # noqa: T201


def measured(folder: Path, name: str, limit: int, engines: Sequence[str]) -> Iterator[Evaluation]:
    plain = folder / TOOLS_OF.get(name, name) / "tools.jsonl"
    tools = read_tools(plain if plain.exists() else plain.with_suffix(".jsonl.gz"))
    queries = spread(read_queries(folder / name / "queries.jsonl"), limit)
    vectors = VectorsAtOnce(LocalEmbedder(), tuple(tools.values())) if engines is WITH_MEANING else None
    with indexed(tools, vectors=vectors) as corpus:
        for engine in engines:
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
