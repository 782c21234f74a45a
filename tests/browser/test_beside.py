"""The note of the chosen hit beside the hits, on a screen that has room for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules

pytestmark = pytest.mark.browser
QUERY = "pneumothorax or pacemaker"
WORDS = "the patient was seen on the ward"
"""The cross-encoder has a say in their order."""


def ask(page: Page, line: str = QUERY, scope: str = "patient") -> None:
    page.goto(f"/?scope={scope}")
    page.get_by_label("Search the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def pane(page: Page) -> Locator:
    return page.get_by_role("region", name="The chosen hit in its note")


def stands_there(page: Page, hit: Locator) -> None:
    """The note of the hit, at its passage."""
    expect(hit).to_have_attribute("aria-current", "true")
    passage = str(hit.get_attribute("id")).removeprefix("hit-")
    expect(pane(page).locator(f".passage[data-passage='{passage}']").first).to_have_attribute("aria-current", "true")
    expect(page.locator("#results .hit[aria-current]")).to_have_count(1)


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """The notes that the page has fetched."""
    found: list[str] = []

    def seen(request: Request) -> None:
        if "/beside" in request.url:
            found.append(request.url)

    page.on("request", seen)
    yield found
    page.remove_listener("request", seen)


def test_the_note_of_the_chosen_hit_stands_beside_the_hits(page: Page) -> None:
    ask(page)
    hits = page.locator(".hit")
    stands_there(page, hits.first)
    expect(page.locator("#pane-said")).to_be_empty()  # nobody chose it
    first = page.locator(".group").first
    expect(pane(page).locator(".pane-patient a").first).to_have_text(first.locator("h2").inner_text())
    expect(pane(page).get_by_role("img", name=re.compile(r"^\d+ notes, .* show the search$"))).to_be_visible()
    for hue in (0, 1):  # as in the hits
        expect(pane(page).locator(f".pane-lit .hue-{hue}")).to_be_visible()
    expect(pane(page).locator(".pane-text .finding.is-present mark").first).to_be_visible()
    keeps_the_rules(page)
    # By key: the hit keeps the focus, the page stays where it is, and a screen reader is told.
    for _ in range(2):
        page.keyboard.press("j")
    stands_there(page, hits.nth(1))
    expect(hits.nth(1).locator(".hit-open")).to_be_focused()
    name = hits.nth(1).locator(".hit-open").inner_text()
    expect(page.locator("#pane-said")).to_have_text(
        re.compile(rf"^{name}, \d{{4}}-\d\d-\d\d, .+\. Passage \d+ of \d+\.$")
    )
    # By a click into its text.
    hits.nth(2).locator(".hit-text").click(position={"x": 1, "y": 1})
    stands_there(page, hits.nth(2))
    passage = str(hits.nth(2).get_attribute("id")).removeprefix("hit-")
    pane(page).get_by_role("link", name="Whole note").click()
    page.wait_for_url(f"**/notes/*passage={passage}*")
    expect(page.locator("#passage")).to_be_in_viewport()
    # Who comes back finds the hit chosen from whose note they come.
    page.keyboard.press("b")
    page.wait_for_url("**/results/**")
    stands_there(page, hits.nth(2))


def test_n_and_p_go_through_the_passages_of_that_note(page: Page, asked: list[str]) -> None:
    ask(page)
    stands_there(page, page.locator(".hit").first)
    number = int(str(pane(page).locator(".pane-text").get_attribute("data-passages")))
    assert number > 1
    at = pane(page).locator(".pane-at")
    expect(at).to_have_text(f"Passage 1 of {number}")
    scrolled = page.evaluate("scrollY")
    for n in range(2, number + 1):
        page.keyboard.press("n")
        expect(at).to_have_text(f"Passage {n} of {number}")
        expect(pane(page).locator(".passage[aria-current]")).to_have_attribute("data-match", str(n))
        expect(pane(page).locator(".passage[aria-current]")).to_be_in_viewport()
    page.keyboard.press("n")
    expect(page.locator("#pane-said")).to_have_text("This is the last passage of the note.")
    page.keyboard.press("p")
    expect(at).to_have_text(f"Passage {number - 1} of {number}")
    pane(page).get_by_role("button", name="Next").click()
    expect(at).to_have_text(f"Passage {number} of {number}")
    assert page.evaluate("scrollY") == scrolled
    assert len(asked) == 1


def test_the_heat_strip_leads_to_each_passage_of_that_note(page: Page, asked: list[str]) -> None:
    ask(page)
    stands_there(page, page.locator(".hit").first)
    strip = pane(page).get_by_role("group", name=re.compile("^How near in meaning"))
    cells = strip.get_by_role("link")
    number = cells.count()
    assert number > 3
    expect(cells.last).to_have_accessible_name(
        re.compile(rf"^Passage {number} of {number} in .+, near by 0\.\d\d(, shows the search)?$")
    )
    # One stop of the Tab key, the nearest; from there by arrows.
    expect(strip.locator("[tabindex='0']")).to_have_count(1)
    page.locator(".pane-steps button").last.focus()
    page.keyboard.press("Tab")
    nearest = strip.locator("a:focus")
    others = [float(str(one.get_attribute("aria-label")).split("near by ")[1][:4]) for one in cells.all()]
    assert f"near by {max(others):.2f}" in str(nearest.get_attribute("aria-label"))
    page.keyboard.press("End")
    expect(cells.last).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cells.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    # To a passage that shows nothing of the search, which the keys n and p do not reach; the page stays where it is.
    plain = next(n for n, one in enumerate(cells.all()) if "shows" not in str(one.get_attribute("aria-label")))
    scrolled, address = page.evaluate("scrollY"), page.url
    cells.nth(plain).locator(".heat-reach").click()
    passage = cells.nth(plain).get_attribute("data-near")
    there = pane(page).locator(f".pane-text [data-passage='{passage}']").first
    expect(there).to_have_attribute("aria-current", "true")
    expect(there).to_be_in_viewport()
    expect(cells.nth(plain)).to_have_attribute("aria-current", "true")
    expect(pane(page).locator(".pane-text [aria-current]")).to_have_count(1)
    expect(page.locator("#pane-said")).to_have_text(re.compile(f"^Passage {plain + 1} of {number} in "))
    # To one that shows it: as by n and p.
    shows = next(n for n, one in enumerate(cells.all()) if "shows" in str(one.get_attribute("aria-label")))
    cells.nth(shows).focus()
    page.keyboard.press("Enter")
    expect(pane(page).locator(".passage[aria-current]")).to_have_attribute(
        "data-passage", str(cells.nth(shows).get_attribute("data-near"))
    )
    assert (page.evaluate("scrollY"), page.url) == (scrolled, address)
    assert len(asked) == 1
    keeps_the_rules(page)


def test_the_last_passage_of_a_long_note_is_in_sight_before_the_page_is_scrolled(page: Page) -> None:
    ask(page, "pneumonia or heart failure")
    page.locator(".hit", has_text="Complete heart block").first.locator(".hit-text").click(position={"x": 1, "y": 1})
    strip = pane(page).get_by_role("group", name=re.compile("^How near in meaning"))
    strip.get_by_role("link").last.locator(".heat-reach").click()
    last = pane(page).locator(".pane-text [data-passage]").last
    expect(last).to_have_attribute("aria-current", "true")
    assert page.evaluate("scrollY") == 0
    expect(last).to_be_in_viewport()
    box, text = pane(page).bounding_box(), pane(page).locator(".pane-text")
    assert box
    assert box["y"] + box["height"] <= page.evaluate("innerHeight")
    assert text.evaluate("one => one.scrollHeight > one.clientHeight")
    # And it takes the room that scrolling gives it.
    page.evaluate("scrollTo(0, 400)")
    page.wait_for_function("height => document.querySelector('#pane').offsetHeight > height", arg=box["height"])


def test_without_words_there_is_nothing_to_be_near_to(page: Page) -> None:
    ask(page, "since:2019", "passage")
    stands_there(page, page.locator(".hit").first)
    expect(pane(page).locator(".heat")).to_have_count(0)


def test_another_hit_of_the_same_note_fetches_nothing(page: Page, asked: list[str]) -> None:
    ask(page, scope="note")
    group = page.locator(".group", has=page.locator(".hit:nth-of-type(2)")).first
    group.locator(".hit-text").first.click(position={"x": 1, "y": 1})
    stands_there(page, group.locator(".hit").first)
    fetched = len(asked)
    group.locator(".hit-text").nth(1).click(position={"x": 1, "y": 1})
    stands_there(page, group.locator(".hit").nth(1))
    assert len(asked) == fetched


def test_where_there_is_no_room_nothing_changes(new_context: NewContext, page_url: str) -> None:
    page = new_context(page_url, viewport={"width": 1100, "height": 900}).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/beside" in request.url else None)
    ask(page, scope="passage")
    expect(pane(page)).to_be_hidden()
    page.keyboard.press("j")
    page.locator(".hit-text").nth(1).click(position={"x": 1, "y": 1})
    page.keyboard.press("n")
    page.wait_for_url("**page=2**")
    assert asked == []
    # It comes once there is room.
    page.set_viewport_size({"width": 1280, "height": 900})
    stands_there(page, page.locator(".hit").first)


def test_without_scripts_a_hit_leads_to_its_note(new_context: NewContext, page_url: str) -> None:
    page = new_context(page_url, java_script_enabled=False).new_page()
    ask(page)
    expect(pane(page)).to_be_hidden()
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")


def test_where_it_cannot_be_read_a_link_leads_to_it(page: Page, watch: Watch) -> None:
    watch.expect(r"net::ERR_FAILED .*/beside")
    page.route("**/beside*", lambda route: route.abort())
    ask(page)
    expect(pane(page)).to_contain_text("This note cannot be shown here now.")
    keeps_the_rules(page)
    page.unroute("**/beside*")
    page.keyboard.press("j")
    page.keyboard.press("j")
    stands_there(page, page.locator(".hit").nth(1))
    page.route(
        "**/beside*", lambda route: route.fulfill(status=200, content_type="text/html", body="<main>Sign in</main>")
    )
    page.locator(".hit-text").nth(4).click(position={"x": 1, "y": 1})
    expect(pane(page)).to_contain_text("This note cannot be shown here now.")
    pane(page).get_by_role("link", name="Open it").click()
    page.wait_for_url("**/notes/**")


def test_no_other_note_stands_beside_a_hit_while_its_own_is_read(page: Page) -> None:
    ask(page)
    stands_there(page, page.locator(".hit").first)
    waiting: list[Route] = []
    page.route("**/beside*", lambda route: waiting.append(route))
    page.locator(".hit-text").nth(4).click(position={"x": 1, "y": 1})
    expect(pane(page)).to_have_text("Reading the note…", use_inner_text=True)
    keeps_the_rules(page)
    page.locator(".hit-text").nth(5).click(position={"x": 1, "y": 1})  # the one that was waited for is left
    while len(waiting) < 2:
        page.wait_for_timeout(20)
    waiting[1].continue_()
    stands_there(page, page.locator(".hit").nth(5))


def test_it_waits_for_the_final_order(page: Page, asked: list[str]) -> None:
    waiting: list[Route] = []
    page.route("**/reordered*", lambda route: waiting.append(route))
    ask(page, WORDS, "passage")
    page.wait_for_timeout(300)
    assert asked == []
    waiting.pop().continue_()
    expect(page.locator("#order")).to_have_count(0)
    stands_there(page, page.locator(".hit").first)
    assert len(asked) == 1
