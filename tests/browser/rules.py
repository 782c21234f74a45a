"""What every page keeps to: the rules of WCAG 2.2, A and AA, as axe-core checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
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
FEWER = """() => {
  const few = new CSSStyleSheet();
  few.replaceSync("tbody tr:nth-child(n+21) { display: none !important }");
  document.adoptedStyleSheets.push(few);
}"""
ALL = "document.adoptedStyleSheets.pop()"
"""The rows of a table are alike: twenty are looked at, for of ten thousand cells axe-core takes half a minute."""


def keeps_the_rules(page: Page) -> None:
    """In light and dark, and on a narrow screen, which it fits; it is left as it was found."""
    page.wait_for_load_state()  # its styles too
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found_at = page.viewport_size or {"width": WIDE, "height": 900}
    for width, scheme, options in ((WIDE, "light", RULES), (WIDE, "dark", COLOURS), (NARROW, "light", RULES)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the two
        if page.viewport_size != (size := {"width": width, "height": found_at["height"]}):
            page.set_viewport_size(size)  # type: ignore[arg-type]  # as it is written
        page.evaluate(FEWER)
        found = AxeResults(page.evaluate("options => axe.run(options)", dict(options)))
        page.evaluate(ALL)
        assert found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{width} px: wider than the screen"
        assert page.locator("table.stacked").evaluate_all(CUT_OFF) == [], f"{width} px: a table is cut off"
    page.set_viewport_size(found_at)


def tables_fit(page: Page) -> None:
    """On a narrow screen no table of the page has a part beyond the edge of its box; it is left as it was found."""
    found_at = page.viewport_size or {"width": WIDE, "height": 900}
    page.set_viewport_size({"width": NARROW, "height": found_at["height"]})
    tables = page.locator(".ledger-table > table")
    assert tables.count(), "there is no table"
    assert tables.evaluate_all(CUT_OFF) == [], "a table is cut off"
    page.set_viewport_size(found_at)
