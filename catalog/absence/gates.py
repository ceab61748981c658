"""The gates between a tool and the hits of a search, from the catalog down to the cut, each passed, failed or not asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from catalog.absence.steps import CURES, Kind, Step
from catalog.exposure import Candidate, Exposure, Rule, Selection, refusals
from catalog.platforms import PLATFORMS, refusal
from catalog.policy import Policy, as_text
from catalog.search.ranking import Ranking
from catalog.search.standing import Standing
from catalog.tools import ToolSpec

State = Literal["passed", "failed", "unasked"]
Part = Literal["", "words", "score"]
"""What a page shows with a gate: the words of the query, or the score against the cut."""

_CLAIMS: dict[Rule, str] = {
    "gone": "still offered",
    "server off": "server on",
    "tool off": "tool on",
    "suspicious": "nothing suspicious, or looked at",
    "excluded": "not excluded",
    "filter": "let in by the filter",
    "name taken": "no other has its name",
}
_UPFRONT = "in view from the start, without any search"
_NOT_HELD = "its catalog left it out when the version was published, or it was not there"
_AT_ONCE = "this acts at once, on every version"
_NOT_IN_THE_POOL = "not asked, as no search of this catalog can find the tool"


@dataclass(frozen=True, slots=True)
class Gate:
    """`title` says how it is, `note` says more, `cure` is the step that opens a failed gate of the catalog, if one does."""

    title: str
    state: State
    note: str = ""
    cure: Kind | None = None
    part: Part = ""


def catalog_gates(candidate: Candidate, selection: Selection, exposure: Exposure, *, is_here: bool) -> list[Gate]:
    """Whether the catalog lets the tool be found, rule by rule; `is_here` says that its server is in the catalog."""
    spec = candidate.spec
    if not is_here:
        place = Gate(f"the server {spec.server} is not in this catalog", "failed", cure="let in")
    else:
        place = Gate(f"{spec.server} is in the catalog", "passed")
    gates = [place, *_rule_gates(candidate, selection, exposure, is_here), _searchable(spec.searchable)]
    is_upfront = spec.key in {tool.key for tool in exposure.pool.upfront}
    return [*gates, Gate(_UPFRONT, "passed")] if is_upfront else gates


def version_gates(name: str, exposure: Exposure, number: int) -> tuple[ToolSpec | None, list[Gate]]:
    """The tool as a version holds it, None where it does not, and whether the version lets it be found.

    `name` is that by which models call it, or its key.
    """
    place = Gate(f"version {number} holds it", "passed")
    if held := next((tool for tool in exposure.pool.tools if name in (tool.name, tool.key)), None):
        gates = [place, _searchable(held.searchable)]
        is_upfront = held.name in exposure.pool.upfront_names
        return held, [*gates, Gate(_UPFRONT, "passed")] if is_upfront else gates
    if left_out := next((one for one in exposure.left_out if name in (one.tool.name, one.tool.key)), None):
        return left_out.tool, [place, Gate(left_out.reason, "failed", _AT_ONCE)]
    return None, [Gate(f"version {number} does not hold it", "failed", _NOT_HELD)]


def view_gates(name: str, in_view: frozenset[str]) -> list[Gate]:
    """Whether the tool was in view already; no gate where it was not."""
    return [Gate("in view already when the search was asked", "passed")] if name in in_view else []


def _rule_gates(candidate: Candidate, selection: Selection, exposure: Exposure, is_here: bool) -> Iterator[Gate]:
    broken = dict(refusals(candidate, selection))
    other = exposure.pool.by_name.get(candidate.spec.name)
    if other is not None and other.key != candidate.spec.key:
        broken["name taken"] = f"{other.server} already offers a tool named {other.name}"
    for rule, claim in _CLAIMS.items():
        if rule == "filter" and not is_here:
            continue
        reason = broken.get(rule)
        if reason is None:
            yield Gate(claim, "passed")
        elif rule == "filter":
            yield Gate("the filter leaves it out", "failed", reason.removeprefix("filter: "), CURES[rule])
        else:
            yield Gate(reason, "failed", cure=CURES.get(rule))


def _searchable(is_so: bool) -> Gate:
    if is_so:
        return Gate("searchable", "passed")
    return Gate("it is not searchable", "failed", "a curator set it so", "searchable")


def platform_gates(spec: ToolSpec, policy: Policy) -> list[Gate]:
    """Whether the tool runs where the request comes from; no gate where the context to try does not say."""
    if not policy.platform:
        return []
    why = refusal(spec, policy.platform)
    place = PLATFORMS.get(policy.platform, policy.platform)
    return [Gate(f"does not run on {place}", "failed", why, "platform") if why else Gate(f"runs on {place}", "passed")]


def policy_gates(spec: ToolSpec, policy: Policy) -> list[Gate]:
    """Whether the policy lets the tool be found in its context; no gate where it denies nobody that."""
    if not policy.may_rule_out("search"):
        return []
    denial = policy.ruling(spec, "search")
    if denial is None:
        return [Gate("let past by the policy", "passed")]
    context = ", ".join(f"{name} = {as_text(value)}" for name, value in policy.context.items())
    note = f"{denial.reason}; tried with {context or 'an empty context'}"
    return [Gate("the policy keeps it from being found", "failed", note, "let past")]


def needed_steps(gates: Sequence[Gate]) -> list[Step] | None:
    """What opens the gates of the catalog that are shut; None if one of them cannot be opened here."""
    cures = [gate.cure for gate in gates if gate.state == "failed"]
    return None if None in cures else [Step(cure) for cure in cures if cure]


def search_gates(
    standing: Standing | None, ranking: Ranking | None, server: str, chosen: frozenset[str], engine: str
) -> list[Gate]:
    """Whether the search that was made finds it. Without a standing nothing was asked of the engine about this tool."""
    is_chosen = not chosen or server in chosen
    gates = [_chosen(server, chosen)] if chosen else []
    if ranking is None:
        return [*gates, Gate("there is no query yet", "unasked")]
    if ranking.problem:
        return [*gates, Gate("the query could not be run", "failed", ranking.problem), _unasked_score()]
    if standing is None or not is_chosen:
        note = _NOT_IN_THE_POOL if is_chosen else "not asked, as its server is not searched"
        return [*gates, Gate(f"whether {engine} matches it", "unasked", note), _unasked_score()]
    return [*gates, _match(standing, ranking, engine), _score(standing, ranking)]


def _chosen(server: str, chosen: frozenset[str]) -> Gate:
    if server in chosen:
        return Gate(f"the search is of {server}", "passed")
    return Gate(f"the search is of {', '.join(sorted(chosen))} only", "failed", f"its server is {server}")


def _match(standing: Standing, ranking: Ranking, engine: str) -> Gate:
    if standing.outcome == "unmatched":
        return Gate(f"{engine} does not match it", "failed", _unmatched_note(standing, ranking), part="words")
    if standing.outcome == "untold":
        told = sum(1 for _ in ranking.every_hit())
        note = f"{ranking.matched:,} tools match, of which {engine} tells the first {told}; it is none of these"
        return Gate(f"{engine} does not tell of it", "failed", note, part="words")
    return Gate(f"{engine} matches it", "passed", part="words")


def _unmatched_note(standing: Standing, ranking: Ranking) -> str:
    if ranking.reading.is_pattern:
        return "the pattern is found in none of the texts that it is looked for in"
    if not standing.words:
        return ""
    if not ranking.scored:
        return "its name is none of those asked for"
    if not standing.lacking:
        return "it has each word, yet not as the query asks for them"
    return (
        "it lacks a word that it must have"
        if any(word.is_had for word in standing.words)
        else "it shares no word with the query"
    )


def _score(standing: Standing, ranking: Ranking) -> Gate:
    if standing.hit is None:
        return _unasked_score()
    rank = f"it has rank {standing.hit.rank:,}; {len(ranking.hits):,} returned"
    if standing.outcome == "returned":
        return Gate("it is returned", "passed", part="score")
    return Gate(f"cut by {standing.by}" if standing.by else "cut", "failed", rank, part="score")


def _unasked_score() -> Gate:
    return Gate("whether it is among those returned", "unasked")


def joined(gates: Sequence[Gate]) -> list[Gate]:
    """The gates with runs of passed ones as one, so that what failed is seen at once."""
    rungs: list[Gate] = []
    for gate in gates:
        if rungs and gate.state == rungs[-1].state == "passed" and not (gate.part or gate.note or rungs[-1].note):
            rungs[-1] = replace(rungs[-1], title=f"{rungs[-1].title} · {gate.title}")
        else:
            rungs.append(gate)
    return rungs
