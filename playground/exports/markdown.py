"""A run as Markdown: what was asked, then turn by turn what was in view, searched, loaded, called and answered.

Texts of models and tools are strangers': they are quoted or fenced, so that they make no markup, links or pictures.
"""

import re
from collections.abc import Iterator

from catalog.invisible import spans
from playground.agent.person_events import CallDecided
from playground.runs.board import Meter
from playground.runs.state import RunState
from playground.runs.steps import Asked, Called, Denied, Ended, Loaded, Offered, Retried, Said, Searched, Step

MOST_HITS = 10
MOST_TEXT = 4_000
"""Characters of arguments or an answer that are written out."""
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_AT_THE_START = re.compile(r"^(\s*|\s*\d+(?=[.)]))([-+=.)])")
_TICKS = re.compile("`+")


def markdown(title: str, facts: dict[str, str], state: RunState) -> str:
    """`facts` are told under the title; names and values are texts."""
    lines = [f"# {inline(title)}", "", *(f"- {inline(name)}: {inline(value)}" for name, value in facts.items()), ""]
    for step in state.steps:
        lines += [*_step(step, state.meter), ""]
    return "\n".join(lines).rstrip() + "\n"


def inline(text: str) -> str:
    """A stranger's text in a line, as it stands."""
    return _plain(" ".join(shown(text).split()))


def _plain(line: str) -> str:
    """A line that is no markup: no list, heading or rule where it begins, no link, picture or HTML in it."""
    return _AT_THE_START.sub(r"\1\\\2", _MARKS.sub(r"\\\1", line))


def shown(text: str) -> str:
    """The text, characters that nobody can see named."""
    return "".join(f"[{span.codepoint}]" if span.codepoint else span.text for span in spans(text))


def code(text: str) -> str:
    """In a line, between more backticks than it holds itself."""
    flat = " ".join(shown(text).split())
    ticks = "`" * (max((len(run) for run in _TICKS.findall(flat)), default=0) + 1)
    space = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{space}{flat}{space}{ticks}" if flat else ""


def fenced(text: str, kind: str = "text") -> Iterator[str]:
    """A block that the text cannot end."""
    cut = shown(text[:MOST_TEXT])
    fence = "`" * max(3, max((len(run) for run in _TICKS.findall(cut)), default=0) + 1)
    yield from (f"{fence}{kind}", *cut.splitlines(), fence)
    if len(text) > MOST_TEXT:
        yield f"and {len(text) - MOST_TEXT:,} more characters"


def _step(step: Step, meter: Meter) -> Iterator[str]:
    match step:
        case Asked(text=str(text)):
            yield from ("## Task", "", *_quoted(text))
        case Asked():
            yield "## It goes on without a new message" if step.history else "## What was asked is not in the log"
        case Offered():
            yield from _offered(step, meter)
        case Said(text=text, state=state):
            yield from (*_quoted(text), *(["", "The answer was cut off."] if state == "cut off" else []))
        case Searched():
            yield from _searched(step)
        case Loaded():
            yield f"Loaded {', '.join(map(code, step.names))}, by {code(step.call.tool)}."
        case Called():
            yield from _called(step)
        case Denied():
            yield f"The policy kept back {', '.join(map(code, step.tools))}."
        case Retried():
            yield f"The model refused for the moment, try {step.attempt}: {inline(step.reason)}."
        case Ended():
            yield from ("## Ended", "", f"{step.outcome.capitalize()}. {inline(step.reason)}".strip())


def _quoted(text: str) -> Iterator[str]:
    for line in shown(text).splitlines() or [""]:
        yield f"> {_plain(line)}".rstrip()


def _offered(step: Offered, meter: Meter) -> Iterator[str]:
    yield from (f"## Turn {step.turn}", "")
    if "tools" in step.unknown:
        yield f"In view: {step.in_view:,} tools that the log tells of; the others are not in the log."
    else:
        yield f"In view: {step.in_view:,} of {meter.tools_all:,} tools, about {step.tokens:,} tokens."
    for sign, names in (("Added", step.added), ("Taken away", step.removed)):
        if names:
            yield from ("", f"{sign}: {', '.join(map(code, names))}.")
    if step.prompt_tokens is not None:
        yield from ("", f"The provider counted {step.prompt_tokens:,} tokens in, {step.completion_tokens or 0:,} out.")
    if "text" in step.unknown:
        yield from ("", "What the model said is not in the log.")


def _searched(step: Searched) -> Iterator[str]:
    found = step.found
    among = "" if "searched" in found.unknown else f" of {found.searched:,}"
    yield f"Searched for {code(found.query)} with {inline(found.engine)}: {found.matched:,}{among} tools match."
    if found.problem:
        yield from ("", inline(found.problem))
    hits = found.hits[:MOST_HITS]
    if hits:
        yield from ("", "| rank | tool | score | |", "| --- | --- | --- | --- |")
    for hit in hits:
        marks = [f"cut: {inline(hit.cut_by)}"] if hit.cut_by else []
        marks += ["loaded"] if hit.name in step.loaded else []
        score = f"{hit.score:.2f}" if found.scored else ""
        yield f"| {hit.rank} | {inline(hit.name)} | {score} | {', '.join(marks)} |"


def _called(step: Called) -> Iterator[str]:
    took = "" if step.seconds is None else f" in {step.seconds:.2f} s"
    state = "what came of it is not in the log" if "outcome" in step.unknown else f"{step.state}{took}"
    yield f"Called {code(step.tool)}{' (simulated)' if step.simulated else ''}: {state}."
    if "arguments" not in step.unknown:
        yield from ("", *fenced(step.arguments, "json"))
    if step.decided:
        yield from ("", *_decided(step.decided))
    if step.content:
        yield from ("", *fenced(step.content))
    if "content" in step.unknown:
        yield from ("", "Its answer is not in the log.")


def _decided(decided: CallDecided) -> Iterator[str]:
    """What a person said of a call that waited for one."""
    by = f" by {inline(decided.by)}" if decided.by else ""
    said = f" {inline(decided.text)}" if decided.text and decided.decision != "answered" else ""
    yield f"It waited for a person: {decided.decision}{by} after {decided.seconds:.1f} s.{said}"
    if decided.arguments:
        yield from ("", "Sent instead:", "", *fenced(decided.arguments, "json"))
