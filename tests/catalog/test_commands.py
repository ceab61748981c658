"""The command line: importing, the sample, sign-in links."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from catalog.models import Catalog, Server, SignInLink, Tool

pytestmark = pytest.mark.django_db


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": [{"name": "find"}, {"description": "nameless"}]}))
    return path


def test_an_import_is_shown_before_it_is_applied(listing: Path) -> None:
    text = said("import_tools", "things", str(listing))
    assert "1 added" in text and "+ find" in text and "has no name" in text and "Nothing was changed" in text
    assert not Server.objects.exists()


def test_an_applied_import_makes_the_server_and_a_second_changes_nothing(listing: Path) -> None:
    assert "Applied." in said("import_tools", "things", str(listing), "--apply")
    assert list(Tool.objects.values_list("server__slug", "name")) == [("things", "find")]
    assert "0 added" not in said("import_tools", "things", str(listing))
    assert "1 unchanged" in said("import_tools", "things", str(listing))


def test_a_file_that_is_no_listing_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"tools": [')
    with pytest.raises(CommandError, match="line 1, column"):
        said("import_tools", "things", str(path), "--apply")
    assert not Server.objects.exists()


def test_a_server_that_nobody_approved_is_not_started() -> None:
    Server.objects.create(slug="mine", title="Mine", kind="mcp", transport="stdio", command="/bin/true")
    with pytest.raises(CommandError, match="approved by an admin"):
        said("import_tools", "mine")


def test_an_unknown_server_needs_a_file() -> None:
    with pytest.raises(CommandError, match="no server named nobody"):
        said("import_tools", "nobody")


def test_the_sample_is_large_varied_and_loaded_once() -> None:
    assert "16 servers" in said("load_sample")
    assert Tool.objects.count() >= 160 and Server.objects.count() >= 12
    assert set(Tool.objects.values_list("permission", flat=True)) == {
        "read",
        "write",
        "execute",
        "network",
        "dangerous",
    }
    assert Tool.objects.filter(description__regex="[\u4e00-\u9fff]").exists()
    assert Catalog.objects.count() == 6
    assert list(Tool.objects.exclude(capability="tool").values_list("capability", "name").order_by("name")) == [
        ("agent", "accounts-clerk"),
        ("skill", "invoice-check"),
        ("skill", "status-update"),
        ("agent", "trip-desk"),
        ("skill", "trip-report"),
    ]
    assert "0 servers" in said("load_sample")


def test_a_printed_link_signs_in_once(client: Client) -> None:
    link = said("sign_in_link", "--address", "http://testserver").strip()
    assert client.get(link).status_code == 302
    assert client.get("/servers/").status_code == 200
    assert Client().get(link).status_code == 410


def test_a_new_link_ends_the_old_one(client: Client) -> None:
    old = said("sign_in_link", "--address", "http://testserver").strip()
    said("sign_in_link")
    assert client.get(old).status_code == 410


def test_the_token_itself_is_not_kept() -> None:
    token = said("sign_in_link").strip().rstrip("/").rsplit("/", 1)[1]
    assert token not in str(list(SignInLink.objects.values()))


def test_a_link_for_nobody_is_refused() -> None:
    User.objects.create_user("gone", is_active=False)
    with pytest.raises(CommandError, match="no active person named gone"):
        said("sign_in_link", "gone")


LIBRARY = Path(__file__).parent / "sources" / "openapi" / "library.yaml"


def test_chosen_operations_of_an_openapi_document_are_imported() -> None:
    command = ("import_tools", "library", str(LIBRARY), "--openapi", "--choose", "*Book", "lend")
    assert "5 added" in said(*command)
    assert not Server.objects.exists()
    said(*command, "--apply")
    names = ["addBook", "changeBook", "getBook", "lend", "removeBook"]
    assert list(Tool.objects.values_list("name", flat=True)) == names
    assert "5 unchanged" in said("import_tools", "library", str(LIBRARY))


@pytest.mark.parametrize(
    ("choose", "reason"), [([], "10 operations, and none is chosen"), (["--choose", "x*"], "named x")]
)
def test_a_choice_of_nothing_is_refused(choose: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        said("import_tools", "library", str(LIBRARY), "--openapi", *choose, "--apply")
    assert not Server.objects.exists()
