"""Where the tests keep their state: a folder of their own, set before the settings are read (a plug-in, see pyproject.toml)."""

import os
import tempfile

os.environ["PEGBOARD_STATE"] = tempfile.mkdtemp(prefix="pegboard-tests-")
