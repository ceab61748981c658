"""Text from models and tools made fit for every database: no lone surrogates, no NUL."""


def well_formed(text: str) -> str:
    """Surrogate pairs are joined, lone ones become U+FFFD; NUL, which PostgreSQL refuses, becomes its picture U+2400."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "␀")
