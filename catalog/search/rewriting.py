"""Saying a query without the words that only ask: the variants that a fusion searches side by side, each with a weight.

The post names the step and one example, 能不能帮我读文件 becoming 读文件, and gives no list (S-6, S-12). The words below
and the choice of variants are our own: the query as sent, what it asks for, and what it speaks of, without the verbs.
"""

import re
from collections.abc import Iterator, Sequence

from catalog.search.intents import without_verbs
from catalog.search.ranking import Variant
from catalog.search.reading import MAX_LENGTH
from catalog.search.words import is_common

OPENING = frozenset(
    """
    hi hello hey please pls plz kindly thanks thank well ok okay just really maybe perhaps currently now im ive
    help assist need want like love prefer wish hope hoping trying try going looking searching wondering wonder
    curious interested able possible know knows let lets enable allow got gotta don't dont use using used someone anyone there
    """.split()
)
"""Beside common words, those that begin a question and do not say what is asked."""
THINGS = frozenset(
    """
    tool tools function functions plugin plugins api apis command commands capability capabilities something anything
    way ways method methods approach approaches
    """.split()
)
"""What a question may ask for that stands for the tool itself."""
FOLLOWS_THING = frozenset(
    "that which to for of can could will would should do does is are i we you out available".split()
)
PRAISE = frozenset(
    "best better good great easy easiest simple simplest quick quickest fast fastest right proper".split()
)
SEEKING = frozenset("find get show give tell recommend suggest call bring".split())
"""Verbs that only ask where a thing or the asker follows: find a tool that, tell me."""
ASKER = frozenset(("me", "us"))
CLOSING = frozenset("please pls plz thanks thank you me us for to now asap".split())

_TOOL = "(?:工具(?![栏箱包])|功能|函数|插件|接口(?!文档)|命令(?!行)|办法|方法|方式|东西)"
_WHICH = "一个|一种|一款|某个|个|什么|哪一个|哪个|哪些|哪种|啥|任何|好用的?|合适的?|可用的?|最好的?|有没有|是否有|有"
_MEASURES = "个些篇段张份首条封句种"
_CHINESE_OPENING = "|".join(
    (
        "你好|您好|嗨|哈喽|麻烦|劳驾|拜托|谢谢|多谢|不好意思|打扰一下|请问|请教|想问|问一下|问问|请(?![求假柬])",
        "能不能|可不可以|能否|可否|是否可以|是否能够?|能够|可以|能(?![源量力])|会不会|会(?![议员话计面谈])",
        "帮个忙|帮忙|帮助(?=我)|帮(?!助)|替(?![换代])|让|给|为(?=[我你])",
        "我们|你们|我|你|您|大家|现在|正在|目前",
        f"想要|需要|希望|打算|想(?!法)|要(?![求点闻素])|(?:在|寻)?找(?=一个|一款|一种|个|{_TOOL})",
        f"有没有|是否有|有无|有(?=什么|哪|啥)|(?:使?用)?(?:{_WHICH}){_TOOL}",
        "最(?:好|快|简单|方便)的?(?:方法|办法|方式)(?:是什么|是)?",
        "(?:怎么样|怎么|怎样|如何)(?:才能够?)?|不知道|知道|为什么|什么|哪个|哪些|哪里|啥|用什么|用哪个|用来|用于",
        "来(?![源电信自])|去(?![除重噪掉水背])|把(?!手)|将(?![军来])|看看|看一下|告诉(?=我)|了解一下",
        f"一[个种款些]|某个|一下子?|[这那][{_MEASURES}]",
    )
)
_CHINESE_CLOSING = (
    f"的{_TOOL}|{_TOOL}(?:有哪些|有吗|是什么)|怎么办|怎么做|怎么弄|怎么用|怎么|如何|是什么|什么|是多少|多少|有哪些|哪些|"
    "吗|呢|(?<![酒网贴])吧|啊|呀|嘛|啦|了|(?<!目)的|好吗|行吗|好不好|行不行|可以|一下子?|给我|帮我|我们|我|谢谢你?"
)
_CHINESE_BETWEEN = f"一下|(?<![统单唯第])一[{_MEASURES}]|[这那][{_MEASURES}]|(?<!目)的(?![士确])|(?<!一)把(?!手)"
"""What parts words in Chinese and says nothing by itself. 目的 and 把手 are words; so it is with the exceptions above."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_HAN}]+|[^\s{_HAN}]+")
_CLAUSE_END = re.compile(
    r"[、，。；：！？\n]|[,.;:!?]+(?=\s|$)|(?<=\s)[+|&/](?=\s)|\b(?:and|or|then)\b|并且|然后|以及|或者|还有|同时",
    re.IGNORECASE,
)
_ENDING = re.compile(r"['’](?:s|d|m|re|ve|ll)\b", re.IGNORECASE)
_EDGES = "\"'`“”‘’«»()[]{}<>,.;:!?…*~—–《》「」（）【】"
_OPENS = re.compile(f"(?:{_CHINESE_OPENING})++")
_CLOSES = re.compile(f"(?:{_CHINESE_CLOSING})++$")
_BETWEEN = re.compile(_CHINESE_BETWEEN)


def variants(query: str, as_sent: float, stripped: float, subject: float) -> tuple[Variant, ...]:
    """The ways to ask, at least one; the numbers are what each counts.

    A weight of 0 leaves a way out, and what reads as an earlier one is not asked again.
    """
    sent, asked = query[:MAX_LENGTH].strip(), asked_for(query)
    ways = (
        Variant(sent, as_sent, "as sent"),
        Variant(asked, stripped, "stripped"),
        Variant(without_verbs(asked), subject, "by subject"),
    )
    chosen: dict[str, Variant] = {}
    for way in ways:
        if way.text and way.weight:
            chosen.setdefault(way.text.casefold(), way)
    return tuple(chosen.values()) or (Variant(sent, 1.0, "as sent"),)


def asked_for(query: str) -> str:
    """What a query asks for; the query itself where that is nothing."""
    sent = query[:MAX_LENGTH].strip()
    return " ".join(clauses(sent)) or sent


def clauses(text: str) -> list[str]:
    """What each clause of a text asks for, in its own words and their order; one that asks for nothing is left out."""
    asked = (" ".join(_asked(clause)) for clause in _CLAUSE_END.split(_ENDING.sub("", text)))
    return list(dict.fromkeys(clause for clause in asked if clause))


def _asked(clause: str) -> Iterator[str]:
    words = [word for found in _WORD.findall(clause) if (word := found.strip(_EDGES))]
    for word in _without_closing(_without_opening(words)):
        if not is_common(word):
            yield from filter(None, _BETWEEN.split(word))


def _without_opening(words: Sequence[str]) -> Sequence[str]:
    while words:
        if chinese := _OPENS.match(words[0]):
            rest = words[0][chinese.end() :]
            if rest:
                return [rest, *words[1:]]
            words = words[1:]
        elif _only_asks(*(word.casefold() for word in [*words[:6], ""])):
            words = words[1:]
        else:
            break
    return words


def _without_closing(words: Sequence[str]) -> Sequence[str]:
    while words:
        rest = _CLOSES.sub("", words[-1])
        if rest == words[-1] and rest.casefold() not in CLOSING:
            break
        if rest != words[-1] and rest:
            return [*words[:-1], rest]
        words = words[:-1]
    return words


def _only_asks(word: str, *after: str) -> bool:
    """Whether a word at the beginning, the next few given after it, says nothing of what is asked."""
    if word in THINGS:
        return not after[0] or after[0] in FOLLOWS_THING
    if word in SEEKING and after[0] in ASKER:
        return True
    if word in PRAISE or word in SEEKING:
        named = next((other for other in after if other not in PRAISE and not is_common(other)), "")
        return named in THINGS
    return word in OPENING or is_common(word)
