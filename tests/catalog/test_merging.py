"""Three texts made one: whoever alone changed a place has it, and where both did, both are shown."""

from hypothesis import given
from hypothesis import strategies as st

from catalog.merging import Conflict, Settled, merge

TEXTS = st.text(alphabet="ab .", max_size=30)


def test_changes_in_different_places_are_both_taken() -> None:
    merged = merge(
        "Get the weather of a city.", "Get the current weather of a city.", "Get the weather of a town, in Celsius."
    )
    assert merged.text == "Get the current weather of a town, in Celsius."
    assert merged.conflicts == ()
    assert Settled(" current", "source") in merged.parts
    assert Settled("town, in Celsius", "person") in merged.parts


def test_a_place_that_both_changed_is_a_conflict_in_which_the_persons_words_stand() -> None:
    merged = merge("Weather of a city.", "Weather of a village.", "Weather of a town.")
    assert merged.conflicts == (Conflict("city", "village", "town"),)
    assert merged.text == "Weather of a town."


def test_a_text_without_spaces_is_brought_together_by_its_characters() -> None:
    merged = merge("查询城市天气", "查询任何城市天气", "查询城市的天气")
    assert (merged.text, merged.conflicts) == ("查询任何城市的天气", ())


def test_texts_of_many_words_are_one_conflict() -> None:
    base = "word " * 5_000
    assert merge(base, base + "x", base + "y").conflicts == (Conflict(base, base + "x", base + "y"),)


@given(TEXTS, TEXTS)
def test_what_only_one_changed_is_that_ones_text(base: str, other: str) -> None:
    assert merge(base, other, base).text == other
    assert merge(base, base, other).text == other
    assert merge(base, other, other).text == other
    assert not merge(base, other, other).conflicts


@given(TEXTS, TEXTS, TEXTS)
def test_the_two_sides_are_treated_alike(base: str, theirs: str, ours: str) -> None:
    turned = {"source": "person", "person": "source"}
    mirrored = tuple(
        Conflict(part.base, part.ours, part.theirs)
        if isinstance(part, Conflict)
        else Settled(part.text, turned.get(part.by, part.by))
        for part in merge(base, ours, theirs).parts
    )
    assert merge(base, theirs, ours).parts == mirrored
    assert not merge(base, theirs, ours).conflicts or (theirs != base and ours != base and theirs != ours)
