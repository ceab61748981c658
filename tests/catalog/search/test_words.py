"""How text is cut into words."""

import pytest
from hypothesis import given

from catalog.search.words import index_words, marks, term_of
from tests.catalog.search.random_catalogs import texts

CUTS = [
    ("get_weather", "get weather"),
    ("getPullRequest", "get pull request getpullrequest"),
    ("list-open.issues/all", "list open issu all"),
    ("HTTPServerStart", "http server start httpserverstart"),
    ("XMLHttpRequest2", "xml http request 2 xmlhttprequest2"),
    ("iOSApp", "i os app iosapp"),
    ("k8s", "k 8 s k8s"),
    ("s3GetObject", "s 3 get object s3getobject"),
    ("GitHub", "git hub github"),
    ("URLs, IDs", "url id"),
    ("Sending messages", "send messag"),
    ("ÉcrireFichier", "écrire fichier écrirefichier"),
    ("cre\u0301er", "créer"),
    ("поискФайлов", "поиск файлов поискфайлов"),
    ("ＡＢＣ", "abc"),
    ("ﬁle", "file"),
    ("हिन्दी", "हिन्दी"),
    ("مرحبا بك", "مرحبا بك"),
    ("读文件", "读 读文 文 文件 件"),
    ("天気API", "天 天気 気 api"),
    ("파일 읽기", "파 파일 일 읽 읽기 기"),
    ("😀 !? ___", ""),
    ("\ud800", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "terms"), CUTS)
def test_text_is_cut_into_words(text: str, terms: str) -> None:
    assert " ".join(word.term for word in index_words(text)) == terms


@given(texts)
def test_each_word_stands_where_its_span_says(text: str) -> None:
    for word in index_words(text):
        assert 0 <= word.start < word.end <= len(text)
        assert word.term in {term_of(text[word.start : word.end]), text[word.start : word.end]}


@pytest.mark.parametrize(
    ("text", "terms", "marked"),
    [
        ("Sends a message", {"messag", "send"}, ["Sends", "message"]),
        ("On GitHub", {"git", "hub"}, ["GitHub"]),
        ("用来读文件的工具", {"读文", "文件"}, ["读文件"]),
        ("nothing here", {"weather"}, []),
    ],
)
def test_the_words_of_a_query_are_marked_and_touching_marks_are_one(
    text: str, terms: set[str], marked: list[str]
) -> None:
    assert [text[start:end] for start, end in marks(text, terms)] == marked
