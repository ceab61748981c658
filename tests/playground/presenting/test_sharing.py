"""A link to one run that needs no sign-in: what it opens, what it never opens, and when it ends."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.models import Agent, Catalog
from catalog.redaction import Redactor
from catalog.roles import Role
from playground.agent.events import CallFinished, CallMade, CallSent
from playground.models import Run, SharedRun
from playground.presenting.deck import Shown
from playground.presenting.notes import keep_note
from playground.presenting.sharing import share, take_back
from playground.runs.appending import Addition, append
from tests.playground.runs.recordings import EVERY_KIND, recorded
from tests.playground.test_run_import_pages import ClientAs
from tests.playground.test_views_runs import run_with
from tests.product.test_access import ROUTES

DAY = timedelta(days=1)


@pytest.fixture
def by(person: Callable[[Role], User]) -> User:
    return person(Role.PRESENTER)


@pytest.fixture
def run(by: User) -> Run:
    run = run_with(*EVERY_KIND)
    Run.objects.filter(pk=run.pk).update(by=by)
    keep_note(run.pk, 8, "", "Say it slowly.")
    return run


def opened(token: str, **query: int) -> HttpResponse:
    return Client().get(reverse("shared_run", args=[token]), query)  # type: ignore[return-value]


@pytest.mark.threat("T51")
def test_who_has_the_link_sees_the_slides_and_no_way_to_anything_else(run: Run, by: User) -> None:
    answer = opened(share(run, by, DAY, Shown(texts=False)))
    page = answer.content.decode()
    assert "Weather in Oslo?" in page and "weather__get" in page
    links = set(re.findall(r'(?:href|action|src)="([^"]*)"', page))
    assert all(link.startswith(("/static/", "?at=", "#deck-")) for link in links)
    assert str(run.pk) not in page and by.get_username() not in page
    assert 'name="robots" content="noindex' in page
    assert {name: answer[name] for name in ("Cache-Control", "Referrer-Policy", "X-Robots-Tag")} == {
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex, nofollow",
    }
    assert not answer.cookies


@pytest.mark.threat("T51")
def test_a_link_shows_what_its_maker_let_it_show(run: Run, by: User) -> None:
    words = ["celsius", "server was stopped", "slowly"]

    def seen(shown: Shown) -> list[str]:
        page = opened(share(run, by, DAY, shown)).content.decode()
        return [word for word in words if word in page]

    assert seen(Shown(texts=False)) == []
    assert seen(Shown(texts=True)) == ["celsius", "server was stopped"]
    assert seen(Shown(texts=False, notes=True)) == ["slowly"]


@pytest.mark.threat("T51")
def test_a_link_that_ended_in_any_way_is_answered_as_one_that_never_was(run: Run, by: User, settings: Settings) -> None:
    never = opened("x" * 43)
    assert never.status_code == 404 and never["Cache-Control"] == "no-store"

    def is_gone(token: str) -> bool:
        answer = opened(token)
        return (answer.status_code, answer.content) == (404, never.content)

    late, back, left, off = (share(run, by, DAY, Shown()) for _ in range(4))
    assert not any(map(is_gone, (late, back, left, off)))
    first = SharedRun.objects.order_by("pk")[0]
    SharedRun.objects.filter(pk=first.pk).update(expires_at=timezone.now())
    assert is_gone(late) and not is_gone(back)
    take_back(SharedRun.objects.order_by("pk")[1])
    assert is_gone(back) and not is_gone(left)
    settings.PEGBOARD_SHARING = False
    assert is_gone(off)
    settings.PEGBOARD_SHARING = True
    by.is_active = False
    by.save()
    assert is_gone(left), "whoever made it may no longer sign in"


@pytest.mark.threat("T18")
def test_pages_without_a_sign_in_are_the_sign_in_itself_and_the_shared_run() -> None:
    open_to_all = {name for name, route in ROUTES.items() if getattr(route.callback, "login_required", True) is False}
    assert open_to_all - {"app", "search_json"} == {"sign_in", "sign_in_link", "favicon", "shared_run"}


@pytest.mark.threat("T51")
def test_a_page_that_follows_a_run_through_a_link_is_told_only_while_the_link_opens(by: User) -> None:
    run = run_with(*EVERY_KIND[:10])
    token = share(run, by, DAY, Shown())
    page = opened(token).content.decode()
    assert 'data-deck-live="10"' in page and "deck-live.js" in page
    assert opened(token, at=9, after=10).status_code == 204
    run_on(run, 10, 12)
    news = opened(token, at=9, after=10)
    assert news.status_code == 200 and 'data-deck-live="12"' in news.content.decode()
    assert news["Cache-Control"] == opened(token, after=12)["Cache-Control"] == "no-store"
    run_on(run, 12, None)
    assert "deck-live.js" not in opened(token, at=9, after=12).content.decode(), "nothing follows its end"
    link = SharedRun.objects.get()
    assert link.visits == 1, "a page that follows is one visit"
    take_back(link)
    assert opened(token, after=12).status_code == 404


def run_on(run: Run, since: int, until: int | None) -> None:
    """The run goes on as EVERY_KIND does."""
    append(Addition(run.pk, [(one.at, one.event) for one in recorded(EVERY_KIND)[since:until]], Redactor()))


@pytest.mark.threat("T51")
def test_what_a_nested_run_did_is_on_the_wall_and_behind_no_link(client_as: ClientAs, by: User) -> None:
    nested = run_with(*EVERY_KIND)
    made = CallMade(1, "a-1", "agents__helper", "{}", False)
    sent = CallSent(1, "a-1", made.tool, "agents", False, nested.pk)
    run = run_with(EVERY_KIND[0], made, sent, CallFinished(1, "a-1", made.tool, "ok", "Done.", 1.0))
    agent = Agent.objects.create(name="desk", title="Trip <b>desk</b>", catalog=Catalog.objects.create(slug="c"))
    Run.objects.filter(pk=nested.pk).update(parent=run, agent=agent)
    viewer, address = client_as(Role.VIEWER), reverse("run_present", args=[run.pk])
    wall = viewer.get(address).content.decode()
    assert "What Trip &lt;b&gt;desk&lt;/b&gt; did" in wall
    assert "1 search" in wall and "Bergen" in wall
    assert "Bergen" not in viewer.get(address, {"texts": "off"}).content.decode()
    shared = opened(share(run, by, DAY, Shown())).content.decode()
    assert "this shows what came of it" in shared
    assert [word for word in ("desk", "Bergen", str(nested.pk)) if word in shared] == []


@pytest.mark.threat("T51")
def test_only_a_digest_is_kept_and_visits_are_counted_once_each(run: Run, by: User) -> None:
    token = share(run, by, DAY, Shown())
    link = SharedRun.objects.get()
    assert token not in str(vars(link)) and len(link.digest) == 64
    assert len(token) * 6 >= 256, "in base64"
    opened(token)
    opened(token, at=9)
    opened(token)
    link.refresh_from_db()
    assert link.visits == 2


def test_a_link_is_made_shown_once_and_taken_back_on_its_page(client_as: ClientAs, run: Run) -> None:
    presenter = client_as(Role.CURATOR)
    page = reverse("run_share", args=[run.pk])
    made = presenter.post(page, {"lasting": "7d", "notes": "on"})
    token = made.context["made"].rstrip("/").rsplit("/", 1)[1]
    assert token in made.content.decode() and token not in presenter.get(page).content.decode()
    link = SharedRun.objects.get()
    assert (link.shows_texts, link.shows_notes) == (False, True)
    assert timedelta(days=6, hours=23) < link.expires_at - timezone.now() <= timedelta(days=7)
    assert opened(token).status_code == 200
    presenter.post(reverse("run_share_revoke", args=[run.pk, link.pk]))
    assert opened(token).status_code == 404
    assert "Taken back" in presenter.get(page).content.decode()


def test_a_link_is_taken_back_by_the_address_of_its_own_run_alone(client_as: ClientAs, run: Run, by: User) -> None:
    share(run, by, DAY, Shown())
    address = reverse("run_share_revoke", args=[run_with(*EVERY_KIND).pk, SharedRun.objects.get().pk])
    assert client_as(Role.CURATOR).post(address).status_code == 404


def test_where_sharing_is_off_no_link_is_made(client_as: ClientAs, run: Run, settings: Settings) -> None:
    settings.PEGBOARD_SHARING = False
    presenter, page = client_as(Role.CURATOR), reverse("run_share", args=[run.pk])
    assert presenter.post(page, {"lasting": "1h"}).status_code == 403
    assert not SharedRun.objects.exists() and "Sharing is off" in presenter.get(page).content.decode()


def test_slides_on_a_wall_name_nobody_and_step_without_script(client_as: ClientAs, run: Run, by: User) -> None:
    page = client_as(Role.VIEWER).get(f"/runs/{run.pk}/present/?turn=3&texts=off")
    text = page.content.decode()
    assert page.context["here"].moment.seq == 15
    assert 'href="?texts=off&amp;at=13"' in text and 'href="?texts=off&amp;at=19"' in text
    assert [word for word in (by.get_username(), "a-viewer", "slowly", "celsius", "/servers/") if word in text] == []
    assert text.count('<section class="slide"') - len(re.findall(r'<section class="slide"[^>]* hidden>', text)) == 1


def test_slides_of_a_run_that_has_not_begun_say_so(client_as: ClientAs) -> None:
    page = client_as(Role.VIEWER).get(reverse("run_present", args=[run_with().pk]))
    assert "has not begun" in page.content.decode()
