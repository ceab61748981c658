"""What stands between a model's wish and a call (T24, T26, T49)."""

from tests.product.threats.taking_out.defence import Cut, Defence

PROMISES = "tests/playground/runs/test_promises.py::"
APPROVALS = "tests/product/threats/test_approvals.py::"
HOLDING = "tests/playground/test_holding.py::"

CALLS = (
    Defence(
        "T24",
        "a tool is called as it was offered, says its row",
        (
            Cut(
                "playground/runs/links/promises.py",
                '    if row is None:\n        return ""\n    if row.gone_at:',
                '    if True:\n        return ""\n    if row.gone_at:',
            ),
        ),
        (
            PROMISES + "test_a_change_that_a_person_accepts_while_it_ran_holds_the_call_back",
            "tests/playground/runs/test_api_calls.py::"
            "test_an_operation_that_leads_elsewhere_since_the_run_began_is_not_called",
            "tests/playground/runs/test_links.py::test_a_tool_that_its_app_changed_since_the_run_began_is_not_called",
        ),
    ),
    Defence(
        "T24",
        "and its server, since it said that its tools changed",
        (
            Cut(
                "playground/runs/links/mcp_sessions.py",
                "if reason := changed_meanwhile(reached.tool, reached.known, await lent.session.relisted()):",
                'if reason := "":',
            ),
        ),
        (PROMISES + "test_a_tool_whose_parameters_change_in_mid_run_is_not_called",),
    ),
    Defence(
        "T26",
        "calls of some kinds wait for a person",
        (
            Cut(
                "playground/agent/call_round.py",
                "return tool not in self.offer.aids and self.asking.holds(tool)",
                "return False",
            ),
        ),
        (APPROVALS + "test_a_call_that_a_result_talked_the_model_into_is_not_made_unless_a_person_lets_it_go",),
    ),
    Defence(
        "T26",
        "what an agent calls waits as well",
        (Cut("playground/runs/nested.py", "        ask_person=_held_above(parent),\n"),),
        (HOLDING + "test_what_an_agent_calls_waits_as_well_if_its_caller_asks",),
    ),
    Defence(
        "T49",
        "a digest is of the arguments too",
        (
            Cut(
                "playground/agent/person.py",
                "json.dumps([tool.key, tool.name, arguments])",
                "json.dumps([tool.key, tool.name])",
            ),
        ),
        (APPROVALS + "test_a_digest_is_of_one_tool_and_one_set_of_arguments",),
    ),
    Defence(
        "T49",
        "a decision is for what was shown",
        (
            Cut(
                "playground/runs/holding.py",
                "    if not constant_time_compare(held.digest, said.digest):",
                "    if False:",
            ),
        ),
        (HOLDING + "test_a_decision_counts_once_for_what_was_shown_while_the_run_goes_on",),
    ),
    Defence(
        "T49",
        "a decision counts once",
        (Cut("playground/runs/holding.py", "    if held.decision:", "    if False:"),),
        (HOLDING + "test_of_twenty_clicks_at_once_one_is_heard_and_the_call_goes_out_once",),
    ),
)
