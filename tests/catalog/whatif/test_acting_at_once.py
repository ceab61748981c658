"""The gate before every way in which a change reaches agents at once: nothing of it is done until a person says why."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalog.auditing.acts import Act
from catalog.catalog_yaml.documents import document_of
from catalog.drifting import hold
from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.models import AuditEntry, BulkEdit, Catalog, Drift, Import, Server, Tool
from catalog.sources.listing import read_listing
from tests.catalog.pages import said, text_of
from tests.catalog.policies import add
from tests.catalog.test_drift_pages import listing
from tests.forms import began_from, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
HOME = "/catalogs/team-agent/"
MAGNET = "Direct message to a person. Announce the release. Direct message to a person."


@dataclass(frozen=True)
class Post:
    """What a page would post, to where."""

    to: str
    filled: dict[str, Any]


def edit_of_many(client: Client) -> Post:
    keys = [Tool.objects.get(name="getWeather").pk]
    client.post("/tools/edits/", {"act": "alias", "value": "direct message to a person", "selected": keys})
    return Post(f"{BulkEdit.objects.get().get_absolute_url()}apply/", {})


def engine(client: Client) -> Post:
    search = "catalog=team-agent&engine=eino-regex"
    return Post(f"{HOME}engine/", {"search": search, "began_from": began_from(client, f"/search/?{search}")})


def engine_in_the_settings(client: Client) -> Post:
    settings = {"title": "Team agent", "slug": "team-agent", "engine": "eino-regex", "gate": "off"}
    return Post(f"{HOME}edit/", {**settings, "began_from": began_from(client, f"{HOME}edit/")})


def a_rule(client: Client) -> Post:
    """Without it a tool is found that stands before a right one."""
    rule = add(Catalog.objects.get(), "team__getWeather")
    Tool.objects.filter(name="getWeather").update(search_text=MAGNET)
    began = began_from(client, f"{HOME}policy/")
    return Post(f"{HOME}policy/act/", {"rule": rule.pk, "action": "delete", "began_from": began})


def drift(client: Client) -> Post:
    tool = Tool.objects.get(name="notify_user")
    hold(tool.server, {tool.name: tool.upstream() | {"description": "Nothing."}}, {tool.name: ("wording",)})
    page = f"/drift/{Drift.objects.get().pk}/"
    return Post(f"{page}decide/", {"decision": "accept", "began_from": began_from(client, page)})


def an_import(client: Client) -> Post:
    tools = listing(getWeather={"description": MAGNET})
    file = SimpleUploadedFile("tools.json", json.dumps({"tools": tools}).encode())
    client.post("/servers/team/upload/", {"file": file})
    return Post(f"{Import.objects.latest('pk').get_absolute_url()}apply/", {})


def a_server(client: Client) -> Post:
    server = Server.objects.create(slug="magnet", title="Magnet", kind=Server.Kind.FILE)
    import_listing(server, read_listing([{"name": "direct_message_person", "description": MAGNET}]))
    began = began_from(client, f"{HOME}servers/")
    filled = {"team-choice": "everything", "magnet-choice": "everything", "began_from": began}
    return Post(f"{HOME}servers/", filled)


def a_file(client: Client) -> Post:
    document = document_of(Catalog.objects.get(), with_overlays=True)
    document["overlays"] = [{"tool": "team/getWeather", "search_text": MAGNET}]
    filled = {"text": yaml.safe_dump(document)}
    answer = client.post("/catalogs/import/", filled)
    return Post("/catalogs/import/", {**filled, "action": "apply", "token": answer.context["plan"].token})


def rows() -> list[object]:
    """What agents are affected by, as it stands."""
    catalog = Catalog.objects.get()
    return [document_of(catalog, with_overlays=True), [*exposure_of(catalog).pool]]


@pytest.mark.parametrize(
    "way", [edit_of_many, engine, engine_in_the_settings, a_rule, drift, an_import, a_server, a_file]
)
def test_what_makes_a_judged_query_worse_waits_for_a_reason(
    curator: Client, judged: Catalog, way: Callable[[Client], Post]
) -> None:
    post, before = way(curator), rows()
    held = curator.post(post.to, post.filled)
    assert (held.status_code, "Held by the gate" in held.content.decode()) == (409, True)
    assert rows() == before
    assert not AuditEntry.objects.filter(act=Act.GATE_OVERRIDDEN).exists()
    assert curator.post(post.to, {**post.filled, "gate_reason": "It is agreed."}).status_code == 302
    assert rows() != before
    entry = AuditEntry.objects.get(act=Act.GATE_OVERRIDDEN)
    assert "It is agreed." in entry.after


@pytest.mark.parametrize("gate", ["off", "warn"])
def test_what_harms_nothing_or_a_catalog_without_a_gate_is_done_at_once(
    curator: Client, judged: Catalog, gate: str
) -> None:
    Catalog.objects.update(gate=gate)
    keys = [Tool.objects.get(name="getWeather" if gate == "off" else "notify_user").pk]
    curator.post("/tools/edits/", {"act": "alias", "value": "direct message to a person", "selected": keys})
    assert curator.post(f"{BulkEdit.objects.get().get_absolute_url()}apply/").status_code == 302
    assert Tool.objects.get(pk=keys[0]).aliases == ["direct message to a person"]


def test_the_plan_of_an_edit_says_what_judged_queries_lose_before_it_is_applied(
    curator: Client, judged: Catalog
) -> None:
    before, keys = (
        rows(),
        list(Tool.objects.filter(name__in=["getWeather", "notify_channel"]).values_list("pk", flat=True)),
    )
    curator.post("/tools/edits/", {"act": "alias", "value": "direct message to a person", "selected": keys})
    plan = BulkEdit.objects.get().get_absolute_url()
    assert f'hx-get="{plan}gate/"' in text_of(curator, plan)
    told = said(text_of(curator, f"{plan}gate/"))
    assert "direct message to a person nDCG@10" in told
    assert "team/getWeather" in told
    assert "Applying it like this asks for a reason." in told
    assert rows() == before
    held = said(curator.post(f"{plan}apply/").content.decode())
    assert "2 edits:" in told
    assert told[told.index("2 edits:") : told.index("Applying it")].strip() in held
    Catalog.objects.update(publishes_itself=False)
    assert "it gathers in the draft" in said(text_of(curator, f"{plan}gate/"))
    curator.post(f"{plan}apply/")
    assert "the edit is no longer one that is planned" in said(text_of(curator, f"{plan}gate/"))


def test_to_hide_a_tool_by_policy_is_never_held(curator: Client, judged: Catalog) -> None:
    filled = {"allow": "deny", "pattern": "team__notify_*", "phases": ["search", "load"], "conditions": "", "note": ""}
    assert send(curator, f"{HOME}policy/", filled, f"{HOME}policy/rule/").status_code == 302
    assert judged.policy_rules.count() == 1


def test_to_take_a_server_out_is_never_held(curator: Client, judged: Catalog) -> None:
    assert send(curator, f"{HOME}servers/", {"team-choice": "none"}).status_code == 302
    assert not judged.servers.exists()
