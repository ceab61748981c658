"""Acts, each with what follows of it: an edit, searches after edits, an edit of many, lint, drift."""

from collections.abc import Iterator
from urllib.parse import urlencode

from benchmarks.curating.asked import APPLIED, ENGINES, MOST_DRIFTED, MOST_EDITED, QUERY, UNDONE, search
from benchmarks.curating.asking import Asking, Row
from benchmarks.curating.listings import BIG, MARK, Entry, changed, content, reworded
from benchmarks.curating.product import NotAsExpectedError


def edited(asking: Asking) -> Iterator[Row]:
    yield asking.once("an edit, saved", lambda: _edit(asking, 0, "Knows quagga."))
    yield asking.once("the search that finds it", lambda: _finds(asking, "quagga"))


def searched(asking: Asking) -> Iterator[Row]:
    for place, (engine, query) in enumerate(ENGINES.items()):
        _edit(asking, place, f"Knows zebra{place}.")
        yield asking.page(f"search after an edit, {engine}", search(engine, query))


def _edit(asking: Asking, place: int, sentence: str) -> None:
    entry = asking.listings[BIG][place]
    address = f"/tools/{BIG}/{entry['name']}/edit/"
    said = {"own_description": f"{entry['description']} {sentence}", "searchable": "on", "enabled": "on"}
    asking.person.post(address, said | {"began_from": asking.began_from(address)})


def _finds(asking: Asking, word: str) -> None:
    if asking.listings[BIG][0]["name"] not in asking.person.get(search("bm25f", word)).text:
        raise NotAsExpectedError("the search did not find what was edited")


def many(asking: Asking) -> Iterator[Row]:
    marked = asking.share(MOST_EDITED)
    said = {"act": "add-tag", "value": "looked-over", "query": urlencode({"server": BIG, "tag": MARK}), "all": "on"}
    edit, pages = f"an edit of {marked:,}", list[str]()
    plan = asking.person.post
    yield asking.once(f"{edit}, planned", lambda: pages.append(plan("/tools/edits/", said).url.path))
    yield asking.once(f"{edit}, applied", lambda: _carry_out(asking, pages[0], "apply", APPLIED))
    yield asking.once("the search after it", lambda: asking.person.get(search("bm25f", QUERY)))
    yield asking.once(f"{edit}, undone", lambda: _carry_out(asking, pages[0], "undo", UNDONE))


def _carry_out(asking: Asking, address: str, act: str, over: str) -> None:
    asking.person.post(f"{address}{act}/")
    asking.person.until(address, over)


def linted(asking: Asking) -> Iterator[Row]:
    yield asking.once("lint of all", lambda: _lint(asking))
    yield asking.page("lint", "/lint/")
    yield asking.page("lint of the catalog", "/lint/?catalog=everything")


def _lint(asking: Asking) -> None:
    asking.person.post("/lint/look/")
    asking.person.until("/lint/", "Every rule was last asked")


def drifted(asking: Asking) -> Iterator[Row]:
    """First as many have another meaning, then as many more another wording, which is held too and accepted together."""
    big, held = asking.listings[BIG], asking.share(MOST_DRIFTED)
    otherwise = changed(big, held)
    yield from _listed_again(asking, f"the list again, {held:,} changed", otherwise)
    yield asking.page(f"drift, {held:,} wait", "/drift/")
    yield from _listed_again(asking, f"and again, {held:,} reworded", reworded(otherwise, held, 2 * held))
    yield asking.page("drift, the rewordings", "/drift/?kind=rewording")
    yield asking.once(f"{held:,} rewordings accepted together", lambda: _accept_rewordings(asking))


def _listed_again(asking: Asking, words: str, entries: list[Entry]) -> Iterator[Row]:
    pages: list[str] = []
    address = f"/servers/{BIG}/upload/"
    plan = asking.person.post
    yield asking.once(
        f"{words}: planned",
        lambda: pages.append(asking.planned(plan(address, file=content(entries)).url.path)),
    )
    yield asking.once(f"{words}: applied", lambda: asking.apply(pages[0]))


def _accept_rewordings(asking: Asking) -> None:
    newest = asking.person.get("/drift/").text.partition('name="newest" value="')[2].partition('"')[0]
    if "accepted" not in asking.person.post("/drift/accept-rewordings/", {"newest": newest}).text:
        raise NotAsExpectedError("the rewordings were not accepted")
