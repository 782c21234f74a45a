"""An afternoon in Chromium by keyboard alone: the opening question asked, built, stepped through, kept, reviewed by two
people, settled, handed over, and found again in the trail. A picture of each stage lies in the test's folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, expect

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext
from tests.browser.test_access import PASSWORD
from tests.conftest import free_port
from tests.engine.test_demo_answers import OPENING, STEPS
from tests.people import a_purpose
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
PURPOSE, COHORT, PATIENT = "JOURNEY-1", "opening", "P-04919"
PEOPLE = {
    "j.mo": Role.MANAGER,
    "j.lee": Role.REVIEWER,
    "j.kim": Role.REVIEWER,
    "j.aud": Role.AUDITOR,
}
MOST_TABS = 150
FOCUSED = "one => one === document.activeElement"
Open = Callable[[str], "Keys"]


class Keys:
    """A person at a keyboard: nothing is clicked, filled or focused for them."""

    def __init__(self, page: Page, folder: Path, numbers: Iterator[int]) -> None:
        self.page = page
        self._folder = folder
        self._numbers = numbers

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)

    def reach(self, what: Locator, key: str = "Tab") -> None:
        """By Tab alone."""
        expect(what).to_be_attached()
        for _ in range(MOST_TABS):
            if what.evaluate(FOCUSED):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{what} is not reached by {key}")

    def go(self, what: Locator, key: str = "Enter") -> None:
        """To another page, by what is reached or has the focus."""
        self.reach(what)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def link(self, name: str) -> None:
        self.go(self.page.get_by_role("link", name=name, exact=True).first)

    def step(self, *keys: str) -> None:
        """One of the builder's, done."""
        with self.page.expect_response("**/build"):
            self.press(*keys)
        expect(self.page.locator("body")).not_to_have_attribute("aria-busy", "true")

    def add(self, words: str) -> None:
        self.reach(self.page.locator(".block-add input").last)
        self.type(words)
        self.step("Enter")

    def button(self, name: str) -> None:
        self.reach(self.page.get_by_role("button", name=name, exact=True))
        self.step("Enter")

    def picture(self, name: str) -> None:
        self.page.screenshot(path=self._folder / f"{next(self._numbers):02}-{name}.png")


@pytest.fixture(scope="module")
def ledger(stack: Settings) -> Ledger:
    return Ledger.from_settings(stack)


@pytest.fixture(scope="module")
def page_url(stack: Settings, ledger: Ledger) -> Iterator[str]:
    settings = stack.model_copy(update={"accounts": True, "web_port": free_port(), "onnx_threads": 1})
    accounts = Accounts(ledger.engine)
    purpose = a_purpose(ledger.engine, code=PURPOSE, collections=["demo"])
    for name, role in PEOPLE.items():
        once = accounts.add(name, role)
        accounts.change_password(accounts.named(name), once, PASSWORD)
        if role is not Role.AUDITOR:
            Purposes(ledger.engine).add(purpose, name)
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    yield settings.web_address
    server.stop()
    thread.join()
    store = Store(ledger.engine, purpose.id)
    for kept in store.cohorts():
        store.delete(kept.id)


@pytest.fixture
def sit_down(new_context: NewContext, page_url: str, tmp_path: Path) -> Open:
    """Somebody at a browser of their own, signed in."""
    numbers = count(1)

    def opened(name: str) -> Keys:
        page = new_context(page_url, viewport={"width": 1280, "height": 800}).new_page()
        keys = Keys(page, tmp_path, numbers)
        page.goto("/sign-in")
        expect(page.get_by_label("Name")).to_be_focused()
        keys.type(name)
        keys.press("Tab")
        keys.type(PASSWORD)
        with page.expect_navigation():
            keys.press("Enter")
        if PEOPLE[name] is not Role.AUDITOR:
            keys.go(page.get_by_role("button", name=f"I read for {PURPOSE}"))
        return keys

    return opened


def left(page: Page) -> list[tuple[str, int, int]]:
    """What each step left: the table behind the bars."""
    rows = page.locator(".build-counts tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    return [(row[0], int(row[1].replace(",", "")), int(row[4].replace(",", ""))) for row in rows]


def build(mo: Keys) -> None:
    """The opening question, criterion by criterion."""
    page = mo.page
    mo.link("Build")
    expect(page.get_by_label("As a line")).to_be_focused()
    mo.type("women over 60")
    mo.step("Enter")
    mo.add("pneumothorax")
    mo.add("pacemaker")
    mo.button("Relate")
    mo.add("pacemaker")
    mo.reach(page.get_by_role("button", name="Move pacemaker up"), "Shift+Tab")
    mo.step("Enter")
    mo.add("pleural effusion")
    mo.reach(page.get_by_role("button", name="exclude pleural effusion"), "Shift+Tab")
    mo.step("Enter")
    mo.add("heart failure at least twice")
    mo.add("family history of cancer")
    mo.reach(page.get_by_role("button", name="exclude cancer in the family"), "Shift+Tab")
    mo.step("Enter")


def review(person: Keys, verdict: str) -> None:
    person.link("Cohorts")
    person.link(COHORT)
    person.link("Review")
    expect(person.page.locator("h1")).to_have_text(PATIENT)
    person.picture("review")
    person.press(verdict)
    expect(person.page.get_by_role("heading", level=1)).to_have_text("You have decided on every patient")


def test_an_afternoon_by_keyboard_alone(sit_down: Open) -> None:
    mo = sit_down("j.mo")
    page = mo.page
    expect(page.get_by_label("Search the notes")).to_be_focused()
    mo.type(OPENING)
    with page.expect_navigation():
        mo.press("Enter")
    mo.picture("results")
    mo.go(page.get_by_role("button", name="Edit in the builder"))
    assert left(page) == STEPS
    mo.picture("by-line")
    build(mo)
    assert left(page) == STEPS
    expect(page.locator("#counts-title")).to_have_text("1 patient, 7 notes")
    mo.picture("by-builder")

    mo.go(page.get_by_role("button", name="Show the patients"))
    mo.link(PATIENT)
    at = page.locator(".record-at")
    number = int(at.inner_text().split()[0])
    assert number > 3
    for key, place in (("n", 1), ("n", 2), ("p", 1)):
        mo.press(key)
        expect(at).to_have_text(re.compile(f"^{place} of {number}"))
    mo.picture("record")
    with page.expect_navigation():
        mo.press("b")
    mo.reach(page.locator(".keep summary"))
    mo.press("Enter", "Tab")
    mo.type(COHORT)
    with page.expect_navigation():
        mo.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{COHORT} version 1")
    mo.picture("cohort")

    review(sit_down("j.lee"), "i")
    review(sit_down("j.kim"), "e")

    # By hand: alike 0 of 1, by chance 1 · 0 + 0 · 1 = 0, so kappa is 0.
    mo.link("Agreement")
    expect(page.get_by_text("0.00").first).to_be_visible()
    mo.picture("agreement")
    mo.link("Settle 1 disagreement")
    expect(page.locator("h1")).to_have_text(PATIENT)
    mo.press("i")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is left to settle")
    mo.picture("settled")

    mo.link("Cohorts")
    mo.link(COHORT)
    mo.link("Export")
    mo.reach(page.get_by_role("radio").first)
    while not page.get_by_label("JSON Lines").is_checked():
        mo.press("ArrowDown")
    mo.go(page.get_by_role("button", name="Start the export"))
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    mo.picture("export")
    mo.reach(page.get_by_role("link", name="cohort.jsonl", exact=True))
    with page.expect_download() as downloaded:
        mo.press("Enter")
    lines = downloaded.value.path().read_text(encoding="utf-8").splitlines()
    verdicts = {word for line in lines for word in re.findall(r'"verdict": ?"(\w+)"', line)}
    assert verdicts == {"include"}

    mo.link("History")
    own = page.get_by_role("row").filter(has=page.get_by_role("button", name=OPENING, exact=True))
    for kind in ("search", "count"):
        one = own.filter(has=page.get_by_role("cell", name=kind, exact=True)).first
        expect(one).to_contain_text(PURPOSE)
        expect(one).to_contain_text("1 patient")
    mo.picture("history")

    aud = sit_down("j.aud")
    aud.link("Audit trail")
    aud.reach(aud.page.get_by_label("Patient"))
    aud.type(PATIENT)
    with aud.page.expect_navigation():
        aud.press("Enter")
    entries = aud.page.get_by_role("region", name="Entries")
    for person, what in (("j.mo", "patient"), ("j.lee", "decide"), ("j.kim", "decide"), ("j.mo", "export")):
        row = entries.get_by_role("row").filter(has_text=person).filter(has=aud.page.get_by_text(what, exact=True))
        expect(row.first).to_contain_text(PATIENT)
    aud.picture("trail")
    for keys in (mo, aud):
        assert PATIENT not in keys.page.url
