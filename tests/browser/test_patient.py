"""A patient's record on one page, from a hit and back."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rules import keeps_the_rules, tables_fit
from tests.browser.test_axe import ask

pytestmark = pytest.mark.browser


def test_from_a_search_to_the_record_to_a_note_and_back(page: Page) -> None:
    ask(page, "pacemaker and pneumothorax", "Patients")
    page.get_by_role("link", name="P-04919").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("P-04919")
    assert "P-04919" not in page.url
    asked = page.get_by_role("list", name="Criteria, by their colours").get_by_role("listitem")
    expect(asked).to_have_count(2)
    expect(asked.nth(0)).to_contain_text("pacemaker")
    expect(page.locator(".record-head")).to_contain_text(re.compile(r"\d+, (all|\d+) of them matching the search"))
    # Every note is on the axis, in the order of its day, and in the list.
    notes = page.locator(".record-note")
    dots = page.locator(".axis a")
    assert notes.count() == dots.count() > 5
    days = page.locator(".record-line time").all_inner_texts()
    assert days == sorted(days)
    lit = page.locator(".record-snippet mark")
    assert {"pneumothorax", "pacemaker"} <= {words.lower() for words in lit.all_inner_texts()}
    course = page.get_by_role("region", name="Findings over time").get_by_role(
        "row", name=re.compile(r"^pneumothorax \d")
    )
    expect(course).to_contain_text("present")
    expect(page.get_by_role("region", name="Structured facts")).to_contain_text("I48")
    keeps_the_rules(page)
    tables_fit(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".record-note .hit-open").nth(1)).to_be_focused()
    page.keyboard.press("o")
    page.wait_for_url("**/notes/**")
    expect(page.locator(".note-paper mark").first).to_be_visible()
    page.get_by_role("link", name="P-04919").click()
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("patient")


def test_bars_tell_how_near_the_passages_of_a_note_are_and_lead_there(page: Page) -> None:
    ask(page, "pacemaker and pneumothorax", "Patients")
    page.get_by_role("link", name="P-04919").click()
    note = page.locator(".record-note").nth(1)
    name = note.locator(".hit-open").inner_text()
    note.get_by_role("link", name=re.compile(r"^Nearest: Passage \d+ of \d+ in ")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    strip = page.get_by_role("group", name=re.compile("^How near in meaning"))
    nearest = strip.locator("[aria-current]")
    expect(nearest).to_have_attribute("tabindex", "0")
    expect(page.locator("#passage")).to_be_in_viewport()
    page.wait_for_load_state()  # its script too
    # From cell to cell by arrows, and to its passage by Enter.
    nearest.focus()
    page.keyboard.press("Home")
    first = strip.get_by_role("link").first
    expect(first).to_be_focused()
    said = str(first.get_attribute("aria-label"))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(strip.get_by_role("link", name=said)).to_have_attribute("aria-current", "true")
    expect(page.locator("#passage")).to_be_in_viewport()


def test_on_a_narrow_screen_notes_of_one_row_stand_beside_each_other(page: Page) -> None:
    ask(page, "pacemaker and pneumothorax", "Patients")
    page.get_by_role("link", name="P-04919").click()
    page.set_viewport_size({"width": 390, "height": 844})
    dots = page.locator(".axis a .axis-reach + .axis-dot")
    expect(dots.first).to_be_visible()
    boxes = dots.evaluate_all(
        "all => all.map((one) => { const b = one.getBoundingClientRect(); return [b.top, b.left, b.right]; })"
    )
    rows = sorted((round(top), left, right) for top, left, right in boxes)
    beside = [(one, other) for one, other in pairwise(rows) if one[0] == other[0]]
    assert beside
    assert all(other[1] >= one[2] - 5 for one, other in beside)
