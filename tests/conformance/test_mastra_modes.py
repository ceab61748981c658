"""Mastra's ToolSearchProcessor: its answers, what is in view step by step, its stores and its filter, as recorded."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from catalog.policy import Policy
from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.mastra import index_order
from catalog.tools import ToolPool, ToolSpec
from playground.modes.loaded_store import LoadedStore
from playground.modes.mastra import Mastra, MastraAutoLoad, MastraOptions
from playground.modes.protocol import Offer, Session
from playground.transcript import ToolCall, ToolMessage, Transcript
from tests.conformance.recorded import NO_INDEX, Case, Json, every_case, scripted, with_vectors

pytestmark = with_vectors
NAMES_DIFFER = "a tool has one name here, not a key and an id beside it; every name is there once"
SHARED_NAMES = (
    "the tools in view from the start are the catalog's: none shares a name with another, or with a meta-tool"
)
DEFECT = "a defect that the checklist says not to copy"
OTHERWISE = {
    "mastra-state-05": SHARED_NAMES,
    "mastra-state-26": NAMES_DIFFER,
    "mastra-state-27": NAMES_DIFFER,
    "mastra-state-28": NAMES_DIFFER,
    "mastra-state-29": NAMES_DIFFER,
    "mastra-state-30": NAMES_DIFFER,
    "mastra-state-31": DEFECT,
    "mastra-state-36": SHARED_NAMES,
}
"""Recorded cases of what does not occur in Pegboard, and why."""


def states() -> Any:
    told = [case for case in scripted("mastra", "state") if occurs(case)]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in told])


def occurs(case: Json) -> bool:
    """One name a tool, and none of them twice: an agent's own tools may replace others only where they are indexed too."""
    ids = [tool.get("id") for tool in case["tools"]]
    plain = (
        all(ids) and len(set(ids)) == len(ids) and all(tool.get("key") in (None, tool["id"]) for tool in case["tools"])
    )
    own = any("agent_tools" in step for step in case["steps"]) and not case["options"].get("includeResolvedTools")
    return plain and not own and case["id"] not in OTHERWISE


class Filter:
    """The recorded filter: denies, throws, keeps what it was asked."""

    def __init__(self, told: Json) -> None:
        self.told = told
        self.asked: list[list[str]] = []

    def __call__(self, tool: ToolSpec, phase: str, context: Mapping[str, Any]) -> Any:
        self.asked.append([phase, tool.name])
        if self.told.get("async"):
            return self.later(tool, phase, context)
        return self.now(tool, phase, context)

    async def later(self, tool: ToolSpec, phase: str, context: Mapping[str, Any]) -> bool:
        return self.now(tool, phase, context)

    def now(self, tool: ToolSpec, phase: str, context: Mapping[str, Any]) -> bool:
        asked = {"phase": phase, "name": tool.name, "user": context.get("user")}
        fits = {
            kind: any(all(asked.get(key) == value for key, value in rule.items()) for rule in self.told.get(kind, ()))
            for kind in ("deny", "throw")
        }
        if fits["throw"]:
            raise RuntimeError("the filter throws")
        return not fits["deny"]


@dataclass
class Played:
    """A recorded case being played again."""

    case: Json
    now: float = 0.0
    transcript: Transcript = ()
    offer: Offer | None = None
    modes: dict[str, Mastra] = field(default_factory=dict)

    def __post_init__(self) -> None:
        options = self.case["options"]
        self.filter = Filter(self.case["filter"]) if self.case["filter"] else None
        search = options.get("search", {})
        self.kind = MastraAutoLoad if search.get("autoLoad") else Mastra
        ttl = options.get("ttl", 3_600_000) / 1000
        self.options = MastraOptions(
            top_k=int(search.get("topK", 5)),
            storage=options.get("storage", "in-memory"),
            ttl=ttl,
            inject_catalog=options.get("injectCatalog", False),
            include_resolved_tools=options.get("includeResolvedTools", False),
        )
        self.settings = {"fidelity": "implemented", "min_score": search.get("minScore", 0)}
        self.of_request(())
        self.store = LoadedStore(ttl, clock=lambda: self.now)
        self.thread, self.user = "", None

    def of_request(self, own: Sequence[Json]) -> None:
        """The pool of a request with these tools of its own, which are in view from the start."""
        told = {tool["id"]: tool for tool in (*self.case["tools"], *own)}
        tools = index_order(ToolSpec(tool["id"], tool["description"]) for tool in told.values())
        self.pool = ToolPool(tuple(tools), tuple(tool["id"] for tool in own))
        self.engine = choose("mastra", self.settings).over(Corpus(self.pool.searchable, NO_INDEX))

    def mode(self) -> Mastra:
        """One processor serves every thread."""
        key = f"{self.thread}/{self.user}"
        if key not in self.modes:
            policy = Policy(question=self.filter, context={"user": self.user})
            self.modes[key] = self.kind(self.pool, self.engine, self.options, Session(self.thread, policy, self.store))
        return self.modes[key]

    def play(self, step: Json) -> Any:
        """What the step gives, in the form of the recording."""
        if self.filter:
            self.filter.asked.clear()
        match step["op"]:
            case "step":
                return self.step(step)
            case "call":
                return {"output": self.call(step)}
            case "wait":
                self.now += step["ms"] / 1000
                return {}
            case "stats":
                stats = self.store.stats() if self.options.storage == "in-memory" else None
                oldest = None if stats is None or stats.oldest_access is None else "number"
                return {"output": {"threadCount": stats.threads if stats else 0, "oldestAccessTime": oldest}}
            case "cleanup":
                return {"output": self.store.clean_up()}
            case "clear":
                self.store.clear(step["thread"]) if "thread" in step else self.store.clear()
                return {}
            case "clear_all":
                self.store.clear_all()
                return {}
            case "loaded":
                self.thread = step.get("thread", "")
                return {"output": list(self.mode()._loaded(self.transcript))}
        pytest.fail(f"a step that is not known: {step}")

    def step(self, step: Json) -> Json:
        self.thread, self.user = step.get("thread", ""), step.get("user")
        if self.options.include_resolved_tools:
            self.of_request(step.get("agent_tools", ()))
            self.modes.clear()
        self.transcript = tuple(results_in(step.get("messages", ())))
        self.offer = self.mode().offer(self.transcript)
        listed = {"catalog": catalog_in(self.offer.instructions)} if self.options.inject_catalog else {}
        return {"visible": [tool.name for tool in self.offer.tools], **listed}

    def call(self, step: Json) -> Any:
        assert self.offer is not None
        if step["tool"] not in [tool.name for tool in self.offer.tools]:
            return "TOOL NOT AVAILABLE"
        if step["tool"] not in [tool.name for tool in self.kind.meta_tools]:
            return 1
        call = ToolCall("1", step["tool"], json.dumps(step["args"]))
        return json.loads(self.mode().answer(call, self.transcript).content)


def catalog_in(text: str) -> str:
    """The tools that a system text lists; what stands before them is worded otherwise here."""
    return text.partition("Available tools:\n")[2]


def results_in(messages: Any) -> Any:
    """The finished calls of Mastra's messages, as ours."""
    for message in messages:
        parts = message["content"]["parts"] if isinstance(message["content"], dict) else []
        for part in parts:
            call = part.get("toolInvocation", {})
            if call.get("state") == "result":
                result = call["result"]
                content = result if isinstance(result, str) else json.dumps(result)
                yield ToolMessage(call["toolCallId"], call["toolName"], content)


@states()
def test_each_step_is_as_the_original_took_it(case: Json) -> None:
    played = Played(case)
    for number, (step, expected) in enumerate(zip(case["steps"], case["expected"]["steps"], strict=True)):
        given = played.play(step)
        if "catalog" in given:
            expected = {**expected, "catalog": catalog_in(expected["system"][-1])}
        assert given == {key: expected[key] for key in given}, f"step {number}: {step}"
        if played.filter and step["op"] in ("step", "call"):
            assert played.filter.asked == expected.get("filter_calls", []), f"step {number}: {step}"


def answers() -> Any:
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.told["id"]) for case in every_case("mastra", "mastra")]
    )


@answers()
def test_mastra_says_what_the_original_said(case: Case) -> None:
    params = case.told.get("params") or {}
    kind = MastraAutoLoad if params.get("autoLoad") else Mastra
    pool = ToolPool(tuple(index_order(case.recording.tools)))
    settings = {"fidelity": "implemented", "min_score": params.get("minScore", 0)}
    engine = choose("mastra", settings).over(Corpus(pool.searchable, NO_INDEX))
    arguments = case.told["args"] if "args" in case.told else {"query": case.told["query"]}
    mode = kind(pool, engine, MastraOptions(top_k=int(params.get("topK", 5))))
    said = mode.answer(ToolCall("1", "search_tools", json.dumps(arguments)), ())
    assert json.loads(said.content) == case.expected["output"]


def test_the_engine_of_the_mode_is_there() -> None:
    assert Mastra.default_engine in ENGINES
