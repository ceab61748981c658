"""Queries as people ask them, in English and Chinese, said again without the words that only ask (S-6)."""

import pytest
from hypothesis import given, settings

from catalog.search.rewriting import asked_for, clauses, variants
from tests.catalog.search.random_catalogs import anything

ENGLISH = [
    ("can you please help me read a file?", "read file"),
    ("What's the best way to compress images", "compress images"),
    ("I need to send a message to my team", "send message team"),
    ("is there a tool that converts currency", "converts currency"),
    ("Is there any good tool for translating text?", "translating text"),
    ("I'd like to book a flight, please", "book flight"),
    ("how do I delete a branch on GitHub?", "delete branch GitHub"),
    ("Could you tell me the weather in Paris?", "weather Paris"),
    ("find me a tool that can search papers", "search papers"),
    ("show me the latest news", "latest news"),
    ("I'm looking for a way to track packages", "track packages"),
    ("which function should I use to resize an image?", "resize image"),
    ("do you have anything for reading PDFs", "reading PDFs"),
    ("I was wondering if you could maybe find cheap flights for me", "find cheap flights"),
    ("Would it be possible to export the table as CSV?", "export table CSV"),
    ("I don't know how to merge two PDFs", "merge two PDFs"),
    ("Hello, thanks for your help: let's rename the folder", "rename folder"),
    ("Read the file. Then save a summary!", "Read file save summary"),
]
CHINESE = [
    ("能不能帮我读文件", "读文件"),
    ("请问怎么把图片转换成PDF？", "图片转换成 PDF"),
    ("我想要查一下北京的天气", "查 北京 天气"),
    ("帮我把这个文件发给张三", "文件发给张三"),
    ("有没有什么工具可以翻译文本", "翻译文本"),
    ("麻烦你帮我创建一个新的日程，谢谢", "创建 新 日程"),
    ("你能帮我总结这篇文章吗", "总结 文章"),
    ("如何发送邮件", "发送邮件"),
    ("怎么样才能删除重复文件", "删除重复文件"),
    ("我需要一个能够下载视频的工具", "下载视频"),
    ("请帮我预订明天去上海的机票", "预订明天去上海 机票"),
    ("有哪些工具可以搜索网页", "搜索网页"),
    ("用什么工具发短信", "发短信"),
    ("帮我 search 一下 GitHub issues", "search GitHub issues"),
    ("请问有没有可以读取 Excel 的接口", "读取 Excel"),
    ("可以帮我订外卖吗？", "订外卖"),
    ("我想知道今天美元汇率是多少", "今天美元汇率"),
    ("请告诉我附近的餐厅有哪些", "附近 餐厅"),
]
KEPT = [
    "read file",
    "get_weather",
    "createIssue",
    "list api keys",
    "best restaurants",
    "plan trip",
    "web search",
    "读文件",
    "会议纪要",
    "酒吧推荐",
    "查询目的地",
    "功能测试",
    "请求日志",
    "命令行",
    "替换文本",
    "准备会议材料",
    "一次性密码",
]


@pytest.mark.parametrize(("query", "asked"), ENGLISH + CHINESE)
def test_words_that_only_ask_are_stripped(query: str, asked: str) -> None:
    assert asked_for(query) == asked


@pytest.mark.parametrize("query", KEPT)
def test_words_that_say_what_is_asked_are_kept(query: str) -> None:
    assert asked_for(query) == query


@pytest.mark.parametrize("query", ["please", "help me", "what tools do you have", "你好", "可以吗", "?", "the"])
def test_a_query_that_only_asks_stays_as_it_is(query: str) -> None:
    assert asked_for(query) == query
    assert [(way.text, way.why) for way in variants(query, 1, 1, 1)] == [(query, "as sent")]


@given(anything)
@settings(max_examples=200, deadline=None)
def test_nothing_is_rewritten_to_nothing(query: str) -> None:
    assert bool(asked_for(query)) == bool(query.strip())
    assert all(way.text for way in variants(query, 1, 1, 1)) or not query.strip()


@pytest.mark.parametrize("text", ["的工具有哪些" * 170 + "文", "一个" * 500 + "文", "吗" * 1_000 + "文", "a " * 500])
def test_long_chains_of_asking_words_are_read_at_once(text: str) -> None:
    """A pattern that could read them in several ways would take ages to fail."""
    assert asked_for(text)


def test_each_clause_asks_for_something() -> None:
    query = "get trending topics or fetch gaming news, and could you then save it? Thanks!"
    assert clauses(query) == ["get trending topics", "fetch gaming news", "save"]


def test_the_variants_are_the_query_what_it_asks_for_and_what_it_speaks_of() -> None:
    ways = variants(" can you send a message? ", 1.0, 0.8, 0.5)
    assert [(way.text, way.weight, way.why) for way in ways] == [
        ("can you send a message?", 1.0, "as sent"),
        ("send message", 0.8, "stripped"),
        ("message", 0.5, "by subject"),
    ]


def test_what_reads_as_an_earlier_variant_is_not_asked_again() -> None:
    assert [way.why for way in variants("Weather", 1, 1, 1)] == ["as sent"]
    assert [way.why for way in variants("Send Message", 1, 1, 1)] == ["as sent", "by subject"]


def test_a_variant_without_weight_is_left_out_but_never_all() -> None:
    assert [way.why for way in variants("Send the message", 0, 1, 1)] == ["stripped", "by subject"]
    assert [way.why for way in variants("weather", 0, 0.5, 1)] == ["stripped"]
    assert [way.why for way in variants("weather", 0, 0, 0)] == ["as sent"]
