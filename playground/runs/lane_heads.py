"""What lanes are made of, in words and as an address, and the lanes before and after them in their threads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from catalog.search.settings import changed, fitting_settings, written
from playground.models import LaneSet, Run
from playground.modes import MODES

PARTS = ("mode", "options", "catalog", "version", "model")


@dataclass(frozen=True, slots=True)
class Head:
    """What a lane is made of: in `title` what tells it from the others, in `rest` what they have in common."""

    place: int
    run: Run
    title: str
    rest: str


def runs_of(row: LaneSet) -> dict[int, Run]:
    """Those that are left, by their lane, with what they are made of."""
    parts = ("catalog", "chat_model", "version__content", "version__catalog", "thread")
    return {
        run.lane or 0: run for run in row.runs.select_related(*parts).defer("version__content__tools").order_by("lane")
    }


def heads(runs: Mapping[int, Run]) -> list[Head]:
    made = {place: _made_of(run) for place, run in runs.items()}
    differing = [part for part in PARTS if _differs(part, made.values())]
    if not differing or (differing[0] == "options"):
        differing.insert(0, "mode")
    return [
        Head(
            place,
            run,
            " · ".join(made[place][part] for part in differing if made[place][part]),
            " · ".join(made[place][part] for part in PARTS if part not in differing and made[place][part]),
        )
        for place, run in runs.items()
    ]


def titles_of(made: Sequence[Head]) -> dict[int, str]:
    """By place."""
    return {head.place: head.title for head in made}


def _differs(part: str, made: Iterable[Mapping[str, str]]) -> bool:
    return len({one[part] for one in made}) > 1


def _made_of(run: Run) -> dict[str, str]:
    """In words, by PARTS."""
    mode = run.mode_named
    asked = "" if run.edition == "published" else run.edition
    return {
        "mode": MODES[mode].title if mode in MODES else mode or "no mode",
        "options": options_told(mode, run.options_named),
        "catalog": run.catalog.title if run.catalog else "a deleted catalog",
        "version": asked if not asked or asked == "draft" else f"version {asked}",
        "model": run.chat_model.title if run.chat_model else "a deleted model",
    }


def options_told(mode: str, options: Mapping[str, Any]) -> str:
    """Those that are not the mode's usual ones, in a few words; those that it does not have are passed over."""
    if mode not in MODES:
        return ""
    settings, _ = fitting_settings(MODES[mode].Options, options)
    return ", ".join(f"{name.replace('_', ' ')} {written(value)}" for name, value in changed(settings).items())


def again(row: LaneSet, runs: Mapping[int, Run]) -> str:
    """The address of the form that would start the same lanes."""
    said: dict[str, Any] = {"task": row.task[:2_000], "cap": row.cap or "", "expected": row.expected[:2_000]}
    for place, run in enumerate((run for run in runs.values() if run.catalog and run.chat_model), 1):
        said |= {f"{place}-catalog": run.catalog and run.catalog.slug, f"{place}-version": run.edition}
        said |= {f"{place}-mode": run.mode, f"{place}-chat_model": run.chat_model_id}
        said |= {f"{place}-{run.mode}.{name}": written(value) for name, value in run.mode_options.items() if run.mode}
        said |= run.limits
    return f"{reverse('lanes')}?{urlencode(said)}"


def neighbour(runs: Mapping[int, Run], step: int) -> LaneSet | None:
    """The lanes that these go on from (step -1), or that go on from these (step 1), if there are any."""
    for run in runs.values():
        other = Run.objects.filter(thread=run.thread_id, position=run.position + step).exclude(lane_set=None).first()
        if other:
            return other.lane_set
    return None
