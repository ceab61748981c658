"""Publishing a catalog: what its draft holds, numbered versions that never change, and what differs between any two."""
