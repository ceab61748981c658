"""Calls that wait for a person, as people meet them: on the run's page, by a form, once, and never later."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.agents import agents_server, keep_agent
from catalog.models import Agent, AuditEntry, Catalog, Tool
from catalog.publishing.asking import published
from catalog.redaction import MASK, Redactor
from catalog.roles import Role, give_role
from catalog.shaping import place_server
from playground.agent.events import CallFinished, CallMade, CallSent, Event, OfferMade, RunStarted
from playground.agent.person_events import CallDecided, CallHeld
from playground.models import ChatModel, HeldCall, Run, Thread
from playground.runs import holding
from playground.runs.appending import Addition, append
from playground.runs.executing import begin, go_on, stop
from playground.runs.held_kinds import held_kinds
from playground.runs.holding import CannotDecideError, Said, decide
from playground.runs.reading import all_events, state_at
from playground.runs.threads import Setup, add_first, add_fork
from playground.runs.waiting import with_waits
from tests.playground.conftest import Play, ended
from tests.playground.runs.doubles import ModelByTask, PlannedModel, calls, says

ClientAs = Callable[[Role], Client]
NOTIFY = "team__notify_user"
ARGUMENTS = '{"to": "Ada", "text": "\u202eevil"}'
HELD = CallHeld(1, "n-1", NOTIFY, "team", "write", ARGUMENTS, "d" * 64, 1_800.0)
QUESTION = CallHeld(
    1, "q-1", "team__ask_human", "team", "human", "{}", "e" * 64, 60.0, "Which <b>room</b>?", ("A", "B")
)


@pytest.fixture
def careful(team: Catalog) -> Catalog:
    """The small catalog with everything in view, in which messages to a person are marked as writing, which waits."""
    Tool.objects.filter(name="notify_user").update(
        permission="write", parameters={"properties": {"to": {"type": "string"}}}
    )
    team.mode, team.ask_person = "everything", ["human", "write"]
    team.save()
    return team


@pytest.fixture
def chat_model(db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


def held_run(catalog: Catalog, event: CallHeld = HELD) -> Run:
    """A run under way whose one call waits; nobody executes it."""
    run = Run.objects.create(thread=Thread.objects.create(title="Tell Ada"), task="Tell Ada", catalog=catalog)
    begun = RunStarted("Tell Ada", "Team", "everything", "e", "x", True, 5, 500)
    made = CallMade(1, event.call_id, event.tool, event.arguments, False)
    events: list[Event] = [begun, OfferMade(1, (), (), (), 0, True), made, event]
    append(Addition(run.pk, [(timezone.now(), one) for one in events], Redactor()))
    return run


def page_of(run: Run, act: str = "run_held") -> str:
    return reverse(act, args=[run.pk, 4])


def post(client: Client, run: Run, **filled: str) -> Any:
    return client.post(page_of(run, "run_decide"), {"digest": HELD.digest, **filled})


def test_the_page_shows_exactly_what_would_be_sent_and_who_may_decide(client_as: ClientAs, careful: Catalog) -> None:
    run = held_run(careful)
    viewer, presenter = client_as(Role.VIEWER), client_as(Role.PRESENTER)
    for page in (run.get_absolute_url(), page_of(run)):
        seen, may = viewer.get(page).content.decode(), presenter.get(page).content.decode()
        for html in (seen, may):
            assert "&quot;to&quot;: &quot;Ada&quot;" in html
            assert "U+202E" in html
            assert "\u202e" not in html
            assert f"{len(ARGUMENTS)} characters" in html
            assert "<title>Waits for you" in html
        assert ("A presenter decides." in seen, 'value="approved"' in seen) == (True, False)
        assert 'value="approved"' in may
        assert HELD.digest in may
    replayed = presenter.get(run.get_absolute_url(), {"at": "4"}).content.decode()
    assert "Waits for you" in replayed
    assert 'value="approved"' not in replayed
    assert 'value="approved"' in presenter.get(page_of(run), headers={"HX-Request": "true"}).content.decode()


def test_a_question_can_be_answered_by_a_choice_or_in_words(client_as: ClientAs, careful: Catalog) -> None:
    run = held_run(careful, QUESTION)
    presenter = client_as(Role.PRESENTER)
    html = presenter.get(page_of(run)).content.decode()
    assert "Which &lt;b&gt;room&lt;/b&gt;?" in html
    assert '<button class="button" name="text" value="B">' in html
    empty = presenter.post(page_of(run, "run_decide"), {"digest": QUESTION.digest, "act": "answered"})
    assert "Write an answer" in empty.content.decode()


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ({}, "Choose what is to happen"),
        ({"act": "answered", "text": "x"}, "not one of the available choices"),
        ({"act": "edited", "arguments": "{broken"}, "The arguments are not valid JSON"),
        ({"act": "edited", "arguments": '{"to": 5}'}, "to: 5 is not text"),
        ({"act": "edited", "arguments": f'{{"to": "{MASK}"}}'}, "stands for a secret"),
    ],
)
def test_what_cannot_be_sent_decides_nothing(
    client_as: ClientAs, careful: Catalog, filled: dict[str, str], told: str
) -> None:
    run = held_run(careful)
    answer = post(client_as(Role.PRESENTER), run, **filled)
    assert told in answer.content.decode()
    assert HeldCall.objects.get().decision == ""


@pytest.mark.threat("T49")
def test_a_decision_counts_once_for_what_was_shown_while_the_run_goes_on(
    transactional_db: None, careful: Catalog, client_as: ClientAs
) -> None:
    first, late = client_as(Role.PRESENTER), client_as(Role.CURATOR)
    run, question, over = held_run(careful), held_run(careful, QUESTION), held_run(careful)
    swapped = post(first, run, act="approved", digest="f" * 64)
    assert "This is not what was shown" in swapped.content.decode()
    assert post(first, run, act="refused", text="Not now.")["Location"] == f"{run.get_absolute_url()}#step-4"
    answer = post(late, run, act="approved")
    assert answer.status_code == 409
    assert "a-presenter decided already: refused. What you chose changed nothing." in answer.content.decode()
    assert HeldCall.objects.get(run=run).said == {"arguments": None, "text": "Not now."}
    post(first, question, act="answered", text="B", digest=QUESTION.digest)
    assert HeldCall.objects.get(run=question).said["text"] == "B"
    Run.objects.filter(pk=over.pk).update(status="interrupted")
    assert "The run has ended meanwhile" in post(first, over, act="approved").content.decode()
    assert "Nothing is to be decided any more" in late.get(page_of(over)).content.decode()


def test_lists_and_home_say_which_runs_wait(client_as: ClientAs, careful: Catalog) -> None:
    top = Run.objects.create(thread=Thread.objects.create(title="t"), task="Above", status="running")
    run = held_run(careful)
    Run.objects.filter(pk=run.pk).update(parent=top)
    HeldCall.objects.update(top=top)
    Run.objects.create(thread=Thread.objects.create(title="t"), task="Idle", status="running")
    viewer = client_as(Role.VIEWER)
    listed = viewer.get(reverse("runs"), {"status": "held", "nested": "all"})
    assert {(row.task, row.waits) for row, _ in listed.context["rows"]} == {("Above", True), ("Tell Ada", True)}
    assert "A call of" in viewer.get("/").content.decode()
    HeldCall.objects.update(decision="approved")
    assert not any(run.waits for run in with_waits(Run.objects.all()))  # type: ignore[attr-defined]


def test_how_strict_a_catalog_is_is_kept_by_a_curator(client_as: ClientAs, team: Catalog) -> None:
    curator = client_as(Role.CURATOR)
    page = curator.get("/catalogs/team-agent/policy/")
    filled = {"began_from": page.context["person_form"].version, "ask_person": ["dangerous", "human"]}
    address = "/catalogs/team-agent/policy/person/"
    assert curator.post(address, {**filled, "ask_person": ["nonsense"]}).status_code == 200
    assert curator.post(address, filled).status_code == 302
    assert Catalog.objects.get(pk=team.pk).ask_person == ["human", "dangerous"]
    assert curator.post(address, {**filled, "ask_person": []}).status_code == 409


@pytest.mark.parametrize(
    ("role", "waits"), [(Role.PRESENTER, ["human", "write", "read"]), (Role.CURATOR, ["write", "read"])]
)
def test_a_run_may_be_started_stricter_and_only_by_a_curator_laxer(
    careful: Catalog, chat_model: ChatModel, person: Callable[[Role], User], role: Role, waits: list[str]
) -> None:
    setup = Setup(careful, chat_model, "Go", person(role), ask_person=["read"], ask_less=["human"])
    run = add_first(setup)
    assert held_kinds(run, published(careful)) == waits
    viewer = Setup(careful, chat_model, "On", User.objects.create_user("another"))
    assert held_kinds(add_fork(run, None, viewer), published(careful)) == ["human", "write", "read"]


# With runs under way


Start = Callable[..., Coroutine[Any, Any, Run]]
PLAN = (calls(NOTIFY, '{"to": "Ada"}'), says("Done."))


@pytest.fixture
def start(transactional_db: None, careful: Catalog, chat_model: ChatModel, presenter: User) -> Start:
    give_role(presenter, Role.PRESENTER)

    async def start(task: str = "Tell Ada", **options: Any) -> Run:
        return await begin(careful, chat_model, task, presenter, **options)

    return start


async def waiting_call() -> HeldCall:
    for _ in range(1_000):
        found = await HeldCall.objects.select_related("run").filter(decision="").afirst()
        if found:
            return found
        await asyncio.sleep(0.02)
    pytest.fail("no call waits")


async def events_of(run: Run, *kinds: type[Event]) -> list[Any]:
    events = await asyncio.to_thread(lambda: [recorded.event for recorded in all_events(run.pk)])
    return [event for event in events if isinstance(event, kinds)]


async def test_a_call_goes_out_as_a_person_edited_it(play: Play, start: Start, presenter: User) -> None:
    play(PlannedModel(*PLAN))
    run = await start()
    held = await waiting_call()
    state = await asyncio.to_thread(state_at, run.pk)
    assert (state.summary.waits, state.summary.activity) == (1, "person")
    client = AsyncClient()
    await client.aforce_login(presenter)
    filled = {"digest": held.digest, "act": "edited", "arguments": '{"to": "Grace"}'}
    answer = await client.post(reverse("run_decide", args=[run.pk, held.seq]), filled)
    assert answer.status_code == 302
    assert (await ended(run)).status == "completed"
    told = await events_of(run, CallHeld, CallDecided, CallSent, CallFinished)
    assert [event.kind for event in told] == ["call_held", "call_decided", "call_sent", "call_finished"]
    assert (told[1].decision, told[1].by, told[1].arguments) == ("edited", "a-presenter", '{"to": "Grace"}')
    assert told[3].content.startswith("A person changed the arguments of this call before it was sent.")
    assert (await asyncio.to_thread(state_at, run.pk)).summary.waits == 0
    assert await AuditEntry.objects.filter(act="call-decided", who="a-presenter").acount() == 1


@pytest.mark.threat("T49")
async def test_of_twenty_clicks_at_once_one_is_heard_and_the_call_goes_out_once(
    play: Play, start: Start, presenter: User
) -> None:
    play(PlannedModel(*PLAN))
    run = await start()
    held = await waiting_call()

    def click(number: int) -> str:
        try:
            decision: Any = ("approved", "refused")[number % 2]
            holding._decide(held.pk, Said(decision, held.digest, by=presenter))
            return str(decision)
        except CannotDecideError as late:
            assert "decided already" in str(late)
            return ""
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as people:
        loop = asyncio.get_running_loop()
        heard = await asyncio.gather(*(loop.run_in_executor(people, click, number) for number in range(20)))
    decisions = list(filter(None, heard))
    assert len(decisions) == 1
    decision = decisions[0]
    await ended(run)
    (decided,) = await events_of(run, CallDecided)
    assert decided.decision == decision
    assert len(await events_of(run, CallSent)) == (decision == "approved")
    assert await AuditEntry.objects.filter(act="call-decided").acount() == 1


async def test_a_run_that_waits_can_be_stopped_and_nothing_is_sent_later(play: Play, start: Start) -> None:
    play(PlannedModel(*PLAN))
    run = await start()
    held = await waiting_call()
    await stop(run.pk)
    assert (await ended(run)).status == "stopped"
    with pytest.raises(CannotDecideError, match="has ended"):
        await decide(held, Said("approved", held.digest))
    assert await events_of(run, CallSent, CallDecided) == []


async def test_a_call_that_nobody_answers_is_refused_in_the_end(play: Play, start: Start, settings: Settings) -> None:
    settings.PEGBOARD_APPROVAL_MINUTES = 0.002
    play(PlannedModel(*PLAN))
    run = await ended(await start())
    decided, finished = await events_of(run, CallDecided, CallFinished)
    assert (run.status, decided.decision, decided.by) == ("completed", "unanswered", "")
    assert finished.content.startswith("Nobody answered within")
    assert (await HeldCall.objects.aget()).decision == "unanswered"


@pytest.mark.threat("T26")
async def test_what_an_agent_calls_waits_as_well_if_its_caller_asks(
    play: Play, start: Start, careful: Catalog, settings: Settings
) -> None:
    lax = await Catalog.objects.acreate(slug="lax", title="Lax", mode="everything", ask_person=[])

    def arrange() -> None:
        place_server(lax, careful.servers.get().server, "everything")
        keep_agent(Agent(name="clerk", title="Clerk", description="Assists.", instructions="Help.", catalog=lax))
        place_server(careful, agents_server(), "everything")

    await asyncio.to_thread(arrange)
    play(ModelByTask({"Do it": [calls("agents__clerk", '{"task": "a part"}'), says("Done.")], "a part": PLAN}))
    run = await start("Do it")
    held = await waiting_call()
    assert (held.run_id != run.pk, held.top_id) == (True, run.pk)
    await decide(held, Said("approved", held.digest))
    assert (await ended(run)).status == "completed"
    assert len(await events_of(held.run, CallSent)) == 1


async def test_a_thread_goes_on_from_a_result_that_a_person_edited(
    play: Play, start: Start, careful: Catalog, chat_model: ChatModel, presenter: User
) -> None:
    model = Listening([*calls("team__getWeather", "{}")], says("Cold."), says("Warm."), says("Still warm."))
    play(model)
    run = await ended(await start("Weather?"))
    client = AsyncClient()
    await client.aforce_login(presenter)
    seq = next(
        one.seq for one in await asyncio.to_thread(list, all_events(run.pk)) if isinstance(one.event, CallFinished)
    )
    address = f"{reverse('run_fork', args=[run.pk])}?result={seq}"
    page = await client.get(address)
    before = page.context["form"]["result"].value()
    filled = {"catalog": careful.slug, "chat_model": chat_model.pk, "task": "", "mode": "", "version": ""}
    answer = await client.post(address, {**filled, "result": "35 °C"})
    fork = await ended(await Run.objects.select_related("thread").aget(pk=answer["Location"].split("/")[2]))
    assert model.told[-1][-1] == {"role": "tool", "tool_call_id": "call-team__getWeather", "content": "35 °C"}
    (started,) = await events_of(fork, RunStarted)
    assert started.edited == ("call-team__getWeather",)
    thread = await Thread.objects.aget(pk=fork.thread_id)
    assert (thread.forked_from_id, thread.edited_result) == (run.pk, "35 °C")
    html = (await client.get(fork.get_absolute_url())).content.decode()
    assert "edited by a person" in html
    assert "a person edited 1 result" in html
    assert "an edited result of team__getWeather" in (await client.get(thread.get_absolute_url())).content.decode()
    finished = await events_of(run, CallFinished)
    assert finished[0].content == before, "what the tool answered stays in its run"
    await ended(await go_on(fork.thread_id, 1, Setup(careful, chat_model, "And now?", presenter)))
    assert "35 °C" in [message["content"] for message in model.told[-1]]
    assert before not in [message["content"] for message in model.told[-1]]
    assert (await client.get(f"{reverse('run_fork', args=[run.pk])}?result=1")).status_code == 404


class Listening(PlannedModel):
    """Gives its answers one after the other, whoever asks, and keeps what it was told."""

    def __init__(self, *plan: Any) -> None:
        super().__init__()
        self._left, self.told = iter(plan), list[Any]()

    async def stream(self, messages: Any, tools: Any, handed: Any = (), most_tokens: Any = None) -> Any:
        self.told.append(messages)
        for piece in next(self._left):
            yield piece
