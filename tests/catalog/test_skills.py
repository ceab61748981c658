"""Skills from a file to a tool: uploaded, previewed, applied, shown; and from the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.test import Client

from catalog.history import history_of
from catalog.importing import import_listing
from catalog.models import Catalog, Drift, Import, Server, Tool
from catalog.sources.skills import read
from tests.catalog.pages import plan_for, text_of
from tests.catalog.sources.test_skills import GOOD, zipped
from tests.catalog.test_commands import said
from tests.forms import send

BAD = "---\nname: bad\n---\nx"
EVIL = GOOD.replace("First the desk.", "<script>window.__xss = 1</script> \u202ehidden")


@pytest.fixture
def skills(db: None) -> Server:
    server = Server.objects.create(slug="skills", title="Skills", kind=Server.Kind.SKILLS)
    import_listing(server, read(zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/desk.md": "# Desk"})))
    return server


def test_an_uploaded_archive_is_shown_with_its_texts_before_it_is_applied(
    curator: Client, submitted: list[Callable[[], None]]
) -> None:
    content = zipped({"tidy-up/SKILL.md": EVIL, "bad/SKILL.md": BAD})
    filled = {"title": "House skills", "name_rule": "prefixed", "file": SimpleUploadedFile("skills.zip", content)}
    answer = curator.post("/servers/add/skills/", filled)
    submitted.pop()()
    page = text_of(curator, answer["Location"])
    assert "1 added" in page
    assert "bad/SKILL.md, line 2" in page
    assert "&lt;script&gt;window.__xss = 1&lt;/script&gt;" in page
    assert "<script>window" not in page
    assert not Tool.objects.exists()
    curator.post(f"{Import.objects.get().get_absolute_url()}apply/")
    submitted.pop()()
    skill = Tool.objects.get()
    assert (skill.name, skill.capability, skill.permission) == ("tidy-up", "skill", "read")


def test_a_changed_text_is_a_change_to_look_at_and_stays_in_the_history(curator: Client, skills: Server) -> None:
    newer = read(zipped({"tidy-up/SKILL.md": GOOD.replace("desk", "shelf"), "tidy-up/desk.md": "# Desk"}))
    importation = plan_for(skills, newer)
    page = text_of(curator, importation.get_absolute_url())
    assert "1 changed" in page
    assert "shelf" in page
    import_listing(skills, newer)
    assert "shelf" not in text_of(curator, "/tools/skills/tidy-up/")
    drift = Drift.objects.waiting().get()
    assert drift.kinds == ["text of the skill"]
    send(curator, f"/drift/{drift.pk}/", {"decision": "accept"}, f"/drift/{drift.pk}/decide/")
    assert "shelf" in text_of(curator, "/tools/skills/tidy-up/")
    assert Tool.objects.get().versions.count() == 2
    assert import_listing(skills, newer).is_empty


def test_versions_kept_before_tools_had_files_show_no_change_of_them(team: Catalog) -> None:
    tool = Tool.objects.get(name="getWeather")
    older = tool.versions.get()
    older.content.pop("files")
    older.save()
    tool.versions.create(layer="upstream", content=tool.upstream() | {"description": "New."})
    newest = history_of(tool, 5)[0]
    assert newest.changes == (("description", "Current weather in a city.", "New."),)


def test_the_page_of_a_skill_shows_its_texts_escaped(viewer: Client, skills: Server) -> None:
    evil = read(zipped({"tidy-up/SKILL.md": EVIL, "tidy-up/desk.md": "# Desk"}))
    import_listing(skills, evil, accept_meaning=True)
    page = text_of(viewer, "/tools/skills/tidy-up/")
    assert "What a call returns" in page
    assert "desk.md" in page
    assert "&lt;script&gt;" in page and "<script>window" not in page
    assert "U+202E" in page


def test_kinds_are_told_in_lists_and_filtered(viewer: Client, skills: Server, team: Catalog) -> None:
    assert "tidy-up" in text_of(viewer, "/tools/?kind=skill")
    assert "getWeather" not in text_of(viewer, "/tools/?kind=skill")
    assert "tidy-up" not in text_of(viewer, "/tools/?kind=tool")
    assert "#skill" in text_of(viewer, "/tools/?kind=skill")
    assert "1 skill" in text_of(viewer, "/servers/skills/")


def test_a_single_text_may_be_uploaded_later_and_what_it_lacks_is_gone(
    curator: Client, skills: Server, submitted: list[Callable[[], None]]
) -> None:
    other = GOOD.replace("tidy-up", "air-out").encode()
    curator.post("/servers/skills/upload/", {"file": SimpleUploadedFile("SKILL.md", other)})
    submitted.pop()()
    assert Import.objects.get().plan["added"] == ["air-out"]
    assert Import.objects.get().plan["gone"] == ["tidy-up"]


def test_a_file_that_holds_no_skill_fails_in_words(
    curator: Client, skills: Server, submitted: list[Callable[[], None]]
) -> None:
    curator.post("/servers/skills/upload/", {"file": SimpleUploadedFile("a.zip", zipped({"../SKILL.md": GOOD}))})
    submitted.pop()()
    assert Import.objects.get().state == Import.State.FAILED
    assert "leads out of it" in Import.objects.get().error


@pytest.mark.django_db
def test_skills_are_imported_from_a_folder_an_archive_or_a_text(tmp_path: Path) -> None:
    folder = tmp_path / "skills" / "tidy-up"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(GOOD)
    (tmp_path / "skills.zip").write_bytes(zipped({"tidy-up/SKILL.md": GOOD}))
    assert "+ tidy-up" in said("import_tools", "house", str(tmp_path / "skills"), "--apply")
    assert Server.objects.get().kind == Server.Kind.SKILLS
    for again in (tmp_path / "skills.zip", folder / "SKILL.md", folder):
        assert "1 unchanged" in said("import_tools", "house", str(again))


@pytest.mark.django_db
def test_a_listing_and_a_folder_of_skills_do_not_go_into_one_server(tmp_path: Path) -> None:
    Server.objects.create(slug="house", title="House", kind=Server.Kind.FILE)
    with pytest.raises(CommandError, match="House does not take this"):
        said("import_tools", "house", str(tmp_path))
