"""What a catalog exposes: the filter table of the mcpagent document, and the rule that left each tool out."""

import pytest

from catalog.exposure import Candidate, Selection, expose
from catalog.tools import ToolPool, ToolSpec


def spec(key: str, category: str = "", name: str = "") -> ToolSpec:
    server, _, tool = key.partition("/")
    return ToolSpec(name=name or f"{server}__{tool}", server=server, upstream_name=tool, category=category)


GITHUB = (spec("github/create_issue"), spec("github/list_issues"))
SLACK = (spec("slack/send_message"),)
WORKSPACE = (spec("workspace/read_file"), spec("workspace/write_file"))
EVERY = GITHUB + SLACK + WORKSPACE


def discoverable(selection: Selection) -> set[str]:
    exposure = expose([Candidate(tool) for tool in EVERY], selection)
    return {tool.key for tool in exposure.pool}


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), {tool.key for tool in EVERY}),
        (Selection(servers=("github", "slack")), {tool.key for tool in GITHUB + SLACK}),
        (Selection(tools=("workspace:read_file",)), {"workspace/read_file"}),
        (
            Selection(servers=("github", "slack"), tools=("workspace:read_file",)),
            {"workspace/read_file", *(tool.key for tool in GITHUB + SLACK)},
        ),
        (Selection(tools=("workspace:*",)), {tool.key for tool in WORKSPACE}),
        (Selection(tools=("github:list_*",)), {"github/list_issues"}),
        (Selection(tools=("GitHub:CreateIssue",)), {"github/create_issue"}),
        (Selection(tools=("github:create-issue",)), {"github/create_issue"}),
        (Selection(tools=("no colon",)), set()),
        (Selection(servers=("github",), tools=("github:create_issue",)), {tool.key for tool in GITHUB}),
    ],
    ids=[
        "no filter",
        "servers only",
        "tools only",
        "servers and tools: either",
        "server:*",
        "pattern",
        "PascalCase",
        "kebab-case",
        "an entry without a colon selects nothing, yet filters",
        "documented: a specific tool does not narrow its server",
    ],
)
def test_the_filter_table(selection: Selection, expected: set[str]) -> None:
    assert discoverable(selection) == expected


@pytest.mark.parametrize("category", ["human", "structured_output"])
def test_special_categories_pass_any_filter_and_are_in_view_from_the_start(category: str) -> None:
    asking = spec("chat/ask", category=category)
    exposure = expose([Candidate(tool) for tool in (*GITHUB, asking)], Selection(servers=("github",)))
    assert exposure.pool.upfront == (asking,)


def test_pre_discovered_tools_stand_in_their_own_order_and_stay_searchable() -> None:
    keys = ["slack/send_message", "nobody/knows", "github/list_issues"]
    pool = expose([Candidate(tool) for tool in EVERY], Selection(), keys).pool
    assert [tool.key for tool in pool.upfront] == ["slack/send_message", "github/list_issues"]
    assert set(pool.upfront) <= set(pool.searchable)
    assert not set(pool.upfront) & set(pool.deferred)


def test_a_pre_discovered_tool_that_the_filter_leaves_out_stays_out() -> None:
    exposure = expose([Candidate(tool) for tool in EVERY], Selection(servers=("github",)), ["slack/send_message"])
    assert exposure.pool.upfront == ()


@pytest.mark.parametrize(
    ("candidate", "rule", "reason"),
    [
        (Candidate(SLACK[0], gone=True), "gone", "slack no longer offers it"),
        (Candidate(SLACK[0], server_enabled=False), "server off", "the server slack is switched off"),
        (Candidate(SLACK[0], enabled=False), "tool off", "the tool is switched off"),
        (Candidate(SLACK[0], excluded=True), "excluded", "the catalog excludes it by name"),
        (Candidate(GITHUB[1]), "filter", "filter: github: create_*"),
        (Candidate(WORKSPACE[0]), "filter", "filter: workspace is not selected"),
    ],
)
def test_every_tool_left_out_carries_the_rule_that_did_it(candidate: Candidate, rule: str, reason: str) -> None:
    exposure = expose([candidate], Selection(servers=("slack",), tools=("github:create_*",)))
    assert [(out.rule, out.reason) for out in exposure.left_out] == [(rule, reason)]
    assert len(exposure.pool) == 0


def test_of_two_tools_of_one_name_the_first_wins_and_the_other_is_told() -> None:
    first, second = spec("a/find", name="find"), spec("b/find", name="find")
    exposure = expose([Candidate(first), Candidate(second)], Selection())
    assert exposure.pool.tools == (first,)
    assert [(out.tool, out.rule) for out in exposure.left_out] == [(second, "name taken")]


@pytest.mark.parametrize("category", ["", "human"])
def test_a_tool_named_like_a_meta_tool_is_left_out(category: str) -> None:
    """Else a stranger's server could make every request of a run one that providers refuse."""
    twin = spec("a/add_tool", category, name="add_tool")
    (out,) = expose([Candidate(twin), Candidate(spec("b/add_tool"))], Selection()).left_out
    assert (out.tool, out.rule, out.reason) == (twin, "name taken", "add_tool is the name of a meta-tool")


def test_a_pool_refuses_two_tools_of_one_name() -> None:
    with pytest.raises(ValueError, match="share a name"):
        ToolPool((spec("a/find", name="find"), spec("b/find", name="find")))


def test_a_pool_refuses_an_upfront_name_that_it_does_not_hold() -> None:
    with pytest.raises(ValueError, match="not in the pool: gone"):
        ToolPool(GITHUB, ("gone",))


def test_what_is_searched_is_not_sent() -> None:
    tool = ToolSpec("pay", "Pays.", {"type": "object"}, aliases=("settle",), search_text="wire money")
    assert "settle" not in str(tool.as_function()) and "wire" not in str(tool.as_function())
