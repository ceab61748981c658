"""What a process keeps of catalogs as they are now: of each draft at one revision, and of the versions asked for last."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction

from catalog.editions import Edition
from catalog.exposing import CatalogRows, read_rows, seen_of
from catalog.exposure import Exposure
from catalog.models import Catalog, CatalogVersion
from catalog.publishing.held import HeldRows, read_version, seen_of_version
from catalog.search.engine import Corpus

Asked = Catalog | Edition
"""A catalog stands for its draft."""
Key = int | str
"""The key of a draft's row, or the name of what a version holds."""
Rows = TypeVar("Rows", CatalogRows, HeldRows)
MOST_HELD = 3
"""Versions of a catalog that are kept ready."""


@dataclass
class Generation(Generic[Rows]):
    """What one process keeps of a catalog at one revision."""

    read: Rows
    corpus: Corpus | None = None

    @property
    def revision(self) -> str:
        return self.read.revision

    @property
    def exposure(self) -> Exposure:
        return self.read.exposure


AnyGeneration = Generation[CatalogRows] | Generation[HeldRows]
_generations: dict[int, Generation[CatalogRows]] = {}
_held: defaultdict[str, OrderedDict[str, Generation[HeldRows]]] = defaultdict(OrderedDict)
"""By the family of the names, that is by catalog."""
_exposing = threading.Lock()
_keeps = ContextVar("keeps", default=True)


def current(asked: Asked) -> AnyGeneration:
    """As it is now."""
    catalog = row_of(asked)
    return _generation_held(asked) if catalog is None else generation_of(catalog)


def generation_of(catalog: Catalog) -> Generation[CatalogRows]:
    seen = seen_of(catalog)
    with _exposing:
        kept = _generations.get(catalog.pk)
        if kept is None or kept.read.seen != seen:
            kept = Generation(read_rows(catalog, seen, kept.read if kept else None))
            if _keeps.get():
                _generations[catalog.pk] = kept
    return kept


@contextmanager
def undone() -> Iterator[None]:
    """What is changed within is undone at the end, and what is read of drafts within is kept for nobody."""
    token = _keeps.set(False)
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        _keeps.reset(token)


def adopt(version: Edition, exposure: Exposure) -> AnyGeneration:
    """Keep a version that was just published of a draft that exposed this: nothing is read anew."""
    content, name = _version(version).content.hash, str(key_of(version))
    read = HeldRows(content, seen_of_version(_version(version)), exposure.pool.tools, Exposure(exposure.pool, ()))
    with _exposing:
        return _held[family_of(name)].setdefault(name, Generation(read))


def drop(key: Key) -> None:
    if isinstance(key, int):
        _generations.pop(key, None)
    else:
        _held[family_of(key)].pop(key, None)


def kept_of() -> set[int]:
    """The keys of the catalogs of which anything is kept."""
    return {*map(catalog_of, list(_generations)), *map(catalog_of, list(_held))}


def drop_all(catalog: int) -> None:
    """The draft and all versions of the catalog of this key."""
    _generations.pop(catalog, None)
    _held.pop(f"version-{catalog}-", None)


def catalog_of(key: Key) -> int:
    """The key of the catalog's row, of a draft, a version, or a family of versions."""
    return key if isinstance(key, int) else int(key.split("-")[1])


def row_of(asked: Asked) -> Catalog | None:
    """The catalog whose rows are read; None for a version that is held apart from them."""
    if isinstance(asked, Catalog):
        return asked
    return asked.catalog if asked.is_live else None


def key_of(asked: Asked) -> Key:
    catalog = row_of(asked)
    return f"version-{asked.pk}-{_version(asked).content.hash[:24]}" if catalog is None else catalog.pk


def family_of(key: Key) -> str:
    """How the names of all versions of the catalog begin; empty for a draft."""
    return key.rpartition("-")[0] + "-" if isinstance(key, str) else ""


def _generation_held(asked: Asked) -> Generation[HeldRows]:
    version, name = _version(asked), str(key_of(asked))
    seen = seen_of_version(version)
    with _exposing:
        family = _held[family_of(name)]
        kept = family.get(name)
        if kept is None or kept.read.seen != seen:
            kept = family[name] = Generation(read_version(version, seen, kept.read if kept else None))
        family.move_to_end(name)
        while len(family) > MOST_HELD:
            family.popitem(last=False)
    return kept


def _version(asked: Asked) -> CatalogVersion:
    if isinstance(asked, Catalog) or asked.version is None:
        raise ValueError("a draft is no version")
    return asked.version
