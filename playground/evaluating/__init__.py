"""Tasks with the tools that they take, tried in several modes: what is tried, how each trial ended, and what that says."""
