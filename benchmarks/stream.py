"""Whether watchers are told all of many runs, once and soon: the table of `stream.md`.

.venv/bin/python -m benchmarks.stream
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.streaming.table import main

    main()
