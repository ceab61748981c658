"""How fast the engines find tools, beside tantivy, bm25s and SQLite: the table of `search.md`.

    .venv/bin/python -m benchmarks.search [--tools N …]

The peers are no part of Pegboard: `pip install tantivy bm25s` adds them, and without them they are left out.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.speed.table import main

    main()
