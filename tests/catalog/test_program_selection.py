"""mcpagent's filter as its program has it: a tool that is named narrows its package, and system categories pass."""

import pytest

from catalog.exposure import Candidate, Selection, expose
from catalog.indexing import exposure_in, exposure_of, revision_of
from catalog.models import Catalog, Server, Tool
from catalog.program_selection import ProgramSelection
from catalog.shaping import place_server
from catalog.tools import ToolSpec


def spec(key: str, category: str = "") -> ToolSpec:
    server, _, tool = key.partition("/")
    return ToolSpec(f"{server}__{tool}", server=server, upstream_name=tool, category=category)


GITHUB = (spec("github/create_issue"), spec("github/list_issues"))
SLACK = (spec("slack/send_message"),)
FILES = (spec("files/read_file", "workspace"), spec("files/write_file", "workspace"))
HUMAN = (spec("chat/ask_person", "human"),)
SUBMIT = (spec("chat/submit", "structured_output"),)
EVERY = (*GITHUB, *SLACK, *FILES, *HUMAN, *SUBMIT)
ALWAYS = {tool.key for tool in (*FILES, *HUMAN, *SUBMIT)}


def let_in(selection: Selection) -> set[str]:
    return {tool.key for tool in expose([Candidate(tool) for tool in EVERY], selection).pool}


@pytest.mark.parametrize(
    ("servers", "tools", "expected"),
    [
        pytest.param((), (), {tool.key for tool in EVERY}, id="no filter"),
        pytest.param(("slack",), (), {"slack/send_message", *ALWAYS}, id="P-27 system categories pass"),
        pytest.param(
            ("github",), ("github:create_issue",), {"github/create_issue", *ALWAYS}, id="P-26 specific beats whole"
        ),
        pytest.param(
            (),
            ("github:*", "github:create_issue"),
            {"github/create_issue", "github/list_issues", *ALWAYS},
            id="P-26 star beats specific",
        ),
        pytest.param(
            ("slack",),
            ("workspace:read_file",),
            {"slack/send_message", "files/read_file", "chat/ask_person", "chat/submit"},
            id="P-27 naming one leaves out the others",
        ),
        pytest.param(
            ("slack",), ("human:other",), {"slack/send_message", *ALWAYS} - {"chat/ask_person"}, id="P-27 human"
        ),
        pytest.param((), ("GitHub:List-Issues",), {"github/list_issues", *ALWAYS}, id="P-25 spellings"),
        pytest.param((), ("no colon",), ALWAYS, id="P-25 an entry without a colon"),
    ],
)
def test_the_programs_table(servers: tuple[str, ...], tools: tuple[str, ...], expected: set[str]) -> None:
    assert let_in(ProgramSelection(servers, tools)) == expected


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        (GITHUB[1], "filter: github: create_issue; naming some leaves out the others, as mcpagent’s program filters"),
        (SLACK[0], "filter: slack is not selected, as mcpagent’s program filters"),
        (FILES[1], "filter: workspace: read_*; naming some leaves out the others, as mcpagent’s program filters"),
    ],
)
def test_a_tool_left_out_is_told_by_which_rule(tool: ToolSpec, reason: str) -> None:
    selection = ProgramSelection(("github",), ("github:create_issue", "workspace:read_*"))
    (out,) = expose([Candidate(tool)], selection).left_out
    assert (out.rule, out.reason) == ("filter", reason)


def test_a_tool_of_a_system_category_can_be_excluded_by_name() -> None:
    (out,) = expose([Candidate(HUMAN[0], excluded=True)], ProgramSelection()).left_out
    assert out.rule == "excluded"


@pytest.mark.django_db
def test_a_catalog_filters_as_its_mode_answers(team: Catalog) -> None:
    Tool.objects.filter(name="getWeather").update(special_category="workspace")
    place_server(team, Server.objects.get(), "patterns", ["notify_*"])
    documented, before = exposure_of(team), revision_of(team)
    assert "team__getWeather" not in documented.pool.by_name
    shown = exposure_in(team, "mcpagent", {"fidelity": "implemented"})
    assert "team__getWeather" in shown.pool.by_name
    assert exposure_of(team) is documented
    team.mode_options = {"fidelity": "implemented"}
    team.save()
    assert revision_of(team) != before
    assert exposure_of(team) == shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "options", "as_program"),
    [
        ("mcpagent", {"fidelity": "implemented"}, True),
        ("mcpagent", {"fidelity": "documented"}, False),
        ("mcpagent", {}, False),
        ("eino", {"fidelity": "implemented"}, False),
    ],
)
def test_only_mcpagents_own_mode_brings_its_filter(mode: str, options: dict[str, str], as_program: bool) -> None:
    assert Catalog(mode=mode, mode_options=options).filters_as_program is as_program
