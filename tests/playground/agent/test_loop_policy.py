"""A run under a policy: what it tells of denials, and that nothing denied is called."""

from typing import Any

from catalog.policy import Context, Denial, Phase, Policy, Rule
from catalog.tools import ToolSpec
from playground.agent.denials import tell_denials
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolsDenied,
)
from playground.agent.loop import run_agent
from playground.modes import MODES
from playground.modes.policed import make_mode
from playground.modes.protocol import Session
from tests.playground.agent.doubles import PlannedModel, PlayedTools, Turn, ask_for, collect, of_kind, say
from tests.playground.agent.test_loop import ADD, LOOK, POOL
from tests.playground.modes.conftest import WordEngine

NO_LISTS = Rule(allow=False, name="list_*", phases=("active",), key=4)
NO_WEATHER = Rule(allow=False, name="get_*", phases=("search", "load"), key=5)


def run(policy: Policy, *turns: Turn, mode: str = "mcpagent", tools: PlayedTools | None = None) -> list[Event]:
    kind = MODES[mode]
    made = make_mode(kind, POOL, WordEngine(POOL), kind.Options(), Session(policy=policy))
    told: dict[str, Any] = {"catalog": "office", "engine": "word", "policy": policy}
    return collect(run_agent(made, PlannedModel(turns), tools or PlayedTools(), "Do it", **told))


def test_the_context_is_on_record() -> None:
    started = run(Policy(context={"role": "guest", "level": 5}), say("Hi."))[0]
    assert isinstance(started, RunStarted)
    assert started.context == {"role": "guest", "level": 5}


def test_what_an_offer_lacks_is_told_once_and_not_at_every_turn() -> None:
    events = run(Policy((NO_LISTS,)), ask_for(LOOK), ask_for(LOOK), say("Done."))
    denied = of_kind(events, ToolsDenied)
    reason = "the rule “deny list_* in active”"
    assert denied == [ToolsDenied(1, "", (Denial("list_files", "active", reason, 4),), 1)]
    assert events.index(denied[0]) == events.index(of_kind(events, OfferMade)[0]) + 1


def test_what_an_answer_lacks_is_told_with_its_call() -> None:
    events = run(Policy((NO_WEATHER,)), ask_for(LOOK), ask_for(ADD), say("Done."))
    calls = [call.call_id for call in of_kind(events, CallMade)]
    told = [(one.call_id, one.denials[0].phase) for one in of_kind(events, ToolsDenied)]
    assert told == [*zip(calls, ("search", "load"), strict=True)]
    assert [hit.cut_by for hit in of_kind(events, SearchAnswered)[0].hits] == [
        "policy: the rule “deny get_* in search, load”"
    ]
    assert "Not found: get_weather" in of_kind(events, CallFinished)[1].content


def test_a_hidden_tool_that_is_denied_is_not_called_where_hidden_tools_run() -> None:
    tools = PlayedTools()
    policy = Policy((Rule(allow=False, name="get_*", phases=("active",), key=6),))
    events = run(policy, ask_for(("get_weather", "{}")), say("Done."), mode="sanqian", tools=tools)
    finished = of_kind(events, CallFinished)[0]
    assert (finished.outcome, of_kind(events, CallSent)) == ("refused", [])
    assert finished.content == "The tool get_weather may not be called here, so it was not called."
    denial = Denial("get_weather", "active", "the rule “deny get_* in active”", 6)
    assert of_kind(events, ToolsDenied) == [ToolsDenied(1, finished.call_id, (denial,), 1)]


def test_a_hidden_tool_that_is_allowed_runs_as_ever() -> None:
    policy = Policy((NO_LISTS,))
    events = run(policy, ask_for(("get_weather", "{}")), say("Done."), mode="sanqian")
    assert of_kind(events, CallFinished)[0].outcome == "ok"


def test_a_policy_that_changes_its_mind_is_asked_again_before_the_call() -> None:
    asked: list[str] = []

    def only_once(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        asked.append(f"{phase} {tool.name}")
        return phase != "active" or asked.count("active list_files") < 3

    events = run(Policy(question=only_once), ask_for(("list_files", "{}")), say("Done."))
    assert "list_files" in [tool.name for tool in of_kind(events, OfferMade)[0].tools]
    assert of_kind(events, CallFinished)[0].outcome == "refused"


def test_the_runs_own_aids_are_no_affair_of_the_policy() -> None:
    read = ("read_large_output", '{"filename": "x", "start": 1, "end": 2}')
    events = run(Policy((Rule(allow=False, key=7),)), ask_for(read), say("Done."))
    assert [one.outcome for one in of_kind(events, CallFinished)] == ["ok"]


def test_the_record_of_many_denials_is_short_and_counts_all() -> None:
    denials = [Denial(f"tool_{number}", "active", "no") for number in range(120)]
    (event,) = tell_denials(1, "", denials)
    assert (len(event.denials), event.total) == (50, 120)
