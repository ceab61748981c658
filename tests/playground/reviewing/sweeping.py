"""A sweep over runs that ended, as a serving process makes it."""

from playground.reviewing.keeping import Reader, due, review


def review_some() -> int:
    """How many runs were read."""
    reader = Reader()
    runs = due(reader)
    for run in runs:
        review(run, reader)
    return len(runs)
