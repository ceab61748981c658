"""What is measured, in the order in which it is done: filling an empty product, then every page that is wide, then acts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from urllib.parse import urlencode

from benchmarks.curating.asked import (
    AGAIN,
    APPLIED,
    CATALOG,
    ENGINES,
    LIST,
    MOST_DRIFTED,
    MOST_EDITED,
    PLANNED,
    QUERY,
    UNDONE,
    UPFRONT,
    search,
)
from benchmarks.curating.listings import BIG, Entry, changed, content
from benchmarks.curating.product import NotAsExpectedError, Person, timed


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds on the wall: the first time, and the median of further times, for what can be asked twice.

    `cpu` are seconds of processors that the server's own process took for the last of them.
    """

    step: str
    first: float
    again: float | None
    cpu: float


@dataclass
class Curation:
    """One person, the lists that servers give, and what was measured so far."""

    person: Person
    listings: dict[str, list[Entry]]
    rows: list[Row] = field(default_factory=list)

    def run(self) -> Iterator[Row]:
        """Each row as soon as it is known."""
        for part in (self._filled, self._lists, self._catalog, self._edited, self._searched, self._many, self._drifted):
            yield from part()

    def _filled(self) -> Iterator[Row]:
        """The catalog is there first, so that applying includes building its index."""
        person = self.person
        person.post("/catalogs/add/", {"title": "Everything", "slug": "everything"})
        big, *others = self.listings
        yield from self._import(big)
        yield Row("the tools page, while that was applied, slowest", max(person.delays, default=0.0), None, 0.0)
        yield self._once(f"{len(others):,} servers more, each planned and applied", lambda: self._take_all(others))
        yield self._once("all servers into the catalog, its form opened and saved", lambda: self._everything("save"))
        yield self._once("the first index of all", self._indexed)

    def _import(self, slug: str) -> Iterator[Row]:
        size = f"{len(self.listings[slug]):,} tools in one file"
        pages: list[str] = []
        yield self._once(f"{size}: planned", lambda: pages.append(self._upload(slug, self.listings[slug])))
        yield self._page(f"{size}: the preview", pages[0])
        yield self._once(f"{size}: applied", lambda: self._apply(pages[0], LIST))

    def _take_all(self, slugs: list[str]) -> None:
        for slug in slugs:
            self._apply(self._upload(slug, self.listings[slug]))

    def _upload(self, slug: str, entries: list[Entry]) -> str:
        """The address of the import, once it is planned."""
        said = {"title": slug, "slug": slug, "name_rule": "prefixed"}
        page = self.person.post("/servers/add/file/", said, file=content(entries))
        return self._planned(page.url.path)

    def _planned(self, address: str) -> str:
        self.person.until(address, PLANNED)
        return address

    def _apply(self, address: str, glance: str = "") -> None:
        self.person.post(f"{address}apply/")
        self.person.until(address, APPLIED, glance)

    def _everything(self, action: str, but: str = "") -> None:
        said = {f"{slug}-choice": "none" if slug == but else "everything" for slug in self.listings}
        said |= {f"{slug}-{names}": "" for slug in self.listings for names in ("patterns", "picked")}
        said |= {"action": action, "began_from": self._began_from(f"{CATALOG}servers/") if action == "save" else ""}
        self.person.post(f"{CATALOG}servers/", said, target="preview" if action == "preview" else "")

    def _began_from(self, address: str) -> str:
        """The version that the form at the address was made from, without which nothing is saved."""
        return self.person.get(address).text.partition('name="began_from" value="')[2].partition('"')[0]

    def _indexed(self) -> None:
        self.person.until(search("bm25f", QUERY), "data-walk")

    def _lists(self) -> Iterator[Row]:
        total = sum(map(len, self.listings.values()))
        name = self.listings[BIG][0]["name"]
        yield self._page("home", "/")
        yield self._page("tools, first page", LIST)
        yield self._page("tools, middle page", f"{LIST}?page={total // 100}")
        yield self._page("tools, last page", f"{LIST}?page={max(1, total // 50)}")
        facets = {
            "one server": f"server={BIG}",
            "a category": "category=-",
            "a tag": "tag=get",
            "a permission": "permission=read",
            "a state": "state=unused",
        }
        for words, query in facets.items():
            yield self._page(f"tools, {words}", f"{LIST}?{query}")
        yield self._page("tools, words", f"{LIST}?q=issue")
        yield self._page("tools, by name", f"{LIST}?sort=name")
        yield self._page("tools, most tokens first", f"{LIST}?sort=-tokens")
        yield self._page("a tool beside the list", f"{LIST}?tool={BIG}/{name}", "detail")
        yield self._page("a tool", f"/tools/{BIG}/{name}/")
        yield self._page("servers", "/servers/")
        yield self._page("the big server", f"/servers/{BIG}/")
        yield self._page("tools as a file", f"{LIST}export/mcp")

    def _catalog(self) -> Iterator[Row]:
        for entry in islice(self.listings[BIG], UPFRONT):
            self.person.post(f"{CATALOG}tool/", {"action": "show", "tool": f"{BIG}/{entry['name']}"})
        yield self._page("catalogs", "/catalogs/")
        yield self._page("a catalog", CATALOG)
        yield self._page("a catalog, words", f"{CATALOG}?q=issue")
        yield self._page("from the start", f"{CATALOG}upfront/?add=issue")
        yield self._page("its servers", f"{CATALOG}servers/")
        yield self._again("a filter, previewed", lambda: self._everything("preview", but=BIG))
        yield self._page("picking by hand", f"{CATALOG}servers/{BIG}/")
        yield self._page("the first prompt", f"{CATALOG}mode/")
        yield self._page("policy", f"{CATALOG}policy/")
        yield self._once("a clone", lambda: self.person.post(f"{CATALOG}clone/"))
        yield self._page("two catalogs compared", "/catalogs/compare/?a=everything&b=everything-copy")
        yield self._page("as YAML", f"{CATALOG}catalog.yaml")
        self.person.post("/catalogs/everything-copy/delete/")

    def _searched(self) -> Iterator[Row]:
        for place, (engine, query) in enumerate(ENGINES.items()):
            self._edit(place, f"Knows zebra{place}.")
            yield self._page(f"search after an edit, {engine}", search(engine, query))

    def _edited(self) -> Iterator[Row]:
        yield self._once("an edit, saved", lambda: self._edit(0, "Knows quagga."))
        yield self._once("the search that finds it", lambda: self._finds("quagga"))

    def _edit(self, place: int, sentence: str) -> None:
        entry = self.listings[BIG][place]
        address = f"/tools/{BIG}/{entry['name']}/edit/"
        said = {"own_description": f"{entry['description']} {sentence}", "searchable": "on", "enabled": "on"}
        self.person.post(address, said | {"began_from": self._began_from(address)})

    def _finds(self, word: str) -> None:
        if self.listings[BIG][0]["name"] not in self.person.get(search("bm25f", word)).text:
            raise NotAsExpectedError("the search did not find what was edited")

    def _many(self) -> Iterator[Row]:
        many = min(MOST_EDITED, len(self.listings[BIG]) // 4)
        tag = "get" if many < MOST_EDITED else ""
        query = urlencode({"server": BIG} | ({"tag": tag} if tag else {}))
        said = {"act": "add-tag", "value": "looked-over", "query": query, "all": "on"}
        pages: list[str] = []
        plan = self.person.post
        yield self._once("an edit of many, planned", lambda: pages.append(plan("/tools/edits/", said).url.path))
        yield self._once("an edit of many, applied", lambda: self._carry_out(pages[0], "apply", APPLIED))
        yield self._once("an edit of many, undone", lambda: self._carry_out(pages[0], "undo", UNDONE))
        yield self._once("the search after it", lambda: self.person.get(search("bm25f", QUERY)))
        yield self._once("lint of all", self._lint)
        yield self._page("lint", "/lint/")
        yield self._page("lint of the catalog", "/lint/?catalog=everything")

    def _carry_out(self, address: str, act: str, over: str) -> None:
        self.person.post(f"{address}{act}/")
        self.person.until(address, over)

    def _lint(self) -> None:
        self.person.post("/lint/look/")
        self.person.until("/lint/", "Every rule was last asked")

    def _drifted(self) -> Iterator[Row]:
        many = min(MOST_DRIFTED, len(self.listings[BIG]) // 4)
        entries = changed(self.listings[BIG], many)
        again, pages = f"the list again, {many:,} changed", list[str]()
        yield self._once(f"{again}: planned", lambda: pages.append(self._upload_again(entries)))
        yield self._once(f"{again}: applied", lambda: self._apply(pages[0]))
        yield self._page(f"drift, {many:,} wait", "/drift/")

    def _upload_again(self, entries: list[Entry]) -> str:
        return self._planned(self.person.post(f"/servers/{BIG}/upload/", file=content(entries)).url.path)

    def _page(self, step: str, address: str, target: str = "") -> Row:
        return self._again(step, lambda: self.person.get(address, target))

    def _again(self, step: str, work: Callable[[], object]) -> Row:
        first, again = timed(work), median(timed(work) for _ in range(AGAIN))
        before = self.person.cpu()
        work()
        return Row(step, first, again, self.person.cpu() - before)

    def _once(self, step: str, work: Callable[[], object]) -> Row:
        before = self.person.cpu()
        return Row(step, timed(work), None, self.person.cpu() - before)
