"""A score of Pegboard's engine as a sum that a person can check, field by field and bonus by bonus."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import prod

from catalog.search.arithmetic import HAS, RARE, field_words
from catalog.search.documents import FIELDS
from catalog.search.explanation import Explanation, fact, product_of, sum_of
from catalog.search.merits import ADJACENT, LONG, NAME_COVER, Merits, Question, pair_value
from catalog.search.senses import AskedWord, Sense
from catalog.search.weighing import K1, LOOSE, WEIGHTS, Weighing


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A sense in one field of the tool: how often, and what that weighs."""

    field: str
    sense: Sense
    count: float
    weight: float
    document: int


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells the scores of one search."""

    question: Question
    merits: Merits
    weighing: Weighing

    def tell(self, place: int, document: int) -> Explanation:
        """`place` is the tool's in the corpus, `document` its number in the index."""
        parts = list(self._bonuses(place, document))
        if document < self.weighing.postings.size:
            parts = [*self._fields(document), *parts]
        return sum_of("what each field and each bonus adds", parts)

    def _fields(self, document: int) -> Iterator[Explanation]:
        told = [part for word in self.question.words for part in self._word(word, document)]
        told.sort(key=lambda part: FIELDS.index(part.field))
        for field, parts in groupby(told, key=lambda part: part.field):
            yield sum_of(field_words(field), parts)

    def _word(self, word: AskedWord, document: int) -> list[Explanation]:
        """What a word adds in each field, in the sense that adds most."""
        found = [(sense, at) for sense in word.senses if (at := sense.weights.at(document)) is not None]
        if not found:
            return []
        sense, at = max(found, key=lambda pair: self._value(*pair)) if len(found) > 1 else found[0]
        total = self._total(sense, at)
        return [
            self._occurrence(Occurrence(field, sense, float(counts[at]), float(weights[at]), document), total)
            for field, (counts, weights) in sense.weights.fields.items()
            if counts[at]
        ]

    def _total(self, sense: Sense, at: int) -> float:
        return float(sense.weights.firm[at] + self.question.trust * sense.weights.loose[at])

    def _value(self, sense: Sense, at: int) -> float:
        total = self._total(sense, at)
        return sense.discount * sense.weights.rarity * total / (K1 + total)

    def _occurrence(self, found: Occurrence, total: float) -> Explanation:
        sense, size, tools = found.sense, self.weighing.postings.size, found.sense.weights.tools
        factors = [
            fact(sense.weights.rarity, f"in {tools:,} of {size:,} tools: ln({size} / {tools + 1}) + 1"),
            self._weight(found),
            fact((K1 + 1) / (K1 + total), f"more of a word counts ever less: {K1 + 1:g} / ({K1:g} + {total:.2f})"),
        ]
        if sense.why:
            factors.insert(0, fact(sense.discount, sense.why))
        meant = f" ({sense.why})" if sense.why else ""
        rare = fact(tools, f"a rare word here ({tools:,} of {size:,} tools)") if tools <= RARE * size else None
        value = prod(factor.value for factor in factors)
        reason = f"{HAS[found.field]} “{sense.called}”{meant}"
        return Explanation(value, reason, "product", tuple(factors), found.field, rare, sense.term)

    def _weight(self, found: Occurrence) -> Explanation:
        postings, field = self.weighing.postings, found.field
        length, typical = float(postings.lengths[field][found.document]), postings.typical[field]
        times = "once" if found.count == 1 else f"{found.count:g} times"
        among = f"{times} in {length:g} word{'' if length == 1 else 's'}, {typical:.1f} on average"
        weight = f"{field_words(field)} × {WEIGHTS[field]:g}"
        if field not in LOOSE:
            return fact(found.weight, f"{among}; {weight}")
        trust = self.question.trust
        return fact(trust * found.weight, f"{among}; {weight} × {trust:.2f} for a query of this length")

    def _bonuses(self, place: int, document: int) -> Iterator[Explanation]:
        merits, known = self.merits, self.question.known
        if merits.name_rarity[document]:
            share = float(merits.name_share[document])
            yield product_of(
                f"the query says {share:.0%} of its name",
                (
                    fact(float(merits.name_rarity[document]), "rarity of these words, added up"),
                    fact(share, "share of the name’s words"),
                    fact(NAME_COVER, "weight of a name that the query says"),
                ),
                field="bonus",
            )
        for pair in merits.neighbours.get(place, ()):
            said = " ".join(known[term].called for term in pair)
            value = fact(pair_value(pair, known), "rarity of the commoner word")
            weight = fact(ADJACENT, "weight of words side by side")
            yield product_of(f"side by side as in the query stand “{said}”", (value, weight), field="bonus")
        if merits.meaning and merits.meaning.gains[place]:
            yield merits.meaning.told(place)
        if merits.server_best[place]:
            best = fact(float(merits.server_best[place]), "score of its server’s best tool")
            count = len(self.question.words)
            length = fact(self.question.length, f"{count} words in the query, long from {LONG} on")
            yield product_of("its server’s tools fit the task", (best, length), field="bonus")
        if place in merits.exact:
            yield fact(merits.exact[place], "the query is its name, which puts it before all others", field="bonus")
