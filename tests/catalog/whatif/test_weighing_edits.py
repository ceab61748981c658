"""Each edit of a draft on the scale: by itself, on top of the others, and what several do together."""

from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from catalog.search.choosing import choose
from catalog.tools import ToolSpec
from catalog.whatif.edits import Wanted, edits_between, with_edits
from catalog.whatif.queries import KnownQuery
from catalog.whatif.sides import Side
from catalog.whatif.weighing_edits import Scale, Weighing
from tests.catalog.search.conftest import corpus_of

POST = ToolSpec("chat__post", "Post a message to a channel.", {}, server="chat", upstream_name="post")
MAIL = ToolSpec("mail__send", "Send a letter to a customer.", {}, server="mail", upstream_name="send")
RAIN = ToolSpec("sky__rain", "Whether it rains in a city.", {}, server="sky", upstream_name="rain")
WIND = ToolSpec("sky__wind", "How the wind blows.", {}, server="sky", upstream_name="wind")
TOOLS = (POST, MAIL, RAIN)
ASKED = KnownQuery("post a message to a channel", (frozenset({"chat/post"}),))
"""What `POST` answers."""
PEGBOARD, LIKE = choose("pegboard"), choose("like")

Tools = tuple[ToolSpec, ...]
TAKEN = replace(
    MAIL, description="Post a message to a channel. Post a message to a channel.", aliases=("post", "message")
)
BETTER = replace(POST, description="Post a message to a channel. Post a message to a channel.", aliases=("message",))
DULLED = replace(POST, description="Something.")
SNOW = replace(RAIN, description="Whether it snows.")


def weighed(
    after: Tools, folder: Path, before: Tools = TOOLS, seconds: float = 60.0, asked: KnownQuery = ASKED
) -> Weighing:
    with corpus_of(before) as corpus:
        side = Side(corpus, PEGBOARD)
        wanted = Wanted(after, PEGBOARD, side.policy)
        return Scale(side, wanted, [asked], {}, folder, monotonic() + seconds).weigh()


@pytest.mark.parametrize(
    ("after", "named"),
    [
        ((POST, MAIL, SNOW), []),
        ((MAIL, SNOW), ["chat"]),
        ((POST, TAKEN, SNOW), ["mail/send"]),
        ((BETTER, TAKEN, SNOW), []),
        ((POST, MAIL, SNOW, replace(TAKEN, name="new__send", server="new")), ["new"]),
    ],
    ids=["harmless", "a tool went", "another took its words", "an edit of its own makes up for it", "a tool came"],
)
def test_the_edit_that_makes_a_query_worse_by_itself_is_named(after: Tools, named: list[str], tmp_path: Path) -> None:
    assert [one.edit.name for one in weighed(after, tmp_path).harming] == named


def test_an_edit_of_a_tool_that_no_query_has_as_right_is_told(tmp_path: Path) -> None:
    edits = weighed((BETTER, MAIL, SNOW), tmp_path).edits
    assert {one.edit.name: one.covered for one in edits} == {"chat/post": True, "sky/rain": False}


def test_what_there_is_no_time_for_is_counted(tmp_path: Path) -> None:
    late = weighed((BETTER, TAKEN, SNOW), tmp_path, seconds=-1.0)
    assert (late.total, late.edits) == (3, ())


def test_an_edit_that_undoes_what_another_gains_is_named_on_top_of_it(tmp_path: Path) -> None:
    """The query does not find its tool at first, so that nothing by itself makes it worse."""
    target, rival, *strong = (
        ToolSpec(f"far__{name}", "Nothing.", {}, server="far", upstream_name=name) for name in "xyabcd"
    )
    asked = KnownQuery(ASKED.text, (frozenset({target.key}),))
    strong = [replace(tool, description="Post a message to a channel.") for tool in strong]
    gaining, taking = replace(target, description="A message."), replace(rival, description=strong[0].description)
    found = weighed((gaining, taking, *strong), tmp_path, (target, rival, *strong), asked=asked)
    assert [(one.edit.name, len(one.worse), len(one.losing)) for one in found.harming] == [("far/y", 0, 1)]


@pytest.mark.parametrize("left_out", range(3))
def test_edits_without_one_are_what_is_wanted_with_that_as_it_was(left_out: int, tmp_path: Path) -> None:
    after = (BETTER, SNOW, WIND)
    with corpus_of(TOOLS) as corpus:
        side = Side(corpus, PEGBOARD)
        wanted = Wanted(after, LIKE, side.policy)
        edits = edits_between(side, wanted)
        assert [(edit.kind, edit.name) for edit in edits] == [
            ("tool", "chat/post"),
            ("tool", "sky/rain"),
            ("coming", "sky"),
            ("going", "mail"),
            ("engine", ""),
        ]
        kept = [edit for place, edit in enumerate(edits) if place != left_out]
        without = {
            0: (POST, SNOW, WIND),
            1: (BETTER, RAIN, WIND),
            2: (BETTER, SNOW),
        }
        made = with_edits(side, wanted, kept, tmp_path / "without")
        assert (made.corpus.tools, made.engine) == (without[left_out], LIKE)
