"""What a change of a catalog's tools or engine does to the queries that were asked of it."""
