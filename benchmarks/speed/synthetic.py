"""Tools that no server has but any might, and queries for them: the same for the same number of tools, on every machine.

Each server is of a trade, which gives its nouns and its way of naming; each has some coined words of its own, so that
the vocabulary grows with the catalog as it does among real servers. One server in thirty speaks Chinese.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from catalog.search.documents import index_key
from catalog.search.words import index_words, is_common
from catalog.tools import JsonSchema, ToolSpec

VERBS = """
    get list create update delete search find fetch read write send add remove set run execute query upload download
    convert translate summarize validate export import sync merge move copy archive restore start stop schedule cancel
    approve assign publish subscribe count compare watch resolve rotate preview
""".split()
TRADES = {
    "code": "repository branch commit issue pull_request release tag workflow comment review milestone label diff fork",
    "chat": "message channel thread reaction user mention conversation attachment emoji reminder status presence",
    "mail": "email draft inbox folder attachment signature filter label contact recipient newsletter template",
    "calendar": "event meeting invitation room schedule reminder availability timezone attendee recurrence holiday",
    "shop": "order product cart customer payment refund invoice shipment coupon price inventory supplier warehouse",
    "data": "table row column record query schema index view dashboard metric report dataset pipeline snapshot",
    "cloud": "instance bucket volume network secret certificate deployment pod cluster container image log alarm quota",
    "files": "file folder archive document page sheet cell slide photo version permission link revision checksum",
    "places": "weather forecast map route location address restaurant hotel flight station ticket traffic elevation",
    "money": "account transaction currency rate stock quote portfolio dividend budget loan balance statement tax",
    "people": "employee candidate interview payroll vacation position team contract benefit survey training",
    "media": "video song playlist album podcast channel subtitle clip caption thumbnail transcript stream episode",
}
SENTENCES = (
    "{Verb} a {noun} of the {other} in {product}.",
    "{Verb}s the {noun} that a user names and answers with its {other}.",
    "Use this to {verb} one {noun} or several; needs the {other} id.",
    "{Verb} {noun} by {other}, newest first, in pages of up to {number}.",
    "Returns JSON with the {noun}, its {other} and when it was changed.",
    "Works with {coined} and {coined2} only; call list_{noun} first if the id is not known.",
    "Fails if the {other} is locked, has been archived or belongs to another {noun}.",
    "Supports the {coined} format and falls back to plain text.",
    "Example: {verb} {noun} where {other} is {coined}.",
    "Handles {rare}, {rare2} and {rare3} {noun}.",
    "The {rare} {other} is checked against {rare2} first.",
    "See {rare} for how a {noun} is {rare2}.",
)
CHINESE = (
    "查询 获取 创建 删除 更新 发送 导出 搜索 列出 上传".split(),
    "天气 消息 文件 订单 用户 日程 邮件 地图 股票 新闻 视频 表格".split(),
)
TASKS = (
    "I need to {verb} the {noun} from last week and then tell the {other} about it before the meeting",
    "please help me {verb} every {noun} that belongs to my {other} and sort them by date so that I can see the newest",
    "what is the best way to {verb} a {noun} when the {other} has changed and nobody in the team was told",
)
PATTERNS = (
    "{verb}.*{noun}",
    "(?i){verb}_{noun}|{noun}_{verb}",
    "^{verb}",
    "{noun}s?$",
    r"\b{noun}\b",
    "(?i)({verb}|list|find).*({noun}|{other})",
    "{verb}_({noun}|{other})",
    "{noun}",
    "{slipped}.*{noun}",
)
"""For engines that take a pattern; the last finds next to nothing, which a fuzzy search may have to mend."""
SYLLABLES = "ba cor den fi gral hex ion jun kel lum mar nov os pri qua rin sol tek ul vex wen xi yar zen".split()
NEW_WORDS = tuple(f"zebra{syllable}" for syllable in SYLLABLES)
"""Words that no tool has, for edits."""
PER_SERVER = (3, 40)
RARE_WORDS = 4_000
"""Coined words that any server may use, the first of them far more often than the last."""


@dataclass(frozen=True, slots=True)
class Server:
    slug: str
    title: str
    nouns: tuple[str, ...]
    coined: tuple[str, ...]
    join: str
    prefixed: bool
    chinese: bool


@dataclass(frozen=True, slots=True)
class Catalog:
    """Tools whose names are unique, also as an index spells them, and queries in words and as patterns."""

    tools: tuple[ToolSpec, ...]
    queries: tuple[str, ...]
    patterns: tuple[str, ...]


@dataclass
class Words:
    """What the placeholders of a sentence stand for, drawn anew for each."""

    dice: Random
    server: Server
    verb: str = ""
    noun: str = ""
    values: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        verb, noun = self.verb or self.dice.choice(VERBS), self.noun or self.dice.choice(self.server.nouns)
        coined, coined2 = self.dice.choices(self.server.coined, k=2)
        rare, rare2, rare3 = (_RARE[int(RARE_WORDS * self.dice.random() ** 3)] for _ in range(3))
        self.values = {
            "verb": verb,
            "Verb": verb.capitalize(),
            "noun": noun,
            "other": self.dice.choice(self.server.nouns),
            "product": self.server.title,
            "coined": coined,
            "coined2": coined2,
            "rare": rare,
            "rare2": rare2,
            "rare3": rare3,
            "number": str(self.dice.choice((10, 20, 50, 100, 250))),
        }

    def fill(self, sentence: str, **more: str) -> str:
        return sentence.format(**self.values, **more)


def synthetic(count: int, queries: int = 200, seed: int = 7) -> Catalog:
    """`count` tools, and about `queries` queries of each kind."""
    dice = Random(seed)
    servers: list[Server] = []
    tools: dict[str, ToolSpec] = {}
    while len(tools) < count:
        server = _server(dice, len(servers))
        servers.append(server)
        for _ in range(min(dice.randint(*PER_SERVER), count - len(tools))):
            tool = _tool(dice, server, tools)
            tools[tool.name] = tool
    listed = tuple(tools.values())
    asked = tuple(_query(dice, dice.choice(listed), servers) for _ in range(queries))
    return Catalog(listed, asked, tuple(_pattern(dice, servers, number) for number in range(queries)))


def edited(tool: ToolSpec, word: str) -> ToolSpec:
    """The tool with one more sentence, which has this word."""
    return ToolSpec(
        name=tool.name,
        description=f"{tool.description} Knows {word}.",
        parameters=tool.parameters,
        server=tool.server,
        upstream_name=tool.upstream_name,
        server_text=tool.server_text,
        category=tool.category,
        tags=tool.tags,
    )


def _server(dice: Random, number: int) -> Server:
    trade = dice.choice(list(TRADES))
    coined = tuple(_coined(dice) for _ in range(6))
    slug = f"{coined[0]}-{trade}-{number}" if number else f"{coined[0]}-{trade}"
    return Server(
        slug=slug,
        title=f"{coined[0].capitalize()} {trade.capitalize()}",
        nouns=tuple(TRADES[trade].split()),
        coined=coined,
        join=dice.choice(("_", "_", "_", "-", "camel", ".")),
        prefixed=dice.random() < 0.4,
        chinese=dice.random() < 1 / 30,
    )


def _coined(dice: Random) -> str:
    return "".join(dice.choices(SYLLABLES, k=dice.choice((2, 3, 3))))


def _tool(dice: Random, server: Server, taken: dict[str, ToolSpec]) -> ToolSpec:
    words = Words(dice, server)
    own = _own_name(dice, server, words)
    name = f"{server.slug}__{own}" if server.prefixed or own in taken else own
    while name in taken:
        own = f"{own}{_joined(server.join, ['', 'by', dice.choice(server.nouns)])}"
        name = f"{server.slug}__{own}"
    return ToolSpec(
        name=index_key(name),
        description=_description(dice, server, words),
        parameters=_parameters(dice, server),
        server=server.slug,
        upstream_name=own,
        server_text=f"{server.title} for {' and '.join(dice.choices(server.nouns, k=2))}",
        category=dice.choice(("", "", dice.choice(server.nouns))),
        tags=tuple(dice.sample(("read", "write", "admin", "beta", "bulk"), k=dice.choice((0, 0, 1, 2)))),
    )


def _own_name(dice: Random, server: Server, words: Words) -> str:
    parts = [words.values["verb"], *words.values["noun"].split("_")]
    if dice.random() < 0.4:
        parts += ["by", dice.choice(server.coined)] if dice.random() < 0.3 else [words.values["other"]]
    return _joined(server.join, parts)


def _joined(join: str, parts: Sequence[str]) -> str:
    if join != "camel":
        return join.join(parts)
    return parts[0] + "".join(part.capitalize() for part in parts[1:])


def _description(dice: Random, server: Server, words: Words) -> str:
    if server.chinese:
        verbs, nouns = CHINESE
        said = (f"{dice.choice(verbs)}{dice.choice(nouns)}的{dice.choice(nouns)}" for _ in range(dice.randint(1, 4)))
        return "，".join(said) + "。"
    more = (Words(dice, server).fill(sentence) for sentence in dice.choices(SENTENCES[1:], k=dice.randint(0, 5)))
    return " ".join((words.fill(SENTENCES[0]), *more))


def _parameters(dice: Random, server: Server) -> JsonSchema:
    names = dice.sample(server.nouns, k=dice.randint(0, 5))
    described = {
        f"{name}_id": {"type": "string", "description": Words(dice, server).fill("The {noun} to {verb}, as {coined}.")}
        for name in names
    }
    return {"type": "object", "properties": described, "required": list(described)[:1]}


def _query(dice: Random, tool: ToolSpec, servers: Sequence[Server]) -> str:
    """Mostly two to four words of one tool, sometimes with a slip; now and then a task in a person's words."""
    kind = dice.random()
    if kind < 0.15:
        return Words(dice, dice.choice(servers)).fill(dice.choice(TASKS))
    said = _spoken(tool.description)
    words = _spoken(tool.upstream_name)[:2] + dice.sample(said, k=min(2, len(said))) or [tool.name]
    if kind < 0.3:
        words[0] = _slipped(dice, words[0])
    return " ".join(words)


def _spoken(text: str) -> list[str]:
    """The words that say something, in order."""
    return [
        text[word.start : word.end].lower()
        for word in index_words(text)
        if word.end - word.start > 2 and not is_common(word.term)
    ]


def _pattern(dice: Random, servers: Sequence[Server], number: int) -> str:
    words = Words(dice, dice.choice(servers))
    return words.fill(PATTERNS[number % len(PATTERNS)], slipped=_slipped(dice, words.values["verb"]))


def _slipped(dice: Random, word: str) -> str:
    """Two neighbouring letters the wrong way round."""
    at = dice.randrange(max(1, len(word) - 1))
    return word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


_RARE = tuple(_coined(Random(number)) for number in range(RARE_WORDS))
