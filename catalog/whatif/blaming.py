"""Which edits of a draft make judged queries worse: each edit is taken back by itself, and those queries asked once more."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side, changed_tools


def blamed(
    before: Side, after: Side, worse: Sequence[Shift], folder: Path, until: float
) -> Mapping[str, tuple[str, ...]]:
    """By query the keys of the tools without whose change it would not be worse; none where no single change does it.

    Changes that there is no time for by the monotonic clock's `until` are not tried.
    """
    olds, news = changed_tools(before, after)
    old, found = {tool.key: tool for tool in olds}, defaultdict(list)
    for number, key in enumerate(dict.fromkeys(tool.key for tool in (*news, *olds))):
        if monotonic() > until:
            break
        tools = _taken_back(after.corpus.tools, key, old.get(key))
        asking = replace(after, corpus=changed_corpus(after.corpus, tools, folder / str(number))).asking()
        for shift in worse:
            if not replace(shift, after=asking(shift.query.text)).is_worse:
                found[shift.query.text].append(key)
    return {text: tuple(keys) for text, keys in found.items()}


def _taken_back(tools: Sequence[ToolSpec], key: str, old: ToolSpec | None) -> tuple[ToolSpec, ...]:
    """The tools with that one as it was; without it where it was not there, and at the end where it went."""
    others = [old if tool.key == key else tool for tool in tools]
    if old is not None and all(tool.key != key for tool in tools):
        others.append(old)
    return tuple(tool for tool in others if tool is not None)
