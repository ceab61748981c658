"""Every page that is wide: the lists of tools and servers, and those of a catalog."""

from collections.abc import Iterator
from itertools import islice

from benchmarks.curating.asked import CATALOG, LIST, UPFRONT
from benchmarks.curating.asking import Asking, Row
from benchmarks.curating.filling import everything
from benchmarks.curating.listings import BIG


def lists(asking: Asking) -> Iterator[Row]:
    total = sum(map(len, asking.listings.values()))
    name = asking.listings[BIG][0]["name"]
    yield asking.page("home", "/")
    yield asking.page("tools, first page", LIST)
    yield asking.page("tools, middle page", f"{LIST}?page={total // 100}")
    yield asking.page("tools, last page", f"{LIST}?page={max(1, total // 50)}")
    facets = {
        "one server": f"server={BIG}",
        "a category": "category=-",
        "a tag": "tag=get",
        "a permission": "permission=read",
        "a state": "state=unused",
    }
    for words, query in facets.items():
        yield asking.page(f"tools, {words}", f"{LIST}?{query}")
    yield asking.page("tools, words", f"{LIST}?q=issue")
    yield asking.page("tools, by name", f"{LIST}?sort=name")
    yield asking.page("tools, most tokens first", f"{LIST}?sort=-tokens")
    yield asking.page("a tool beside the list", f"{LIST}?tool={BIG}/{name}", "detail")
    yield asking.page("a tool", f"/tools/{BIG}/{name}/")
    yield asking.page("servers", "/servers/")
    yield asking.page("the big server", f"/servers/{BIG}/")
    yield asking.page("tools as a file", f"{LIST}export/mcp")


def catalog(asking: Asking) -> Iterator[Row]:
    for entry in islice(asking.listings[BIG], UPFRONT):
        asking.person.post(f"{CATALOG}tool/", {"action": "show", "tool": f"{BIG}/{entry['name']}"})
    yield asking.page("catalogs", "/catalogs/")
    yield asking.page("a catalog", CATALOG)
    yield asking.page("a catalog, words", f"{CATALOG}?q=issue")
    yield asking.page("from the start", f"{CATALOG}upfront/?add=issue")
    yield asking.page("its servers", f"{CATALOG}servers/")
    yield asking.again("a filter, previewed", lambda: everything(asking, "preview", but=BIG))
    yield asking.page("picking by hand", f"{CATALOG}servers/{BIG}/")
    yield asking.page("the first prompt", f"{CATALOG}mode/")
    yield asking.page("policy", f"{CATALOG}policy/")
    yield asking.once("a clone", lambda: asking.person.post(f"{CATALOG}clone/"))
    yield asking.page("two catalogs compared", "/catalogs/compare/?a=everything&b=everything-copy")
    yield asking.page("as YAML", f"{CATALOG}catalog.yaml")
    asking.person.post("/catalogs/everything-copy/delete/")
