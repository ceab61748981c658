"""What a person wrote to call a tool: read, judged, and shown again, as fields or as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from catalog.argument_fields import ArgumentField, argument_fields, by_path
from catalog.argument_texts import Read, ShownField, Written, read_arguments, read_json, shown_fields, written_of
from catalog.models import Tool
from catalog.sources.arguments import check_arguments

AS_JSON = "json"


@dataclass(frozen=True, slots=True)
class CallForm:
    """`problems` are those of fields by key, `others` those that have no field of their own."""

    tool: Tool
    all_fields: tuple[ArgumentField, ...]
    written: Written
    is_json: bool
    arguments: dict[str, Any]
    problems: dict[str, str]
    others: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        return not self.problems and not self.others

    @property
    def fields(self) -> tuple[ShownField, ...]:
        return shown_fields(self.all_fields, self.written, self.problems)

    @property
    def text(self) -> str:
        """The arguments as JSON, as they were written where they were written so."""
        if self.is_json and (given := self.written.get(AS_JSON)):
            return given[0]
        return json.dumps(self.arguments, ensure_ascii=False, indent=2)

    @property
    def json_problems(self) -> list[str]:
        """Where JSON is written, all that is wrong with it."""
        paths = {field.key: path for path, field in by_path(self.all_fields).items()}
        named = [f"{paths[key]}: {problem}" if key in paths else problem for key, problem in self.problems.items()]
        return [*named, *self.others]


def filled_form(tool: Tool, arguments: Mapping[str, Any], is_json: bool) -> CallForm:
    """A form in which these arguments are written, judged by nobody yet."""
    fields = argument_fields(tool.parameters)
    return CallForm(tool, fields, written_of(fields, arguments), is_json, dict(arguments), {})


def read_form(tool: Tool, posted: QueryDict) -> CallForm:
    fields = argument_fields(tool.parameters)
    is_json = posted.get("as") == AS_JSON
    written: Written = dict(posted.lists())
    read = read_json(posted.get(AS_JSON, "")) if is_json else read_arguments(fields, written)
    problems, others = _judged(tool, fields, read)
    return CallForm(tool, fields, written, is_json, read.arguments, problems, others)


def _judged(tool: Tool, fields: tuple[ArgumentField, ...], read: Read) -> tuple[dict[str, str], tuple[str, ...]]:
    """The problems of the schema go to the fields that they name; of a field that cannot be read, that is told alone."""
    problems, others = dict(read.problems), []
    if "json" in problems:
        return problems, ()
    known = by_path(fields)
    for sentence in check_arguments(read.arguments, tool.parameters):
        path, _, problem = sentence.partition(": ")
        if path in known:
            problems.setdefault(known[path].key, problem)
        else:
            others.append(sentence)
    return problems, tuple(others)
