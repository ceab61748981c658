"""How fast the engines find tools, beside tantivy, bm25s and SQLite: the table of `search.md`.

    .venv/bin/python -m benchmarks.search [--tools N] [--cpu]

The peers are no part of Pegboard. `.venv/bin/pip install tantivy==0.27.0 bm25s==0.3.16` adds those of the group `bench`;
without them they are left out, and the table says so.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.speed.table import main

    main()
