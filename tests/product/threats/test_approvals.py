"""A call that could do harm waits, and what a person lets go is what they saw (T26, T49, T67)."""

import pytest
from django.template.loader import render_to_string

from catalog.tools import ToolSpec
from playground.agent.events import CallSent, RunEnded
from playground.agent.person import Decided, digest_of
from playground.agent.person_events import CallHeld
from playground.modes import MODES
from tests.playground.agent.doubles import PlayedTools, of_kind
from tests.playground.agent.test_loop_person import PAY, POOL, run, says


@pytest.mark.threat("T26")
@pytest.mark.parametrize("mode", sorted(MODES))
def test_a_call_that_a_result_talked_the_model_into_is_not_made_unless_a_person_lets_it_go(mode: str) -> None:
    tools = PlayedTools()
    events, _ = run(("look", "{}"), PAY, person=says(Decided("refused", "ada")), tools=tools, mode=mode)
    assert [name for name, _ in tools.calls] == ["look"]
    assert [sent.tool for sent in of_kind(events, CallSent)] == ["look"]
    assert events[-1] == RunEnded("completed")


@pytest.mark.threat("T49")
def test_a_digest_is_of_one_tool_and_one_set_of_arguments() -> None:
    pay = POOL.by_name["pay"]
    told = {
        digest_of(tool, arguments)
        for tool in (pay, ToolSpec("pay", server="elsewhere"), POOL.by_name["note"])
        for arguments in ({"euros": 5}, {"euros": "5"}, {"euros": 5, "to": "x"}, {})
    }
    assert len(told) == 12


@pytest.mark.threat("T67")
@pytest.mark.parametrize("character", "\u202e\u200b\u2066\ufeff\U000e0041")
def test_nothing_that_would_be_sent_is_hidden_from_who_approves_it(character: str) -> None:
    arguments = '{"to": "Ada' + character + '", "text": "' + "x" * 5_000 + 'the end"}'
    held = CallHeld(1, "c-1", "send", "mail", "write", arguments, "d" * 64, 60.0)
    html = render_to_string("playground/_held_arguments.html", {"held": held})
    html += render_to_string("playground/_held_acts.html", {"held": held, "seq": 4, "base": "/runs/x/"})
    assert character not in html
    assert f"U+{ord(character):04X}" in html
    assert html.count("the end") == 2
    assert f"{len(arguments):,} characters" in html
