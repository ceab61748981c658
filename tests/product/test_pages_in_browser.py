"""Every page in a real browser, with the sample: axe finds nothing, nothing overflows, nothing throws, at two widths, in two themes."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from playwright.async_api import Browser, BrowserContext, Page, expect
from pytest_django import DjangoDbBlocker

from catalog.agents import keep_agent
from catalog.api_documents import take_document
from catalog.auditing.recording import Act, record
from catalog.bulk_planning import plan_edit
from catalog.configurations import keep
from catalog.editions import draft
from catalog.evaluations import begin
from catalog.evaluations import carry_out as evaluate
from catalog.importing import import_listing
from catalog.judging import judge
from catalog.linting import carry_out
from catalog.models import (
    Agent,
    BulkEdit,
    Catalog,
    Configuration,
    Drift,
    Evaluation,
    EvaluationAnswer,
    Finding,
    Import,
    Judgement,
    Look,
    SavedView,
    Server,
    ServerSignIn,
    Suite,
    SuiteQuery,
    Tool,
)
from catalog.owners import this_process
from catalog.policy import Condition
from catalog.publishing.acts import gather, plan_publishing, publish
from catalog.redaction import Redactor
from catalog.registering import register
from catalog.samples import load_sample
from catalog.search.choosing import choose
from catalog.shaping import place_server
from catalog.sources.listing import read_listing
from catalog.sources.mcp_servers import read as read_servers
from catalog.sources.sdk import read_registration
from catalog.sources.skills import read as read_skills
from playground.agent.events import CallMade
from playground.models import LaneSet, Run, RunExchange, RunImport, TaskEvaluation, TaskTrial, Thread
from playground.reviewing.advice import LEAST_RUNS
from playground.runs.appending import Addition, append
from playground.runs.brought_logs import brought, plan
from playground.runs.brought_logs import keep as keep_logs
from playground.runs.importing import import_threads
from tests.catalog.policies import add as add_rule
from tests.conftest import Served, profile, serving
from tests.looks import PageLook, looks, violations
from tests.playground.foreign.logs import SEARCH, chat_call, chat_request, lines
from tests.playground.reviewing.told import Told
from tests.playground.reviewing.told import record as record_run
from tests.playground.runs.recordings import EVERY_KIND, HELD

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SIZES = ((1440, 900), (390, 844))
RUN = UUID(int=1)
FORK = UUID(int=2)
IMPORTED = UUID(int=3)
WAITING = UUID(int=4)
PAGES = [
    "/",
    "/tour/?step=6",
    "/tour/?step=10",
    "/gallery/",
    "/servers/",
    "/servers/weather/",
    "/servers/hostile/",
    "/servers/add/",
    "/servers/add/configuration/",
    "/servers/found/1/",
    "/servers/add/command/",
    "/servers/add/address/",
    "/servers/add/file/",
    "/servers/add/app/",
    "/servers/desk/",
    "/servers/signed/",
    "/servers/signed/oauth/",
    "/servers/add/openapi/",
    "/servers/api/",
    "/servers/api/edit/",
    "/servers/api/operations/",
    "/servers/weather/edit/",
    "/drift/",
    "/drift/1/",
    "/lint/",
    "/lint/?rule=near-duplicate&server=hostile",
    "/lint/1/",
    "/tools/",
    "/tools/?q=nothing+has+this",
    "/tools/?server=hostile&tool=hostile/x",
    "/tools/?server=expenses&tool=hostile/x&edit=1",
    "/tools/edits/1/",
    "/tools/edits/1/gate/",
    "/tools/edits/2/?part=refused",
    "/tools/expenses/submit_claim/",
    "/tools/hostile/x/",
    "/tools/hostile/x/call/",
    "/tools/expenses/submit_claim/call/",
    "/tools/expenses/submit_claim/call/?as=json",
    "/tools/skills/hostile-skill/",
    "/servers/skills/",
    "/servers/add/skills/",
    "/agents/",
    "/agents/add/",
    "/agents/trip-desk/",
    "/agents/hostile/",
    "/agents/hostile/edit/",
    "/tools/expenses/submit_claim/edit/",
    "/catalogs/",
    "/catalogs/add/",
    "/catalogs/office-agent/",
    "/catalogs/office-agent/?part=left-out",
    "/catalogs/office-agent/edit/",
    "/catalogs/office-agent/servers/",
    "/catalogs/everything/servers/hostile/",
    "/catalogs/office-agent/upfront/",
    "/catalogs/everything/upfront/?add=hidden",
    "/catalogs/everything/upfront/advice/?tool=hostile/x&pins=1&runs=1",
    "/confusion/?catalog=everything",
    "/confusion/pair/?catalog=everything&right=hostile/x&mistaken=expenses/submit_claim",
    "/catalogs/compare/",
    "/catalogs/import/",
    "/catalogs/compare/?a=office-agent&b=everything",
    "/catalogs/on-call/versions/",
    "/catalogs/on-call/versions/1/?against=draft",
    "/catalogs/on-call/publish/",
    "/catalogs/on-call/publish/gate/",
    "/catalogs/office-agent/report/",
    "/catalogs/everything/report/",
    "/catalogs/office-agent/report/searches/?days=90",
    "/catalogs/office-agent/report/tools/?which=unused",
    "/catalogs/office-agent/mode/",
    "/catalogs/office-agent/mode/?mode=mastra",
    "/catalogs/everything/mode/?mode=everything",
    "/catalogs/everything/policy/",
    "/playground/?catalog=everything&context=role+%3D+guest",
    "/catalogs/everything/policy/?rule=new&context_to_try=role+%3D+guest",
    "/catalogs/office-agent/policy/?context_to_try=%7B",
    "/what-if/?catalog=everything&engine=mastra&show=worse&query=hidden+message",
    "/search/?catalog=everything&q=hidden",
    "/search/?catalog=everything&q=hidden+message&engines=pegboard,eino-keyword,mastra,like&why=hostile__x",
    "/playground/answer/?catalog=everything&q=hidden",
    "/suites/",
    "/suites/hostile/",
    "/suites/hostile/queries/1/",
    "/suites/hostile/import/",
    "/suites/hostile/history/",
    "/suites/file/?text=hidden&tool=hostile/x",
    "/evaluations/add/?suite=hostile",
    "/evaluations/1/?which=incomplete",
    "/evaluations/1/together/",
    "/evaluations/compare/?a=1&b=2&differs=MRR",
    "/access-tokens/",
    "/accounts/",
    "/accounts/10001/",
    "/audit/",
    "/audit/?kind=tool&key=hostile/x&since=2026-01-01",
    "/search/?catalog=everything&q=hidden&why=hostile__x&edits=1",
    "/playground/",
    "/runs/",
    "/runs/import/",
    "/runs/import/1/",
    f"/runs/{IMPORTED}/",
    "/runs/storage/",
    "/lanes/?cap=1&1-catalog=everything&1-chat_model=1&2-catalog=gone&2-chat_model=1",
    f"/evaluations/tasks/{FORK}/?which=measured",
    f"/lanes/{FORK}/?at=2",
    f"/runs/compare/?a={RUN}&b={FORK}&expect=files__list+%7B%7D",
    f"/runs/{RUN}/outputs/tool_1_hostile.txt/",
    f"/runs/{FORK}/",
    f"/runs/{FORK}/?view=trace&open=e7",
    f"/runs/{FORK}/?view=raw&turn=1",
    f"/runs/{FORK}/?view=toolset",
    f"/runs/{FORK}/present/?at=9",
    f"/runs/{FORK}/notes/?at=9",
    f"/runs/{FORK}/share/",
    f"/runs/{FORK}/fork/",
    f"/runs/{FORK}/fork/?result=23",
    f"/runs/{WAITING}/",
    f"/runs/{WAITING}/held/4/",
    f"/runs/{FORK}/fork/?at=1",
    f"/threads/{FORK}/",
    "/findings/",
    "/findings/?rule=failed-call&subject=x",
    "/review/?which=all",
    "/review/?catalog=everything&which=all&days=all&find=hidden",
    "/review/replay/?catalog=everything&version=draft",
    "/chat-models/",
]
TELL = "tell the team channel"
QUERIES = (
    "",
    "weather forcast",
    "zzz",
    f"can you {TELL}&why=chat__notify_channel&engine=hybrid",
    f"{TELL}&why=chat__notify_channel",
    "&engine=mcpagent",
    "calendar|event&why=calendar__cancel_event&engine=mcpagent",
    "forcast weathr&engine=mcpagent",
    "(&engine=mcpagent",
    "zzqqxx&engine=mcpagent",
    "tell+the+team+channel&engines=pegboard,mastra,eino-keyword&why=chat__list_channels",
    "tell+the+team+channel&engines=pegboard,hybrid,mastra,bm25f",
    "channel(&engines=pegboard,mcpagent&mcpagent.fidelity=implemented",
    "channel&engine=bm25f&bm25f.name=-1",
    "chat__notify_channel",
    f"{TELL}&why=chat__post_message&edits=1",
    f"{TELL}&why=calendar__cancel_event&edits=1",
    f"{TELL}&why=calendar__share_calendar&edits=1",
    "zzqqxx&why=repo__getPullRequest&edits=1",
    "^calendar|book&engine=mcpagent&why=billing__list_invoices&edits=1",
    f"{TELL}&why=no_such_tool",
)
"""What the page of search is looked at with: every state of it, and an engine that does not rank."""
LOGGED = chat_request(
    [{"role": "user", "content": "<script>window.__xss = 1</script> \u202e" + "word" * 100}],
    [SEARCH],
    chat_call("<b>", "<img src=x onerror=alert(1)>", '{"</script>": "' + "x" * 300 + '"}'),
)
SKILL = "---\nname: hostile-skill\ndescription: <img src=x onerror=alert(1)>\n---\n</pre><script>window.__xss = 1</script>\u202e"
HOSTILE = [
    {
        "name": "x",
        "title": "<img src=x onerror=alert(1)>",
        "description": "<script>window.__xss = 1</script> \u202ehidden\u202c \x1b[31m "
        + "Averyverylongwordwithoutanyspace" * 8
        + "<b hx-get='/servers/' hx-trigger='load'>",
        "inputSchema": {
            "type": "object",
            "properties": {
                "<svg onload=alert(1)>": {"type": "string", "description": "</script><script>window.__xss=1</script>"},
                "<b>either</b>": {
                    "oneOf": [
                        {"title": "<i>one</i>", "type": "object", "properties": {"<u>": {"pattern": "<script>" * 9}}},
                        {"type": "array", "items": {"type": "object"}, "default": ["</code><script>"]},
                    ]
                },
            },
        },
    }
]


CONFIGURATION = b"""{"mcpServers": {
    "<script>window.__xss = 1</script>": {"command": "npx", "args": ["${input:<svg>}", "${TOWN}"], "env": {"<b>": "${KEY}"}},
    "Averyverylongnamewithoutanyspacesothatitmustbebroken": {"url": "https://x.example/<img src=x>", "type": "sse"},
    "</script>": 3}}"""
DESK = b"""{"title": "Desk <b>", "callback_url": "http://desk.example.com:9000/calls/of/the/desk", "tools":
    [{"name": "hidden", "description": "<script>window.__xss = 1</script>"}]}"""


@pytest.fixture(scope="module")
def transactional_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that all tests here share, since none of them changes one."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="module")
def served(transactional_db: None) -> Iterator[Served]:
    with serving() as served:
        load_sample()
        add_hostile_rows(served.admin)
        yield served


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def context(browser: Browser, served: Served) -> AsyncIterator[BrowserContext]:
    """One profile for all pages: what they have in common is fetched once."""
    async with profile(browser, served) as context:
        yield context


def add_hostile_rows(admin: User) -> None:
    """Rows of every kind, with texts that mean harm or are too long."""
    server = Server.objects.create(slug="hostile", title='Hostile "><script>', kind=Server.Kind.FILE)
    import_listing(server, read_listing(HOSTILE))
    import_listing(server, read_listing([HOSTILE[0] | {"inputSchema": {"title": "<script>window.__xss = 1</script>"}}]))
    Drift.objects.update(id=1)
    Import.objects.create(server=server, state=Import.State.FAILED, error="<script>window.__xss = 1</script>")
    find_alike(server)
    keep_output()
    edit_many(server)
    write_policy(Catalog.objects.get(slug="everything"))
    sample = Catalog.objects.get(slug="office-agent")
    fork_it(sample)
    hold_it(sample)
    publish_hostile(server, admin)
    skills = Server.objects.get(slug="skills")
    import_listing(skills, read_skills(SKILL.encode()))
    agent = Agent(
        name="hostile", title="<b>x</b>\u202e", description="<script>window.__xss = 1</script>", catalog=sample
    )
    agent.instructions = "</pre><script>window.__xss = 1</script>\u202e " + "word" * 200
    keep_agent(agent)
    register("desk", read_registration(DESK), admin)
    keep_api()
    sign_in_to_one(admin)
    keep(read_servers(CONFIGURATION), "<b>mcp</b>.json", admin)
    Configuration.objects.update(id=1)
    import_runs(admin)
    measure(admin)
    judge_hostile()
    confuse(Catalog.objects.get(slug="everything"))
    User.objects.create(pk=10_001, username="<img src=x onerror=alert(1)>" + "Averylongname" * 9)
    record(Act.TOOL_CALLED, server.tools.get(), after={"<script>window.__xss = 1</script>": HOSTILE[0]["description"]})


def import_runs(admin: User) -> None:
    """A log that waits for its person, and a run of it, with little in the log."""
    name, text = "<script>window.__xss = 1</script>\u202e.jsonl", lines(LOGGED, "{broken" + "x" * 200)
    keep_logs([brought(name, text), brought("what", lines({"is": "this"}))], admin)
    RunImport.objects.update(id=1)
    (planned,) = plan([brought(name, text)])[0].threads
    runs = (replace(planned.thread.runs[0], id=IMPORTED),)
    import_threads([replace(planned, thread=replace(planned.thread, runs=runs))], admin)


def measure(admin: User) -> None:
    """A suite with a hostile query, measured twice, with a hostile note between."""
    catalog, words = Catalog.objects.get(slug="everything"), str(HOSTILE[0]["description"])
    suite = Suite.objects.create(slug="hostile", title="<b>Asked</b>\u202e", description=words, catalog=catalog)
    query = SuiteQuery.objects.create(pk=1, suite=suite, text=words, tags=[words[:80]], suggested=["weather/x"])
    judge(query, "hostile/x", Judgement.Verdict.RIGHT, admin)
    judge(query, "hostile/<script>window.__xss = 1</script>", Judgement.Verdict.FINE, admin)
    for number in (1, 2):
        (row,) = begin(suite, draft(catalog), [choose("pegboard")], admin)
        evaluate(row)
        with transaction.atomic():
            Evaluation.objects.filter(pk=row.pk).update(id=number, begun_with=number)
            EvaluationAnswer.objects.filter(evaluation=row.pk).update(evaluation=number)
        SuiteQuery.objects.get_or_create(suite=suite, text=f"{words} {number}")
    Evaluation.objects.update(note=words[:200])


def confuse(catalog: Catalog) -> None:
    """Runs and a judgement in which a hostile tool is mistaken for another, enough of them to advise on."""
    for _ in range(LEAST_RUNS):
        told = Told({"hostile__x": 90, "gone <b>": 40}, server="hostile")
        told.search("</a><script>window.__xss = 1</script>\u202e" + "word" * 60, "gone <b>", "hostile__x")
        told.call("hostile__x")
        record_run(catalog, told.end(), "<img src=x onerror=alert(1)>" + "on and on" * 40)
    suite = Suite.objects.create(slug="confused", title="<b>x</b>", catalog=catalog)
    query = SuiteQuery.objects.create(suite=suite, text="<script>window.__xss = 1</script>")
    judge(query, "hostile/x", Judgement.Verdict.RIGHT, None)
    judge(query, "expenses/submit_claim", Judgement.Verdict.WRONG, None)


def find_alike(server: Server) -> None:
    """A tool that reads like the hostile one, looked at; their finding is the first."""
    import_listing(Server.objects.create(slug="hostile-too", title="x"), read_listing(HOSTILE))
    carry_out(Look.objects.create())
    pair = Finding.objects.get(rule="near-duplicate", tool__server=server)
    Finding.objects.filter(pk=1).delete()
    Finding.objects.filter(pk=pair.pk).update(id=1)


def write_policy(catalog: Catalog) -> None:
    """Rules that deny, that are off, and that no tool fits."""
    add_rule(catalog, "weather__*", ["load", "active"], Condition("role", ("guest",)))
    add_rule(catalog, "<script>window.__xss = 1</script>\u202e*", enabled=False)
    add_rule(catalog, "Averyverylongpatternwithoutanyspace" * 8, ["search"], Condition("x" * 60, ("y" * 300,)))


def publish_hostile(server: Server, by: User) -> None:
    """A version with hostile tools and a hostile note, and a draft of which a rewording and a rule are not published."""
    catalog = Catalog.objects.get(slug="on-call")
    gather(catalog)
    place_server(catalog, server, "everything")
    publish(catalog, by, "<script>window.__xss = 1</script>\u202e", plan_publishing(catalog).token)
    place_server(catalog, catalog.servers.all()[0].server, "none")
    tool = server.tools.get()
    tool.own_description = f"{tool.description} </pre><script>window.__xss = 1</script>\u202e"
    tool.save()
    add_rule(catalog, "Averyverylongpatternwithoutanyspace" * 8, ["load"])


def judge_hostile() -> None:
    """Queries of a suite that an edit is tried on, one of them with a text that means harm."""
    suite = Suite.objects.create(slug="hostile-asked", title="<b>x</b>", catalog=Catalog.objects.get(slug="everything"))
    for text in ("hidden message", "<script>window.__xss = 1</script>\u202e" + "Averyverylongquery" * 12):
        query = SuiteQuery.objects.create(suite=suite, text=text)
        query.judgements.create(server="hostile", tool="x", verdict=Judgement.Verdict.RIGHT, at=timezone.now())


def edit_many(server: Server) -> None:
    """Two plans: one that would change hostile text, and one that is refused."""
    dangerous = Tool.objects.filter(permission="dangerous").values_list("pk", flat=True)
    keys = [*server.tools.values_list("pk", flat=True), *dangerous]
    owner = User.objects.get()
    SavedView.objects.create(by=owner, name="<script>window.__xss = 1</script>", query="q=hidden")
    for pk, act, value in ((1, "alias", "<script>window.__xss = 1</script>\u202e"), (2, "read", "")):
        BulkEdit.objects.filter(pk=plan_edit(act, value, keys, owner, "q=hidden").pk).update(id=pk)


def keep_api() -> None:
    """An OpenAPI document with a name, a path, a tag and a way to sign in that mean harm."""
    words = str(HOSTILE[0]["description"])
    operation = {"summary": HOSTILE[0]["title"], "description": words, "tags": [words[:60]], "deprecated": False}
    schemes = {"<svg onload=alert(1)>": {"type": "apiKey", "in": "query", "name": "</script>"}}
    paths = {
        "/<b>x</b>/{id}": {"get": operation, "delete": operation},
        "/bad": {"put": "<script>window.__xss=1</script>"},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": words},
        "paths": paths,
        "components": {"securitySchemes": schemes},
    }
    server = Server.objects.create(slug="api", title="Api", kind=Server.Kind.OPENAPI, transport=Server.Transport.HTTP)
    take_document(server, json.dumps(document).encode(), "<img src=x>.json")


def sign_in_to_one(admin: User) -> None:
    """A server with a sign-in whose words mean harm, and which needs another look."""
    server = Server(slug="signed", title="Signed", kind=Server.Kind.MCP, transport=Server.Transport.HTTP)
    server.url = "https://signed.example.com/mcp"
    server.approve(admin, timezone.now())
    server.save()
    words = str(HOSTILE[0]["description"])
    said = {"who": words[:200], "scopes": words, "wanted": words, "problem": words}
    authority = {"metadata": {"issuer": "https://<script>.example.com/"}}
    ends = {"at": timezone.now(), "expires_at": timezone.now()}
    kept: Any = {"access": "x", "asked": {"client_id": words, "scopes": words}}
    ServerSignIn.objects.create(server=server, url=server.url, authority=authority, kept=kept, by=admin, **said, **ends)


def keep_output() -> None:
    """A run with an output of a tool that was too large for its prompt."""
    Run.objects.create(pk=RUN, thread=Thread.objects.create(title="x"), task="Read <b>it</b> " + "on and on" * 40)
    folder = settings.PEGBOARD_OUTPUT_DIR / str(RUN)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tool_1_hostile.txt").write_text(f"{HOSTILE[0]['description']}\n" * 50)


def fork_it(catalog: Catalog) -> None:
    """A fork of that run, in a mode with a store, whose record holds every kind of event."""
    source = Run.objects.get(pk=RUN)
    thread = Thread.objects.create(pk=FORK, title=source.task, forked_from=source)
    run = Run.objects.create(pk=FORK, thread=thread, task=source.task, catalog=catalog, mode="mastra")
    append(Addition(run.pk, [(timezone.now(), event) for event in EVERY_KIND], Redactor()))
    sent = {"messages": [{"role": "user", "content": HOSTILE[0]["description"]}], "tools": HOSTILE}
    about = {
        "number": 1,
        "turn": 1,
        "at": timezone.now(),
        "seconds": 0.2,
        "address": "http://x.example/v1/" + "a" * 300,
    }
    RunExchange.objects.create(run=run, **about, status=200, sent=sent, received=[sent, "<b>"])
    lanes = LaneSet.objects.create(pk=FORK, task=source.task, lanes=3, expected="files__list")
    for lane, key in enumerate((RUN, FORK), 1):
        Run.objects.filter(pk=key).update(lane_set=lanes, lane=lane)
    tried(catalog)


def tried(catalog: Catalog) -> None:
    """A hostile task in two modes, twice: one trial failed, one was stopped, and two were not begun."""
    tasks = [{"text": HOSTILE[0]["description"], "needs": [["hostile__x", "<b>"], ["a" * 200]]}]
    made_of = {"catalog": catalog, "modes": ["", "<i>"], "own_mode": "gone", "repeats": 2, "state": "stopped"}
    row = TaskEvaluation.objects.create(pk=FORK, tasks=tasks, **made_of)
    trials = TaskTrial.objects.bulk_create(
        TaskTrial(evaluation=row, task=1, mode=mode, repeat=repeat) for mode in ("", "<i>") for repeat in (1, 2)
    )
    TaskTrial.objects.filter(pk=trials[0].pk).update(run=RUN, success=False, status="failed")
    TaskTrial.objects.filter(pk=trials[1].pk).update(run=FORK)


def hold_it(catalog: Catalog) -> None:
    """A run of this process of which a call waits for a person; what would be sent is hostile."""
    owner, thread = this_process().id, Thread.objects.create(title="Held")
    run = Run.objects.create(pk=WAITING, thread=thread, task="Held", catalog=catalog, owner=owner)
    arguments = json.dumps({"</script>": "<img src=x onerror=alert(1)>\u202e" + "word" * 900})
    made = CallMade(3, HELD.call_id, HELD.tool, arguments, False)
    events = (*EVERY_KIND[:2], made, replace(HELD, arguments=arguments))
    append(Addition(run.pk, [(timezone.now(), event) for event in events], Redactor()))


UNFOLD = "for (const one of document.querySelectorAll('main details')) one.open = true"
ALL_SHOWN = """() => {
  const ends = (one) => Number.isFinite(one.effect.getComputedTiming().endTime);
  return Promise.all(document.getAnimations().filter(ends).map((one) => one.finished.catch(() => null)));
}"""
"""What breathes while a run is under way never ends."""


async def settle(page: Page) -> None:
    await expect(page.locator(".htmx-request")).to_have_count(0)
    await page.evaluate(ALL_SHOWN)


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_sound_wide_and_narrow_light_and_dark(page: Page, served: Served, path: str) -> None:
    assert await unsound(page, served, path, looks(PAGES.index(path))) == []
    assert await page.evaluate("window.__xss") is None


@pytest.mark.parametrize("query", QUERIES)
async def test_an_explanation_is_sound_with_all_of_it_unfolded(page: Page, served: Served, query: str) -> None:
    path = f"/search/?catalog=office-agent&q={query}"
    assert await unsound(page, served, path, looks(QUERIES.index(query)), UNFOLD) == []


async def unsound(
    page: Page, served: Served, path: str, both: tuple[PageLook, PageLook], first_do: str = ""
) -> list[str]:
    """Load it in one look, then look at it in the other: the theme is an attribute of the page, the width is the window's."""
    found: list[str] = []
    first = both[0][0]
    await page.context.add_cookies([{"name": "theme", "value": first, "url": served.url}])
    for theme, width, height in both:
        await page.set_viewport_size({"width": width, "height": height})
        if theme == first:
            await page.goto(path)
            await page.evaluate(first_do)
        else:
            await page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        await settle(page)
        found += [f"{theme} {width}: {one}" for one in await violations(page)]
        if (wide := await page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append(f"{theme} {width}: the page is {wide} px wide")
    return found


@pytest.mark.parametrize("path", ["/nowhere/", f"/runs/{RUN}/outputs/tool_gone.txt/"])
async def test_an_error_page_is_sound(context: BrowserContext, path: str) -> None:
    page = await context.new_page()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.goto(path)
        assert await violations(page) == []


async def test_the_admin_works_under_the_policy(page: Page) -> None:
    paths = ("tool/", "catalog/", "catalog/1/change/", "server/1/change/", "drift/")
    for path in ("/admin/", *(f"/admin/catalog/{path}" for path in paths), "/admin/playground/run/"):
        answer = await page.goto(path)
        assert answer is not None and answer.status in (200, 302)
