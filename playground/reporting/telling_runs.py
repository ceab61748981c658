"""What runs came to, in words and figures: the headline, runs and searches, tokens and cost."""

from collections.abc import Iterator

from playground.models import Run
from playground.reporting.document import Cell, Figure, Section, Table, columns, count_cell, counted, number
from playground.reporting.links import Links
from playground.reporting.measures import Measures
from playground.reporting.shares import Share
from playground.templatetags.run_text import dollars, short


def headline(made: Measures, links: Links) -> tuple[Cell, ...]:
    """One sentence, of what is known alone."""
    return tuple(_headline(made, links))


def _headline(made: Measures, links: Links) -> Iterator[Cell]:
    totals, trails = made.now.totals, made.now.trails
    yield Cell(
        f"{totals.runs:,} {_runs(totals.runs)}" if totals.runs else "No run was begun in these days", links.runs()
    )
    if totals.ended:
        yield Cell(f"{Share(totals.completed, totals.ended)} completed", links.runs(status=Run.Status.COMPLETED))
    if trails.searches:
        yield Cell(f"{Share(trails.led, trails.searches)} of the searches led to a call", links.searches(led="called"))
    if totals.prompts:
        held = f"{short(totals.tokens_a_prompt)} of {short(totals.all_a_prompt)} tokens of tools"
        yield Cell(f"a prompt held {held}", links.runs())
    if totals.priced:
        sign = "less" if totals.dollars_spared >= 0 else "more"
        runs = "" if totals.priced == totals.runs else f", in the {totals.priced:,} {_runs(totals.priced)} with a price"
        spared = f"{dollars(abs(totals.dollars_spared))} {sign} than sending every tool{runs}"
        yield Cell(spared, links.runs(did="priced"))


def runs_and_searches(made: Measures, links: Links) -> Section:
    totals, before = made.now.totals, made.before.totals
    trails, trails_before = made.now.trails, made.before.trails
    completed, found = Share(totals.completed, totals.ended), Share(trails.led, trails.searches)
    figures = (
        Figure(number(totals.runs), _runs(totals.runs), "begun in the period", _before(before.runs), links.runs()),
        Figure(
            str(completed),
            "completed",
            completed.caveat or "of the runs that ended",
            completed.against(Share(before.completed, before.ended)),
            links.runs(status=Run.Status.COMPLETED),
        ),
        Figure(
            number(trails.searches),
            counted(trails.searches, "search", "searches"),
            f"in {totals.searching:,} {_runs(totals.searching)}, {_rate(trails.searches, totals.searching)} each",
            _before(trails_before.searches),
            links.searches(),
        ),
        Figure(
            str(found),
            "of the searches led to a call",
            found.caveat or "the model called a tool that the search had returned",
            found.against(Share(trails_before.led, trails_before.searches)),
            links.searches(led="called"),
        ),
    )
    return Section("runs", "Runs and searches", figures, (_endings(made, links),), parts=tuple(made.parts()))


def tokens_and_cost(made: Measures, links: Links) -> Section:
    totals, before = made.now.totals, made.before.totals
    sense = "fewer" if totals.tokens_spared >= 0 else "more"
    figures = [
        Figure(
            f"{short(totals.tokens_a_prompt)} of {short(totals.all_a_prompt)}",
            "tokens of tools in a prompt",
            f"estimated, the mean of {totals.prompts:,} prompts; the rest of the catalog stayed out",
            f"{short(before.tokens_a_prompt)} of {short(before.all_a_prompt)} before"
            if before.prompts
            else "none before",
            links.runs(),
        ),
        Figure(
            short(abs(totals.tokens_spared)),
            f"{sense} tokens sent than with every tool",
            "estimated, all prompts together, before any cache",
            f"{short(before.tokens_spared)} before" if before.prompts else "none before",
            links.runs(),
        ),
        *_provider_figures(made, links),
    ]
    return Section("tokens", "Tokens and cost", tuple(figures), note=_cost_note(made))


def _provider_figures(made: Measures, links: Links) -> Iterator[Figure]:
    totals, before = made.now.totals, made.before.totals
    if totals.cached:
        of = "all runs" if totals.told_cache == totals.runs else f"{totals.told_cache:,} of {totals.runs:,} runs"
        cached, was = _percent(totals.cached, totals.read), _percent(before.cached, before.read)
        note = f"{short(totals.cached)} of {short(totals.read)}, as providers counted, of {of}"
        yield Figure(cached, "of prompt tokens came from a cache", note, f"{was} before", links.runs())
    if totals.priced:
        known = f"known of {totals.priced:,} of {totals.runs:,} runs"
        was = (
            f"{dollars(before.cost)} for {before.priced:,} {_runs(before.priced)} before"
            if before.priced
            else "none before"
        )
        yield Figure(dollars(totals.cost), "spent on model calls", known, was, links.runs(did="priced"))
        sense = "less" if totals.dollars_spared >= 0 else "more"
        note = f"estimated; {dollars(totals.cost_all)} with every tool in each prompt, cached in the same proportion"
        spared = f"{dollars(before.dollars_spared)} before" if before.priced else "none before"
        yield Figure(
            dollars(abs(totals.dollars_spared)), f"{sense} than with every tool", note, spared, links.runs(did="priced")
        )


def _cost_note(made: Measures) -> str:
    totals = made.now.totals
    unpriced = totals.runs - totals.priced - totals.free
    told = [
        f"{totals.free:,} {_runs(totals.free)} had the demo model, which is free" if totals.free else "",
        f"of {unpriced:,} {_runs(unpriced)} the price is not known" if unpriced else "",
    ]
    runs = "; ".join(filter(None, told))
    return f"In no figure of cost: {runs}." if runs else ""


def _endings(made: Measures, links: Links) -> Table:
    now, before = made.now.totals.outcomes, made.before.totals.outcomes
    rows = tuple(
        (
            Cell(label, links.runs(status=status)),
            count_cell(now.get(status, 0), links.runs(status=status)),
            count_cell(before.get(status, 0), links.within(links.period.before).runs(status=status)),
        )
        for status, label in Run.Status.choices
        if now.get(status) or before.get(status)
    )
    return Table("endings", "How runs ended", columns("Ended", "#Runs", "#Before"), rows, "No run was begun.")


def _runs(count: int) -> str:
    return counted(count, "run")


def _before(count: int) -> str:
    return f"{count:,} before" if count else "none before"


def _rate(count: int, over: int) -> str:
    return f"{count / over:.1f}" if over else "0"


def _percent(part: int, whole: int) -> str:
    """Of tokens, of which there are many."""
    return f"{100 * part / whole:.0f} %" if whole else "none"
