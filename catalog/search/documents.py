"""What is indexed of a tool: the fields, their texts, and the words that Whoosh is given of them."""

from collections.abc import Callable, Iterator
from typing import Any

from whoosh.analysis.acore import Token
from whoosh.analysis.analyzers import Analyzer
from whoosh.fields import ID, TEXT, Schema

from catalog.search.parameters import parameter_words
from catalog.search.words import index_words, is_common
from catalog.tools import ToolSpec

FIELDS = ("name", "search_text", "tags", "description", "parameters", "server")
"""The scored fields, in the order in which they are told."""
PROSE = frozenset({"description", "parameters", "server"})
"""Fields whose common words are not indexed; the others are short, and every word of them was chosen."""
MAX_FIELD_LENGTH = 1 << 16
"""Characters of a field that are indexed."""
MIN_SPELLING_LENGTH = 3
"""Characters of a word that may be suggested."""


class WordAnalyzer(Analyzer):
    """The words of `catalog.search.words`, as Whoosh takes them. Indexes on disk name this class by its path."""

    def __init__(self, *, common: bool) -> None:
        self.common = common

    def __call__(self, value: str, **kwargs: Any) -> Iterator[Token]:
        token = Token(**kwargs)
        for word in index_words(value):
            if self.common or not is_common(value[word.start : word.end]):
                token.text = word.term
                yield token


def index_schema() -> Schema:
    texts = {field: TEXT(WordAnalyzer(common=field not in PROSE), phrase=False) for field in FIELDS}
    return Schema(key=ID(stored=True, unique=True), spelling=TEXT(WordAnalyzer(common=True), phrase=False), **texts)


def index_key(name: str) -> str:
    """What the index calls a tool: its name, lone surrogates spelled out."""
    return name if name.isascii() else name.encode("utf-8", "backslashreplace").decode()


def document(tool: ToolSpec) -> dict[str, str | list[str]]:
    texts = field_texts(tool)
    return {"key": index_key(tool.name), "spelling": _spelling(texts), **texts}


_TEXTS: dict[str, Callable[[ToolSpec], str]] = {
    "name": lambda tool: tool.name,
    "search_text": lambda tool: "\n".join((*tool.aliases, tool.search_text, *tool.other_languages.splitlines())),
    "tags": lambda tool: "\n".join((*tool.tags, tool.category)),
    "description": lambda tool: tool.description,
    "parameters": lambda tool: "\n".join(parameter_words(tool.parameters)),
    "server": lambda tool: f"{tool.server}\n{tool.server_text}",
}


def field_text(tool: ToolSpec, field: str) -> str:
    """What is searched of a tool in a field."""
    return _TEXTS[field](tool)[:MAX_FIELD_LENGTH]


def field_texts(tool: ToolSpec) -> dict[str, str]:
    """What is searched of a tool, by field."""
    return {field: field_text(tool, field) for field in FIELDS}


def _spelling(texts: dict[str, str]) -> list[str]:
    """The words as they are written, lower-cased, for suggestions: a stem is no suggestion."""
    said = [text for field, text in texts.items() if field not in ("parameters", "server")]
    forms = {text[word.start : word.end].lower() for text in said for word in index_words(text)}
    return [form for form in forms if len(form) >= MIN_SPELLING_LENGTH and form.isalpha()]
