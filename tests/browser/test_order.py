"""Two speeds: an answer at once, in its first order; the final one in its place, where nobody reads yet."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules

pytestmark = pytest.mark.browser
WORDS = "the patient was seen on the ward"
"""Words that no label decides, so that the cross-encoder has a say."""
FIRST = re.compile(r"/results/[\w-]{22}\?(?:.*&)?order=first")
FINAL = re.compile(r"/results/[\w-]{22}(?:\?scope=\w+)?$")


def ask(page: Page, line: str = WORDS, scope: str = "passage") -> None:
    page.goto(f"/?scope={scope}")
    page.get_by_label("Search the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def order(page: Page) -> list[str]:
    """Of the hits, by their ids."""
    return [str(one.get_attribute("id")) for one in page.locator(".hit").all()]


@contextmanager
def held(page: Page) -> Iterator[Callable[[], None]]:
    """The final order does not come before it is called for."""
    waiting: list[Route] = []
    page.route("**/reordered*", lambda route: waiting.append(route))  # the method itself is none that Playwright takes

    def release() -> None:
        while not waiting:
            page.wait_for_timeout(20)
        waiting.pop().continue_()

    yield release
    page.unroute("**/reordered*")


@pytest.fixture
def final(new_context: NewContext, page_url: str) -> Callable[..., list[str]]:
    """The hits of an answer as they are listed where no script runs, over the pages of it."""
    tab = new_context(page_url, java_script_enabled=False).new_page()

    def listed(scope: str = "passage", pages: int = 1) -> list[str]:
        ask(tab, scope=scope)
        assert FINAL.search(tab.url)
        assert tab.locator("#order").count() == 0
        found = order(tab)
        for number in range(2, pages + 1):
            tab.get_by_role("link", name="Next").click()
            tab.wait_for_url(re.compile(f"page={number}$"))
            found += order(tab)
        return found

    return listed


@pytest.mark.parametrize("scope", ["passage", "note", "patient"])
def test_the_final_order_takes_the_place_of_the_first_and_nothing_else_changes(
    page: Page, final: Callable[..., list[str]], scope: str
) -> None:
    with held(page) as release:
        ask(page, scope=scope)
        assert FIRST.search(page.url)
        expect(page.locator("#order span")).to_have_text("In the first order; a closer reading is under way.")
        expect(page.locator("#order a")).to_be_hidden()
        first, headline = order(page), page.locator("#headline").inner_text()
        counts = page.locator(".counts-more").inner_text(), page.locator("#facets-body").inner_text()
        page.evaluate("""() => {
          window.told = [];
          new MutationObserver(() => window.told.push(document.querySelector("#order-said").textContent))
            .observe(document.querySelector("#order-said"), { childList: true, characterData: true, subtree: true });
        }""")
        release()
        expect(page.locator("#order")).to_have_count(0)
    assert order(page) == final(scope) != first
    assert FINAL.search(page.url)
    assert page.locator("#headline").inner_text() == headline
    assert (page.locator(".counts-more").inner_text(), page.locator("#facets-body").inner_text()) == counts
    assert page.evaluate("window.told") == ["A closer reading has put these in their final order."]
    assert page.evaluate("document.activeElement === document.body && scrollY === 0")
    page.reload()
    assert order(page) == final(scope)


def test_who_reads_already_is_offered_it_and_stays_where_they_are(page: Page, final: Callable[..., list[str]]) -> None:
    with held(page) as release:
        ask(page)
        first = order(page)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("w")
        focused = page.evaluate("document.activeElement.closest('.hit').id")
        scrolled = page.evaluate("scrollY")
        release()
        offer = page.get_by_role("button", name="Show it")
        expect(offer).to_be_visible()
    assert order(page) == first
    assert focused == first[1]
    assert page.evaluate("document.activeElement.closest('.hit').id") == focused
    assert page.evaluate("scrollY") == scrolled
    expect(page.locator(f"[id='{focused}'] .why")).to_have_attribute("open", "")
    expect(page.locator("#order-said")).to_have_text("A closer reading has put these in another order.")
    keeps_the_rules(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Not taken up, it is no other search: the note's way back leads to the first order, where it is offered again.
    page.keyboard.press("o")
    page.wait_for_url("**/notes/**")
    page.keyboard.press("b")
    page.wait_for_url(FIRST)
    expect(offer).to_be_visible()
    assert order(page) == first
    offer.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#order")).to_have_count(0)
    assert order(page) == final()
    expect(page.locator(".hit-open").first).to_be_focused()


@pytest.mark.parametrize("what", ["typed", "scrolled", "pointed", "opened"])
def test_each_way_to_read_keeps_the_order(page: Page, what: str) -> None:
    with held(page) as release:
        ask(page)
        first = order(page)
        if what == "typed":
            page.get_by_label("Search the notes").press_sequentially("x")
        elif what == "scrolled":
            page.evaluate("window.scrollTo(0, 200)")
        elif what == "pointed":
            page.locator(".hit").nth(1).hover()
            page.locator(".hit").nth(2).hover()
        else:
            page.locator(".why summary").first.click()
        release()
        expect(page.get_by_role("button", name="Show it")).to_have_count(1)
    assert order(page) == first


def test_pages_of_the_first_order_go_on_in_it(page: Page, final: Callable[..., list[str]]) -> None:
    with held(page):
        ask(page)
        seen = order(page)
        for number in (2, 3, 4):
            page.get_by_role("link", name="Next").click()
            page.wait_for_url(lambda url, number=number: f"page={number}" in url and "order=first" in url)
            seen += order(page)
            expect(page.locator("#order")).to_contain_text("These go on in the first order.")
    assert len(seen) == len(set(seen)) == 40
    page.get_by_role("link", name="Begin again by a closer reading").click()
    page.wait_for_url(FINAL)
    assert order(page) == final()
    listed = final(pages=4)
    assert len(listed) == len(set(listed)) == 40


def test_it_slides_only_where_motion_is_welcome(new_context: NewContext, page_url: str) -> None:
    moves = {}
    for wish in ("reduce", "no-preference"):
        context = new_context(page_url, reduced_motion=wish)
        context.add_init_script("""
          window.moves = 0;
          const own = Element.prototype.animate;
          Element.prototype.animate = function (...given) { window.moves += 1; return own.apply(this, given); };
        """)
        tab = context.new_page()
        ask(tab)
        expect(tab.locator("#order")).to_have_count(0)
        moves[wish] = tab.evaluate("window.moves")
    assert moves["reduce"] == 0 < moves["no-preference"]


@pytest.mark.parametrize("wrong", ["away", "signed out", "changed"])
def test_without_the_final_order_a_link_stays(
    page: Page, final: Callable[..., list[str]], watch: Watch, wrong: str
) -> None:
    watch.expect(r"net::ERR_FAILED .*/reordered")

    def answered(route: Route) -> None:
        if wrong == "away":
            route.abort()
        elif wrong == "signed out":
            route.fulfill(status=200, content_type="text/html", body="<main>Sign in</main>")
        else:
            came = route.fetch()
            route.fulfill(response=came, body=re.sub(r'(id="headline">)[\d,]+', r"\g<1>1", came.text()))

    page.route("**/reordered*", answered)
    ask(page)
    first = order(page)
    link = page.get_by_role("link", name="Have them read closely")
    expect(link).to_be_visible()
    assert order(page) == first
    keeps_the_rules(page)
    link.click()
    page.wait_for_url(FINAL)
    assert order(page) == final()


def test_labels_decide_at_once(page: Page) -> None:
    asked = threading.Event()
    page.on("request", lambda request: asked.set() if "reordered" in request.url else None)
    ask(page, "pleural effusion")
    expect(page.locator(".hit").first).to_be_visible()
    assert FINAL.search(page.url)
    assert page.locator("#order").count() == 0
    assert not asked.is_set()
