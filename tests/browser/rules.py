"""What every page keeps to: the rules of WCAG 2.2, A and AA, as axe-core checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Options = Mapping[str, Any]
ONLY_VIOLATIONS: Options = {"resultTypes": ["violations"]}
RULES: Options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], **ONLY_VIOLATIONS}
COLOURS: Options = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **ONLY_VIOLATIONS}
"""Nothing else is another in the dark."""
WIDE, NARROW = 1280, 360
CUT_OFF = """all => all.map(one => one.parentElement).filter(box => box.scrollWidth > box.clientWidth)
.map(box => box.ariaLabel)"""
"""Names of the tables of which a part stands beyond the edge of their box."""


def keeps_the_rules(page: Page) -> None:
    """In light and dark, and on a narrow screen, which it fits; it is left as it was found."""
    page.wait_for_load_state()  # its styles too
    found_at = page.viewport_size or {"width": WIDE, "height": 900}
    for width, scheme, options in ((WIDE, "light", RULES), (WIDE, "dark", COLOURS), (NARROW, "light", RULES)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the two
        if page.viewport_size != (size := {"width": width, "height": found_at["height"]}):
            page.set_viewport_size(size)  # type: ignore[arg-type]  # as it is written
        found = Axe().run(page, options=dict(options))
        assert found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{width} px: wider than the screen"
        assert page.locator("table.stacked").evaluate_all(CUT_OFF) == [], f"{width} px: a table is cut off"
    page.set_viewport_size(found_at)
