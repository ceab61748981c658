"""The fields of one entry of a list of tools, each read with the care that a stranger's JSON asks for.

What a tool cannot do without raises UnfitError; what it can do without is left away, with a note.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from catalog.sources.storable import Copying, UnfitError, storable_text

MAX_NAME_LENGTH = 128
MAX_TEXT_BYTES = 64 * 1024
MAX_LANGUAGES = 50
MAX_WORD_LENGTH = 200
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fields:
    """An entry, and the notes on what of it was changed or left away; each completes 'It is kept, but …'."""

    entry: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def name(self) -> str:
        name = self.entry.get("name")
        if name is None or name == "":
            raise UnfitError("it has no name")
        if not isinstance(name, str):
            raise UnfitError(f"its name is {kind_of(name)}, not text")
        if _CONTROL.search(name):
            raise UnfitError("its name holds a control character or a line break")
        if not name.strip():
            raise UnfitError("its name is blank")
        if len(name) > MAX_NAME_LENGTH:
            raise UnfitError(f"its name has {len(name):,} characters, at most {MAX_NAME_LENGTH} are allowed")
        return name

    def needed_text(self, key: str) -> str:
        if not isinstance(value := self.entry.get(key), str | None):
            raise UnfitError(f"its {key} is {kind_of(value)}, not text")
        return self.text(key)

    def text(self, key: str) -> str:
        value = self.entry.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.notes.append(f"without its {_words_of(key)}: it is {kind_of(value)}, not text")
            return ""
        text = storable_text(value)
        if len(text) * 4 <= MAX_TEXT_BYTES or len(raw := text.encode()) <= MAX_TEXT_BYTES:
            return text
        self.notes.append(f"its {_words_of(key)} of {len(raw) // 1024:,} KB is cut to {MAX_TEXT_BYTES // 1024} KB")
        return raw[:MAX_TEXT_BYTES].decode("utf-8", "ignore")

    def schema(self, keys: tuple[str, ...], what: str) -> dict[str, Any] | None:
        """The JSON Schema of an object under the first key that has one."""
        schema = next((self.entry[key] for key in keys if self.entry.get(key) is not None), None)
        if schema is None:
            return None
        if not isinstance(schema, dict):
            raise UnfitError(f"its {what} is {kind_of(schema)}, not an object")
        kinds = schema.get("type", "object")
        if kinds != "object" and not (isinstance(kinds, list) and "object" in kinds):
            raise UnfitError(f"its {what} is for “{storable_text(str(kinds))[:60]}”, not for an object")
        copying = Copying(f"its {what}")
        copy: dict[str, Any] = copying.copy(schema)
        if copying.remote_references:
            self.notes.append(f"its {what} refers to {copying.remote_references[0]}, which is never fetched")
        return copy

    def optional_schema(self, key: str, what: str) -> dict[str, Any] | None:
        try:
            return self.schema((key,), what)
        except UnfitError as unfit:
            self.notes.append(f"without its {what}: {unfit}")
            return None

    def mapping(self, key: str) -> dict[str, Any]:
        value = self.entry.get(key)
        if value is None:
            return {}
        try:
            copy = self.json(key)
        except UnfitError as unfit:
            self.notes.append(f"without its {_words_of(key)}: {unfit}")
            return {}
        if isinstance(copy, dict):
            return copy
        self.notes.append(f"without its {_words_of(key)}: that is {kind_of(value)}, not an object")
        return {}

    def json(self, key: str) -> Any:
        return Copying(f"its {_words_of(key)}").copy(self.entry.get(key))

    def words(self, key: str) -> tuple[str, ...]:
        value = self.entry.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.notes.append(f"without its {key}: they are not a list of texts")
            return ()
        return tuple(dict.fromkeys(_short(word) for word in value if word.strip()))

    def flag(self, key: str) -> bool:
        """True unless it says false."""
        value = self.entry.get(key)
        if value is not None and not isinstance(value, bool):
            self.notes.append(f"without its {_words_of(key)}: it is {kind_of(value)}, not true or false")
        return value is not False

    def word(self, key: str) -> str:
        value = self.entry.get(key)
        return _short(value) if isinstance(value, str) else ""

    def localised(self) -> dict[str, dict[str, str]]:
        languages = self.mapping("localised")
        return {
            language: {
                part: text for part in ("title", "description") if (text := Fields(texts, self.notes).text(part))
            }
            for language, texts in list(languages.items())[:MAX_LANGUAGES]
            if isinstance(texts, dict)
        }


def kind_of(value: Any) -> str:
    kinds = {type(None): "null", bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list"}
    return kinds.get(type(value), "an object")


def _short(word: str) -> str:
    return storable_text(word.strip())[:MAX_WORD_LENGTH]


def _words_of(key: str) -> str:
    return key.replace("_", " ")
