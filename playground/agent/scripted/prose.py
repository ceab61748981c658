"""What the scripted model says, in the task's language, and only what its tools' answers hold."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from playground.agent.scripted.needs import Need
from playground.agent.scripted.progress import Step

MOST_FACTS = 6
LONGEST_FACT = 160

Act = Literal["search", "again", "load", "call", "look"]

_ENGLISH = {
    "step": "Step {number} of {total}: ",
    "search": 'I look for a tool with "{what}".',
    "again": 'Nothing fits yet. I try "{what}" instead.',
    "load": "{what} fits; I bring it into view.",
    "call": "I call {what}.",
    "look": "The answer went into a file. I ask it for {what}.",
    "done": "{tool}: {facts}",
    "changed": "a person changed what was sent",
    "missing": 'I found no tool for "{need}".',
    "fact": "{name}: {value}",
    "some": "{count} {name}, the first: {first}",
    "none": "no {name}",
    "entries": "entries",
    "empty": "the answer was empty",
    "idle": "I am a scripted demo model and need a task to work on, such as: What will the weather be in Oslo tomorrow?",
    "label": "(Scripted demo, no LLM.)",
}
_CHINESE = {
    "step": "第 {number} 步，共 {total} 步：",
    "search": "用“{what}”搜索工具。",
    "again": "还没有合适的工具，改用“{what}”搜索。",
    "load": "{what} 合适，加载它。",
    "call": "调用 {what}。",
    "look": "结果已存入文件，在其中查找 {what}。",
    "done": "{tool}：{facts}",
    "changed": "发送的内容由人修改过",
    "missing": "没有找到能完成“{need}”的工具。",
    "fact": "{name} {value}",
    "some": "{name} 共 {count} 项，第一项：{first}",
    "none": "没有 {name}",
    "entries": "结果",
    "empty": "没有返回内容",
    "idle": "我是按脚本运行的演示模型，请给我一个任务，例如：明天奥斯陆的天气怎么样？",
    "label": "（脚本演示，没有使用大模型。）",
}


class Speech:
    def __init__(self, *, chinese: bool) -> None:
        self._phrases = _CHINESE if chinese else _ENGLISH

    def of_step(self, act: Act, number: int, total: int, what: str) -> str:
        return self._phrases["step"].format(number=number + 1, total=total) + self._phrases[act].format(what=what)

    def at_the_end(self, needs: Sequence[Need], calls: dict[int, Step]) -> str:
        """`calls` holds each need's call, where it came to one."""
        if not needs:
            return self._phrases["idle"]
        lines = [self._outcome(need, calls.get(number)) for number, need in enumerate(needs)]
        return "\n".join([*lines, self._phrases["label"]])

    def _outcome(self, need: Need, call: Step | None) -> str:
        if call is None:
            return self._phrases["missing"].format(need=need.text)
        changed = [self._phrases["changed"]] if call.was_changed else []
        facts = "; ".join([*changed, *self._facts(call.value, call.arguments)]) or self._phrases["empty"]
        return self._phrases["done"].format(tool=call.tool, facts=facts)

    def _facts(self, value: Any, arguments: Mapping[str, Any]) -> list[str]:
        """The main facts of an answer: its fields, of each list how many there are and the first.

        Fields that only repeat what was asked are left out, unless there are no others.
        """
        match value:
            case dict():
                told = {name: part for name, part in value.items() if part not in (None, "", {})}
                new = {name: part for name, part in told.items() if part not in arguments.values()}
                return [self._fact(str(name), part) for name, part in (new or told).items()][:MOST_FACTS]
            case list():
                return [self._fact(self._phrases["entries"], value)]
        text = " ".join(str(value).split()).removesuffix(self._phrases["label"]).strip()
        return [text[:LONGEST_FACT]] if text else []

    def _fact(self, name: str, value: Any) -> str:
        match value:
            case []:
                return self._phrases["none"].format(name=_spaced(name))
            case [first, *_]:
                return self._phrases["some"].format(count=len(value), name=_spaced(name), first=_brief(first))
        return self._phrases["fact"].format(name=_spaced(name), value=_brief(value))


def _brief(value: Any) -> str:
    match value:
        case dict():
            text = ", ".join(f"{_spaced(str(name))} {_brief(part)}" for name, part in _told_parts(value))
        case list():
            text = ", ".join(_brief(part) for part in value)
        case bool():
            text = "yes" if value else "no"
        case _:
            text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_FACT else text[: LONGEST_FACT - 1] + "…"


def _told_parts(value: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(name, part) for name, part in value.items() if part not in (None, "", [], {})][:MOST_FACTS]


def _spaced(name: str) -> str:
    return name.replace("_", " ")
