"""What goes wrong with a source, told to the person who can mend it."""


class SourceError(Exception):
    """A source cannot be read or called. The text is one or two plain sentences: what happened, and what to do."""
