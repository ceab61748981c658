"""Texts that stand in many tools are kept once."""

import json

from hypothesis import given
from hypothesis import strategies as st

from catalog.models import Server, Tool
from catalog.sharing import LONGEST, shared_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(), part, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_the_value_stays_the_same(value: object) -> None:
    assert shared_json(value) == value
    assert json.dumps(shared_json(value)) == json.dumps(value)


def test_two_tools_have_their_keywords_and_the_text_of_their_server_in_common() -> None:
    text = json.dumps({"type": "object", "properties": {"the_city": {"type": "string", "title": "x" * (LONGEST + 1)}}})
    server = Server(slug="team", title="Team", description="Of the house.")
    one, other = (Tool(server=server, name=name, parameters=json.loads(text)).to_spec() for name in ("one", "other"))
    assert one.server_text is other.server_text
    (ours,), (theirs,) = one.parameters["properties"], other.parameters["properties"]
    assert ours is theirs
    ours, theirs = (tool.parameters["properties"]["the_city"] for tool in (one, other))
    assert ours["type"] is theirs["type"]
    assert ours["title"] is not theirs["title"]
