"""A server that is an OpenAPI document: added, chosen from, imported, read again, approved, and given its secrets."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalog.connections import api_connection_of
from catalog.models import ApiDocument, Import, Operation, Server
from catalog.planning import Plan
from catalog.sources.errors import SourceError
from tests.api_server import Api, served_api
from tests.approving import approve
from tests.catalog.pages import text_of
from tests.forms import send

LIBRARY = Path(__file__).parent / "sources" / "openapi" / "library.yaml"
Submitted = list[Callable[[], None]]


@pytest.fixture
def api() -> Iterator[Api]:
    with served_api() as api:
        yield api


def document(*paths: str, title: str = "Town", **parts: Any) -> bytes:
    listed = {path: {"get": {"summary": f"About {path}", "description": parts.pop(path, "")}} for path in paths}
    return json.dumps({"openapi": "3.1.0", "info": {"title": title}, "paths": listed, **parts}).encode()


def upload(client: Client, content: bytes, work: Submitted, **more: str) -> Server:
    file = SimpleUploadedFile("town.yaml", content)
    answer = client.post("/servers/add/openapi/", {"title": "Town", "name_rule": "prefixed", "file": file, **more})
    assert answer.status_code == 302, answer.content.decode()
    work.pop()()
    return Server.objects.get(slug="town")


def upload_newer(client: Client, content: bytes, work: Submitted) -> Import:
    client.post("/servers/town/upload/", {"file": SimpleUploadedFile("newer.json", content)})
    work.pop()()
    return Import.objects.filter(server__slug="town").latest("created_at")


def choose(client: Client, *names: str, action: str = "keep", query: str = "", **headers: str) -> Any:
    shown = Operation.objects.filter(server__slug="town")
    ticked = shown.filter(name__in=names)
    posted = {"shown": [one.pk for one in shown], "selected": [one.pk for one in ticked], "action": action}
    posted["ticked"] = ",".join(str(one.pk) for one in shown if one.is_chosen)
    return client.post(f"/servers/town/operations/choose/?{query}", posted, headers=headers)


def chosen() -> list[str]:
    return sorted(Operation.objects.filter(is_chosen=True).values_list("name", flat=True))


def carry_out(client: Client, answer: Any, work: Submitted) -> Import:
    client.post(f"{answer['Location']}apply/")
    work.pop()()
    return Import.objects.latest("pk")


def test_a_document_is_read_before_anything_of_it_is_a_tool(curator: Client, submitted: Submitted) -> None:
    server = upload(curator, LIBRARY.read_bytes(), submitted)
    importation = server.imports.get()
    assert importation.state == Import.State.CHOOSING
    assert curator.get(importation.get_absolute_url())["Location"] == "/servers/town/operations/"
    assert (server.url, server.tools.count()) == ("https://north.library.example.com/v2", 0)
    part = curator.get(importation.get_absolute_url(), headers={"HX-Request": "true", "HX-Target": "import"})
    assert part["HX-Redirect"] == "/servers/town/operations/"


def test_the_page_lists_what_can_be_chosen_and_says_what_cannot(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    page = text_of(curator, "/servers/town/operations/")
    assert "Search the shelves" in page
    assert "2 left out" in page
    assert "its body is image/png, and only JSON and forms are sent" in page
    assert "getCard" not in page
    assert "getCard" in text_of(curator, "/servers/town/operations/?show=deprecated")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=book+member", ["lend"]),
        ("q=lend+loan", ["lend"]),
        ("method=DELETE", ["removeBook"]),
        ("method=DELETE&method=PATCH", ["changeBook", "removeBook"]),
        ("tag=loans", ["lend"]),
        ("tag=loan", []),
        ("tag=members&method=POST&q=join", ["post_members"]),
        ("show=deprecated", ["getCard"]),
        ("show=nonsense&page=x", [
            *("addBook", "changeBook", "export", "getBook", "getBook_2", "lend", "post_members", "removeBook", "searchBooks")
        ]),
    ],
)  # fmt: skip
def test_every_filter_is_in_the_address(curator: Client, submitted: Submitted, query: str, names: list[str]) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    answer = curator.get(f"/servers/town/operations/?{query}")
    assert sorted(operation.name for operation in answer.context["page"]) == names


def test_ticks_are_kept_and_counted_without_leaving_the_page(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    answer = choose(curator, "getBook", "lend", **{"HX-Request": "true", "HX-Target": "chosen"})
    assert b"<b>2</b> of 10 chosen" in answer.content
    assert b"<html" not in answer.content
    assert chosen() == ["getBook", "lend"]
    assert [one.name for one in curator.get("/servers/town/operations/?show=chosen").context["page"]] == [
        "getBook",
        "lend",
    ]


def test_ticks_of_what_was_not_shown_stay(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    choose(curator, "getBook", "lend")
    shown = Operation.objects.get(name="getBook")
    curator.post("/servers/town/operations/choose/", {"shown": [shown.pk], "ticked": shown.pk, "action": "keep"})
    assert chosen() == ["lend"]


def test_ticks_that_somebody_else_set_meanwhile_stay(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    mine, theirs = Operation.objects.get(name="getBook"), Operation.objects.get(name="lend")
    Operation.objects.filter(pk=theirs.pk).update(is_chosen=True)
    posted = {"shown": [mine.pk, theirs.pk], "selected": [mine.pk], "ticked": ""}
    part = curator.post(
        "/servers/town/operations/choose/", posted, headers={"HX-Request": "true", "HX-Target": "chosen"}
    )
    assert chosen() == ["getBook", "lend"]
    assert f'name="ticked" value="{mine.pk}"' in part.content.decode()
    curator.post("/servers/town/operations/choose/", posted | {"selected": [], "ticked": str(mine.pk)})
    assert chosen() == ["lend"]


def test_all_and_none_of_what_is_found(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    answer = choose(curator, action="all", query="tag=books")
    assert answer["Location"] == "/servers/town/operations/?tag=books"
    assert chosen() == ["addBook", "changeBook", "getBook", "removeBook", "searchBooks"]
    choose(curator, *chosen(), action="none", query="method=PATCH")
    assert chosen() == ["addBook", "getBook", "removeBook", "searchBooks"]


def test_the_chosen_become_tools_by_plan_and_apply(curator: Client, submitted: Submitted) -> None:
    server = upload(curator, LIBRARY.read_bytes(), submitted)
    answer = choose(curator, "getBook", "lend", action="plan")
    page = text_of(curator, answer["Location"])
    assert "2 added, 0 unchanged" in page
    assert "image/png" not in page
    assert server.tools.count() == 0
    importation = carry_out(curator, answer, submitted)
    assert importation.state == Import.State.APPLIED
    assert [tool.name for tool in server.tools.all()] == ["getBook", "lend"]
    assert server.tools.get(name="lend").call_plan["path"] == "/members/{id}/loans"
    assert "GET /books/{isbn}" in text_of(curator, "/tools/town/getBook/")


def test_a_plan_of_nothing_is_not_made(curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    answer = choose(curator, action="plan")
    assert answer["Location"].startswith("/servers/town/operations/")
    assert "Choose at least one operation first" in text_of(curator, answer["Location"])


def test_what_is_no_longer_chosen_goes(curator: Client, submitted: Submitted) -> None:
    server = upload(curator, LIBRARY.read_bytes(), submitted)
    carry_out(curator, choose(curator, "getBook", "lend", action="plan"), submitted)
    carry_out(curator, choose(curator, "lend", action="plan"), submitted)
    assert [tool.name for tool in server.tools.here()] == ["lend"]


def test_a_newer_document_keeps_the_choice_and_shows_what_is_new(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a", "/b"), submitted)
    carry_out(curator, choose(curator, "get_a", action="plan"), submitted)
    importation = upload_newer(curator, document("/c", "/a", "/b", **{"/a": "Now with words."}), submitted)
    assert Plan.of(importation.plan).changed == {"get_a": ("description",)}
    assert "It offers 1 new, which nobody chose yet: get_c." in text_of(curator, importation.get_absolute_url())
    assert [one.name for one in curator.get("/servers/town/operations/?show=new").context["page"]] == ["get_c"]
    assert chosen() == ["get_a"]


def test_a_page_that_was_opened_before_a_newer_document_still_chooses(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a", "/b"), submitted)
    shown = {one.name: one.pk for one in Operation.objects.all()}
    upload_newer(curator, document("/new", "/a", "/b"), submitted)
    posted = {"shown": list(shown.values()), "selected": [shown["get_b"]], "action": "keep"}
    curator.post("/servers/town/operations/choose/", posted)
    assert chosen() == ["get_b"]


def test_new_operations_are_taken_by_themselves_where_a_curator_says_so(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a", "/b"), submitted)
    choose(curator, "get_a", action="new")
    importation = upload_newer(curator, document("/a", "/b", "/c"), submitted)
    assert Plan.of(importation.plan).added == ("get_a", "get_c")
    assert chosen() == ["get_a", "get_c"]


def test_a_change_of_how_it_is_called_is_a_change_of_the_tool(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a", security=[{"k": []}]), submitted)
    carry_out(curator, choose(curator, "get_a", action="plan"), submitted)
    importation = upload_newer(curator, document("/a", security=[{"other": []}]), submitted)
    assert Plan.of(importation.plan).changed == {"get_a": ("call_plan",)}


def test_a_document_that_cannot_be_read_fails_and_changes_nothing(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a"), submitted)
    importation = upload_newer(curator, b"<!doctype html>", submitted)
    assert importation.state == Import.State.FAILED
    assert "not an OpenAPI document" in text_of(curator, importation.get_absolute_url())
    assert Operation.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"<!doctype html>", "not an OpenAPI document"), (document(), "No tool could be read from it")],
)
def test_what_cannot_be_read_is_told_in_the_form_and_leaves_no_server(
    curator: Client, content: bytes, reason: str
) -> None:
    form = {"title": "Town", "name_rule": "prefixed", "file": SimpleUploadedFile("api.json", content)}
    answer = curator.post("/servers/add/openapi/", form)
    assert reason in " ".join(answer.context["form"].errors["file"])
    assert reason in answer.text
    assert not Server.objects.exists()


def test_a_document_without_operations_says_so(curator: Client, submitted: Submitted) -> None:
    upload(curator, document("/a"), submitted)
    assert "No tool could be read from it" in upload_newer(curator, document(), submitted).error


def test_an_address_is_fetched_only_once_it_is_approved(admin: Client, submitted: Submitted, api: Api) -> None:
    api.answers["/openapi.json"] = (200, {"ETag": '"one"'}, document("/a", "/b", servers=[{"url": "/v1"}]))
    form = {"title": "Town", "name_rule": "prefixed", "document_url": f"{api.address}/openapi.json"}
    admin.post("/servers/add/openapi/", form)
    server = Server.objects.get(slug="town")
    with pytest.raises(SourceError, match="must be approved"):
        api_connection_of(server)
    assert api.received == []
    admin.post("/servers/town/approve/", {"config_hash": server.config_hash})
    submitted.pop()()
    server.refresh_from_db()
    assert server.url == f"{api.address}/v1"
    assert server.approval == "outdated"
    assert Operation.objects.count() == 2


def test_a_document_that_has_not_changed_is_not_sent_again(admin: Client, submitted: Submitted, api: Api) -> None:
    api.answers["/openapi.json"] = (200, {"ETag": '"one"'}, document("/a", servers=[{"url": "/v1"}]))
    form = {"title": "Town", "name_rule": "prefixed", "document_url": f"{api.address}/openapi.json", "url": api.address}
    admin.post("/servers/add/openapi/", form)
    server = Server.objects.get(slug="town")
    admin.post("/servers/town/approve/", {"config_hash": server.config_hash})
    submitted.pop()()
    carry_out(admin, choose(admin, "get_a", action="plan"), submitted)
    admin.post("/servers/town/read/")
    submitted.pop()()
    assert api.last.headers["if-none-match"] == '"one"'
    importation = Import.objects.latest("pk")
    assert (importation.state, Plan.of(importation.plan).unchanged) == (Import.State.PLANNED, 1)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, {}, b""), "HTTP status 404. Check the address"),
        ((302, {"Location": "https://elsewhere.test/x"}, b""), "leads on to https://elsewhere.test/x"),
        ((200, {}, b"<html>"), "not an OpenAPI document"),
    ],
)
def test_a_document_that_does_not_come_is_told(
    admin: Client, submitted: Submitted, api: Api, answer: tuple[int, dict[str, str], bytes], reason: str
) -> None:
    api.answers["/openapi.json"] = answer
    form = {"title": "Town", "name_rule": "prefixed", "document_url": f"{api.address}/openapi.json"}
    admin.post("/servers/add/openapi/", form)
    admin.post("/servers/town/approve/", {"config_hash": Server.objects.get().config_hash})
    submitted.pop()()
    assert reason in Import.objects.get().error
    assert reason in Server.objects.get().sync_problem


@pytest.mark.parametrize("more", [{}, {"document_url": "https://a.test/x", "both": "1"}])
def test_a_document_has_one_place(curator: Client, more: dict[str, str]) -> None:
    both = {"file": SimpleUploadedFile("a.json", b"{}")} if more.pop("both", "") else {}
    answer = curator.post("/servers/add/openapi/", {"title": "Town", "name_rule": "prefixed", **more, **both})
    assert "one of the two" in answer.content.decode()
    assert not Server.objects.exists()


def secret_form(server: Server, **secrets: str) -> dict[str, str]:
    return {"title": server.title, "slug": server.slug, "name_rule": "prefixed", "url": server.url, **secrets}


def test_a_secret_is_written_per_scheme_never_shown_and_forgotten(admin: Client, submitted: Submitted) -> None:
    server = upload(admin, LIBRARY.read_bytes(), submitted)
    places = {scheme["name"]: place for place, scheme in enumerate(ApiDocument.objects.get().schemes)}
    key, staff = f"secret_{places['key']}", f"secret_{places['staff']}"
    assert "Sent as the header X-Library-Key." in text_of(admin, "/servers/town/edit/")
    send(admin, "/servers/town/edit/", secret_form(server, **{key: "CANARY-key", staff: "anna:CANARY-pass"}))
    server.refresh_from_db()
    assert not server.is_approved
    approve(server)
    credentials = api_connection_of(server).credentials
    assert credentials["key"].value == "CANARY-key"
    assert credentials["staff"].value == "Basic YW5uYTpDQU5BUlktcGFzcw=="
    for address in ("/servers/town/", "/servers/town/edit/", "/servers/town/operations/"):
        assert "CANARY" not in text_of(admin, address)
    send(admin, "/servers/town/edit/", secret_form(server, **{f"forget_{places['key']}": "on"}))
    server.refresh_from_db()
    assert list(server.credentials) == ["staff"]


@pytest.mark.parametrize(
    ("scheme", "secret", "reason"),
    [
        ("staff", "CANARY", "Write user:password."),
        ("key", "CANARYé", "line break"),
        ("visitor", "CANARY;x=1", "cookie"),
    ],
)
def test_a_secret_that_cannot_be_sent_is_refused_without_repeating_it(
    curator: Client, submitted: Submitted, scheme: str, secret: str, reason: str
) -> None:
    server = upload(curator, LIBRARY.read_bytes(), submitted)
    place = [one["name"] for one in ApiDocument.objects.get().schemes].index(scheme)
    page = send(curator, "/servers/town/edit/", secret_form(server, **{f"secret_{place}": secret})).content.decode()
    assert reason in page
    assert "CANARY" not in page


def test_a_change_of_base_address_or_secrets_takes_the_approval_away(admin: Client, submitted: Submitted) -> None:
    server = upload(admin, LIBRARY.read_bytes(), submitted)
    admin.post("/servers/town/approve/", {"config_hash": server.config_hash})
    server.refresh_from_db()
    assert server.is_approved
    assert submitted == []
    send(admin, "/servers/town/edit/", secret_form(server) | {"url": "https://evil.test"})
    server.refresh_from_db()
    assert server.approval == "outdated"


def test_a_viewer_looks_and_does_not_choose(viewer: Client, curator: Client, submitted: Submitted) -> None:
    upload(curator, LIBRARY.read_bytes(), submitted)
    page = text_of(viewer, "/servers/town/operations/")
    assert "Search the shelves" in page
    assert 'type="checkbox" name="selected"' not in page
    assert choose(viewer, "lend").status_code == 403


def test_the_page_of_two_thousand_operations_stays_light(
    curator: Client, submitted: Submitted, django_assert_max_num_queries: Any
) -> None:
    upload(curator, document(*(f"/things/{number}" for number in range(2_000))), submitted)
    with django_assert_max_num_queries(20):
        page = text_of(curator, "/servers/town/operations/")
    assert "1–100 of 2,000 operations" in page
    assert len(page) < 200_000
    curator.post("/servers/town/operations/choose/", {"action": "all"})
    assert len(chosen()) == 2_000
