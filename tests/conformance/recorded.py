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
            ToolSpec(
                tool["name"], tool.get("description") or "", tool.get("parameters") or {}, tool.get("server") or ""
            )
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
        return self.told.get("params") or {}

    @property
    def expected(self) -> Json:
        """With `matches` in order; the answer of a call that fails has none."""
        return {"matches": [], **self.told["expected"]}


@cache
def read(pattern: str) -> list[Json]:
    """What the files of that name hold, whatever their number."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(VECTORS.glob(pattern))]


@cache
def recordings(system: str, engine: str) -> list[Recording]:
    """Every file of the system that has a catalog of its own: those are the searches."""
    return [Recording(told, engine) for told in read(f"{system}__*.json") if "catalog" in told]


def scripted(system: str, kind: str) -> list[Json]:
    """The cases of the system's files of another kind, such as `state`."""
    return [case for told in read(f"{system}__{kind}*.json") for case in told["cases"]]


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
