"""Words of pages."""

import pytest

from catalog.templatetags.catalog_text import singular


@pytest.mark.parametrize(
    ("many", "one"),
    [("queries", "query"), ("searches", "search"), ("reworded tools", "reworded tool"), ("runs", "run")],
)
def test_one_of_many_is_named_in_the_singular(many: str, one: str) -> None:
    assert singular(many) == one
