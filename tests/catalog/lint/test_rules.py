"""What each rule says, and what it lets pass."""

import json
from pathlib import Path

import pytest

from catalog import lint
from catalog.lint import RULES
from catalog.lint.finding import Fact
from catalog.lint.survey import LedHere, NameTaken, Survey
from catalog.tools import ToolSpec
from tests.catalog.lint.tools import found_by, tool

TEXT = {"type": "string"}


@pytest.mark.parametrize("description", ["", "  \n", "\u200b\u200b"])
def test_a_tool_that_says_nothing_is_told(description: str) -> None:
    (finding,) = found_by("no-description", tool("send", description))
    assert (finding.tool, finding.where) == ("team/send", "description")
    assert finding.facts == (Fact("all it says", "send"),)


def test_one_word_is_a_description() -> None:
    assert found_by("no-description", tool("send", "Sends.")) == []


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("get_deal", "Get a deal."),
        ("getDeal", "Returns the deal"),
        ("list_labels", "Show all labels"),
        ("delete_content_type", "Delete a specific content type"),
        ("列出发票", "列出发票"),
    ],
)
def test_a_description_that_repeats_the_name_is_told(name: str, description: str) -> None:
    (finding,) = found_by("repeats-name", tool(name, description))
    assert (finding.start, finding.end) == (0, len(description))
    assert Fact("name", name) in finding.facts


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("get_deal", "Get a deal with its contacts."),
        ("weather", "Forecast for the coming week"),
        ("send", ""),
        ("send", "The tool"),
        (
            "move_file",
            "Move a file. A file that is moved is no file to move to where the file was moved from before a move failed.",
        ),
    ],
)
def test_a_description_that_adds_something_passes(name: str, description: str) -> None:
    assert found_by("repeats-name", tool(name, description)) == []


def test_a_required_parameter_that_nothing_describes_is_told_with_the_optional_ones() -> None:
    schema = {"properties": {"loud": {"type": "boolean"}, "sha": TEXT, "city": TEXT}, "required": ["sha", "city"]}
    (finding,) = found_by("silent-parameters", ToolSpec("show", "The weather in a city.", schema, server="team"))
    assert finding.where == "parameters.properties.sha"
    assert "2 of its 3 parameters are described nowhere: “sha”, “loud”" in finding.sentence
    assert {fact.label: fact.text for fact in finding.facts}["optional"] == "“loud”"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "string", "description": "The commit."},
        {"type": "string", "enum": ["a", "b"]},
        {"type": "string", "default": "main"},
    ],
)
def test_a_parameter_that_is_explained_some_way_passes(part: dict[str, object]) -> None:
    assert found_by("silent-parameters", tool("show", "Show it.", parameters={"sha": part})) == []


@pytest.mark.parametrize("name", ["query", "start_date", "userName", "picture"])
def test_a_parameter_whose_name_is_evident_or_spoken_of_passes(name: str) -> None:
    assert found_by("silent-parameters", tool("show", "Show a photo.", parameters={name: TEXT})) == []


def test_only_optional_silent_parameters_pass() -> None:
    schema = {"properties": {"sha": TEXT}}
    assert found_by("silent-parameters", ToolSpec("show", "Show it.", schema, server="team")) == []


def test_a_name_that_a_catalog_offers_once_is_told_with_the_catalogs() -> None:
    one, two = tool("send", "Send a letter.", "post"), tool("send", "Send a parcel.", "mail")
    taken = [NameTaken("mail/send", "post/send", "send", catalog) for catalog in ("office", "home")]
    (finding,) = found_by("name-taken", one, two, taken=taken)
    assert (finding.tool, finding.other) == ("mail/send", "post/send")
    assert "home, office" in finding.sentence
    assert found_by("name-taken", tool("other"), taken=taken) == []


def words(spec: ToolSpec) -> int:
    return len(json.dumps(spec.as_function()).split())


def test_a_tool_of_many_tokens_is_told_with_what_costs_most() -> None:
    long = tool("long", "word " * 2_000, parameters={"q": {"type": "string", "description": "word " * 300}})
    (finding,) = found_by("too-long", long, tool("a"), tool("b"), tokens=words)
    facts = {fact.label: fact.text for fact in finding.facts}
    assert finding.where == "description"
    assert facts["of them in description"] == "2,000"
    assert facts["of them in parameters.properties.q"].startswith("30")
    assert facts["tokens, estimated"] == f"{words(long):,}"


def test_a_part_that_costs_nothing_is_not_told_as_one_that_costs_most() -> None:
    long = tool("long", "word " * 2_000, parameters={"type": "object", "properties": {}})
    (finding,) = found_by("too-long", long, tool("a"), tool("b"))
    assert [fact.label for fact in finding.facts if fact.label.startswith("of them")] == ["of them in description"]


def test_a_long_tool_among_long_ones_and_a_short_one_pass() -> None:
    long = [tool(f"long-{number}", "word " * 1_500) for number in range(3)]
    assert found_by("too-long", *long, tokens=words) == []
    assert found_by("too-long", tool("short", "word " * 900), tool("a"), tool("b"), tokens=words) == []


def test_words_of_searches_that_a_called_tool_lacks_are_told() -> None:
    bills = tool("list_invoices", "Invoices of a customer.")
    led = {bills.key: [LedHere("unpaid bills", "run-1"), LedHere("bills of Ada", "run-2")]}
    (finding,) = found_by("unheard-words", bills, led=led, queries=["unpaid bills", "bills of Ada"])
    assert "“bills”" in finding.sentence and "unpaid" not in finding.sentence
    facts = {fact.label: fact.text for fact in finding.facts}
    assert facts["runs"] == "2" and "“unpaid bills”" in facts["searches"]
    assert "“invoices”" in facts["its own words that no recorded search used"]


@pytest.mark.parametrize(
    "runs",
    [
        [LedHere("bills", "run-1"), LedHere("bills", "run-1")],
        [LedHere("invoices", "run-1"), LedHere("invoices", "run-2")],
        [],
    ],
)
def test_one_run_or_words_that_the_tool_has_are_no_habit(runs: list[LedHere]) -> None:
    bills = tool("list_invoices", "Invoices of a customer.")
    assert found_by("unheard-words", bills, led={bills.key: runs}, queries=["bills"]) == []


def test_a_tool_with_the_word_in_its_search_text_passes() -> None:
    bills = ToolSpec("list_invoices", "Invoices.", server="team", upstream_name="list_invoices", search_text="bill")
    led = {bills.key: [LedHere("bills", "run-1"), LedHere("bills", "run-2")]}
    assert found_by("unheard-words", bills, led=led, queries=["bills"]) == []


def test_rules_that_need_others_are_not_asked_of_a_tool_alone() -> None:
    survey = Survey([tool("send")], [tool("send")], taken=[NameTaken("team/send", "x/send", "send", "home")])
    assert {finding.rule for finding in lint.look(survey, alone=True)} == {"no-description"}
    assert {finding.rule for finding in lint.look(survey)} == {"no-description", "name-taken"}


def test_every_rule_is_in_the_registry_and_in_the_documents() -> None:
    folder = Path(lint.__file__).parent
    classes = {
        line for path in folder.glob("*.py") for line in path.read_text().split("\n") if "slug: ClassVar[str] =" in line
    }
    assert len(classes) == len(RULES)
    document = (folder.parents[1] / "docs" / "lint.md").read_text()
    assert [rule.title for rule in RULES.values() if rule.title not in document] == []
    assert all(rule.slug == slug for slug, rule in RULES.items())
