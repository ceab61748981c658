"""How far one word is from another."""

import pytest

from catalog.search.spelling import slips


@pytest.mark.parametrize(
    ("left", "right", "count"),
    [
        ("weather", "weather", 0),
        ("wether", "weather", 1),
        ("emial", "email", 1),
        ("mesage", "message", 1),
        ("calandar", "calendar", 1),
        ("sned", "sent", 2),
        ("", "ab", 2),
        ("weather", "issue", 3),
    ],
)
def test_slips_are_counted_to_the_limit(left: str, right: str, count: int) -> None:
    assert slips(left, right, 2) == slips(right, left, 2) == count
