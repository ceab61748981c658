"""One change that may bring a tool in: to its texts, to a switch, or to the catalog's filter."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from catalog.absence.offering import Offering
from catalog.exposure import Rule
from catalog.policy import Policy
from catalog.tools import ToolSpec

Kind = Literal[
    "let in",
    "server on",
    "tool on",
    "include",
    "platform",
    "let past",
    "searchable",
    "search text",
    "alias",
    "description",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
TEXTS: frozenset[Kind] = frozenset({"search text", "alias", "description"})
"""Steps that add words."""
CURES: dict[Rule, Kind] = {"server off": "server on", "tool off": "tool on", "excluded": "include", "filter": "let in"}
"""The step that makes a rule let the tool in. A tool that is gone, or whose name is taken, has none."""


@dataclass(frozen=True, slots=True)
class Step:
    """`text` are the words that a text gets; other steps have none."""

    kind: Kind
    text: str = ""

    @property
    def word_count(self) -> int:
        return len(self.text.split())


_DONE: dict[Kind, str] = {
    "let in": "let into the catalog",
    "server on": "its server switched on",
    "tool on": "switched on",
    "include": "no longer excluded",
    "platform": "said to run there, too",
    "let past": "let past the policy",
    "searchable": "made searchable",
    "search text": "“{}” added to its search text",
    "alias": "“{}” added to its aliases",
    "description": "“{}” added to its description",
}


def done(steps: Iterable[Step]) -> str:
    """What was done to a tool, for a sentence that begins with its name."""
    return ", ".join(_DONE[step.kind].format(step.text) for step in steps)


@dataclass(frozen=True, slots=True)
class Told:
    """What a step changes, in words: an imperative, and the place with what it holds before and after."""

    act: str
    place: str
    before: str
    after: str


def take(step: Step, offering: Offering, key: str) -> Offering:
    """The offering after the step, which is taken for the tool of that key."""
    spec = offering.candidate(key).spec
    match step.kind:
        case "let in":
            return offering.with_tool_let_in(spec.server, spec.upstream_name or spec.name)
        case "server on":
            return offering.with_server_on(spec.server)
        case "tool on":
            return offering.with_candidate(key, lambda one: replace(one, enabled=True))
        case "include":
            return offering.with_candidate(key, lambda one: replace(one, excluded=False))
        case "platform":
            return offering.with_spec(
                key, lambda one: replace(one, platforms=(*one.platforms, offering.policy.platform))
            )
        case "let past":
            return offering.with_tool_let_past(spec)
        case _:
            return offering.with_spec(key, lambda one: edited(step, one))


def edited(step: Step, spec: ToolSpec) -> ToolSpec:
    """The tool after a step that changes what is said of it."""
    match step.kind:
        case "searchable":
            return replace(spec, searchable=True)
        case "search text":
            return replace(spec, search_text=with_words(spec.search_text, step.text))
        case "alias":
            return replace(spec, aliases=(*spec.aliases, step.text))
        case "description":
            return replace(spec, description=with_clause(spec.description, step.text))
        case _:
            return spec


def _first_rule(policy: Policy) -> str:
    return str(policy.rules[0]) if policy.rules else ""


def with_words(search_text: str, words: str) -> str:
    return f"{search_text.rstrip()} {words}".strip()


def with_clause(description: str, words: str) -> str:
    """A description with a sentence more that names the words."""
    return f"{description.rstrip()} Keywords: {words}.".strip()


def tell(step: Step, offering: Offering, key: str) -> Told:
    """What the step changes of the offering as it is before."""
    spec = offering.candidate(key).spec
    after = edited(step, spec)
    match step.kind:
        case "let in":
            name = spec.upstream_name or spec.name
            before, now = (one.selection.words_for(spec.server) for one in (offering, take(step, offering, key)))
            return Told(f"Let “{name}” of {spec.server} into the catalog", "Filter", before, now)
        case "server on":
            return Told(f"Switch the server {spec.server} on", f"Server {spec.server}", "off", "on")
        case "tool on":
            return Told("Switch the tool on", "Tool", "off", "on")
        case "include":
            return Told("Exclude it no longer", "Excluded by name", "yes", "no")
        case "platform":
            there = take(step, offering, key).candidate(key).spec
            told = (", ".join(one.platforms) for one in (spec, there))
            return Told(f"Say that it runs on {offering.policy.platform}", "Platforms", *told)
        case "let past":
            rule = take(step, offering, key).policy.rules[0]
            return Told(f"Put “{rule}” before the policy’s rules", "Policy", _first_rule(offering.policy), str(rule))
        case "searchable":
            return Told("Let searches find it", "Searchable", "no", "yes")
        case "search text":
            return Told(f"Add “{step.text}” to the search text", "Search text", spec.search_text, after.search_text)
        case "alias":
            aliases = (", ".join(one.aliases) for one in (spec, after))
            return Told(f"Add the alias “{step.text}”", "Aliases", *aliases)
        case "description":
            return Told(f"Add “{step.text}” to the description", "Description", spec.description, after.description)
