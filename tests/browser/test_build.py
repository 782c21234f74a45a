"""The builder in a real browser: the opening question put together by hand, and by the line, which say the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.test_access import keeps_the_rules

pytestmark = pytest.mark.browser
OPENING = "women over 60 with pneumothorax within 30 days after pacemaker"


def counted(page: Page) -> str:
    return page.locator("#counts-title").inner_text()


def fits(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def add(page: Page, to: str, words: str) -> None:
    page.get_by_label(f"Add to {to}").fill(words)
    with page.expect_response("**/build"):
        page.keyboard.press("Enter")


def begin(page: Page, line: str) -> None:
    """Open the builder and type, as one does whom the page has put into the line."""
    page.goto("/build")
    keeps_the_rules(page)
    expect(page.get_by_label("As a line")).to_be_focused()
    page.keyboard.type(line)
    expect(page.get_by_label("As a line")).to_have_value(line)
    page.keyboard.press("Enter")


def press(page: Page, name: str) -> None:
    with page.expect_response("**/build"):
        page.get_by_role("button", name=name, exact=True).click()


def test_the_opening_question_by_hand_and_by_line(page: Page) -> None:
    begin(page, OPENING)
    expect(page.locator("#counts-title")).to_contain_text("patient")
    by_line = counted(page)

    begin(page, "pneumothorax")
    expect(page.locator("#counts-title")).to_be_visible()
    alone = counted(page)
    add(page, "pneumothorax", "pacemaker")
    expect(page.get_by_label("As a line")).to_have_value("finding:pneumothorax present finding:pacemaker present")
    page.get_by_label("Choose pneumothorax").check()
    page.get_by_label("Choose pacemaker").check()
    press(page, "Relate")
    expect(page.get_by_role("group", name="pneumothorax within 30 days after pacemaker")).to_be_visible()
    add(page, "pneumothorax within 30 days after pacemaker", "women over 60")
    expect(page.locator("#counts-title")).to_have_text(by_line)
    keeps_the_rules(page)
    fits(page)
    for _ in range(3):
        press(page, "Undo")
    expect(page.locator("#counts-title")).to_have_text(alone)
    press(page, "Redo")
    expect(page.get_by_label("Choose pacemaker")).to_be_visible()
    page.get_by_role("group", name="pacemaker").get_by_role("button", name="exclude").click()
    expect(page.get_by_role("group", name="without pacemaker")).to_be_visible()
    page.get_by_role("button", name="Show the patients").click()
    page.wait_for_url("**/results/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pneumothorax")
    page.get_by_role("button", name="Edit in the builder").click()
    expect(page.get_by_role("group", name="without pacemaker")).to_be_visible()


def test_groups_by_tick_and_by_hand(page: Page) -> None:
    begin(page, "cough, fever, pneumonia")
    expect(page.locator("#counts-title")).to_be_visible()
    page.get_by_label("Choose cough").check()
    page.get_by_label("Choose fever").check()
    press(page, "Any of them")
    group = page.get_by_role("group", name="any of")
    expect(group).to_be_visible()
    # Dragged into the group, the third is an alternative too.
    with page.expect_response("**/build"):
        page.get_by_role("group", name="pneumonia", exact=True).locator(".criterion-text").drag_to(
            group.locator(".block-turn")
        )
    expect(page.get_by_label("As a line")).to_have_value(
        "finding:cough present OR finding:fever present OR finding:pneumonia present"
    )
    press(page, "any of")
    expect(page.get_by_label("As a line")).to_have_value(
        "finding:cough present finding:fever present finding:pneumonia present"
    )
    # What a note says of a finding is switched in its place.
    page.get_by_role("group", name="fever", exact=True).locator("summary").click()
    with page.expect_response("**/build"):
        page.get_by_role("group", name="fever", exact=True).get_by_role("button", name="ruled out").click()
    expect(page.get_by_role("group", name="fever ruled out")).to_be_visible()
    page.get_by_label("As a line").fill("cough section:")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("group", name="fever ruled out")).to_be_visible()  # nothing is lost


def test_every_step_works_without_scripts(browser: Browser, page_url: str) -> None:
    context = browser.new_context(base_url=page_url, java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/build")
    page.get_by_label("As a line").fill("pneumothorax")
    page.keyboard.press("Enter")
    page.get_by_label("Add to pneumothorax").fill("no fever")
    page.keyboard.press("Enter")
    expect(page.get_by_label("As a line")).to_have_value("finding:pneumothorax present finding:fever absent")
    page.get_by_role("button", name="Take fever ruled out off").click()
    expect(page.get_by_label("As a line")).to_have_value("finding:pneumothorax present")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("As a line")).to_have_value("finding:pneumothorax present finding:fever absent")
    context.close()
