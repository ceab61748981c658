"""What the address of a what-if says."""

from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from catalog.models import Catalog, Tool
from catalog.whatif.drafts import written
from catalog.whatif.shapes import Shape, shape_text

SHOWN = {
    "changed": "All that change",
    "better": "Better",
    "worse": "Worse",
    "free": "Worse, and not counted",
    "higher": "The tool higher",
    "lower": "The tool lower",
    "out": "Pushed out",
    "spared": "Need no search any more",
    "again": "Need a search again",
    "failing": "Still failing",
}
"""The lists of queries, by their names in an address."""
ALL_EDITS = "all"
"""What an address says instead of one edit of a catalog's draft."""


def publishing_address(catalog: str, edit: str = ALL_EDITS) -> "WhatIfAddress":
    """The address of what publishing the draft of a catalog does, or one edit of it alone."""
    said = QueryDict(mutable=True)
    said.update({"catalog": catalog, "edit": edit})
    return WhatIfAddress(said)


MOST_NAME = 128
"""Characters of a name that is tried."""


def draft_address(tool: Tool, data: QueryDict, catalog: str = "") -> "WhatIfAddress":
    """The address of what a form of the tool's overlay says."""
    said = QueryDict(mutable=True)
    said.update({"catalog": catalog, "tool": str(tool), "draft": written(data)})
    return WhatIfAddress(said)


def shape_address(catalog: Catalog, shape: Shape) -> "WhatIfAddress | None":
    """The address of what the catalog would be; None where it is too long for one."""
    said, text = QueryDict(mutable=True), shape_text(shape)
    said.update({"catalog": catalog.slug, "shape": text})
    return WhatIfAddress(said) if text else None


class WhatIfAddress:
    """`draft` is an edit of the tool, `name` another name of it, `shape` other filters or tools in view.

    `edit` is one of a catalog's draft, or all. `show` is a list of SHOWN, `of` a tool that is pushed out, `query` the one
    that is opened, `why` the tool explained.
    """

    def __init__(self, said: QueryDict) -> None:
        self.catalog = said.get("catalog", "")
        self.tool = said.get("tool", "")
        self.draft = said.get("draft", "")
        self.name = said.get("name", "").strip()[:MOST_NAME]
        self.shape = said.get("shape", "")
        self.edit = said.get("edit", "")
        shown = str(said.get("show", ""))
        self.show = shown if shown in SHOWN else ""
        self.of = said.get("of", "")
        self.query = said.get("query", "")
        self.why = said.get("why", "")
        self.settings = {name: str(said[name]) for name in said if name == "engine" or "." in name}

    @property
    def kept_beside_name(self) -> list[tuple[str, str]]:
        """What a form that asks for another name carries along."""
        parts = {"catalog": self.catalog, "tool": self.tool, "draft": self.draft}
        return [(name, value) for name, value in parts.items() if value]

    def to(self, **other: str) -> str:
        """This address with other parts; empty ones are left out. A list that is chosen closes the query that is open."""
        said = {
            "catalog": self.catalog,
            "tool": self.tool,
            "draft": self.draft,
            "name": self.name,
            "shape": self.shape,
            "edit": self.edit,
            **self.settings,
            "show": self.show,
            "of": self.of,
            "query": self.query,
            "why": self.why,
        }
        if "show" in other:
            said |= {"of": "", "query": "", "why": ""}
        if "query" in other:
            said["why"] = ""
        kept = {name: value for name, value in (said | other).items() if value}
        return f"{reverse('what_if')}?{urlencode(kept, safe='/')}"
