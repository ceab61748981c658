"""What the real systems answered, case by case, read from the recorded results."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from catalog.search import ENGINES
from catalog.search.engine import Corpus, Engine
from catalog.tools import ToolSpec

Json = Mapping[str, Any]

VECTORS = Path(os.environ.get("PEGBOARD_VECTORS") or Path(settings.PEGBOARD_SHARED) / "vectors")
CATALOGS = ("toy12", "multi60", "odd50")
NO_INDEX = Path("/nonexistent")
"""The folder of engines that keep none."""

with_vectors = pytest.mark.skipif(
    not VECTORS.is_dir(), reason=f"the recorded results are not at {VECTORS} (PEGBOARD_VECTORS)"
)


@dataclass(frozen=True)
class Recording:
    """The answers of one system over one catalog, and Pegboard's engine over the same."""

    told: Json
    engine: str

    @cached_property
    def tools(self) -> tuple[ToolSpec, ...]:
        return tuple(
            ToolSpec(tool["name"], tool["description"] or "", tool["parameters"] or {}, tool["server"] or "")
            for tool in self.told["catalog"]
        )

    @cached_property
    def asked(self) -> Engine:
        return ENGINES[self.engine](Corpus(self.tools, NO_INDEX))


@dataclass(frozen=True)
class Case:
    """One call of the search: what was asked, with which options, and what came of it."""

    told: Json
    recording: Recording

    @property
    def query(self) -> str:
        return str(self.told["query"])

    @property
    def options(self) -> Json:
        return self.told["params"] or {}

    @property
    def expected(self) -> Json:
        """With `matches` in order; the answer of a call that fails has none."""
        return {"matches": [], **self.told["expected"]}


@cache
def recordings(system: str, engine: str) -> list[Recording]:
    paths = [VECTORS / f"{system}__{catalog}.json" for catalog in CATALOGS]
    return [Recording(json.loads(path.read_text(encoding="utf-8")), engine) for path in paths if path.exists()]


def every_case(system: str, engine: str) -> list[Case]:
    return [Case(told, found) for found in recordings(system, engine) for told in found.told["cases"]]


def asks_the_engine(case: Case) -> bool:
    """Whether the case is a query. The others send raw arguments (bad JSON, wrong types, other letter case, a missing
    query): reading those, and the texts of their errors and answers, is the mode's affair."""
    return "query" in case.told


def engine_cases(system: str, engine: str) -> Any:
    """Parametrize a test by the cases that an engine has to answer as recorded."""
    found = filter(asks_the_engine, every_case(system, engine))
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.told["id"]) for case in found])
