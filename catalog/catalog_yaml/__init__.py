"""A catalog as YAML that one would keep in git: writing it, reading it with the line of each mistake, and applying it."""
