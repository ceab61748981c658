"""One suspicion: a span of a text, and what is wrong with it."""

from dataclasses import dataclass, replace
from typing import Literal

AROUND = 60
"""Characters before and after a span that are told with it."""
Kind = Literal["hidden text", "order to the model", "reach for secrets", "borrowed name"]
HIDDEN: Kind = "hidden text"
"""Hidden characters alone never reach a model or an index. Whatever is of any other kind, a person has to look at first."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`where` is the path of the text in the definition ('description', 'parameters.properties.city.description').

    `start` and `end` count characters of that text as the source wrote it; `text` is what stands there, `before` and
    `after` what stands around it.
    """

    kind: Kind
    where: str
    start: int
    end: int
    text: str
    reason: str
    before: str = ""
    after: str = ""

    @property
    def is_grave(self) -> bool:
        return self.kind != HIDDEN

    def within(self, whole: str) -> "Suspicion":
        """With what stands around it in the whole text."""
        before, after = whole[max(0, self.start - AROUND) : self.start], whole[self.end : self.end + AROUND]
        return replace(self, before=before, after=after)
