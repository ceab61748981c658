"""Tasks of the gallery and the tour, played in memory on the sample's catalogs, as the product would run them."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from catalog.person_kinds import USUAL, in_order
from catalog.policy import Condition, Policy, Rule
from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.search.settings import read_settings
from catalog.sources import sample
from catalog.sources.simulation import simulate
from catalog.tools import ToolPool, ToolSpec
from playground.agent.events import Event
from playground.agent.large_outputs.files import OutputFiles
from playground.agent.large_outputs.offloading import LargeOutputs, OffloadingTools, Thresholds
from playground.agent.loop import run_agent
from playground.agent.person import Asking, Decided
from playground.agent.person_events import CallHeld
from playground.agent.tool_runner import ToolResult, ToolRunner
from playground.modes import MODES
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS, OffloadsOutputs
from playground.modes.policed import make_mode
from playground.modes.protocol import Session
from playground.showcase.gallery import GalleryTask
from tests.playground.agent import office
from tests.playground.agent.doubles import PlayedTools, ScriptedModel, collect

TODAY = date(2026, 11, 21)
ANSWER = "Yes, the larger one."
RULE = 7
"""The key that every rule has here."""


@dataclass(frozen=True)
class WithFiles:
    """A runner of the sample's tools that answers those for large outputs, too."""

    tools: ToolRunner
    outputs: LargeOutputs

    def is_simulated(self, tool: ToolSpec) -> bool:
        return self.tools.is_simulated(tool)

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        if tool in LARGE_OUTPUT_TOOLS:
            return self.outputs.answer(tool.name, arguments)
        return await self.tools.run(tool, arguments)


@dataclass(frozen=True)
class Approving:
    """Whoever watches approves every call, and answers every question alike."""

    wait = 60.0

    async def decide(self, held: CallHeld) -> Decided:
        return Decided("answered", "Ada", text=ANSWER) if held.asks == "human" else Decided("approved", "Ada")


def played(task: GalleryTask, folder: Path, context: Mapping[str, str] | None = None, mode: str = "") -> list[Event]:
    """The run in full; with another context or mode than the task's, where one is given. `folder` takes its files."""
    catalog = next(one for one in sample.catalogs() if one.slug == task.catalog)
    slug = mode or task.mode or catalog.mode or "mcpagent"
    kind, pool = MODES[slug], pool_of(catalog.slug)
    policy = _policy(catalog, task.context if context is None else context)
    options = read_settings(kind.Options, {} if mode or task.mode else dict(catalog.mode_options))
    engine = ENGINES[kind.default_engine](_corpus(catalog.slug))
    made = make_mode(kind, pool, engine, options, Session(policy=policy, most_handed=ScriptedModel.most_handed))
    run = run_agent(
        made,
        ScriptedModel(),
        _runner(options, folder),
        task.task,
        catalog=catalog.title,
        engine=kind.default_engine,
        today=TODAY,
        policy=policy,
        asking=Asking(in_order(catalog.ask_person or USUAL), Approving()),
    )
    return collect(run)


@cache
def pool_of(catalog: str) -> ToolPool:
    """In the product's order: that of the catalog's servers, then by name."""
    pool, chosen = office.pool_of(catalog), next(one for one in sample.catalogs() if one.slug == catalog)
    places = {part.server: place for place, part in enumerate(chosen.servers)}
    ordered = sorted(pool.tools, key=lambda tool: (places.get(tool.server, len(places)), tool.upstream_name))
    return ToolPool(tuple(ordered), pool.upfront_names)


def play(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
    """The answer as the product plays it."""
    if tool.capability != "tool":
        return office.play(tool, arguments)
    listed = {f"{server.slug}__{one.name}": one for server in sample.servers() for one in server.listing.tools}
    return ToolResult(simulate(listed[tool.name].simulated_result, arguments, tool.parameters, tool.name))


def _runner(options: object, folder: Path) -> ToolRunner:
    tools = PlayedTools(play)
    if not isinstance(options, OffloadsOutputs):
        return tools
    outputs = LargeOutputs(OutputFiles(folder), Thresholds(options.offload_over, options.refuse_over), str)
    return OffloadingTools(WithFiles(tools, outputs), outputs)


def _policy(catalog: sample.SampleCatalog, context: Mapping[str, str]) -> Policy:
    rules = [
        Rule(False, rule.pattern, when=tuple(Condition(*pair) for pair in rule.when.items()), key=RULE)
        for rule in catalog.policy
    ]
    return Policy(tuple(rules), None, context)


@cache
def _corpus(catalog: str) -> Corpus:
    folder = Path(tempfile.mkdtemp())
    build_index(folder, pool_of(catalog).searchable)
    return Corpus(pool_of(catalog).searchable, folder)
