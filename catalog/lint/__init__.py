"""What stands in the way of choosing a tool, each with its evidence. Findings are never summed up into a grade."""

from collections.abc import Iterator

from catalog.lint.finding import Finding
from catalog.lint.name_taken import NameTaken
from catalog.lint.near_duplicates import NearDuplicates
from catalog.lint.no_description import NoDescription
from catalog.lint.repeats_name import RepeatsName
from catalog.lint.silent_parameters import SilentParameters
from catalog.lint.survey import Rule, Survey
from catalog.lint.too_long import TooLong
from catalog.lint.unheard_words import UnheardWords

RULES: dict[str, Rule] = {
    NearDuplicates.slug: NearDuplicates(),
    NameTaken.slug: NameTaken(),
    NoDescription.slug: NoDescription(),
    RepeatsName.slug: RepeatsName(),
    SilentParameters.slug: SilentParameters(),
    UnheardWords.slug: UnheardWords(),
    TooLong.slug: TooLong(),
}
"""The rules by slug, in the order in which their findings are told."""


def look(survey: Survey, *, alone: bool = False) -> Iterator[Finding]:
    """What the rules find; `alone` asks only those that need nothing but the tool itself."""
    for rule in RULES.values():
        if rule.alone or not alone:
            yield from rule.look(survey)
