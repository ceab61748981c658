"""How the model asked: the same again, or to no end."""

from collections.abc import Iterator
from typing import ClassVar

from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import Finding
from playground.reviewing.right_tools import Rights
from playground.reviewing.steps import Search


class RepeatedSearch:
    slug: ClassVar[str] = "repeated-search"
    title: ClassVar[str] = "Repeated search"
    harm: ClassVar[bool] = False

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        first: dict[str, Search] = {}
        for search in run.searches:
            before = first.setdefault(search.words, search)
            if before is not search:
                sentence = f"The same words were asked in turn {before.turn} already{_came_to(before, search)}."
                yield Finding(self.slug, search.seq, sentence, (), search, rights.get(search.seq))


class GaveUp:
    slug: ClassVar[str] = "gave-up"
    title: ClassVar[str] = "Gave up"
    harm: ClassVar[bool] = True

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        """Of a run that ended by itself: one that was stopped did not give up."""
        if not run.searches or run.outcome != "completed":
            return
        last = run.searches[-1]
        if any(call.outcome in ("ok", "failed") for call in run.after(last)):
            return
        found = f"{len(last.returned)} tools" if len(last.returned) != 1 else "1 tool"
        sentence = f"The last search returned {found}, and the run ended without a call after it."
        yield Finding(self.slug, last.seq, sentence, (), last, rights.get(last.seq))


def _came_to(before: Search, again: Search) -> str:
    return ", with the same answer" if before.keys == again.keys else ", with another answer"
