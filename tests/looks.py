"""How pages are looked at: wide and narrow, light and dark, so that every page has each once and pages alternate."""

Look = tuple[str, int, int]
"""The theme, and the width and height of the window in pixels."""

_WIDE, _NARROW = (1440, 900), (390, 844)
_LOOKS: tuple[tuple[Look, Look], ...] = (
    (("light", *_WIDE), ("dark", *_NARROW)),
    (("dark", *_WIDE), ("light", *_NARROW)),
)


def looks(number: int) -> tuple[Look, Look]:
    """The two looks of the page of that number: both widths, both themes."""
    return _LOOKS[number % 2]
