"""Finding the smallest edits that bring a tool among the hits: each is tried, none is guessed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from catalog.absence.steps import Kind, Step
from catalog.absence.trying import Asked, Trial, Trials, rank_in
from catalog.absence.wordings import MAX_WORDS, as_alias, spelled_words, wanted_words
from catalog.search.ranking import Ranking
from catalog.search.settings import settings_of
from catalog.search.standing import Standing

MAX_EDITS = 6
READ: tuple[Kind, ...] = ("search text", "description")
"""The texts that words are added to: the first is never sent to a model, the second only where an engine reads no other."""
MIN_SCORE = "min_score"
"""The setting below which engines cut, where they have one."""


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
    wordy = [_edit(trial, trial.ranking, before) for trial in _wordy(trials, first, standing)]
    searched = [
        _edit(first, ranking, before, search) for search, ranking in _searches(trials.asked, first, standing, most)
    ]
    edits = sorted([*wordy, *searched], key=lambda edit: (edit.words_added, edit.rank))
    return Found(tuple(edit for edit in edits if edit.rank)[:MAX_EDITS], trials.count, trials.is_over)


def _edit(trial: Trial, after: Ranking, before: Ranking, search: Mapping[str, str] | None = None) -> Edit:
    """Its rank is 0 if the tool is not returned."""
    kept = {hit.tool.name for hit in after.hits}
    pushed_out = tuple(hit.tool.name for hit in before.hits if hit.tool.name not in kept)
    return Edit(trial.steps, rank_in(after, trial.tool) or 0, pushed_out, search or {})


def _wordy(trials: Trials, first: Trial, standing: Standing) -> list[Trial]:
    """The trials of added words that return the tool, in the first text that does it at all."""
    reading = first.ranking.reading
    for kind in READ:
        if reading.is_pattern:
            found = list(_each(trials, first, kind, spelled_words(reading)))
        else:
            found = _fewest(trials, first, kind, wanted_words(standing.words))
        if found and kind == "search text" and (alias := as_alias(reading)) and not reading.is_pattern:
            found += _each(trials, first, "alias", [alias])
        if found:
            return found
    return []


def _each(trials: Trials, first: Trial, kind: Kind, texts: Sequence[str]) -> Iterator[Trial]:
    for text in texts:
        if not trials.is_over and (trial := trials.of((*first.steps, Step(kind, text)))).rank:
            yield trial


def _fewest(trials: Trials, first: Trial, kind: Kind, words: Sequence[str]) -> list[Trial]:
    """Single words, if any does it; else the best ones together, one more at a time; nothing if not even all do."""
    if not words or not (every := list(_each(trials, first, kind, [" ".join(words)]))):
        return []
    singles = [trials.of((*first.steps, Step(kind, word))) for word in words[:MAX_WORDS] if not trials.is_over]
    if found := [trial for trial in singles if trial.rank]:
        return found
    best = [trial.steps[-1].text for trial in sorted(singles, key=lambda trial: -trial.score)]
    growing = [" ".join(word for word in words if word in best[:count]) for count in range(2, len(best) + 1)]
    return next(([trial] for trial in _each(trials, first, kind, growing)), every)


def _searches(asked: Asked, first: Trial, standing: Standing, most: int) -> Iterator[tuple[Mapping[str, str], Ranking]]:
    """More hits, or a lower least score: changes of the search, with what it answers then."""
    if standing.hit is None:
        return
    if asked.limit < standing.hit.rank <= most:
        more = replace(asked, limit=standing.hit.rank)
        yield {"k": str(more.limit)}, more.of(first.corpus)
    least = _lower(asked, standing)
    if least is not None:
        settings = replace(asked.engine.settings, **{MIN_SCORE: least})
        lower = replace(asked, engine=replace(asked.engine, settings=settings))
        yield {f"{asked.engine.slug}.{MIN_SCORE}": f"{least:g}"}, lower.of(first.corpus)


def _lower(asked: Asked, standing: Standing) -> float | None:
    """The least score, to two digits, that the tool exceeds, for an engine that has one set."""
    if (
        standing.hit is None
        or not standing.least
        or MIN_SCORE not in {one.name for one in settings_of(asked.engine.kind.Settings)}
    ):
        return None
    now: float = getattr(asked.engine.settings, MIN_SCORE)
    lower = max(0.0, (ceil(100 * now * standing.hit.score / standing.least) - 1) / 100)
    return lower if lower < now else None
