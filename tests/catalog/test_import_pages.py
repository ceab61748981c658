"""An import on its page, from reading to what it did."""

from collections.abc import Callable

from django.test import Client
from django.utils import timezone

from catalog.models import Catalog, Import, Server, Tool
from catalog.sources.listing import read_listing
from tests.catalog.pages import plan_for, text_of


def test_an_import_that_reads_asks_for_itself_again_and_reloads_without_script(curator: Client, team: Catalog) -> None:
    importation = Import.objects.create(server=Server.objects.get(), done=1240)
    page = text_of(curator, importation.get_absolute_url())
    assert "1,240 tools read so far" in page
    assert 'hx-trigger="load delay:1s"' in page
    assert '<meta http-equiv="refresh"' in page
    part = text_of(curator, importation.get_absolute_url(), **{"HX-Request": "true", "HX-Target": "import"})
    assert "<html" not in part
    assert "1,240 tools read so far" in part


def test_a_plan_shows_what_would_be_added_changed_and_gone(curator: Client, team: Catalog) -> None:
    tools = [
        {"name": "notify_user", "description": "Send a short message to one person.", "tags": ["chat"]},
        {"name": "brand_new", "description": "Long. " * 100},
    ]
    importation = plan_for(Server.objects.get(), read_listing(tools, curated=True))
    page = text_of(curator, importation.get_absolute_url())
    assert "1 added, 1 changed, 4 gone, 0 unchanged" in page
    assert "<del>direct</del>" in page
    assert "<ins>short</ins>" in page
    assert page.count('class="folded"') == 1
    assert "getWeather" in page
    assert "Discard" in page


def test_after_applying_the_next_server_that_no_admin_approved_is_named(curator: Client, team: Catalog) -> None:
    importation = plan_for(Server.objects.get(), read_listing([{"name": "brand_new"}]))
    Import.objects.update(state=Import.State.APPLIED, ended_at=timezone.now())
    assert "for approval" not in text_of(curator, importation.get_absolute_url())
    for slug in ("first", "second"):
        Server.objects.create(slug=slug, title=slug.title(), kind="mcp", transport="stdio", command="uvx")
    page = text_of(curator, importation.get_absolute_url())
    assert "2 servers wait for approval" in page
    assert '<a class="button" href="/servers/first/">Open First</a>' in page


def test_a_plan_that_grew_stale_says_only_what_to_do(viewer: Client, team: Catalog) -> None:
    importation = plan_for(Server.objects.get(), read_listing([{"name": "brand_new"}]))
    assert "Look at the file" not in failed_page(viewer, importation)
    importation.plan = {}
    assert "Look at the file" in failed_page(viewer, importation)


def failed_page(client: Client, importation: Import) -> str:
    importation.state, importation.error = Import.State.FAILED, "Start the import again."
    importation.save()
    return text_of(client, importation.get_absolute_url())


def test_a_viewer_sees_a_plan_and_may_not_apply_it(viewer: Client, team: Catalog) -> None:
    importation = plan_for(Server.objects.get(), read_listing([{"name": "brand_new", "description": ""}]))
    assert "A curator can apply or discard this." in text_of(viewer, importation.get_absolute_url())
    assert viewer.post(f"{importation.get_absolute_url()}apply/").status_code == 403
    assert viewer.post(f"{importation.get_absolute_url()}discard/").status_code == 403


def test_applying_is_told_with_its_progress_and_a_second_try_is_refused(
    curator: Client, team: Catalog, submitted: list[Callable[[], None]]
) -> None:
    importation = plan_for(Server.objects.get(), read_listing([{"name": "brand_new", "description": ""}]))
    address = importation.get_absolute_url()
    curator.post(f"{address}apply/")
    Import.objects.update(step="Indexing for Team agent", done=1)
    page = text_of(curator, address)
    assert "Indexing for Team agent" in page
    assert 'max="1" value="1"' in page
    again = curator.post(f"{address}apply/", follow=True)
    assert "was applied or discarded already" in again.content.decode()
    assert len(submitted) == 1


def test_an_applied_import_leads_on_and_a_failed_one_says_what_to_do(curator: Client, team: Catalog) -> None:
    server = Server.objects.get()
    applied = Import.objects.create(server=server, state=Import.State.APPLIED, ended_at=timezone.now())
    assert "In 1 catalog" in text_of(curator, applied.get_absolute_url())
    failed = Import.objects.create(server=server, state=Import.State.FAILED, error="This is an OpenAPI document.")
    page = text_of(curator, failed.get_absolute_url())
    assert "This is an OpenAPI document." in page
    assert "Upload another file" in page


def test_discarding_a_plan_changes_nothing(curator: Client, team: Catalog) -> None:
    importation = plan_for(Server.objects.get(), read_listing([{"name": "brand_new", "description": ""}]))
    curator.post(f"{importation.get_absolute_url()}discard/")
    assert Tool.objects.count() == 5
    assert "was discarded" in text_of(curator, importation.get_absolute_url())
