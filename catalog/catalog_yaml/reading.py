"""Reading a catalog's YAML, as strangers send it: the document, or each mistake with its line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from catalog.catalog_yaml.wording import told, told_of_unknown
from catalog.sources.errors import SourceError
from catalog.sources.yaml_text import load_yaml

MOST_CHARACTERS = 1_000_000
MOST_MISTAKES = 50
MOST_TOLD = 300
"""Characters of a mistake that are told."""
SCHEMA = json.loads((Path(__file__).parent / "schema.json").read_text())
Place = Sequence[str | int]
"""Keys and positions on the way from the top."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """`line` is 0 where the text has the place, or there is none."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Written:
    """What was read. `root` finds lines."""

    value: dict[str, Any]
    root: yaml.Node

    def mistake(self, place: Place, text: str) -> Mistake:
        where = ".".join(map(str, place))
        return Mistake(_line(self.root, place), f"{where}: {text}"[:MOST_TOLD] if where else text[:MOST_TOLD])


class MistakesError(ValueError):
    """The text cannot be taken."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(mistakes, key=lambda mistake: mistake.line)[:MOST_MISTAKES]
        super().__init__("; ".join(mistake.text for mistake in self.mistakes))


def read(text: str) -> Written:
    """What fits the schema. Raises MistakesError."""
    if len(text) > MOST_CHARACTERS:
        raise MistakesError([Mistake(0, f"The file has more than {MOST_CHARACTERS:,} characters.")])
    try:
        value = load_yaml(text).value
    except SourceError as error:
        raise MistakesError([Mistake(0, str(error))]) from None
    written = Written(value, _root(text))
    mistakes = [*_repeated(written.root), *_misfits(written), *_unprintable(written)]
    if mistakes:
        raise MistakesError(mistakes)
    return written


def _root(text: str) -> yaml.Node:
    """The nodes. Anchors are refused: a text without them is as deep as it is written."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    is_read = False
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.AliasEvent):
            raise MistakesError([Mistake(_line_of(event), "Anchors and aliases are not taken here.")])
        if is_read and isinstance(event, yaml.DocumentStartEvent):
            raise MistakesError([Mistake(_line_of(event), "A second catalog begins here. Import them one by one.")])
        is_read = is_read or isinstance(event, yaml.DocumentEndEvent)
    root: yaml.Node = next(iter(yaml.compose_all(text, Loader=loader)))
    return root


def _misfits(written: Written) -> Iterator[Mistake]:
    for error in Draft202012Validator(SCHEMA).iter_errors(written.value):
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            unknown = [key for key in error.instance if key not in known]
            yield from (written.mistake((*place, key), told_of_unknown(key, known)) for key in unknown)
        else:
            yield written.mistake(place, told(error))


def _repeated(root: yaml.Node) -> Iterator[Mistake]:
    """Keys that are written twice, which YAML forbids and readers pass over."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                if key.value in seen:
                    yield Mistake(_line_of(key), f"{key.value[:60]} is written twice.")
                seen.add(key.value)
                waiting.append(value)


def _unprintable(written: Written) -> Iterator[Mistake]:
    waiting = [written.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            if "\0" in node.value:
                yield Mistake(_line_of(node), "The text has a NUL character.")
        elif isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]
        else:
            waiting += node.value


def _line(root: yaml.Node, place: Place) -> int:
    """The line of a place, or of the nearest one above it that is written."""
    node, line = root, _line_of(root)
    for step in place:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            pairs, step = [(node.value[step], node.value[step])], node.value[step].value
        found = next(((key, value) for key, value in pairs if key.value == step), None)
        if found is None:
            return line
        line, node = _line_of(found[0]), found[1]
    return line


def _line_of(part: Any) -> int:
    """Of a node or an event."""
    line: int = part.start_mark.line
    return line + 1
