"""What goes wrong with a source, told to the person who can mend it."""


class SourceError(Exception):
    """A source cannot be read or called. The text is one or two plain sentences: what happened, and what to do."""


class NotCarriedOut(SourceError):
    """A call that was turned away before anything came of it: it was not sent, or whoever sent it was not let in."""
