"""Importing: plan, preview, apply. Nothing changes before it is applied, and then all of it or nothing."""

from dataclasses import replace
from unittest.mock import patch

import pytest

from catalog.import_preview import preview
from catalog.importing import ImportRefused, apply, claim, import_listing, stage
from catalog.indexing import exposure_of, revision_of
from catalog.models import Catalog, Import, Server, Tool, ToolVersion
from catalog.planning import Plan, plan_import
from catalog.shaping import place_server
from catalog.sources.listing import Listing, read_listing
from catalog.token_counts import count_tokens, uncounted

LISTED: list[dict[str, object]] = [
    {"name": "find", "description": "Find a thing.", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "keep", "description": "Keep a thing."},
    {"name": "drop", "description": "Drop a thing."},
]
LATER: list[dict[str, object]] = [
    {"name": "find", "description": "Find any thing at all.", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "keep", "description": "Keep a thing."},
    {"name": "lend", "description": "Lend a thing."},
]


@pytest.fixture
def server(db: None) -> Server:
    return Server.objects.create(slug="things", title="Things", kind=Server.Kind.FILE)


def planned(server: Server, entries: list[dict[str, object]]) -> Import:
    importation = Import.objects.create(server=server)
    stage(importation, read_listing(entries))
    importation.refresh_from_db()
    return importation


def test_staging_changes_nothing_of_the_server(server: Server) -> None:
    planned(server, LISTED)
    assert server.tools.count() == 0


def test_a_first_import_adds_every_tool_with_a_version(server: Server) -> None:
    importation = planned(server, LISTED)
    claim(importation)
    plan = apply(importation, by=None)
    assert plan.added == ("find", "keep", "drop")
    assert set(server.tools.values_list("name", flat=True)) == {"find", "keep", "drop"}
    assert ToolVersion.objects.filter(tool__server=server, layer="upstream").count() == 3
    server.refresh_from_db()
    assert server.synced_at is not None


def test_a_second_import_shows_added_changed_gone(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    plan = plan_import(server, read_listing(LATER).tools)
    assert plan == Plan(
        added=("lend",),
        changed={"find": ("description",)},
        gone=("drop",),
        back=(),
        unchanged=1,
        kinds={"find": ("wording",)},
    )
    assert plan.sentence == "1 added, 1 changed, 1 gone, 1 unchanged"


def test_the_preview_shows_before_and_after(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    importation = planned(server, LATER)
    rows = {row.name: row for row in preview(importation, Plan.of(importation.plan))}
    assert {name: row.verdict for name, row in rows.items()} == {"find": "changed", "lend": "added", "drop": "gone"}
    assert rows["find"].changes == (("description", "Find a thing.", "Find any thing at all."),)


def test_a_gone_tool_is_kept_and_comes_back(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    import_listing(server, read_listing(LATER))
    gone = server.tools.get(name="drop")
    assert gone.gone_at is not None
    plan = import_listing(server, read_listing(LISTED))
    assert plan.back == ("drop",)
    gone.refresh_from_db()
    assert gone.gone_at is None


def test_importing_the_same_again_changes_nothing_and_makes_no_version(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    versions = ToolVersion.objects.count()
    assert import_listing(server, read_listing(LISTED)).is_empty
    assert ToolVersion.objects.count() == versions


def test_what_a_curator_wrote_survives_an_import(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    Tool.objects.filter(name="find").update(own_description="Look it up.", search_text="seek", aliases=["lookup"])
    import_listing(server, read_listing(LATER))
    tool = Tool.objects.get(name="find")
    assert (tool.effective_description, tool.search_text, tool.aliases) == ("Look it up.", "seek", ["lookup"])
    assert tool.drifts.waiting().get().upstream["description"] == "Find any thing at all."


def test_of_two_who_apply_one_gets_it(server: Server) -> None:
    importation = planned(server, LISTED)
    claim(importation)
    with pytest.raises(ImportRefused, match="applied or discarded already"):
        claim(Import.objects.get(pk=importation.pk))


def test_a_plan_that_no_longer_holds_is_refused(server: Server) -> None:
    importation = planned(server, LATER)
    import_listing(server, read_listing(LISTED))
    claim(importation)
    with pytest.raises(ImportRefused, match="changed since this plan"):
        apply(importation, by=None)
    assert set(server.tools.values_list("name", flat=True)) == {"find", "keep", "drop"}


def test_a_fault_half_way_leaves_the_server_as_it_was(server: Server) -> None:
    import_listing(server, read_listing(LISTED))
    importation = planned(server, LATER)
    claim(importation)
    with patch.object(Import, "save", side_effect=OSError("disk full")), pytest.raises(OSError, match="disk full"):
        apply(importation, by=None)
    assert not server.tools.filter(name="lend").exists()
    assert server.tools.get(name="find").description == "Find a thing."
    assert server.tools.get(name="drop").gone_at is None


def test_the_order_of_keys_in_a_schema_is_no_change(server: Server) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    turned = {"properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "type": "object"}
    import_listing(server, read_listing([{"name": "x", "inputSchema": schema}]))
    assert plan_import(server, read_listing([{"name": "x", "inputSchema": turned}]).tools).is_empty


def test_a_large_import_is_written_in_batches(server: Server) -> None:
    listing = read_listing([{"name": f"tool_{number}"} for number in range(1_203)])
    import_listing(server, listing)
    fewer = Listing(tools=tuple(replace(tool, description="now told") for tool in listing.tools[:700]))
    plan = import_listing(server, fewer)
    assert (len(plan.changed), len(plan.gone)) == (700, 503)
    assert server.tools.here().count() == 700


def test_a_deleted_catalog_leaves_servers_and_tools(team: Catalog) -> None:
    team.delete()
    assert Tool.objects.count() == 5


def test_a_listing_that_changes_nothing_is_no_edit(server: Server) -> None:
    """Neither searches nor agents have anything new to read, and no tool is counted again."""
    import_listing(server, read_listing(LISTED))
    catalog = Catalog.objects.create(slug="all", title="All")
    place_server(catalog, server, "everything")
    count_tokens()
    before, held = revision_of(catalog), exposure_of(catalog).pool.tools
    import_listing(server, read_listing(LISTED))
    assert revision_of(catalog) == before and exposure_of(catalog).pool.tools is held
    assert not uncounted().exists()
