"""Suites in files: what is written is read again just so, and every mistake is told with its line."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from catalog.evaluating.cells import escaped, unescaped
from catalog.evaluating.entries import Entry, Said, settled, tidy_tags
from catalog.evaluating.formats import read_csv, read_jsonl, read_trec
from catalog.evaluating.reading import MistakesError, one_ending
from catalog.evaluating.writing import as_csv, jsonl, qrels, run, topics

SUITE = [
    Entry(
        "1", "tell the team", ("chat", "urgent"), settled([Said("chat/post it", "right"), Said("mail/send", "fine")])
    ),
    Entry(
        "2",
        "=two\tneeds\nand a \\n",
        (),
        settled([Said("a/b", "right"), Said("c/d", "right", 2), Said("e/f", "wrong")]),
    ),
    Entry("3", "'nothing', \"quoted\"; 报销", ("x",), (Said("", "no tool"),)),
    Entry("4", "nobody judged this"),
    Entry("5", "only a wrong one", (), (Said("a/-", "wrong"),)),
]


def told(entries: list[Entry]) -> list[tuple[object, ...]]:
    return [(entry.text, entry.tags, entry.said) for entry in entries]


def test_every_form_is_read_as_it_was_written() -> None:
    assert told(read_jsonl(jsonl(SUITE))) == told(SUITE)
    assert told(read_csv(as_csv(SUITE))) == told(SUITE)
    assert read_trec(topics(SUITE), qrels(SUITE)) == SUITE


ONE_LINE = some.text(some.characters(exclude_characters="\r\n"), max_size=9)
TOOLS = some.builds("{}/{}".format, some.from_regex(r"[a-z]{1,4}", fullmatch=True), ONE_LINE.filter(bool))
TEXTS = some.text(min_size=1, max_size=40).map(one_ending).map(str.strip).filter(bool)


@settings(max_examples=40, deadline=None)
@given(TEXTS, some.dictionaries(TOOLS, some.sampled_from(["right", "fine", "wrong"]), max_size=4), some.lists(TEXTS))
def test_whatever_a_stranger_writes_comes_back(text: str, said: dict[str, str], tags: list[str]) -> None:
    verdicts = settled(Said(tool, verdict, 1 + len(tool) % 3) for tool, verdict in said.items())  # type: ignore[arg-type]
    plain = tidy_tags(tag for tag in tags if ";" not in tag)
    suite = [Entry("7", text, plain, verdicts)]
    forms: list[Callable[[], list[Entry]]] = [
        lambda: read_jsonl(jsonl(suite)),
        lambda: read_csv(as_csv(suite)),
        lambda: read_trec(topics(suite), qrels(suite)),
    ]
    for read in forms:
        try:
            assert told(read()) == told(suite)
        except MistakesError as error:
            assert "NUL" in str(error)


@settings(max_examples=40, deadline=None)
@given(some.text())
def test_a_text_in_one_line_is_the_text_again(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert not set("\t\n\r") & set(escaped(text))


def test_a_tool_may_be_named_as_models_call_it() -> None:
    (entry,) = read_jsonl('{"text": "x", "relevant": ["chat__post"]}', {"chat__post": "chat/post"})
    assert entry.said == (Said("chat/post", "right"),)


JSONL = '{"text": "a"}\n'


@pytest.mark.parametrize(
    ("text", "line", "mistake"),
    [
        (f"{JSONL}{{", 2, "Expecting"),
        (f"{JSONL}[]", 2, "not an object with a text"),
        (f'{JSONL}{{"text": " "}}', 2, "without a text"),
        (f'{JSONL}{{"text": "b", "relevant": ["c"]}}', 2, "“c” is no tool: write server/name"),
        ('{"text": "b", "relevant": "c/d"}', 1, "a list of texts"),
        ('{"text": "b", "relevant": ["c/d"], "wrong": ["c/d"]}', 1, "judged twice, and differently"),
        ('{"text": "b", "relevant": ["c/d"], "no_tool": true}', 1, "no tool answers and that one does"),
        ('{"text": "b\\ud800"}', 1, "half a character"),
        ("[" * 100_000, 1, "nested too deeply"),
        ("", 1, "there is no query"),
    ],
)
def test_a_mistake_in_json_lines_is_told_with_its_line(text: str, line: int, mistake: str) -> None:
    with pytest.raises(MistakesError) as error:
        read_jsonl(text)
    assert error.value.mistakes[0].line == line
    assert mistake in error.value.mistakes[0].text


@pytest.mark.parametrize(
    ("text", "line", "mistake"),
    [
        ("query,tool\n", 1, "the head lacks verdict"),
        ("query,tool,verdict\na,b/c,right\na,b/d,perhaps", 3, "“perhaps” is no verdict"),
        ("query,tool,verdict\na,b/c", 2, "more or fewer cells"),
        ("query,tool,verdict,need\na,b/c,right,x", 2, "“x” is no need"),
        ('query,tool,verdict\n"a', 2, "unexpected end"),
    ],
)
def test_a_mistake_in_csv_is_told_with_its_line(text: str, line: int, mistake: str) -> None:
    with pytest.raises(MistakesError) as error:
        read_csv(text)
    assert (error.value.mistakes[-1].line, mistake in error.value.mistakes[-1].text) == (line, True)


@pytest.mark.parametrize(
    ("topics_file", "qrels_file", "where"),
    [
        ("1 x", "", ("topics", 1, "not a number, a tab")),
        ("1\tx\n1\ty", "", ("topics", 2, "the topic 1 came before")),
        ("1\tx", "1 1 a/b", ("qrels", 1, "not four columns")),
        ("1\tx", "1 1 a/b 2\n2 1 a/b 2", ("qrels", 2, "there is no topic 2")),
        ("1\tx", "1 1 a/b two", ("qrels", 1, "“two” is no grade")),
    ],
)
def test_a_mistake_in_trec_files_names_the_file(topics_file: str, qrels_file: str, where: tuple[str, int, str]) -> None:
    with pytest.raises(MistakesError) as error:
        read_trec(topics_file, qrels_file)
    (one,) = error.value.mistakes
    assert (one.file, one.line) == where[:2]
    assert where[2] in one.text


def test_a_run_lists_what_came_back_with_falling_scores() -> None:
    assert run([("3", ["a/b", "a/c d"])], "mine") == "3 Q0 a/b 1 2 mine\n3 Q0 a/c%20d 2 1 mine\n"
