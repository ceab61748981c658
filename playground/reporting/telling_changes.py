"""What changed of the catalog, as a section of its report."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils import timezone

from catalog.models import Drift
from catalog.publishing.summary import Summary
from playground.reporting.changes import Changes
from playground.reporting.document import TOLD, Cell, Figure, Section, Table, columns, counted, number
from playground.reporting.links import Links, server_page, tool_page
from playground.reporting.period import told


def what_changed(changes: Changes, links: Links) -> Section:
    waiting = changes.drift_states.get(Drift.State.WAITING, 0)
    accepted = changes.drift_states.get(Drift.State.ACCEPTED, 0)
    figures = (
        Figure(
            number(changes.version_count),
            counted(changes.version_count, "version published", "versions published"),
            address=links.versions,
        ),
        Figure(
            number(changes.edits),
            counted(changes.edits, "edit by people", "edits by people"),
            _of_tools(changes.edited_count),
            address="#table-edited",
        ),
        Figure(
            number(accepted),
            counted(accepted, "change of a source accepted", "changes of sources accepted"),
            address="#table-drifts",
        ),
        Figure(
            number(waiting),
            counted(waiting, "change of a source waits", "changes of sources wait"),
            address="#table-drifts",
        ),
    )
    tables = (_versions(changes, links), _servers(changes), _drifts(changes), _edited(changes))
    told_tables = tuple(table for table in tables if table.rows or table.slug == "versions")
    return Section("changes", "What changed", figures, told_tables, note=_note(changes))


def _of_tools(count: int) -> str:
    return f"of {count:,} {counted(count, 'tool')}" if count else ""


def _note(changes: Changes) -> str:
    return "" if changes.edits or changes.version_count or changes.drift_states else "Nothing changed in the period."


def _versions(changes: Changes, links: Links) -> Table:
    rows = tuple(
        (
            Cell(f"Version {version.number:,}", links.version(version.number)),
            Cell(told(timezone.localdate(version.at))),
            Cell(version.by.username if version.by else "itself"),
            Cell("; ".join(filter(None, [version.note, *_differences(summary)])) or "nothing that an agent sees"),
        )
        for version, summary in changes.versions
    )
    more = None
    if changes.version_count > len(rows):
        more = Cell(f"All {changes.version_count:,} versions of the period", links.versions)
    heads = columns("Version", "Published", "By", TOLD)
    return Table("versions", "Versions", heads, rows, "No version was published.", more=more)


def _differences(summary: Summary) -> Iterator[str]:
    counts = (
        (len(summary.coming), "tool came", "tools came"),
        (len(summary.going), "tool went", "tools went"),
        (len(summary.reworded), "tool reworded", "tools reworded"),
        (len(summary.upfront_in), "tool more in view from the start", "tools more in view from the start"),
        (len(summary.upfront_out), "tool fewer in view from the start", "tools fewer in view from the start"),
        (len(summary.settings), "setting", "settings"),
    )
    yield from (f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count)
    if summary.is_reordered:
        yield "another order from the start"


def _servers(changes: Changes) -> Table:
    came = [(Cell(slug, server_page(slug)), Cell("added")) for slug in changes.servers_added]
    went = [(Cell(slug), Cell("gone")) for slug in changes.servers_gone]
    return Table("servers", "Servers of the catalog", columns("Server", "Change"), (*came, *went), "None came or went.")


def _drifts(changes: Changes) -> Table:
    rows = tuple(
        (
            Cell(str(drift.tool), tool_page(drift.tool.server.slug, drift.tool.name), "tool"),
            Cell(", ".join(drift.kinds)),
            Cell(drift.get_state_display().lower(), reverse("drift", args=[drift.pk])),
        )
        for drift in changes.drifts
    )
    count = sum(changes.drift_states.values())
    more = None
    if count > len(rows):
        more = Cell(f"The latest {len(rows):,} of {count:,}; see all that wait, of every server", reverse("drifts"))
    return Table("drifts", "Changed by their sources", columns("Tool", "Change", "Stands"), rows, "None.", more=more)


def _edited(changes: Changes) -> Table:
    rows = tuple(
        (
            Cell(str(edit.tool), tool_page(edit.tool.server.slug, edit.tool.name), "tool"),
            Cell(number(edit.times), f"{tool_page(edit.tool.server.slug, edit.tool.name)}#history-title"),
            Cell(told(timezone.localdate(edit.at))),
        )
        for edit in changes.edited
    )
    more = None
    if changes.edited_count > len(rows):
        more = Cell(
            f"The latest {len(rows):,} of {changes.edited_count:,}; see all tools by their last edit", _by_edit()
        )
    return Table("edited", "Edited by people", columns("Tool", "#Edits", "Last"), rows, "None.", more=more)


def _by_edit() -> str:
    return f"{reverse('tools')}?sort=-edited"
