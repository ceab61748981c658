"""The constants of each engine that has any, as a reader is told them. Settings are not among them: they tell themselves."""

from dataclasses import dataclass

from catalog.search import fuzzy, mastra, mcpagent, merits, postings, senses, weighing
from catalog.search.eino_keyword import IN_DESCRIPTION, IN_NAME, IN_PART, PART
from catalog.search.like import POINTS


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    value: float
    says: str

    @property
    def shown(self) -> str:
        return f"{self.value:g}"


CONSTANTS: dict[str, tuple[Constant, ...]] = {
    "pegboard": (
        *(
            Constant(field.replace("_", " "), weight, "weight of the field")
            for field, weight in weighing.WEIGHTS.items()
        ),
        Constant("K1", weighing.K1, "how soon further occurrences of a word stop counting"),
        Constant("B", postings.B, "how much a long field is held against a word"),
        Constant("synonym", senses.SYNONYM, "what a synonym counts of the word itself"),
        Constant("near word", senses.SLIP, "what the nearest word counts for one that no tool has"),
        Constant(
            "name cover", merits.NAME_COVER, "what the words of a name count once more, by the share that is said"
        ),
        Constant("side by side", merits.ADJACENT, "what two neighbours count of the commoner one’s rarity"),
        Constant("long query", merits.LONG, "words from which on a query is a task"),
        Constant("loose fields", merits.LOOSE_TRUST, "what parameters and server texts count for the shortest query"),
    ),
    "bm25f": (
        Constant("K1", postings.K1, "how soon further occurrences of a word stop counting"),
        Constant("B", postings.B, "how much a long field is held against a word"),
    ),
    "eino-keyword": (
        Constant("part", PART, "the keyword is a part of the name, between underscores or humps"),
        Constant("in a part", IN_PART, "the keyword is inside such a part"),
        Constant("in the name", IN_NAME, "the keyword is inside the name, across its parts"),
        Constant("in the description", IN_DESCRIPTION, "the keyword is in the description"),
    ),
    "mastra": (
        Constant("k1", mastra.K1, "how soon further occurrences of a word stop counting"),
        Constant("b", mastra.B, "how much a long text is held against a word"),
        Constant("is the name", mastra.IS_NAME, "a word of the query is the whole name"),
        Constant("in the name", mastra.IN_NAME, "a word of the query stands in the name"),
        Constant("candidates", mastra.CANDIDATES, "the best so many times top k get bonuses, the rest is cut"),
    ),
    "mcpagent": (
        Constant("fallback", mcpagent.FUZZY_LIMIT, "tools that the fuzzy fallback returns at most"),
        Constant("same word", fuzzy.SAME, "fallback: a word of the query is in the name"),
        Constant("beginning", fuzzy.BEGINNING, "fallback: a word begins one of the name, or is begun by it"),
        Constant("abbreviation", fuzzy.ABBREVIATION, "fallback: a word abbreviates one of the name"),
        Constant("in the description", fuzzy.IN_DESCRIPTION, "fallback: a word is in the description"),
        Constant("alike", fuzzy.ALIKE, "fallback: how alike words must be, of 1"),
    ),
    "like": tuple(
        Constant(field.replace("_", " "), points, "points of a word there") for field, points in POINTS.items()
    ),
}
