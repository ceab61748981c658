"""Finding the smallest edits that bring a tool among the hits: each is tried, none is guessed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from catalog.absence.searches import other_searches
from catalog.absence.steps import Kind, Step
from catalog.absence.trying import Trial, Trials, rank_in
from catalog.absence.wordings import MAX_WORDS, as_alias, spelled_words, wanted_words
from catalog.search.ranking import Ranking
from catalog.search.standing import Standing

MAX_EDITS = 6
READ: tuple[Kind, ...] = ("search text", "description")
"""The texts that words are added to: the first is never sent to a model, the second only where an engine reads no other."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Steps, and settings of the search itself, after which the tool is returned at `rank`.

    `pushed_out` names the tools that are then no longer returned. `search` holds `k` and settings of the engine by name.
    """

    steps: tuple[Step, ...]
    rank: int
    pushed_out: tuple[str, ...] = ()
    search: Mapping[str, str] = field(default_factory=dict)

    @property
    def words_added(self) -> int:
        return sum(step.word_count for step in self.steps)


@dataclass(frozen=True, slots=True)
class Found:
    """The edits, smallest first; how many were tried, and whether time ran out before all were."""

    edits: tuple[Edit, ...]
    tried: int
    is_cut_short: bool


def find_edits(trials: Trials, needed: Sequence[Step], most: int) -> Found:
    """What brings the tool in after the `needed` steps, which open the catalog's gates; `most` is the highest top k."""
    before, first = trials.of(()).ranking, trials.of(needed)
    standing = trials.standing(first)
    if standing is None:
        return Found((), trials.count, is_cut_short=False)
    if first.rank:
        return Found((_edit(first, first.ranking, before),), trials.count, is_cut_short=False)
    wordy = _wordy(trials, first, standing)
    edits = [_edit(trial, trial.ranking, before) for trial in wordy]
    edits += _searched(trials, [first] if wordy else trials.made, before, most)
    best = sorted((edit for edit in edits if edit.rank), key=lambda edit: (edit.words_added, edit.rank))
    return Found(tuple(best[:MAX_EDITS]), trials.count, trials.is_over)


def _edit(trial: Trial, after: Ranking, before: Ranking, search: Mapping[str, str] | None = None) -> Edit:
    """Its rank is 0 if the tool is not returned."""
    kept = {hit.tool.name for hit in after.hits}
    pushed_out = tuple(hit.tool.name for hit in before.hits if hit.tool.name not in kept)
    return Edit(trial.steps, rank_in(after, trial.tool) or 0, pushed_out, search or {})


def _searched(trials: Trials, tried: Sequence[Trial], before: Ranking, most: int) -> list[Edit]:
    """Changes of the search itself, after the first of the trials that they return the tool of."""
    for trial in tried:
        standing = trials.standing(trial)
        answers = list(other_searches(trials.asked, trial.corpus, trial.policy, standing, most)) if standing else []
        if found := [edit for search, after in answers if (edit := _edit(trial, after, before, search)).rank]:
            return found
    return []


def _wordy(trials: Trials, first: Trial, standing: Standing) -> list[Trial]:
    """The trials of added words that return the tool, in the first text that does it at all, else in both at once."""
    reading = first.ranking.reading
    if reading.is_pattern:
        return _spelled(trials, first, spelled_words(reading))
    words = wanted_words(standing.words)
    for kind in READ:
        if found := _fewest(trials, first, kind, words):
            alias = as_alias(reading) if kind == "search text" else ""
            return [*found, *_each(trials, first, ["alias"], [alias] if alias else [])]
    return list(_each(trials, first, READ, [" ".join(words)] if words else []))


def _spelled(trials: Trials, first: Trial, texts: Sequence[str]) -> list[Trial]:
    found = ([*_each(trials, first, [kind], texts)] for kind in READ)
    return next(filter(None, found), [])


def _each(trials: Trials, first: Trial, kinds: Sequence[Kind], texts: Sequence[str]) -> Iterator[Trial]:
    """The trials that return the tool: each of the texts is added, in every place named."""
    for text in texts:
        if trials.is_over:
            return
        trial = trials.of((*first.steps, *(Step(kind, text) for kind in kinds)))
        if trial.rank:
            yield trial


def _fewest(trials: Trials, first: Trial, kind: Kind, words: Sequence[str]) -> list[Trial]:
    """Single words, if any does it; else the best ones together, one more at a time; nothing if not even all do."""
    if not words or not (every := list(_each(trials, first, [kind], [" ".join(words)]))):
        return []
    singles = [trials.of((*first.steps, Step(kind, word))) for word in words[:MAX_WORDS] if not trials.is_over]
    if found := [trial for trial in singles if trial.rank]:
        return found
    best = [trial.steps[-1].text for trial in sorted(singles, key=lambda trial: -trial.score)]
    growing = [" ".join(word for word in words if word in best[:count]) for count in range(2, len(best) + 1)]
    return next(([trial] for trial in _each(trials, first, [kind], growing)), every)
