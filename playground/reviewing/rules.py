"""The rules of findings, and what they find in one run."""

from playground.reviewing.asking import GaveUp, RepeatedSearch
from playground.reviewing.calling import CalledBeforeLoaded, FailedCall
from playground.reviewing.choosing import LoadMiss, SelectionMiss
from playground.reviewing.dead_weight import DeadWeight
from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import Finding, Rule
from playground.reviewing.missing import NearMiss, SearchMiss
from playground.reviewing.right_tools import Rights

VERSION = 2
"""Raised whenever a rule comes to another finding: every run is then looked at again."""
RULES: dict[str, Rule] = {
    SearchMiss.slug: SearchMiss(),
    NearMiss.slug: NearMiss(),
    SelectionMiss.slug: SelectionMiss(),
    LoadMiss.slug: LoadMiss(),
    CalledBeforeLoaded.slug: CalledBeforeLoaded(),
    RepeatedSearch.slug: RepeatedSearch(),
    GaveUp.slug: GaveUp(),
    DeadWeight.slug: DeadWeight(),
    FailedCall.slug: FailedCall(),
}
"""By slug, in the order in which pages tell them."""
HARMFUL = tuple(slug for slug, rule in RULES.items() if rule.harm)
"""Those that say that a search did not do what it was for."""


def findings_of(run: Evidence, rights: Rights) -> tuple[Finding, ...]:
    """In the order of the run."""
    found = (finding for rule in RULES.values() for finding in rule.look(run, rights))
    return tuple(sorted(found, key=lambda finding: finding.seq))
