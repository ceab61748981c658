"""What is asked of the product: addresses, queries, how many tools an act is of, and the words that say that it is over."""

from urllib.parse import urlencode

PLANNED, APPLIED, UNDONE = ">ready to apply</span>", ">applied</span>", ">undone</span>"
MOVING = "import"
"""The part of an import's page that asks for itself while the import moves."""
LIST = "/tools/"
CATALOG = "/catalogs/everything/"
AGAIN = 3
MOST_EDITED = 5_000
MOST_DRIFTED = 2_000
QUERY = "list open issues of a repository"
UPFRONT = 20
"""Tools that the catalog shows from the start."""
ENGINES = {
    "pegboard": QUERY,
    "bm25f": QUERY,
    "eino-keyword": "list issues",
    "eino-regex": "issue.*list",
    "mastra": QUERY,
    "mcpagent": "list.*issue",
    "hybrid": QUERY,
    "like": "issue",
}
"""A query for each."""


def search(engine: str, query: str) -> str:
    return f"/search/?{urlencode({'catalog': 'everything', 'q': query, 'engine': engine})}"
