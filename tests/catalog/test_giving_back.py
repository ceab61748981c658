"""Memory is asked back from the C library, where that can be asked."""

import pytest

from catalog import giving_back


@pytest.mark.parametrize("asked", [[], [0]])
def test_the_c_library_is_asked_where_it_can_be(monkeypatch: pytest.MonkeyPatch, asked: list[int]) -> None:
    heard: list[int] = []
    library = type("Library", (), {"malloc_trim": staticmethod(heard.append)} if asked else {})
    monkeypatch.setattr(giving_back, "_c_library", library)
    giving_back.give_back()
    assert heard == asked
