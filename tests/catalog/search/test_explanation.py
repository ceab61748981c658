"""The algebra of explanations: values come from parts, and contributions add up."""

from catalog.search.explanation import best_of, fact, product_of, sum_of


def test_values_are_computed_from_the_parts() -> None:
    two, three = fact(2, "two"), fact(3, "three")
    assert sum_of("both", [two, three]).value == 5
    assert best_of("the better", [two, three]).value == 3
    assert product_of("times", [two, three]).value == 6


def test_nothing_is_worth_nothing() -> None:
    assert (sum_of("", []).value, best_of("", []).value) == (0, 0)


def test_contributions_go_down_to_the_last_addition() -> None:
    name = product_of("name", [fact(2, "weight"), fact(3, "words")], field="name")
    description = best_of("description", [fact(1, "lost", field="description"), fact(4, "won", field="description")])
    told = sum_of("all", [sum_of("fields", [name]), description])
    assert [(part.field, part.value) for part in told.contributions()] == [("name", 6), ("description", 4)]


def test_a_part_with_a_field_is_one_contribution() -> None:
    whole = sum_of("bonus", [fact(1, "one"), fact(2, "two")], field="bonus")
    assert list(whole.contributions()) == [whole]
