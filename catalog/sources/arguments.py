"""Whether the arguments of a call fit the tool's schema, said in plain sentences.

The schema is a stranger's: nothing that it refers to is fetched, its patterns run in RE2, and its cost is bounded.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from catalog.patterns import PatternError, compile_regex
from catalog.sources.formats import FORMATS, FormatsWithin
from catalog.tools import JsonSchema

MAX_PROBLEMS = 20
MAX_STEPS = 10_000
"""Keywords looked at for one call; a schema of 500 parameters needs about 2,000."""
MAX_SECONDS = 0.3
"""Of computing for one call."""

Keyword = Callable[[Any, Any, Any, dict[str, Any]], Iterator[ValidationError] | None]


def check_arguments(arguments: Mapping[str, Any], parameters: JsonSchema) -> list[str]:
    """What is wrong with the arguments, one plain sentence each; the tool itself may still refuse what passes here.

    A schema that cannot be judged (it refers elsewhere, is broken, or costs too much) raises no objection.
    """
    return _problems(dict(arguments), parameters, "the arguments")


def check_result(structured: Any, output_schema: JsonSchema) -> list[str]:
    """As `check_arguments`, of the structured content of an answer against what the tool's source promised."""
    return _problems(structured, output_schema, "the result")


def _problems(value: Any, schema: JsonSchema, whole: str) -> list[str]:
    validator = _Validator(dict(schema), registry=Registry(), format_checker=FormatsWithin(MAX_STEPS, MAX_SECONDS))
    try:
        errors = list(islice(validator.iter_errors(value), MAX_PROBLEMS))
    except Exception:  # a stranger's schema can break the validator in any way it likes
        return []
    return list(dict.fromkeys(sentence for error in errors for sentence in _sentences(error, whole)))


def _counted(keyword: Keyword) -> Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
        validator.format_checker.spend()
        yield from keyword(validator, value, instance, schema) or ()

    return counted


def _pattern(validator: Any, pattern: Any, instance: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not _found(pattern, instance):
        yield ValidationError(f"does not match {pattern}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for pattern, subschema in patterns.items():
            for key in [key for key in instance if _found(pattern, key)]:
                yield from validator.descend(instance[key], subschema, path=key, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    patterns = schema.get("patternProperties", {})
    for key in [key for key in instance if key not in schema.get("properties", {})]:
        if any(_found(pattern, key) for pattern in patterns):
            continue
        if allowed is False:
            yield ValidationError("is not a parameter of this tool", path=[key], validator="additionalProperties")
        elif isinstance(allowed, dict):
            yield from validator.descend(instance[key], allowed, path=key)


def _unjudged(validator: Any, value: Any, instance: Any, schema: dict[str, Any]) -> None:
    """The validator's own form of this keyword runs the schema's patterns in `re`."""


def _found(pattern: Any, text: str) -> bool:
    """A pattern that RE2 does not take (lookaround, say) or that is too large objects to nothing."""
    try:
        return compile_regex(str(pattern)).search(text.encode("utf-8", "replace").decode()) is not None
    except PatternError:
        return True


def _sentences(error: Any, whole: str) -> Iterator[str]:
    place = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        for name in missing:
            yield f"{f'{place}.' if place else ''}{name}: is required"
    elif error.validator in ("anyOf", "oneOf") and (closest := _closest(error)):
        for inner in closest:
            yield from _sentences(inner, whole)
    elif error.validator in _WORDS:
        yield f"{place or whole}: {_WORDS[error.validator](error)}"
    else:
        yield f"{place or whole}: {error.message[:200]}"


def _closest(error: Any) -> list[Any]:
    """What keeps the value from the form that it comes closest to, of those whose type it has."""
    forms: dict[Any, list[Any]] = {}
    for inner in error.context:
        forms.setdefault(inner.relative_schema_path[0], []).append(inner)
    typed = [found for found in forms.values() if all(inner.relative_path or _is_gap(inner) for inner in found)]
    return min(typed, key=len, default=[])


def _is_gap(error: Any) -> bool:
    return error.validator in ("required", "additionalProperties")


def _kinds(error: Any) -> str:
    kinds = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    return f"{_shown(error.instance)} is not {' or '.join(_KIND_WORDS.get(str(kind), str(kind)) for kind in kinds)}"


def _shown(value: Any) -> str:
    return f"“{value[:60]}”" if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)[:60]


_KIND_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_WORDS: Mapping[Any, Callable[[Any], str]] = {
    "type": _kinds,
    "enum": lambda error: f"{_shown(error.instance)} is not one of {', '.join(map(_shown, error.validator_value))}"[
        :200
    ],
    "const": lambda error: f"{_shown(error.instance)} is not {_shown(error.validator_value)}",
    "format": lambda error: f"{_shown(error.instance)} is not {FORMATS[error.validator_value]}",
    "pattern": lambda error: f"{_shown(error.instance)} does not match {error.validator_value}"[:200],
    "minimum": lambda error: f"{_shown(error.instance)} is less than {error.validator_value}",
    "maximum": lambda error: f"{_shown(error.instance)} is more than {error.validator_value}",
    "minLength": lambda error: f"{_shown(error.instance)} is shorter than {error.validator_value} characters",
    "maxLength": lambda error: f"{_shown(error.instance)} is longer than {error.validator_value} characters",
    "minItems": lambda error: f"has {len(error.instance)} entries, at least {error.validator_value} are needed",
    "maxItems": lambda error: f"has {len(error.instance)} entries, at most {error.validator_value} are allowed",
    "anyOf": lambda error: f"{_shown(error.instance)} has none of the forms that are allowed",
    "oneOf": lambda error: f"{_shown(error.instance)} has not exactly one of the forms that are allowed",
    "additionalProperties": lambda error: error.message,
}
_OWN: dict[str, Keyword] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "unevaluatedProperties": _unjudged,
    "unevaluatedItems": _unjudged,
}
_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {name: _counted(keyword) for name, keyword in {**Draft202012Validator.VALIDATORS, **_OWN}.items()},
)
