"""Static files may be kept for good, as a change of any gives all of them other addresses."""

from pathlib import Path

import pytest
from django.http import FileResponse
from django.templatetags.static import static
from django.test import Client

from config.static_files import version_of

PACKAGES = ("django",)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "one.css").write_text("a {}")
    (tmp_path / "two.js").write_text("b()")
    return tmp_path


def content(name: str) -> str:
    answer = Client().get(static(name))
    assert isinstance(answer, FileResponse)
    return b"".join(answer).decode()


def test_a_browser_keeps_them_for_a_year() -> None:
    assert Client().get(static("js/main.js"))["Cache-Control"] == "max-age=31536000, public"


def test_what_a_module_and_a_stylesheet_name_lies_under_the_same_version() -> None:
    """Their addresses are relative, so that no file of an older version is mixed in."""
    assert 'import "./theme.js"' in content("js/main.js")
    assert 'url("../fonts/' in content("css/tokens.css")


def test_an_address_of_another_version_is_not_found() -> None:
    assert Client().get("/static/0123456789ab/js/main.js").status_code == 404


def test_the_version_stays_while_nothing_changes(folder: Path) -> None:
    assert version_of(folder, PACKAGES) == version_of(folder, PACKAGES)


def test_any_change_is_another_version(folder: Path) -> None:
    versions = {version_of(folder, PACKAGES), version_of(folder, ("pytest",))}
    (folder / "two.js").write_text("c()")
    versions.add(version_of(folder, PACKAGES))
    (folder / "two.js").rename(folder / "three.js")
    versions.add(version_of(folder, PACKAGES))
    (folder / "css" / "one.css").unlink()
    versions.add(version_of(folder, PACKAGES))
    assert len(versions) == 5
