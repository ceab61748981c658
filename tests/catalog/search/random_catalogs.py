"""Catalogs and queries as nobody would write them, for Hypothesis."""

from collections.abc import Callable

from hypothesis import strategies as st

from catalog.tools import ToolSpec

WORDS = (
    "get",
    "weather",
    "send",
    "message",
    "issue",
    "GitHub",
    "k8s",
    "URLs",
    "the",
    "读文件",
    "天気",
    "поиск",
    "été",
    "😀",
)

words = st.sampled_from(WORDS)
phrases = st.lists(words, max_size=8).map(" ".join)
anything = st.text(st.characters(), max_size=40)
"""Any text, NUL and lone surrogates included."""
texts = st.one_of(phrases, anything, st.just(""))

_JOINS: tuple[Callable[[list[str]], str], ...] = (
    "_".join,
    "-".join,
    ".".join,
    "/".join,
    lambda parts: "".join(part[:1].upper() + part[1:] for part in parts),
)
names = st.one_of(
    st.builds(lambda join, parts: join(parts), st.sampled_from(_JOINS), st.lists(words, min_size=1, max_size=3)),
    st.text(st.characters(), min_size=1, max_size=12),
)
schemas = st.dictionaries(
    st.sampled_from(["properties", "description", "items", "anyOf", "enum", "type"]),
    st.recursive(
        st.one_of(st.none(), st.integers(), phrases),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(anything, inner, max_size=3)),
        max_leaves=6,
    ),
    max_size=3,
)
tools = st.builds(
    ToolSpec,
    name=names,
    description=texts,
    parameters=schemas,
    server=st.sampled_from(["github", "slack", ""]),
    server_text=texts,
    category=st.sampled_from(["", "chat", "天气"]),
    tags=st.lists(words, max_size=2).map(tuple),
    aliases=st.lists(phrases, max_size=2).map(tuple),
    search_text=phrases,
)
catalogs = st.lists(tools, max_size=14, unique_by=lambda tool: tool.name).map(tuple)
queries = st.one_of(
    phrases, texts, st.sampled_from(["", ".*", "(", "a*", "wether", "send msg", "[a-z]+_", r"\C", "e|é"])
)
