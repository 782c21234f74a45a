"""Pages on paper: what was found and by what question; nothing to press, nothing cut off, nothing by colour alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext
from tests.browser.test_axe import ask

pytestmark = pytest.mark.browser
COHORT = "on-paper"
BROAD = "pneumonia or heart failure"
PAPER = {"width": 700, "height": 1000}
"""A4 between its margins."""
WRONG = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually-hidden");
  const name = (one) => `${one.tagName.toLowerCase()}.${one.className} ${(one.innerText || "").slice(0, 30)}`;
  const all = (what) => [...document.querySelectorAll(what)].filter(seen);
  const found = [];
  for (const one of all("nav a, .top, .foot, input, select, textarea")) found.push(`to be used: ${name(one)}`);
  for (const one of all("button:not(.link-button), .btn")) found.push(`to be pressed: ${name(one)}`);
  for (const one of all("a, .link-button")) {
    if (getComputedStyle(one).textDecorationLine.includes("underline")) found.push(`leads elsewhere: ${name(one)}`);
  }
  for (const one of all("main *")) {
    const { overflowX, overflowY } = getComputedStyle(one);
    const cut = (overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1)
      || (overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1);
    if (cut && !(one instanceof SVGElement)) found.push(`cut off: ${name(one)}`);
  }
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) found.push(`wider than the paper: ${width}`);
  if (!all(".on-paper").length) found.push("no head");
  for (const one of all("mark[class^=hue-]")) {
    if (!/[1-6]/.test(getComputedStyle(one, "::after").content)) found.push(`colour alone: ${name(one)}`);
  }
  return found;
}"""


def results(page: Page) -> None:
    ask(page, BROAD, "Patients")


def passages(page: Page) -> None:
    ask(page, "pneumonia, no effusion", "Passages")


def note(page: Page) -> None:
    passages(page)
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")


def record(page: Page) -> None:
    ask(page, "pneumothorax or pacemaker", "Patients")
    page.get_by_role("link", name="P-04919").first.click()
    page.wait_for_url("**/patients/**")


def cohort(page: Page) -> None:
    results(page)
    page.get_by_text("Save cohort", exact=True).click()
    page.get_by_label("Name", exact=True).fill(COHORT)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def members(page: Page) -> None:
    cohort(page)
    page.get_by_role("navigation", name="Of this cohort").get_by_role("link", name="Patients").click()
    page.wait_for_url("**/patients**")


def review(page: Page) -> None:
    cohort(page)
    page.get_by_role("link", name="Review").click()
    page.wait_for_url(re.compile("/review"))


@pytest.fixture
def tidied(stack: Settings) -> Iterator[None]:
    """What is kept for a page is let go again."""
    yield
    store = Store(Ledger.from_settings(stack).engine)
    for kept in store.cohorts():
        if kept.name == COHORT:
            store.delete(kept.id)


@pytest.mark.parametrize(
    ("lead", "asked"),
    [
        (results, f"Query {BROAD}"),
        (passages, "Query pneumonia, no effusion"),
        (note, "Query pneumonia, no effusion"),
        (record, "Query pneumothorax or pacemaker"),
        (cohort, ""),
        (members, ""),
        (review, ""),
    ],
)
@pytest.mark.usefixtures("tidied")
def test_a_page_on_paper(page: Page, lead: Callable[[Page], None], asked: str) -> None:
    """``asked`` stands in its head; the pages of a cohort say in their text what it asks."""
    lead(page)
    page.wait_for_load_state("networkidle")
    expect(page.locator(".on-paper")).to_be_hidden()
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    assert page.evaluate(WRONG) == []
    said = " ".join(page.locator(".on-paper").inner_text().split())
    assert re.fullmatch(rf"Aspectra \d{{4}}-\d\d-\d\d \d\d:\d\d UTC ?{asked}", said)
    assert page.pdf(format="A4").startswith(b"%PDF")
    # It is the rules for paper that do it.
    page.evaluate("document.querySelector('link[media=print]').remove()")
    assert page.evaluate(WRONG) != []


def test_paper_has_light_colours_and_what_the_marks_mean(new_context: NewContext, page_url: str) -> None:
    page = new_context(page_url, color_scheme="dark").new_page()
    passages(page)
    page.wait_for_load_state("networkidle")
    page.emulate_media(media="print")
    ink, paper = (page.evaluate(f"getComputedStyle(document.body).{what}") for what in ("color", "backgroundColor"))
    assert (ink, paper) == ("rgb(24, 34, 45)", "rgba(0, 0, 0, 0)")
    expect(page.locator(".legend li").first).to_be_visible()
