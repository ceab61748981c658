"""What a query wants done, by its first verb, and what a tool does, by its name or else by its permission kind.

The post speaks of boosts derived from the intent and says neither how nor how much (S-7, S-12): this is our own.
"""

import re
from functools import lru_cache

from catalog.search.words import index_words, term_of
from catalog.tools import Permission, ToolSpec

_ENGLISH = """
    read: read get fetch retrieve view show open load list display
    write: write save store put edit update modify change append set
    create: create add make generate new build insert
    delete: delete remove erase clear drop cancel
    search: search find lookup query discover look check
    send: send post deliver notify share publish reply
    execute: execute run start launch call invoke
    convert: convert transform translate extract parse
    calculate: calculate compute count analyze
    book: book reserve buy order purchase
    transfer: download upload export import
"""
_CHINESE = """
    read: 读取 获取 查看 打开 列出 显示 阅读
    write: 写入 保存 修改 更新 编辑 存储 设置
    create: 创建 新建 添加 生成 增加 新增 制作
    delete: 删除 移除 清除 清空 取消
    search: 搜索 查找 查询 寻找 检索 搜一搜
    send: 发送 发布 发给 通知 分享 回复 转发
    execute: 执行 运行 启动 调用
    convert: 转换 转成 转为 翻译 提取 解析
    calculate: 计算 统计 分析
    book: 预订 预定 购买 订购 下单
    transfer: 下载 上传 导出 导入
"""
_AT_START = """
    read: 读 看
    write: 写 存 改
    create: 建 加
    delete: 删
    search: 查 搜 找
    send: 发
    book: 订 买
    calculate: 算
"""
"""Verbs of one character, which elsewhere may be a part of any word."""
_PERMISSIONS: dict[Permission, frozenset[str]] = {
    "read": frozenset(("read", "search")),
    "write": frozenset(("write", "create")),
    "execute": frozenset(("execute",)),
    "network": frozenset(("send", "transfer")),
    "dangerous": frozenset(("delete",)),
}


def _by_verb(lines: str) -> dict[str, str]:
    parted = (line.split(":") for line in lines.strip().splitlines())
    return {verb: intent.strip() for intent, verbs in parted for verb in verbs.split()}


_ENGLISH_VERBS = {term_of(verb): intent for verb, intent in _by_verb(_ENGLISH).items()}
_CHINESE_VERBS = _by_verb(_CHINESE) | _by_verb(_AT_START)
_IN_CHINESE = re.compile(f"({'|'.join(_by_verb(_CHINESE))})[成为到给]?|^[{''.join(_by_verb(_AT_START))}](?=.)")


def intent_of(text: str) -> str:
    """What the first verb of a text wants done; empty if it has none that is known."""
    return next(filter(None, map(_intent, text.split())), "")


def without_verbs(text: str) -> str:
    """What a text speaks of: its words but those that say what is to be done."""
    return " ".join(part for word in text.split() if (part := _subject(word)))


def intents_of(tool: ToolSpec) -> frozenset[str]:
    """What a tool does: what the verbs of its name say; where it has none, what its permission kind allows."""
    named = _named_intents(tool.name)
    return named if named or tool.permission is None else _PERMISSIONS[tool.permission]


@lru_cache(maxsize=1 << 16)
def _named_intents(name: str) -> frozenset[str]:
    return frozenset(_ENGLISH_VERBS.get(word.term, "") for word in index_words(name)) - {""}


def _intent(word: str) -> str:
    if word.isascii():
        return _ENGLISH_VERBS.get(term_of(word), "")
    found = _IN_CHINESE.search(word)
    return _CHINESE_VERBS[found[1] or found[0]] if found else ""


def _subject(word: str) -> str:
    if word.isascii():
        return "" if term_of(word) in _ENGLISH_VERBS else word
    return _IN_CHINESE.sub(" ", word).strip()
