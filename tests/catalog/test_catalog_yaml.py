"""A catalog as YAML: the same catalog comes back, each mistake has its line, and nothing is applied by halves."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from jsonschema import Draft202012Validator

from catalog.catalog_yaml.applying import ChangedError, apply_yaml, foreseen, plan_yaml
from catalog.catalog_yaml.documents import document_of
from catalog.catalog_yaml.reading import SCHEMA, MistakesError
from catalog.catalog_yaml.wording import _WORDINGS
from catalog.catalog_yaml.writing import text_of
from catalog.models import Catalog, Tool
from catalog.policy import Condition
from catalog.shaping import exclude, place_server, show_upfront
from playground.bringing_catalogs import misfit_of_mode
from tests.catalog.pages import text_of as page_of
from tests.catalog.policies import add as add_rule

SMALL = "format: pegboard-catalog-1\nslug: small\ntitle: Small\n"


def export(catalog: Catalog) -> str:
    return text_of(document_of(Catalog.objects.get(pk=catalog.pk)))


def mistakes_of(text: str) -> list[tuple[int, str]]:
    with pytest.raises(MistakesError) as caught:
        plan_yaml(text, misfit_of_mode)
    return [(mistake.line, mistake.text) for mistake in caught.value.mistakes]


def curator_row() -> User:
    return User.objects.get_or_create(username="a-curator")[0]


def apply(text: str) -> Catalog:
    return apply_yaml(text, plan_yaml(text, misfit_of_mode).token, misfit_of_mode, curator_row()).catalog


@pytest.fixture
def full(team: Catalog) -> Catalog:
    """With something in every part, and texts that YAML could mistake for something else."""
    place_server(team, team.servers.get().server, "picked", ["getWeather", "1e5", "no", "notify_user"])
    show_upfront(team, Tool.objects.get(name="getWeather"))
    exclude(team, Tool.objects.get(name="list-invoices"))
    add_rule(team, "team__*", ["load"], Condition("role", ("guest", "1", "true"), is_not=True), enabled=False)
    add_rule(team, "*")
    team.title, team.description = "1e5", "Two lines: # no comment\n\n  and 发票 “quoted” \u202e\n"
    team.mode, team.mode_options = "mastra", {"top_k": 3}
    team.engine, team.engine_settings = "mastra", {"min_score": 0.5}
    team.context_to_try = {"role": "guest", "level": 5, "ratio": 1e-05, "is_new": True, "on": "no", "text": "5"}
    team.save()
    return team


def test_a_catalog_that_was_deleted_comes_back_as_it_was(full: Catalog) -> None:
    before = export(full)
    full.delete()
    assert export(apply(before)) == before
    again = Catalog.objects.get()
    assert (again.title, again.context_to_try["ratio"], again.context_to_try["text"]) == ("1e5", 1e-05, "5")
    assert again.servers.get().picked == ["getWeather", "1e5", "no", "notify_user"]
    assert [row.tool.name for row in again.pre_discovered.all()] == ["notify_user", "getWeather"]


def test_every_catalog_of_the_sample_comes_back_as_it_was(sample: Catalog) -> None:
    texts = [export(catalog) for catalog in Catalog.objects.all()]
    Catalog.objects.exclude(agents__isnull=False).delete()
    for text in texts:
        assert export(apply(text)) == text
    assert not any(plan_yaml(text, misfit_of_mode).changes for text in texts)


def test_what_is_left_out_is_as_a_new_catalog_has_it(team: Catalog) -> None:
    catalog = apply(SMALL)
    fresh = Catalog.objects.create(slug="fresh", title="Small")
    assert {**document_of(catalog), "slug": "fresh"} == document_of(fresh)


def test_a_plan_is_what_applying_it_brings(full: Catalog) -> None:
    text = export(full).replace("slug: team-agent", "slug: another").replace("min_score: 0.5", "min_score: 0.25")
    plan = plan_yaml(text, misfit_of_mode)
    assert plan.is_new
    assert plan.unknown == ("team/1e5", "team/no")
    assert export(apply(text)) == plan.after


def test_the_order_in_which_a_database_keeps_settings_is_no_change(team: Catalog) -> None:
    Catalog.objects.update(context_to_try={"role": "guest", "platform": "linux"})
    text = export(Catalog.objects.get())
    Catalog.objects.update(context_to_try={"platform": "linux", "role": "guest"})
    assert export(Catalog.objects.get()) == text
    turned = text.replace("platform: linux\n    role: guest", "role: guest\n    platform: linux")
    assert turned != text
    assert not plan_yaml(turned, misfit_of_mode).changes


@pytest.mark.parametrize(
    ("added", "line", "told"),
    [
        ("colour: red", 4, "colour: There is no such part"),
        ("title: Twice", 4, "title is written twice"),
        ("serverz: []", 4, "There is no such part. Is servers meant?"),
        ("servers:", 4, "A list belongs here, and nothing is written"),
        ("description: 2024", 4, "“2024” is written. Put it in quotes"),
        (f"description: {'x' * 100_001}", 4, "It has 100,001 characters; 100,000 is the most"),
        ("---\nformat: pegboard-catalog-1", 4, "A second catalog begins here"),
        ("mode:\n  name: telepathy", 5, "There is no mode telepathy"),
        ("mode:\n  name: mastra\n  options: {top_k: many}", 6, "no whole number"),
        ("mode:\n  name: mastra\n  options:\n    top_k: 3\n    depth: 3", 8, "There is no setting depth"),
        ("engine:\n  name: oracle", 5, "There is no engine oracle"),
        ("engine:\n  name: mastra\n  settings:\n    depth: 3", 7, "There is no setting depth"),
        ("servers:\n- server: team\n  everything: true\n- server: nowhere\n  everything: true", 7, "no server nowhere"),
        ("servers:\n- server: team\n  everything: true\n- server: team\n  everything: true", 7, "in it already"),
        ("servers:\n- server: team\n  patterns: []", 6, "It is empty"),
        ("servers:\n- server: team", 5, "one of everything, patterns and picked"),
        ("servers:\n- server: team\n  everything: true\n  picked: [a]", 5, "one of everything, patterns and picked"),
        ("pre_discovered:\n- team/notify_user\n- team/gone", 6, "There is no tool team/gone"),
        ("excluded:\n- team/notify_user\n- team/getWeather\n- team/getWeather", 7, "in it already"),
        ("policy:\n  asks: nobody", 5, "not in PEGBOARD_POLICIES"),
        ("policy:\n  rules:\n  - phases: [search]", 6, "either allow or deny"),
        ("policy:\n  rules:\n  - deny: '*'\n    phases:\n    - dream", 8, "dream"),
        ("policy:\n  context_to_try:\n    a b: 1", 5, "is no name"),
        ('description: "\\0"', 4, "NUL"),
    ],
)
def test_each_mistake_has_its_line(team: Catalog, added: str, line: int, told: str) -> None:
    found = mistakes_of(f"{SMALL}{added}\n")
    assert any(number == line and told in text for number, text in found), found


def test_what_the_schema_can_refuse_has_words(team: Catalog) -> None:
    used = {key for part in parts_of(SCHEMA) for key in part}
    by_schema = {"oneOf", "minProperties", "maxProperties", "pattern"}
    refusing = used & Draft202012Validator.VALIDATORS.keys() - {
        "$ref",
        "properties",
        "items",
        "additionalProperties",
        "format",
    }
    assert refusing == _WORDINGS.keys() | by_schema
    told = [one for one in parts_of(SCHEMA) if "oneOf" in one or isinstance(one.get("pattern"), str)]
    assert told and all("description" in one for one in told)


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Every mapping within."""
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts_of(part)


def test_all_mistakes_are_told_at_once(team: Catalog) -> None:
    text = f"{SMALL}pre_discovered:\n- team/a\n- team/b\nengine:\n  name: oracle\n"
    assert [line for line, _ in mistakes_of(text)] == [5, 6, 8]


@pytest.mark.parametrize("slug", ["add", "compare", "import"])
def test_no_import_takes_the_address_of_a_page(team: Catalog, slug: str) -> None:
    assert mistakes_of(SMALL.replace("small", slug))[0][0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system ['true']",
        "a: !!python/name:os.system",
        "[" * 100_000,
        "{a: " * 100_000,
        "a: &a {b: *a}",
        "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]",
        "- 1",
        "text",
        "",
        "\ufeff",
        "a: 'open",
        "a: 1\n? [x]\n: 2",
        "x" * 1_000_001,
    ],
    ids=lambda text: text[:20],
)
def test_a_hostile_text_is_a_mistake_and_no_fault(curator: Client, team: Catalog, text: str) -> None:
    assert mistakes_of(text)
    page = curator.post("/catalogs/import/", {"text": text})
    assert page.status_code == 200
    assert Catalog.objects.count() == 1


def test_the_plan_says_what_the_file_lets_in_and_leaves_out(team: Catalog) -> None:
    text = export(team).replace("everything: true", "patterns: [get*, notify_*, zzz*]")
    told = foreseen(plan_yaml(text.replace("excluded: []", "excluded: [team/getWeather]"), misfit_of_mode))
    assert {(out.tool.upstream_name, out.rule) for out in told.going} == {
        ("getWeather", "excluded"),
        ("list-invoices", "filter"),
    }
    assert told.idle == ("team/zzz*",)
    assert (told.before.deferred, told.after.deferred) == (3, 1)
    new = foreseen(plan_yaml(text.replace("team-agent", "other"), misfit_of_mode))
    assert (new.before.all_tokens, len(new.coming)) == (0, 4)
    assert [catalog.slug for catalog in Catalog.objects.all()] == ["team-agent"]


def test_the_page_quotes_the_line_of_a_mistake(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/import/", {"text": f"{SMALL}gate: <maybe>\r\n"}).content.decode()
    assert "Line 4: " in page
    assert '<code class="foreign">gate: &lt;maybe&gt;</code>' in page


def test_what_changed_since_the_plan_is_not_lost(full: Catalog) -> None:
    text = export(full).replace("title: '1e5'", "title: New")
    token = plan_yaml(text, misfit_of_mode).token
    Catalog.objects.filter(pk=full.pk).update(description="Changed meanwhile")
    with pytest.raises(ChangedError):
        apply_yaml(text, token, misfit_of_mode, curator_row())
    assert Catalog.objects.get().title == "1e5"


def test_a_catalog_is_exported_looked_at_and_imported_by_its_pages(curator: Client, team: Catalog) -> None:
    answer = curator.get("/catalogs/team-agent/catalog.yaml")
    assert answer["Content-Disposition"] == 'attachment; filename="team-agent.yaml"'
    text = answer.content.decode().replace("title: Team agent", "title: <b>Renamed</b>")
    page = curator.post("/catalogs/import/", {"text": text})
    assert "&lt;b&gt;Renamed&lt;/b&gt;" in page.content.decode()
    assert Catalog.objects.get().title == "Team agent"
    token = page.context["plan"].token
    assert curator.post("/catalogs/import/", {"text": text, "token": token, "action": "apply"}).status_code == 302
    assert Catalog.objects.get().title == "<b>Renamed</b>"
    stale = curator.post("/catalogs/import/", {"text": text, "token": token, "action": "apply"}).content.decode()
    assert "Nothing was applied" in stale


def test_the_export_is_for_everyone_who_may_look(viewer: Client, team: Catalog) -> None:
    assert "format: pegboard-catalog-1" in page_of(viewer, "/catalogs/team-agent/catalog.yaml")
    assert viewer.get("/catalogs/import/").status_code == 403
