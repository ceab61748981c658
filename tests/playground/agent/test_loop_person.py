"""A run in which calls wait for a person: what goes out is what was decided, and nothing waits that need not."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from catalog.person_kinds import PersonKind, kind_of
from catalog.policy import Policy, Rule
from catalog.tools import ToolPool, ToolSpec
from playground.agent.events import CallFinished, CallSent, Event, RunEnded
from playground.agent.limits import Deadline
from playground.agent.loop import run_agent
from playground.agent.person import Asking, Decided, digest_of, without_change
from playground.agent.person_events import CallDecided, CallHeld
from playground.agent.questions import question_of
from playground.modes import MODES
from playground.modes.policed import make_mode
from playground.modes.protocol import Session
from tests.playground.agent.doubles import PlannedModel, PlayedTools, ask_for, collect, of_kind, say
from tests.playground.modes.conftest import WordEngine

SUM = {"type": "object", "properties": {"euros": {"type": "integer"}}, "required": ["euros"]}
POOL = ToolPool(
    (
        ToolSpec("pay", "Pay a bill.", server="bank", permission="dangerous", parameters=SUM),
        ToolSpec("note", "Write a note.", server="bank", permission="write"),
        ToolSpec("look", "Look.", server="bank", permission="read"),
        ToolSpec("ask_human", "Ask the person.", server="chat", category="human"),
    ),
    ("pay", "note", "look", "ask_human"),
)
PAY = ("pay", '{"euros": 5}')
Decide = Callable[[CallHeld], Awaitable[Decided]]


@dataclass
class Clerk:
    """A person who decides by `decide`, and keeps what they were shown."""

    decide_on: Decide
    wait: float = 60.0
    shown: list[CallHeld] = field(default_factory=list)

    async def decide(self, held: CallHeld) -> Decided:
        self.shown.append(held)
        return await self.decide_on(held)


def says(decided: Decided) -> Clerk:
    async def decide(_: CallHeld) -> Decided:
        return decided

    return Clerk(decide)


def run(
    *asked: tuple[str, str],
    person: Clerk,
    tools: PlayedTools | None = None,
    kinds: tuple[PersonKind, ...] = ("dangerous", "human"),
    mode: str = "everything",
    **options: Any,
) -> tuple[list[Event], PlannedModel]:
    kind, model = MODES[mode], PlannedModel((ask_for(*asked), say("Done.")))
    policy = options.get("policy", Policy())
    made = make_mode(kind, POOL, WordEngine(POOL), kind.Options(), Session(policy=policy))
    told = {"catalog": "office", "engine": "word", "asking": Asking(kinds, person), **options}
    return collect(run_agent(made, model, tools or PlayedTools(), "Do it", **told)), model


def last_told(model: PlannedModel) -> str:
    return str(model.asked[-1][0][-1]["content"])


@pytest.mark.parametrize("mode", sorted(MODES))
def test_an_approved_call_goes_out_as_it_was_shown_in_every_mode(mode: str) -> None:
    tools, person = PlayedTools(), says(Decided("approved", "ada"))
    events, _ = run(PAY, person=person, tools=tools, mode=mode)
    about_call = [event.kind for event in events if getattr(event, "call_id", "")]
    assert about_call == ["call_made", "call_held", "call_decided", "call_sent", "call_finished"]
    assert tools.calls == [("pay", {"euros": 5})]
    (held,) = person.shown
    assert (held.asks, held.arguments, held.wait) == ("dangerous", '{"euros": 5}', 60.0)
    assert held.digest == digest_of(POOL.by_name["pay"], {"euros": 5}) != digest_of(POOL.by_name["pay"], {"euros": 6})
    (decided,) = of_kind(events, CallDecided)
    assert (decided.decision, decided.by, decided.arguments) == ("approved", "ada", "")


def test_an_edited_call_goes_out_as_edited_and_the_model_is_told_so() -> None:
    tools = PlayedTools()
    events, model = run(PAY, person=says(Decided("edited", "ada", {"euros": 3})), tools=tools)
    assert tools.calls == [("pay", {"euros": 3})]
    assert of_kind(events, CallDecided)[0].arguments == '{"euros": 3}'
    assert without_change(last_told(model)) == ("pay done", True)
    assert '{"euros": 3}' in last_told(model)
    assert of_kind(events, CallFinished)[0].content == last_told(model)


@pytest.mark.parametrize(
    ("decided", "told"),
    [
        (
            Decided("refused", "ada", text="Too much."),
            "A person refused this call, so it was not made. They said: Too much.",
        ),
        (Decided("refused", "ada"), "A person refused this call, so it was not made."),
        (Decided("unanswered"), "Nobody answered within 1 minute, so this call was not made."),
        (
            Decided("edited", "ada", {"euros": "three"}),
            "What a person made of the arguments does not fit: euros: “three” is not a whole number",
        ),
    ],
)
def test_a_call_that_is_not_let_go_is_not_sent_and_the_model_is_told_why(decided: Decided, told: str) -> None:
    tools = PlayedTools()
    events, model = run(PAY, person=says(decided), tools=tools)
    assert (tools.calls, of_kind(events, CallSent)) == ([], [])
    assert of_kind(events, CallFinished)[0].outcome == "refused"
    assert last_told(model) == told
    assert events[-1] == RunEnded("completed")


@pytest.mark.parametrize(
    ("decided", "outcome", "told"),
    [
        (Decided("answered", "ada", text="The larger one"), "ok", "The larger one"),
        (Decided("declined", "ada"), "refused", "The person does not want to answer this."),
    ],
)
def test_what_a_person_answers_is_the_result_of_a_question(decided: Decided, outcome: str, told: str) -> None:
    tools, person = PlayedTools(), says(decided)
    events, model = run(("ask_human", '{"question": "Which room?", "options": ["A", "B"]}'), person=person, tools=tools)
    assert (person.shown[0].asks, person.shown[0].question, person.shown[0].choices) == (
        "human",
        "Which room?",
        ("A", "B"),
    )
    assert (tools.calls, of_kind(events, CallFinished)[0].outcome, last_told(model)) == ([], outcome, told)


def test_calls_that_need_no_person_go_out_meanwhile_and_each_of_the_others_by_itself() -> None:
    """The second payment is decided only once all else is done, the first only once the note is written."""
    order: list[str] = []
    gates = {"1": asyncio.Event(), "2": asyncio.Event()}

    async def decide(held: CallHeld) -> Decided:
        await gates[held.call_id.removeprefix("id-")].wait()
        return Decided("approved")

    def play(tool: ToolSpec, arguments: Mapping[str, Any]) -> Any:
        order.append(f"{tool.name} {arguments.get('euros', '')}".strip())
        gates["1"].set()
        if arguments.get("euros") == 1:
            gates["2"].set()
        return PlayedTools().play(tool, arguments)

    asked = [("note", "{}"), ("pay", '{"euros": 1}'), ("pay", '{"euros": 2}'), ("look", "{}")]
    events, model = run(*asked, person=Clerk(decide), tools=PlayedTools(play))
    assert sorted(order[:2]) == ["look", "note"]
    assert order[2:] == ["pay 1", "pay 2"]
    first_decision = events.index(of_kind(events, CallDecided)[0])
    assert len(of_kind(events[:first_decision], CallHeld)) == 2
    replies = [message["tool_call_id"] for message in model.asked[-1][0] if message["role"] == "tool"]
    assert replies == ["id-0", "id-1", "id-2", "id-3"]


def test_what_the_policy_forbids_by_then_is_not_sent_though_it_was_approved() -> None:
    rules: list[Rule] = []

    async def decide(_: CallHeld) -> Decided:
        rules.append(Rule(allow=False, name="pay", phases=("active",)))
        return Decided("approved")

    class Changing(Policy):
        def denial(self, tool: ToolSpec, phase: Any) -> Any:
            return Policy(tuple(rules)).denial(tool, phase)

    tools = PlayedTools()
    events, model = run(PAY, person=Clerk(decide), tools=tools, policy=Changing())
    assert tools.calls == []
    assert of_kind(events, CallDecided)[0].decision == "approved"
    assert "may not be called here" in last_told(model)


@pytest.mark.parametrize(
    ("kinds", "waiting"),
    [((), []), (("write",), ["note"]), (("read", "write", "dangerous"), ["pay", "note", "look"]), (("unmarked",), [])],
)
def test_only_the_kinds_that_are_asked_for_wait(kinds: tuple[PersonKind, ...], waiting: list[str]) -> None:
    person = says(Decided("approved"))
    run(PAY, ("note", "{}"), ("look", "{}"), person=person, kinds=kinds)
    assert [held.tool for held in person.shown] == waiting


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        (ToolSpec("a"), "unmarked"),
        (ToolSpec("a", permission="write"), "write"),
        (ToolSpec("a", permission="write", category="human"), "human"),
        (ToolSpec("a", category="human", capability="agent"), "unmarked"),
    ],
)
def test_the_kind_of_a_tool(tool: ToolSpec, kind: str) -> None:
    assert kind_of(tool) == kind


@pytest.mark.parametrize(
    ("arguments", "text", "choices"),
    [
        ({"why": "x", "question": "Go?"}, "Go?", ()),
        ({"n": 1, "topic": "Which?", "choices": [{"label": "A"}, 2, None, "A"]}, "Which?", ("A", "2")),
        ({"n": 1}, "", ()),
    ],
)
def test_a_question_is_read_from_the_arguments(arguments: dict[str, Any], text: str, choices: tuple[str, ...]) -> None:
    assert (question_of(arguments).text, question_of(arguments).choices) == (text, choices)


async def test_a_runs_clock_and_those_above_it_stand_still_while_a_person_is_waited_for() -> None:
    above = Deadline(0.05)
    deadline = Deadline(0.05, above)
    async with above.bound() as bound:
        with deadline.standing(), deadline.standing():
            left = deadline.left, above.left
            await asyncio.sleep(0.1)
            assert (deadline.left, above.left) == left
    assert not bound.expired()
    with pytest.raises(TimeoutError):
        async with above.bound():
            await asyncio.sleep(5)
    assert above.left == 0


def test_while_a_person_is_asked_no_time_of_the_run_passes() -> None:
    above, left = Deadline(60), list[float]()

    async def decide(_: CallHeld) -> Decided:
        left.append(above.left)
        await asyncio.sleep(0.02)
        left.append(above.left)
        return Decided("approved")

    run(PAY, person=Clerk(decide), above=above)
    assert left[0] == left[1] > above.left
