"""What-ifs on pages: beside the form of a tool, as a page of a draft, one query on both sides; and the gate that a suite is."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.http import QueryDict
from django.test import Client

from catalog.auditing.acts import Act
from catalog.models import AuditEntry, Catalog, Tool
from catalog.roles import Role
from catalog.whatif.drafts import drafted, written
from catalog.whatif.known import Recorded, sources
from catalog.whatif.packing import UnfitDraftError
from tests.catalog.conftest import ClientAs
from tests.catalog.pages import said, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
EDIT, PANEL = "/tools/team/notify_channel/edit/", "/tools/team/notify_channel/what-if/"
HOME = "/catalogs/team-agent/"
ON = {"searchable": "on", "enabled": "on"}
BETTER = {**ON, "own_description": "Post a message to a channel. Announce a release.", "began_from": "0"}
WORSE = {
    **ON,
    "own_description": "Send a direct message to one person.",
    "search_text": "direct person",
    "began_from": "0",
}


@pytest.fixture
def asked(team: Catalog) -> Iterator[Catalog]:
    before, sources.recorded = (
        sources.recorded,
        lambda pk: [Recorded("rain in <b>Rome</b>", 3, frozenset({"team__getWeather"}))],
    )
    yield team
    sources.recorded = before


def panel(client: Client, filled: dict[str, str]) -> str:
    return client.post(PANEL, filled, headers={"HX-Request": "true"}).content.decode()


def page_of(filled: dict[str, str], **more: str) -> str:
    data = QueryDict(mutable=True)
    data.update(filled)
    parts = {"catalog": "team-agent", "tool": "team/notify_channel", "draft": written(data), **more}
    return "/what-if/?" + "&".join(f"{name}={quote(value)}" for name, value in parts.items())


def test_the_panel_tells_what_an_edit_does_before_it_is_saved(curator: Client, judged: Catalog) -> None:
    told = said(panel(curator, BETTER))
    assert "1 of 2 queries change, 2 of all are judged" in told
    assert "this tool 1 0" in told
    assert "1 judged query gets better" in told
    assert Tool.objects.get(name="notify_channel").own_description is None


def test_an_edit_that_changes_no_query_says_so(curator: Client, judged: Catalog) -> None:
    assert "No query answers otherwise. 0 of 2 queries change" in said(panel(curator, {**ON, "began_from": "0"}))


def test_without_queries_the_panel_says_where_they_come_from(curator: Client, team: Catalog) -> None:
    assert "No query of Team agent is known yet" in said(panel(curator, BETTER))
    assert "No query is known yet" in said(text_of(curator, page_of(BETTER)))


def test_what_cannot_be_saved_is_not_tried(curator: Client, judged: Catalog) -> None:
    assert "see Permission" in said(panel(curator, {**BETTER, "own_permission": "harmless"}))


def test_without_script_the_panel_leads_to_the_page_of_the_draft(curator: Client, judged: Catalog) -> None:
    answer = curator.post(PANEL, BETTER)
    assert answer.status_code == 302
    assert "What the edit of notify_channel" in said(text_of(curator, answer["Location"]))


def test_a_viewer_reads_the_page_that_a_curator_shared(viewer: Client, judged: Catalog) -> None:
    told = said(text_of(viewer, page_of(BETTER, query="announce the release")))
    assert "recall@1 0.500 1.000 +0.5" in told
    assert "Why notify_channel team It is not among the 0 hits" in told
    assert "Why notify_channel team is 1st Its description has “announce”" in told


def test_queries_of_runs_are_tried_and_escaped(viewer: Client, asked: Catalog) -> None:
    page = text_of(viewer, "/what-if/?catalog=team-agent&show=failing")
    assert "rain in &lt;b&gt;Rome&lt;/b&gt;" in page
    assert "getWeather" in page
    assert "asked 3×" in said(page)
    assert "No query of this catalog is judged" in said(page)


def test_another_engine_is_tried_by_its_address(viewer: Client, judged: Catalog) -> None:
    told = said(text_of(viewer, "/what-if/?catalog=team-agent&engine=eino-regex&show=worse"))
    assert "What these settings of the engine would do" in told
    assert "direct message to a person judged nDCG@10 −1" in told


@pytest.mark.parametrize("draft", ["x", "%%%", "eJwrTAQ=", "eNoDAAAAAAE="])
def test_a_draft_that_cannot_be_read_is_told(viewer: Client, judged: Catalog, draft: str) -> None:
    address = f"/what-if/?catalog=team-agent&tool=team/notify_channel&draft={quote(draft)}"
    assert "The address has a draft that cannot be read." in said(text_of(viewer, address))


def test_a_draft_is_what_the_form_said_and_nothing_else(judged: Catalog) -> None:
    data = QueryDict(mutable=True)
    data.update({**BETTER, "aliases": "one\ntwo", "gone_at": "now"})
    tool = drafted(Tool.objects.get(name="notify_channel"), written(data))
    assert (tool.own_description, tool.aliases, tool.gone_at) == (
        "Post a message to a channel. Announce a release.",
        ["one", "two"],
        None,
    )
    with pytest.raises(UnfitDraftError):
        drafted(tool, written(data)[:-9])


def test_a_suggestion_is_shown_only_if_it_helps(curator: Client, judged: Catalog) -> None:
    ask = "/tools/team/notify_channel/proposals/"
    page = curator.post(ask, {**ON, "began_from": "0", "search_text": "post"}).content.decode()
    assert "Add announce to the search text in 1 failing query, and not in the tool 1 better, 0 worse" in said(page)
    assert 'data-fill-with="post announce"' in page
    assert "Nothing to suggest" in said(curator.post(ask, BETTER).content.decode())


def test_a_save_that_makes_a_judged_query_worse_is_held_and_shown(curator: Client, judged: Catalog) -> None:
    answer = curator.post(EDIT, WORSE)
    assert answer.status_code == 409
    told = said(answer.content.decode())
    assert "Not done yet: 1 query gets worse of 2 judged in Team agent" in told
    assert "direct message to a person nDCG@10" in told
    assert Tool.objects.get(name="notify_channel").own_description is None


def test_a_curator_who_says_why_saves_it_all_the_same_and_the_audit_knows(curator: Client, judged: Catalog) -> None:
    assert curator.post(EDIT, {**WORSE, "gate_reason": "It is about to be split."}).status_code == 302
    assert Tool.objects.get(name="notify_channel").search_text == "direct person"
    entry = AuditEntry.objects.get(act=Act.GATE_OVERRIDDEN)
    assert "It is about to be split." in entry.after
    assert "direct message to a person" in entry.after


def test_a_gate_that_blocks_lets_only_an_admin_through(client_as: ClientAs, judged: Catalog) -> None:
    Catalog.objects.update(gate=Catalog.Gate.BLOCK)
    reason = {**WORSE, "gate_reason": "Now."}
    refused = client_as(Role.CURATOR).post(EDIT, reason)
    assert (refused.status_code, "only an admin" in said(refused.content.decode())) == (409, True)
    assert client_as(Role.ADMIN).post(EDIT, reason).status_code == 302


@pytest.mark.parametrize("filled", [BETTER, {**WORSE, "enabled": ""}, {**WORSE, "searchable": ""}])
def test_what_helps_and_what_takes_a_tool_out_of_searches_is_never_held(
    curator: Client, judged: Catalog, filled: dict[str, str]
) -> None:
    sent = {name: value for name, value in filled.items() if value}
    assert curator.post(EDIT, sent).status_code == 302
    assert not AuditEntry.objects.filter(act=Act.GATE_OVERRIDDEN).exists()


def test_a_gate_that_is_off_asks_nothing(curator: Client, judged: Catalog) -> None:
    Catalog.objects.update(gate=Catalog.Gate.OFF)
    assert curator.post(EDIT, WORSE).status_code == 302


@pytest.fixture
def drafted_edits(curator: Client, judged: Catalog) -> Catalog:
    """A draft with an edit that harms and one that does not, of a tool that nobody judged."""
    curator.post(f"{HOME}gather/")
    assert curator.post(EDIT, WORSE).status_code == 302
    harmless = {**ON, "own_description": "Current weather in a city, or its forecast.", "began_from": "0"}
    assert curator.post("/tools/team/getWeather/edit/", harmless).status_code == 302
    return judged


def token_on(client: Client) -> str:
    found = re.search(r'name="token" value="([^"]*)"', text_of(client, f"{HOME}publish/"))
    assert found is not None
    return found[1]


def test_of_a_catalog_that_gathers_changes_the_gate_stands_before_publishing(
    curator: Client, drafted_edits: Catalog
) -> None:
    sent = {"token": token_on(curator), "note": ""}
    answer = curator.post(f"{HOME}publish/", sent)
    told, page = said(answer.content.decode()), answer.content.decode()
    assert (answer.status_code, "1 query gets worse" in told) == (409, True)
    assert "2 edits: 1 makes no judged query worse, 1 does ." in told
    assert re.findall(r'name="edit" value="([^"]*)"', page) == ["team/notify_channel"]
    assert drafted_edits.versions.count() == 1
    assert curator.post(f"{HOME}publish/", {**sent, "gate_reason": "Agreed."}).status_code == 302
    assert drafted_edits.versions.count() == 2
    entry = AuditEntry.objects.get(act=Act.GATE_OVERRIDDEN)
    assert ("Agreed." in entry.after, "team/notify_channel" in entry.after) == (True, True)


def test_before_publishing_each_edit_is_told_with_its_page_and_a_way_out(
    curator: Client, drafted_edits: Catalog
) -> None:
    told = said(text_of(curator, f"{HOME}publish/gate/"))
    assert "2 edits: 1 makes no judged query worse, 1 does ." in told
    assert "1 edit of which the gate knows little: no judged query has its tool as right" in told
    alone = said(text_of(curator, "/what-if/?catalog=team-agent&edit=team/notify_channel&show=worse"))
    assert "direct message to a person judged nDCG@10" in alone
    assert "What publishing the draft would do" in said(text_of(curator, "/what-if/?catalog=team-agent&edit=all"))
    out = {"edit": "team/notify_channel", "token": token_on(curator)}
    left = curator.post(f"{HOME}publish/leave-out/", out, follow=True)
    assert "notify_channel is as it is published" in said(left.content.decode())
    assert Tool.objects.get(name="notify_channel").overlay() == Tool().overlay()
    assert curator.post(f"{HOME}publish/", {"token": token_on(curator), "note": ""}).status_code == 302


def test_of_a_draft_that_moved_on_nothing_is_left_out(curator: Client, drafted_edits: Catalog) -> None:
    answer = curator.post(f"{HOME}publish/leave-out/", {"edit": "team/notify_channel", "token": "x"}, follow=True)
    assert "the draft is not as it was" in said(answer.content.decode())
    assert Tool.objects.get(name="notify_channel").search_text == "direct person"
