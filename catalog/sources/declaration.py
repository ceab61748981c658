"""A tool as sanqian's `tools.yaml` declares it (S-1), and as its unified record has it (S-2), in the fields of this house.

`display` and `desc` are texts by language; the parameters may stand name by name, each with `required`.
"""

from typing import Any

FIRST_LANGUAGES = ("en", "en-US", "en-GB")
"""The languages whose text stands for the tool where it has several; else the first that is written."""
_SCHEMA_SIGNS = ("properties", "additionalProperties", "patternProperties", "$defs", "definitions", "not", "if")
_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def declared(entry: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """A copy with `title`, `description`, `localised`, `permission` and a JSON Schema; each note completes 'It is kept, but …'.

    What the entry has under those names already stands.
    """
    names, texts = _by_language(entry, "display"), _by_language(entry, "desc", "description")
    found = dict(entry)
    if isinstance(entry.get("description"), dict) and texts:
        del found["description"]
    if localised := _localised(names, texts):
        found.setdefault("localised", localised)
    found.setdefault("title", chosen_text(names) or _text(entry.get("display")))
    found.setdefault("description", chosen_text(texts) or _text(entry.get("desc")))
    found.setdefault("permission", entry.get("permission_kind"))
    if "available" not in entry and "enabled" in entry:
        found["available"] = entry["enabled"]
    if is_named_parameters(entry.get("parameters")):
        found["parameters"] = _schema(entry["parameters"], entry.get("required"), notes)
    return found


def is_named_parameters(parameters: Any) -> bool:
    """Whether parameters stand name by name (or as a list of them) instead of as a JSON Schema."""
    if isinstance(parameters, list):
        return bool(parameters) and all(
            isinstance(part, dict) and isinstance(part.get("name"), str) for part in parameters
        )
    if not isinstance(parameters, dict) or not parameters:
        return False
    if isinstance(parameters.get("type"), str) or any(sign in parameters for sign in _SCHEMA_SIGNS):
        return False
    return all(isinstance(part, dict) or part in _TYPES for part in parameters.values())


def _schema(parameters: Any, required: Any, notes: list[str]) -> dict[str, Any]:
    named = {part["name"]: part for part in parameters} if isinstance(parameters, list) else parameters
    properties = {name: _property(name, part, notes) for name, part in named.items()}
    wanted = [name for name, part in named.items() if isinstance(part, dict) and part.get("required") is True]
    if isinstance(required, list):
        wanted += [name for name in required if isinstance(name, str) and name in properties and name not in wanted]
    return {"type": "object", "properties": properties} | ({"required": wanted} if wanted else {})


def _property(name: str, part: Any, notes: list[str]) -> dict[str, Any]:
    """A parameter of which only the type is said is that type."""
    if isinstance(part, str):
        return {"type": part}
    texts = _by_language(part, "desc", "description")
    schema = {key: value for key, value in part.items() if key not in ("name", "desc", "display")}
    if isinstance(schema.get("required"), bool):
        del schema["required"]
    if text := chosen_text(texts) or _text(part.get("desc")):
        schema["description"] = text
    if len(texts) > 1:
        notes.append(f"the text of its parameter {name[:60]} in one language only")
    return schema


def _by_language(entry: dict[str, Any], *keys: str) -> dict[str, str]:
    for key in keys:
        if isinstance(value := entry.get(key), dict):
            return {str(language): text for language, text in value.items() if isinstance(text, str)}
    return {}


def _localised(names: dict[str, str], texts: dict[str, str]) -> dict[str, dict[str, str]]:
    parts = {
        language: {"title": names.get(language), "description": texts.get(language)}
        for language in dict.fromkeys((*names, *texts))
    }
    return {language: {key: text for key, text in both.items() if text is not None} for language, both in parts.items()}


def chosen_text(texts: dict[str, str]) -> str | None:
    """The text that stands for the tool among those by language."""
    if not texts:
        return None
    return next((texts[language] for language in FIRST_LANGUAGES if language in texts), next(iter(texts.values())))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
