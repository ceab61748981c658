"""Platforms: a tool that does not run where a request comes from is left out, with the rule and what would bring it in."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog.exposure import Candidate, Selection, expose
from catalog.models import Catalog, Tool
from catalog.platforms import on_platform, platform_of, refusal
from catalog.policy import PHASES, Policy, Rule
from catalog.policy_preview import preview
from catalog.roles import Role
from catalog.tools import ToolSpec
from tests.catalog.pages import text_of
from tests.catalog.test_search_page import hit_names
from tests.catalog.test_why_not import SOUGHT, address, apply, offered, ranks, undo_address

MAC = ToolSpec("say", server="desk", platforms=("darwin",))
ANYWHERE = ToolSpec("ask", server="desk")


@pytest.fixture
def curator(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


@pytest.fixture
def from_linux(team: Catalog) -> Catalog:
    """The small catalog, whose weather runs on a Mac only, asked from Linux."""
    Tool.objects.filter(name="getWeather").update(platforms=["macOS"])
    team.context_to_try = {"platform": "linux"}
    team.save()
    return team


@pytest.mark.parametrize(
    ("context", "platforms", "told"),
    [
        ({}, ("darwin",), ""),
        ({"platform": ""}, ("darwin",), ""),
        ({"platform": "linux"}, (), ""),
        ({"platform": "linux"}, ("darwin", "linux"), ""),
        ({"platform": "Linux "}, ("LINUX",), ""),
        ({"platform": "darwin"}, ("macos",), ""),
        ({"platform": "win32"}, ("windows",), ""),
        ({"platform": "linux"}, ("darwin", "win32"), "it runs on macOS, Windows, and the request comes from Linux"),
        ({"platform": "freebsd"}, ("linux",), "it runs on Linux, and the request comes from freebsd"),
        ({"platform": 5}, ("haiku",), "it runs on haiku, and the request comes from 5"),
    ],
)
def test_a_tool_is_for_its_platforms_or_for_all(
    context: dict[str, object], platforms: tuple[str, ...], told: str
) -> None:
    assert refusal(ToolSpec("t", platforms=platforms), platform_of(context)) == told


def test_what_does_not_run_there_is_left_out_by_that_rule() -> None:
    whole = expose([Candidate(MAC), Candidate(ANYWHERE)], Selection(), ["desk/say", "desk/ask"])
    assert on_platform(whole, "") == on_platform(whole, "darwin") == whole
    there = on_platform(whole, "linux")
    assert (there.pool.tools, there.pool.upfront_names) == ((ANYWHERE,), ("ask",))
    assert [(out.tool, out.rule) for out in there.left_out] == [(MAC, "platform")]
    assert there.known == whole.known


def test_no_rule_allows_what_does_not_run_there() -> None:
    policy = Policy((Rule(allow=True),), context={"platform": "linux"})
    for phase in PHASES:
        denial = policy.denial(MAC, phase)
        assert denial is not None and (denial.by, denial.rule) == ("platform", 0)
        assert policy.denial(ANYWHERE, phase) is None
        assert Policy(policy.rules).denial(MAC, phase) is None


def test_the_preview_of_a_policy_tells_it_beside_what_rules_deny() -> None:
    pool = expose([Candidate(MAC), Candidate(ANYWHERE)], Selection()).pool
    told = preview(pool, Policy((Rule(allow=False, key=7),), context={"platform": "linux"}), {7: 1})
    by_reason = {group.reason: (group.tools, group.rule) for group in told.denied}
    assert by_reason == {
        "it runs on macOS, and the request comes from Linux": ((MAC,), 0),
        "the rule “deny *”": ((ANYWHERE,), 7),
    }


def test_the_catalog_and_the_search_say_what_the_platform_keeps_out(curator: Client, from_linux: Catalog) -> None:
    page = text_of(curator, f"{from_linux.get_absolute_url()}?part=left-out")
    assert "asked from <b>Linux</b>" in page
    assert "it runs on macOS, and the request comes from Linux" in page
    ranking = curator.get(f"/search/?catalog={from_linux.slug}&q=weather").context["ranking"]
    assert ranking.hits == ()
    assert [cut.by for cut in ranking.cuts] == ["platform: it runs on macOS, and the request comes from Linux"]


def test_why_not_has_its_gate_and_the_smallest_edit_which_can_be_undone(curator: Client, from_linux: Catalog) -> None:
    page = text_of(curator, address(from_linux, "weather", SOUGHT, edits=1))
    assert "does not run on Linux" in page
    assert "Say that it runs on linux" in page
    assert ranks(page) == [1]
    after = apply(curator, offered(page)[0])
    assert hit_names(after) == [SOUGHT]
    assert Tool.objects.get(name="getWeather").platforms == ["macOS", "linux"]
    curator.post(undo_address(after))
    assert Tool.objects.get(name="getWeather").platforms == ["macOS"]


def test_a_tool_that_runs_there_passes_the_gate(curator: Client, from_linux: Catalog) -> None:
    assert "runs on Linux" in text_of(curator, address(from_linux, "nothing+like+it", "team__notify_user"))
    from_linux.context_to_try = {}
    from_linux.save()
    assert "runs on" not in text_of(curator, address(from_linux, "weather", SOUGHT))
