"""JSON values written as YAML that `yaml_text` reads back the same, long texts as blocks."""

from typing import Any

import yaml

from catalog.sources.yaml_text import plain_value


class _Writer(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Repeats a value wherever it stands, instead of referring to it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(writer: Any, text: str) -> yaml.ScalarNode:
    """Words that stand for something else without quotes get them."""
    is_plain = isinstance(plain_value(text), str) and text != "<<"
    style = "|" if "\n" in text else None if is_plain else '"'
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=style)


_Writer.add_representer(str, _text)


def write_yaml(value: Any) -> str:
    return str(yaml.dump(value, Dumper=_Writer, allow_unicode=True, sort_keys=False, width=1_000))
