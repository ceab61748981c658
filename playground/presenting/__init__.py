"""Showing a recorded run to others: as slides on a wall, by a link that ends, as one file that needs no server."""
