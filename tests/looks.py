"""How pages are looked at: wide and narrow, light and dark, so that every page has each once and pages alternate."""

from pathlib import Path

import axe_playwright_python
from playwright.async_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
BROKEN_RULES = """async () => {
  const found = await axe.run({resultTypes: ["violations"], preload: false});
  return found.violations.map((rule) => `${rule.id}: ${rule.nodes[0].html.slice(0, 120)}`);
}"""

PageLook = tuple[str, int, int]
"""The theme, and the width and height of the window in pixels."""

_WIDE, _NARROW = (1440, 900), (390, 844)
_LOOKS: tuple[tuple[PageLook, PageLook], ...] = (
    (("light", *_WIDE), ("dark", *_NARROW)),
    (("dark", *_WIDE), ("light", *_NARROW)),
)


def looks(number: int) -> tuple[PageLook, PageLook]:
    """The two looks of the page of that number: both widths, both themes."""
    return _LOOKS[number % 2]


async def violations(page: Page) -> list[str]:
    """What axe finds on the page as it stands: each rule that is broken, with the first place where it is."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    found: list[str] = await page.evaluate(BROKEN_RULES)
    return found
