"""Calls that went wrong: of a tool that was not in view, or answered with an error."""

from collections.abc import Iterator
from typing import ClassVar

from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import Finding, clipped
from playground.reviewing.right_tools import Rights


class CalledBeforeLoaded:
    slug: ClassVar[str] = "called-before-loaded"
    title: ClassVar[str] = "Called before loaded"
    harm: ClassVar[bool] = False

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        if "tools" in run.unknown:
            return
        for call in run.calls:
            if call.outcome == "refused" and not call.in_view and not call.denied:
                search = run.behind(call, call.key)
                known = f"a search had found it in turn {search.turn}" if search else "no search had found it"
                sentence = f"{clipped(call.name)} was called when it was not in view; {known}."
                yield Finding(self.slug, call.seq, sentence, (call.name,), search, about=call.name)


class FailedCall:
    slug: ClassVar[str] = "failed-call"
    title: ClassVar[str] = "Failed call"
    harm: ClassVar[bool] = False

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        for call in run.calls:
            if call.outcome == "failed":
                said = clipped(call.content)
                sentence = f"{call.name} failed: {said}" if said else f"{call.name} failed without a word."
                yield Finding(self.slug, call.seq, sentence, (call.name,), about=call.name)
