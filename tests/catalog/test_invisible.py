"""What of a text is invisible, and what only looks so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.invisible import Span, cleaned, cleaned_json, has_invisible, spans

INVISIBLE = [
    *map(chr, range(0xE0000, 0xE0080)),
    *"\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u061c\u00ad\u034f\u115f\u3164",
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
    *map(chr, range(0xFE00, 0xFE10)),
    "\U000e0100",
    *"\ufff9\ufffa\ufffb",
    *"\x00\x07\x08\x1b\x7f\x80\x9b",
    *"\ue000\uf8ff\U000f0000\U0010fffd",
    "\ud800",
]


@pytest.mark.threat("T44")
@pytest.mark.parametrize("char", INVISIBLE, ids=lambda char: f"U+{ord(char):04X}")
def test_an_invisible_character_is_shown_and_left_out(char: str) -> None:
    text = f"send{char} mail"
    assert [span.codepoint for span in spans(text)] == ["", f"U+{ord(char):04X}", ""]
    assert cleaned(text) == "send mail"


@pytest.mark.threat("T44")
@pytest.mark.parametrize(
    "text",
    [
        "plain text,\n\ttabs and lines",
        "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🔬 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈",
        "1\ufe0f\u20e3 #\ufe0f\u20e3 ☎\ufe0e",
        "می\u200cخواهم",
        "مرحبا بالعالم",
        "שָׁלוֹם עולם",
        "क्\u200dष क्\u200cष",
        "必应搜索 – naïve café",
        "",
    ],
)
def test_writing_survives_whole(text: str) -> None:
    assert cleaned(text) == text
    assert not has_invisible(text)


def test_a_chip_says_what_the_character_is() -> None:
    assert spans("a\u202eb\x1b") == [
        Span("a"),
        Span("\u202e", "U+202E", "right-to-left override"),
        Span("b"),
        Span("\x1b", "U+001B", "escape"),
    ]


def test_every_kind_of_line_end_becomes_a_newline() -> None:
    assert cleaned("a\r\nb\rc\u2028d\u2029e") == "a\nb\nc\nd\ne"
    assert not has_invisible("a\r\nb")
    assert has_invisible("hidden\rshown")


def test_a_joiner_hides_nothing_between_latin_letters() -> None:
    assert cleaned("a\u200db") == "ab"
    assert cleaned("👩" + "\ufe0f" * 40) == "👩\ufe0f"


@given(st.text())
def test_spans_keep_every_character(text: str) -> None:
    assert "".join(span.text for span in spans(text)) == text


@given(st.text(alphabet=st.sampled_from([*INVISIBLE, *"aم👩❤1\u20e3\r\n\u2028🏽क"])))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once
    assert not has_invisible(once)


@pytest.mark.threat("T44")
@pytest.mark.parametrize("char", ["\b", "\f", "\r", "\x00", "\x7f", "\u200b", "\U000e0041"])
def test_every_text_and_key_of_a_json_value_is_cleaned(char: str) -> None:
    bare = cleaned(f"a{char}b")
    assert cleaned_json({f"a{char}b": [1, f"a{char}b", None]}) == {bare: [1, bare, None]}


def test_a_json_value_without_them_is_the_same_one() -> None:
    value = {"a": ["必应搜索", "tab\t and line\n", 1.5, None, "👩\u200d💻"]}
    assert cleaned_json(value) == value
