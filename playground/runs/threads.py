"""Beginning runs: in a thread of their own, as the next of a thread, or in a thread that is forked from another's past."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.recording import Act, record
from catalog.editions import PUBLISHED
from catalog.models import Catalog
from catalog.owners import this_process
from catalog.policy import Context
from catalog.roles import Role, role_of
from playground.models import ChatModel, LaneSet, Run, Thread

LONGEST_TITLE = 200


class CannotGoOnError(Exception):
    """The thread is not as it was when the person wrote; the message says, as a sentence, what is different."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run is to be made of; without a mode it is the catalog's. Without a task it goes on from its history.

    `context` is what the catalog's policy is told of the request, `limits` are those that a person set; without them
    they are those of the run gone on from. So with the `edition` of the catalog.
    `ask_person` are kinds of calls that wait for a person beyond those of the catalog, `ask_less` those of it that do not,
    which only a curator may say; without them they are those of the run gone on from. `lane` is its place in a
    `lane_set`.
    """

    catalog: Catalog
    chat_model: ChatModel
    task: str
    by: User
    mode: str = ""
    mode_options: dict[str, Any] = field(default_factory=dict)
    context: Context | None = None
    limits: Mapping[str, float] | None = None
    edition: str = ""
    ask_person: Sequence[str] | None = None
    ask_less: Sequence[str] | None = None
    lane_set: LaneSet | None = None
    lane: int | None = None


@dataclass(frozen=True, slots=True)
class EditedResult:
    """What a person made of the result of a call."""

    call_id: str
    content: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run stands in its thread of `runs`, with its neighbours."""

    position: int
    runs: int
    previous: Run | None
    next: Run | None

    @property
    def is_last(self) -> bool:
        return self.next is None


def place_of(run: Run) -> Place:
    line = list(run.thread.runs.order_by("position"))
    here = next(place for place, one in enumerate(line) if one.pk == run.pk)
    before, after = line[:here], line[here + 1 :]
    return Place(run.position, len(line), before[-1] if before else None, after[0] if after else None)


@transaction.atomic
def add_first(setup: Setup) -> Run:
    """A run in a thread of its own."""
    return _add(Thread.objects.create(title=setup.task[:LONGEST_TITLE], by=setup.by), 1, setup, None)


@transaction.atomic
def add_next(thread_id: UUID, after: int, setup: Setup) -> Run:
    """The run behind the one of position `after`, which the person saw as the last. Raises CannotGoOnError."""
    thread = Thread.objects.select_for_update().get(pk=thread_id)
    last = thread.runs.order_by("-position").first()
    if last is None:
        raise CannotGoOnError("Its runs were deleted.")
    if last.position != after:
        raise CannotGoOnError("Meanwhile someone else went on here. Your message was not sent.")
    if last.is_unfinished:
        raise CannotGoOnError("A run of this conversation is still under way. Your message was not sent.")
    return _add(thread, last.position + 1, setup, last)


@transaction.atomic
def add_fork(source: Run, at: int | None, setup: Setup, edited: EditedResult | None = None) -> Run:
    """The first run of a thread that shares what came before the event `at` of `source`; without it, all of that run.

    With an `edited` result the new thread has that in place of what was recorded.
    """
    title = (setup.task or source.thread.title)[:LONGEST_TITLE]
    fork = Thread.objects.create(
        title=title,
        by=setup.by,
        forked_from=source,
        forked_at=at,
        edited_call=edited.call_id if edited else "",
        edited_result=edited.content if edited else "",
    )
    return _add(fork, 1, setup, source)


def edition_after(before: Run, catalog: Catalog) -> str:
    """What a run that goes on from another asks of the catalog unless told otherwise: the version or draft of before.

    Of a catalog that publishes itself, what it is by now.
    """
    if before.catalog_id != catalog.pk:
        return PUBLISHED
    if before.edition == PUBLISHED and before.version and not catalog.publishes_itself:
        return str(before.version.number)
    return before.edition


def _add(thread: Thread, position: int, setup: Setup, before: Run | None) -> Run:
    context, limits = (before.context, before.limits) if before else ({}, {})
    more, less = _asking(setup, before)
    run = Run.objects.create(
        thread=thread,
        position=position,
        catalog=setup.catalog,
        edition=setup.edition or (edition_after(before, setup.catalog) if before else PUBLISHED),
        chat_model=setup.chat_model,
        task=setup.task,
        mode=setup.mode,
        mode_options=setup.mode_options,
        context=dict(context if setup.context is None else setup.context),
        limits=dict(limits if setup.limits is None else setup.limits),
        ask_person=more,
        ask_less=less,
        lane_set=setup.lane_set,
        lane=setup.lane,
        by=setup.by,
        owner=this_process().id,
    )
    told = {"catalog": setup.catalog.slug, "chat model": setup.chat_model.title, "position": position}
    record(Act.RUN_STARTED, run, after=told, by=setup.by)
    return run


def _asking(setup: Setup, before: Run | None) -> tuple[list[str], list[str]]:
    """What waits for a person beyond what the catalog says, and what of that does not: as before, if nobody says otherwise."""
    more = (before.ask_person if before else []) if setup.ask_person is None else setup.ask_person
    less = (before.ask_less if before else []) if setup.ask_less is None else setup.ask_less
    return [*more], [*less] if role_of(setup.by) >= Role.CURATOR else []
