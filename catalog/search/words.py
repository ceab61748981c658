"""Cutting text into words, one way for the index, for queries and for highlighting."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from whoosh.lang.porter import stem

_stem: Callable[[str], str] = stem

MAX_WORD_LENGTH = 64
"""Characters of a word that count: base64 in a description is no word."""

_COMMON = """
    a about am an and any are as at be been but by can could d did do does each for from had has have he her his how i
    if in into is it its ll m may me might must my of on or our please re s shall she should so some such t than that
    the their them then there these they this those to us ve was we were what when where which who whose why will with
    would you your
"""
COMMON = frozenset(_COMMON.split())
"""English words that build a sentence and do not say what a tool does, as `not`, `all` and `up` do."""

_MARK = "".join(chr(code) for code in range(0x300, 0x3100) if unicodedata.category(chr(code)).startswith("M"))
_HAN = "々〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u30a1-\u30ff\u31f0-\u31ff"
_CJK = f"{_HAN}{_KANA}\uac00-\ud7a3"
_RUN = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?:[^\W_{_CJK}][{_MARK}]*)+")
_PART = re.compile("A{2,}s(?![as])|A+(?![as])|A?[as]+|0+")
"""A part of a compound, read in its shape; `URLs` is one."""


@dataclass(frozen=True, slots=True)
class Word:
    """An index term and the span of the text, in characters, that it stands for."""

    term: str
    start: int
    end: int


def index_words(text: str) -> Iterator[Word]:
    """The words of a text, in order, common ones too.

    Names are cut at `_ - . /` and between letters and digits, camelCase at its humps; a compound of several parts
    (`GitHub`, `k8s`) is a word beside them. A Chinese, Japanese or Korean run gives each character and each pair.
    """
    for run in word_runs(text):
        yield from run_words(run)


def word_runs(text: str) -> Iterator[re.Match[str]]:
    """Runs of letters and digits between separators; those in the group `cjk` are Chinese, Japanese or Korean."""
    return _RUN.finditer(_one_to_one(text))


def run_words(run: re.Match[str], sizes: tuple[int, ...] = (1, 2)) -> list[Word]:
    """The words of one run; `sizes` says in what lengths an ideographic run is cut."""
    text, at = run.group(), run.start()
    spans = _pieces(text, sizes) if run.lastgroup == "cjk" else _parts(text)
    return [Word(term_of(text[start:end]), at + start, at + end) for start, end in spans]


def parted(name: str) -> str:
    """The words of a name with spaces between: `getWeather` is `get Weather`. Ideographic runs stay whole."""
    said: list[str] = []
    for run in word_runs(name):
        text = name[run.start() : run.end()]
        spans = [(0, len(text))] if run.lastgroup == "cjk" else _parts(run.group())
        said.extend(text[start:end] for start, end in spans[:-1] or spans)
    return " ".join(said)


def marks(text: str, terms: Collection[str]) -> list[tuple[int, int]]:
    """The spans of `text` whose words are among `terms`, merged where they touch, for `<mark>`."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((word.start, word.end) for word in index_words(text) if word.term in terms):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


@lru_cache(maxsize=1 << 12)
def sole_term(text: str) -> str:
    """The index term of a text that is one word, by which pages mark it; else nothing."""
    terms = {word.term for word in index_words(text)}
    return terms.pop() if len(terms) == 1 else ""


def is_common(word: str) -> bool:
    return word.lower() in COMMON


@lru_cache(maxsize=1 << 16)
def term_of(word: str) -> str:
    """The index term of one word: lower-cased, NFKC, an English word cut to its Porter stem."""
    plain = unicodedata.normalize("NFKC", word[:MAX_WORD_LENGTH]).lower()
    return _stem(plain) if plain.isascii() and plain.isalpha() else plain


def _pieces(run: str, sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(at, at + size) for at in range(len(run)) for size in sizes if at + size <= len(run)]


def _parts(run: str) -> list[tuple[int, int]]:
    """The span of each part, then of the whole if there are several."""
    whole = (0, len(run))
    if run.isalpha() and (run.islower() or run[1:].islower()):
        return [whole]
    parts = [part.span() for part in _PART.finditer(run.translate(_SHAPE))]
    return [*parts, whole] if len(parts) > 1 else parts


def _one_to_one(text: str) -> str:
    """NFKC wherever one character stays one, so that spans hold."""
    return text if text.isascii() else text.translate(_NFKC)


class _Nfkc(dict[int, str]):
    """A `str.translate` table that fills itself."""

    def __missing__(self, code: int) -> str:
        char = unicodedata.normalize("NFKC", chr(code))
        self[code] = char if len(char) == 1 else chr(code)
        return self[code]


class _Shape(dict[int, str]):
    """A `str.translate` table to `A` for a capital, `0` for a digit, `s` for s and `a` for any other letter."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = "A" if char.isupper() or char.istitle() else "0" if char.isnumeric() else "a"
        return self[code]


_NFKC = _Nfkc()
_SHAPE = _Shape({ord("s"): "s"})
