"""One SKILL.md, as the public Agent Skills format has it: YAML front matter between two lines of hyphens, then Markdown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from catalog.sources.storable import storable_text

SKILL_FILE = "SKILL.md"
MAX_TEXT = 256 * 1024
"""Bytes of one text."""
MAX_FRONT_MATTER = 16 * 1024
MAX_NAME, MAX_DESCRIPTION = 64, 1024
MAX_DEPTH = 8
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_PROMISES = ("license", "compatibility", "allowed-tools")
_FENCE = "---"


class BadSkill(Exception):
    """The skill cannot be taken. The message completes 'It is left out: …'; `line` counts from 1, 0 is the whole file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class SkillText:
    """`promises` is what the front matter says beside name and description; each note completes 'It is kept, but …'."""

    name: str
    description: str
    body: str
    promises: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A field of the front matter, and its line in the file."""

    value: Any
    line: int


def read_skill_text(content: bytes) -> SkillText:
    """Raises BadSkill."""
    lines = _decoded(content).split("\n")
    if lines[0].rstrip() != _FENCE:
        raise BadSkill(1, "it does not begin with its front matter, a line of three hyphens")
    end = next((place for place, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        raise BadSkill(1, "its front matter is never closed by a second line of three hyphens")
    entries = _front_matter("\n".join(lines[1:end]))
    body = "\n".join(lines[end + 1 :]).strip("\n")
    if not body.strip():
        raise BadSkill(end + 1, "it has no text after its front matter")
    notes: list[str] = []
    name, description = _name(entries), _description(entries, notes)
    return SkillText(name, description, body, _promises(entries, notes), tuple(notes))


def readable_text(content: bytes) -> str | None:
    """The text of a file of UTF-8, with lines that end alike; None of one that is something else."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(content: bytes) -> str:
    if len(content) > MAX_TEXT:
        raise BadSkill(0, f"its {SKILL_FILE} is larger than {MAX_TEXT // 1024} KB")
    text = readable_text(content)
    if text is None:
        raise BadSkill(_line_of_first_odd_byte(content), "it is not UTF-8 text")
    return text


def _line_of_first_odd_byte(content: bytes) -> int:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        return content.count(b"\n", 0, error.start) + 1
    return text.count("\n", 0, text.find("\0")) + 1


def _front_matter(text: str) -> dict[str, _Entry]:
    if len(text) > MAX_FRONT_MATTER:
        raise BadSkill(1, f"its front matter is longer than {MAX_FRONT_MATTER // 1024} KB")
    try:
        _check_events(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = _line(error.problem_mark)
        raise BadSkill(line, f"its front matter is not valid YAML: {error.problem or 'it cannot be read'}") from None
    except yaml.YAMLError:
        raise BadSkill(1, "its front matter holds characters that YAML does not allow") from None
    if not isinstance(node, yaml.MappingNode):
        raise BadSkill(2, "its front matter is no list of fields, as in name: my-skill")
    return dict(_entries(node))


def _check_events(text: str) -> None:
    """Nothing that could grow when it is read: no aliases, no deep nesting. The parser in C would crash on the latter."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise BadSkill(_line(event.start_mark), "its front matter repeats a part by an alias")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise BadSkill(_line(event.start_mark), f"its front matter is nested deeper than {MAX_DEPTH} levels")


def _entries(node: yaml.MappingNode) -> Iterator[tuple[str, _Entry]]:
    for key, value in node.value:
        yield str(_value(key)), _Entry(_value(value), _line(key.start_mark))


def _line(mark: Any) -> int:
    """In the file, from 1: the front matter begins in its second line."""
    return mark.line + 2 if mark else 1


def _value(node: yaml.Node) -> Any:
    """Texts, lists and mappings; what looks like a number, a date or a truth stays the text that it was."""
    match node:
        case yaml.MappingNode():
            return {str(_value(key)): _value(part) for key, part in node.value}
        case yaml.SequenceNode():
            return [_value(part) for part in node.value]
    return storable_text(node.value)


def _name(entries: dict[str, _Entry]) -> str:
    name = entries.get("name", _Entry("", 2))
    if not isinstance(name.value, str):
        raise BadSkill(name.line, "its name is not a text")
    if not name.value.strip():
        raise BadSkill(name.line, "it has no name")
    if len(name.value) > MAX_NAME:
        raise BadSkill(name.line, f"its name has {len(name.value):,} characters, at most {MAX_NAME} are allowed")
    if not _NAME.match(name.value):
        raise BadSkill(name.line, "its name must be lower-case letters and digits, parted by single hyphens")
    return name.value


def _description(entries: dict[str, _Entry], notes: list[str]) -> str:
    description = entries.get("description", _Entry("", 2))
    if not isinstance(description.value, str):
        raise BadSkill(description.line, "its description is not a text")
    if not (text := description.value.strip()):
        raise BadSkill(description.line, "it has no description, by which a search would find it")
    if len(text) > MAX_DESCRIPTION:
        notes.append(f"its description has {len(text):,} characters, where the format allows {MAX_DESCRIPTION:,}")
    return text


def _promises(entries: dict[str, _Entry], notes: list[str]) -> dict[str, Any]:
    promises: dict[str, Any] = {}
    for key in _PROMISES:
        value = entries[key].value if key in entries else ""
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            value = " ".join(value)
        if not isinstance(value, str):
            notes.append(f"without its {key}, which is not a text")
        elif value:
            promises[key] = value
    metadata = entries["metadata"].value if "metadata" in entries else {}
    if not isinstance(metadata, dict):
        notes.append("without its metadata, which are no fields")
    elif metadata:
        promises["metadata"] = metadata
    if odd := sorted(entries.keys() - {"name", "description", "metadata", *_PROMISES}):
        notes.append(f"without {', '.join(word[:40] for word in odd[:5])}, which the format does not have")
    return promises
