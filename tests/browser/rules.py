"""What every page keeps to: the rules of WCAG 2.2, A and AA, as axe-core checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Options = Mapping[str, Any]
ONLY_VIOLATIONS: Options = {"resultTypes": ["violations"]}
RULES: Options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], **ONLY_VIOLATIONS}
WIDE, NARROW = 1280, 360


def keeps_the_rules(page: Page) -> None:
    """In light and dark; and it fits a narrow screen."""
    page.wait_for_load_state()  # its styles too
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the two
        found = Axe().run(page, options=dict(RULES))
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"
    for width in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
