"""The text of a catalog's document: the same document is always the same text."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

HEADER = """\
# A catalog of Pegboard: what one agent may discover, and how. Import it at /catalogs/import/.
# docs/catalog-yaml.md says what each part means; catalog/catalog_yaml/schema.json is its JSON Schema.
# It names servers and tools and holds no secrets.
"""
_LIKE_A_NUMBER = re.compile(r"[-+.]?[0-9.]")


class _Dumper(yaml.SafeDumper):
    """Without aliases; texts of several lines in blocks; what looks like a number is quoted."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else "'" if _LIKE_A_NUMBER.match(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def text_of(document: Mapping[str, Any]) -> str:
    body = yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return f"{HEADER}{body}"
