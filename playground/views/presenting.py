"""A run on a wall: its slides, and what the speaker means to say to each."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.forms import ReplayForm
from playground.models import Run
from playground.presenting.deck import Deck, Shown, Slide
from playground.presenting.notes import keep_note, notes_of
from playground.presenting.showing import deck_for
from playground.presenting_forms import NoteForm
from playground.runs.reading import all_events, last_seq
from playground.runs.replay import moments


@require_GET
def run_present(request: Request, run_id: UUID) -> HttpResponse:
    """The slides, at `?at=` or `?turn=`; `?texts=off` leaves out arguments, results and reasons."""
    run = get_object_or_404(Run, pk=run_id)
    if has_it_all(request, run):
        return HttpResponse(status=204)
    shown = Shown(texts=request.GET.get("texts") != "off", nested=True)
    deck = deck_for(run, shown)
    here = slide_asked(request, deck)
    context = {
        **standing(deck, here),
        "run": run,
        "address": "?at=" if shown.texts else "?texts=off&at=",
        "leave": run.get_absolute_url(),
    }
    return render(request, "playground/present/page.html", context)


@require_GET
def run_notes(request: Request, run_id: UUID) -> HttpResponse:
    """Every moment with its note: the speaker's own window, which goes along with the slides."""
    run = get_object_or_404(Run, pk=run_id)
    form = ReplayForm(request.GET)
    found = moments(all_events(run.pk))
    at = form.at_event or 1
    passed = [moment for moment in found if moment.seq <= at]
    notes = notes_of(run.pk)
    context = {
        "run": run,
        "rows": [(moment, notes.get(moment.seq, "")) for moment in found],
        "here": passed[-1] if passed else next(iter(found), None),
        "last": found[-1] if found else None,
    }
    return render(request, "playground/present/notes.html", context)


@require_POST
@needs(Role.PRESENTER)
def run_note(request: Request, run_id: UUID) -> HttpResponse:
    """Keep the note at a moment. For htmx its state alone, or the whole where two wrote at once."""
    run = get_object_or_404(Run, pk=run_id)
    form = NoteForm(request.POST, last_seq=last_seq(run.pk))
    if not form.is_valid():
        return HttpResponse(" ".join(form.problems), status=400, content_type="text/plain; charset=utf-8")
    seq = form.cleaned_data["seq"]
    kept = keep_note(run.pk, seq, form.cleaned_data["was"], form.cleaned_data["text"])
    if not request.htmx:
        return redirect(f"{reverse('run_notes', args=[run.pk])}?at={seq}#note-{seq}")
    context = {"run": run, "seq": seq, "note": kept.text, "kept": kept}
    if kept.both:
        answer = render(request, "playground/present/_note.html", context)
        answer["HX-Retarget"] = f"#note-{seq}"
        return answer
    return render(request, "playground/present/_note_state.html", context)


def slide_asked(request: HttpRequest, deck: Deck) -> Slide | None:
    form = ReplayForm(request.GET)
    return deck.of_turn(form.asked_turn) or deck.at(form.at_event)


def has_it_all(request: HttpRequest, run: Run) -> bool:
    """Whether a page that follows the run, and has it up to the event `?after=`, lacks nothing."""
    after = request.GET.get("after")
    return after is not None and after == str(last_seq(run.pk))


def standing(deck: Deck, here: Slide | None) -> dict[str, object]:
    """What the template of the slides takes."""
    return {"deck": deck, "here": here, "previous": deck.beside(here, -1), "next": deck.beside(here, 1)}
