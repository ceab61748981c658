"""Filling an empty product: one big server, many small ones, a catalog of all, and its index."""

from collections.abc import Iterator

from benchmarks.curating.asked import CATALOG, LIST, QUERY, search
from benchmarks.curating.asking import Asking, Row


def filled(asking: Asking) -> Iterator[Row]:
    """The catalog is there first, so that applying includes building its index."""
    person = asking.person
    person.post("/catalogs/add/", {"title": "Everything", "slug": "everything"})
    big, *others = asking.listings
    yield from _import(asking, big)
    yield Row("the tools page, while that was applied, slowest", max(person.delays, default=0.0), None, 0.0)
    yield asking.once(f"{len(others):,} servers more, each planned and applied", lambda: _take_all(asking, others))
    yield asking.once("all servers into the catalog, its form opened and saved", lambda: everything(asking, "save"))
    yield asking.once("the first index of all", lambda: _indexed(asking))


def _import(asking: Asking, slug: str) -> Iterator[Row]:
    size = f"{len(asking.listings[slug]):,} tools in one file"
    pages: list[str] = []
    yield asking.once(f"{size}: planned", lambda: pages.append(asking.upload(slug, asking.listings[slug])))
    yield asking.page(f"{size}: the preview", pages[0])
    yield asking.once(f"{size}: applied", lambda: asking.apply(pages[0], LIST))


def _take_all(asking: Asking, slugs: list[str]) -> None:
    for slug in slugs:
        asking.apply(asking.upload(slug, asking.listings[slug]))


def everything(asking: Asking, action: str, but: str = "") -> None:
    said = {f"{slug}-choice": "none" if slug == but else "everything" for slug in asking.listings}
    said |= {f"{slug}-{names}": "" for slug in asking.listings for names in ("patterns", "picked")}
    said |= {"action": action, "began_from": asking.began_from(f"{CATALOG}servers/") if action == "save" else ""}
    asking.person.post(f"{CATALOG}servers/", said, target="preview" if action == "preview" else "")


def _indexed(asking: Asking) -> None:
    asking.person.until(search("bm25f", QUERY), "data-walk")
