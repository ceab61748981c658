"""Which edits of a draft are to blame: each taken back by itself, whether it reworded a tool, brought or took one."""

from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from catalog.search.choosing import choose
from catalog.tools import ToolSpec
from catalog.whatif.blaming import blamed
from catalog.whatif.foreseeing import foresee
from catalog.whatif.queries import KnownQuery
from catalog.whatif.sides import Side
from tests.catalog.search.conftest import corpus_of

POST = ToolSpec("chat__post", "Post a message to a channel.", {}, server="chat", upstream_name="post")
MAIL = ToolSpec("mail__send", "Send a letter to a customer.", {}, server="mail", upstream_name="send")
RAIN = ToolSpec("sky__rain", "Whether it rains in a city.", {}, server="sky", upstream_name="rain")
ASKED = KnownQuery("post a message to a channel", (frozenset({"chat/post"}),))
"""What `POST` answers."""

Tools = tuple[ToolSpec, ...]
TAKEN = replace(
    MAIL, description="Post a message to a channel. Post a message to a channel.", aliases=("post", "message")
)
DULLED = replace(POST, name="chat__post", description="Something.")


def to_blame(before: Tools, after: Tools, folder: Path, seconds: float = 60.0) -> tuple[str, ...]:
    with corpus_of(before) as old, corpus_of(after) as new:
        was, now = (Side(corpus, choose("pegboard")) for corpus in (old, new))
        worse = [shift for shift in foresee([ASKED], was, now, {}) if shift.is_worse]
        assert worse, "the change must harm the query"
        return blamed(was, now, worse, folder, monotonic() + seconds).get(ASKED.text, ())


@pytest.mark.parametrize(
    ("after", "named"),
    [
        ((MAIL, replace(RAIN, description="Whether it snows.")), ("chat/post",)),
        ((DULLED, TAKEN, replace(RAIN, description="Whether it snows.")), ("mail/send",)),
    ],
    ids=["the tool went", "another took its words"],
)
def test_the_edit_without_which_a_query_is_not_worse_is_named(
    after: Tools, named: tuple[str, ...], tmp_path: Path
) -> None:
    assert to_blame((POST, MAIL, RAIN), after, tmp_path / "tried") == named


def test_what_there_is_no_time_for_is_not_tried(tmp_path: Path) -> None:
    assert to_blame((POST, MAIL, RAIN), (MAIL, RAIN), tmp_path / "tried", seconds=-1.0) == ()
