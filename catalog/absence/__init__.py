"""Why a tool is not among the hits, and the smallest edits that would bring it in. Plain but for `rows`."""
