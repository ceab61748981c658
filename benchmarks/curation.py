"""How curation feels with 50,000 tools, beside 500 in the same run: the table of `curation.md`.

.venv/bin/python -m benchmarks.curation [--tools N] [--few N] [--state FOLDER]
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.curating.table import main

    main()
