"""Threads: a conversation whole, going on in it, and the store of what it has loaded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.models import Run, Thread
from playground.modes.loaded_store import LoadedStore
from playground.runs.closing import Figures, closing_figures
from playground.runs.earlier import told
from playground.runs.executing import go_on
from playground.runs.forking import origin_of
from playground.runs.history import history_before, line_before, messages_of
from playground.runs.loaded_stores import look_at, store_of, thread_key
from playground.runs.reading import state_at
from playground.runs.state import RunState
from playground.runs.threads import CannotGoOnError, Setup
from playground.turn_forms import GoOnForm

CONFLICT = 409


@dataclass(frozen=True, slots=True)
class Part:
    """A run of the thread as it stands; `changed` names what it is made of, where the run before was made otherwise."""

    run: Run
    state: RunState
    figures: Figures | None
    changed: tuple[tuple[str, str], ...]


@require_GET
def thread_page(request: Request, thread_id: UUID) -> HttpResponse:
    """The whole conversation, run after run."""
    thread = get_object_or_404(Thread.objects.select_related("forked_from__thread", "by"), pk=thread_id)
    return _page(request, thread)


@require_POST
@needs(Role.PRESENTER)
async def thread_go_on(request: Request, thread_id: UUID) -> HttpResponse:
    """Start the next run and go to its page; where the thread has changed meanwhile, show it with what was written."""
    last = await sync_to_async(_last_run)(thread_id)
    form = await sync_to_async(GoOnForm)(request.POST, last)
    status = HttpResponse.status_code
    if await sync_to_async(form.is_valid)():
        setup = Setup(**form.chosen, by=cast(User, await request.auser()))
        try:
            return redirect(await go_on(thread_id, form.cleaned_data["after"], setup))
        except CannotGoOnError as problem:
            form.add_error(None, str(problem))
            status = CONFLICT
    return await sync_to_async(_page)(request, last.thread, form, status)


@require_POST
@needs(Role.PRESENTER)
def thread_clear(request: Request, thread_id: UUID) -> HttpResponse:
    """Forget what this thread has loaded (clearState)."""

    def clear(store: LoadedStore) -> str:
        held = len(store.held(thread_key(thread_id)))
        store.clear(thread_key(thread_id))
        return f"The store forgot the {_count(held, 'tool')} that this thread had loaded."

    return _with_store(request, thread_id, clear)


@require_POST
@needs(Role.CURATOR)
def thread_clear_all(request: Request, thread_id: UUID) -> HttpResponse:
    """Forget what every thread of this one's catalog has loaded (clearAllState)."""

    def clear(store: LoadedStore) -> str:
        threads = store.stats().threads
        store.clear_all()
        return f"The store forgot all that it held, of {_count(threads, 'thread')}."

    return _with_store(request, thread_id, clear)


@require_POST
@needs(Role.CURATOR)
def thread_clean_up(request: Request, thread_id: UUID) -> HttpResponse:
    """Forget the threads that nobody came to for their time to live (cleanupNow)."""
    return _with_store(
        request, thread_id, lambda store: f"Swept: {_count(store.clean_up(), 'overdue thread')} forgotten."
    )


def _with_store(request: Request, thread_id: UUID, act: Callable[[LoadedStore], str]) -> HttpResponse:
    last = _last_run(thread_id)
    store = store_of(last)
    if store is None:
        raise Http404("This thread keeps nothing in memory.")
    messages.success(request, act(store))
    return redirect(last.thread)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _last_run(thread_id: UUID) -> Run:
    runs = Run.objects.select_related("thread__forked_from__thread", "catalog", "chat_model", "version")
    last = runs.filter(thread=thread_id).order_by("-position").first()
    if last is None:
        raise Http404("There is no such thread, or its runs were deleted.")
    return last


def _page(request: Request, thread: Thread, form: GoOnForm | None = None, status: int = 200) -> HttpResponse:
    last = _last_run(thread.pk)
    parts = list(_parts(thread))
    origin, store = origin_of(thread), store_of(last)
    context = {
        "thread": thread,
        "parts": parts,
        "last": last,
        "form": form or GoOnForm(None, last),
        "origin": origin,
        "earlier": told(messages_of(line_before(thread, 1))) if origin else (),
        "forks": [(fork, origin_of(fork)) for fork in _forks(thread)],
        "store": store and look_at(store, thread.pk, history_before(last, None)),
    }
    return render(request, "playground/thread.html", context, status=status)


def _forks(thread: Thread) -> list[Thread]:
    forks = Thread.objects.filter(forked_from__thread=thread).select_related("forked_from__thread", "by")
    return list(forks.order_by("created_at"))


def _parts(thread: Thread) -> Iterator[Part]:
    runs = list(thread.runs.select_related("catalog", "chat_model", "by").order_by("position"))
    figures = closing_figures(runs)
    before: dict[str, str] = {}
    for run in runs:
        state = state_at(run.pk)
        about = {"catalog": state.about.catalog, "mode": state.about.mode, "model": state.about.model}
        changed = tuple((what, name) for what, name in about.items() if name and before.get(what) != name)
        before |= {what: name for what, name in about.items() if name}
        yield Part(run, state, figures.get(run.pk), changed)
