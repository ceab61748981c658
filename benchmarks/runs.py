"""How fifty runs at once compare with one at a time: the table of `runs.md`.

.venv/bin/python -m benchmarks.runs [--runs N]
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.load.table import main

    main()
