"""What a query wants done, what a tool does, and what a query speaks of."""

import pytest

from catalog.search.intents import intent_of, intents_of, without_verbs
from catalog.tools import ToolSpec


@pytest.mark.parametrize(
    ("text", "intent", "subject"),
    [
        ("read file", "read", "file"),
        ("retrieving trending topics", "read", "trending topics"),
        ("list open issues", "read", "issues"),
        ("delete branch GitHub", "delete", "branch GitHub"),
        ("weather Paris", "", "weather Paris"),
        ("get_weather", "", "get_weather"),
        ("读文件", "read", "文件"),
        ("图片转换成 PDF", "convert", "图片 PDF"),
        ("发短信", "send", "短信"),
        ("沙发", "", "沙发"),
        ("发", "", "发"),
        ("search 邮件", "search", "邮件"),
        ("send", "send", ""),
    ],
)
def test_the_first_verb_is_the_intent_and_the_rest_the_subject(text: str, intent: str, subject: str) -> None:
    assert (intent_of(text), without_verbs(text)) == (intent, subject)


@pytest.mark.parametrize(
    ("tool", "intents"),
    [
        (ToolSpec("fetchPage"), {"read"}),
        (ToolSpec("search_and_replace", permission="write"), {"search"}),
        (ToolSpec("weather", permission="read"), {"read", "search"}),
        (ToolSpec("shell", permission="execute"), {"execute"}),
        (ToolSpec("weather"), set()),
    ],
)
def test_a_tool_does_what_its_name_says_or_else_its_permission(tool: ToolSpec, intents: set[str]) -> None:
    assert intents_of(tool) == intents
