"""Every kind of page by the rules of WCAG 2.2, A and AA, as axe-core checks them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rules import keeps_the_rules

pytestmark = pytest.mark.browser
OPENING = "women over 60 with a pacemaker and a pneumothorax within 30 days after it, no effusion ever, fact:icd10:I48"


def ask(page: Page, line: str, scope: str) -> None:
    page.goto("/")
    page.locator(".scope-choice", has_text=scope).click()
    page.get_by_label("Search the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def passages(page: Page) -> None:
    """With what explains them open."""
    ask(page, "pleural effusion, no pneumothorax", "Passages")
    page.locator(".why, .legend, .facet-more").evaluate_all("all => all.forEach(one => one.open = true)")


def menu(page: Page) -> None:
    """The ways to ask for a finding, over the results."""
    ask(page, "pleural effusion", "Passages")
    page.locator(".ways > summary").click()
    expect(page.locator(".switch").first).to_be_visible()


def notes(page: Page) -> None:
    ask(page, "pnuemothorax", "Notes")


def patients(page: Page) -> None:
    ask(page, OPENING, "Patients")


def nothing(page: Page) -> None:
    ask(page, "fact:icd10:Z99", "Patients")


def note(page: Page) -> None:
    ask(page, "pleural effusion", "Passages")
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")


def error(page: Page) -> None:
    ask(page, "(fever or", "Passages")
    expect(page.locator("#problem")).to_be_visible()


def home(page: Page) -> None:
    page.goto("/")


def api(page: Page) -> None:
    """By its link, with all that comes back told."""
    page.goto("/")
    page.get_by_role("contentinfo").get_by_role("link", name="API").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API")
    page.locator("details.behind").evaluate_all("all => all.forEach(one => one.open = true)")


@pytest.mark.parametrize("show", [api, home, passages, menu, notes, patients, nothing, note, error])
def test_a_page_breaks_no_rule_in_light_or_dark(page: Page, show: Callable[[Page], None]) -> None:
    show(page)
    keeps_the_rules(page)
