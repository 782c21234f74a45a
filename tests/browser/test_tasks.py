"""What each task of docs/page.md takes, done and counted in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select, update

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.tables import FAILED, notes
from search_stack.cohorts.version import Version
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from tests.browser.conftest import NewContext
from tests.browser.test_access import PASSWORD, looks_held, sign_in
from tests.conftest import free_port
from tests.people import a_purpose
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
DOC = Path(__file__).resolve().parents[2] / "docs" / "page.md"
PURPOSE = "TASKS-1"


class Hand:
    """Does what a person does and counts it: each click, each choice, each key that does something. The way to a field,
    by Tab or a key, and what is typed there are free."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def click(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def choose(self, what: Locator, value: str) -> None:
        self.count += 1
        what.select_option(value)

    def press(self, key: str) -> None:
        self.count += 1
        self.page.keyboard.press(key)

    def type(self, what: Locator, words: str) -> None:
        what.fill(words)

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True))


@dataclass
class Place:
    """People at their browsers, and cohorts of two versions and of one."""

    ledger: Ledger
    open: Callable[[Role], Page]
    twice: Version
    once: Version

    def results(self, line: str) -> Hand:
        """The results of ``line``, already there."""
        page = self.open(Role.MANAGER)
        page.goto("/?scope=passage")
        page.get_by_label("Search the notes").fill(line)
        with page.expect_navigation():  # its scripts too
            page.keyboard.press("Enter")
        expect(page.locator("#headline")).to_be_visible()
        return Hand(page)

    def cohort(self, role: Role = Role.MANAGER) -> Hand:
        """The page of the newest version."""
        page = self.open(role)
        page.goto(f"/cohorts/{self.twice.cohort_id}")
        return Hand(page)


Task = Callable[[Place], Hand]
TASKS: dict[str, Task] = {}


def task(name: str) -> Callable[[Task], Task]:
    def keep(done: Task) -> Task:
        TASKS[name] = done
        return done

    return keep


def line_of(page: Page) -> Locator:
    return page.get_by_label("Search the notes")


def told(page: Page, words: str) -> None:
    expect(page.locator("#headline")).to_contain_text(words)


@task("Patients with a finding")
def _(place: Place) -> Hand:
    hand = place.results("cough")
    hand.type(line_of(hand.page), "pneumothorax")
    hand.button("Patients")
    told(hand.page, "have a passage that says that pneumothorax is present")
    return hand


@task("Patients in whom it is ruled out")
def _(place: Place) -> Hand:
    hand = place.results("cough")
    hand.type(line_of(hand.page), "no pneumothorax")
    hand.button("Patients")
    told(hand.page, "have a passage that says that pneumothorax is absent")
    return hand


@task("One finding without another")
def _(place: Place) -> Hand:
    hand = place.results("cough")
    hand.type(line_of(hand.page), "pleural effusion without pneumothorax")
    hand.press("Enter")
    told(hand.page, "without pneumothorax")
    return hand


@task("Ask for *possible* instead of *present*")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.click(hand.page.locator(".criterion .ways > summary"))
    hand.click(hand.page.locator(".way", has_text="possible").first)
    told(hand.page, "pneumonia is possible")
    return hand


@task("Leave a narrower finding out")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.click(hand.page.locator(".criterion .ways > summary"))
    narrower = hand.page.locator(".switch[aria-pressed=true]").first
    name = narrower.inner_text()
    hand.click(narrower)
    expect(hand.page.locator(f".switch[aria-pressed=false]:text-is('{name}')")).to_have_count(1)
    return hand


@task("Why a passage is there")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.press("w")
    expect(hand.page.locator(".hit").first.locator(".standings")).to_be_visible()
    return hand


@task("Passages like it")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.press("s")
    expect(hand.page.get_by_role("heading", level=1)).to_have_text("Similar passages")
    return hand


@task("Narrow to a section, type or year")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.click(hand.page.locator(".facet-row:not([disabled])").first)
    expect(hand.page.locator(".criterion-filter")).to_have_count(1)
    return hand


@task("A hit's note beside it")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hit = hand.page.locator(".hit").nth(1)
    hand.click(hit.locator(".said").first)
    passage = str(hit.get_attribute("id")).removeprefix("hit-")
    expect(hand.page.locator(f".pane [data-passage='{passage}']").first).to_be_visible()
    return hand


@task("From a hit to its note, at the passage")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    hand.click(hand.page.locator(".hit-open").first)
    expect(hand.page.locator("#passage")).to_be_in_viewport()
    return hand


@task("The patient's whole record")
def _(place: Place) -> Hand:
    hand = place.results("pneumonia")
    patient = hand.page.locator(".hit .link-button").first.inner_text()
    hand.click(hand.page.locator(".record-link").first)
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text(patient)
    return hand


@task("The next passage of the record that shows the search")
def _(place: Place) -> Hand:
    page = place.results("pneumonia").page
    page.locator(".record-link").first.click()
    page.wait_for_url("**/patients/**")
    page.wait_for_load_state()
    hand = Hand(page)
    hand.press("n")
    expect(page.locator(".record-snippet :focus")).to_have_count(1)
    return hand


@task("Two criteria in time, by hand")
def _(place: Place) -> Hand:
    hand = place.results("pneumothorax, pacemaker")
    hand.button("Edit in the builder")
    hand.button("Relate")
    expect(hand.page.get_by_role("group", name="pneumothorax within 30 days after pacemaker")).to_be_visible()
    return hand


@task("The same by line")
def _(place: Place) -> Hand:
    hand = place.results("cough")
    hand.type(line_of(hand.page), "pneumothorax within 30 days after pacemaker")
    hand.press("Enter")
    expect(hand.page.get_by_role("group", name="pneumothorax within 30 days after pacemaker")).to_be_visible()
    return hand


@task("Keep the cohort")
def _(place: Place) -> Hand:
    hand = place.results("pneumothorax")
    hand.click(hand.page.get_by_text("Save cohort", exact=True))
    hand.type(hand.page.get_by_label("Name", exact=True), "kept-by-hand")
    hand.press("Enter")
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text("kept-by-hand version 1")
    return hand


@task("What changed since the last version")
def _(place: Place) -> Hand:
    hand = place.results("cough")
    hand.link("Cohorts")
    hand.link("twice")
    hand.link("Changes")
    expect(hand.page.locator(".changes > div", has_text="Gone")).to_be_visible()
    return hand


@task("Compare two cohorts")
def _(place: Place) -> Hand:
    hand = place.cohort()
    hand.link("Compare or combine")
    hand.choose(hand.page.get_by_role("combobox", name="Second"), f"{place.once.cohort_id}.1")
    hand.button("Compare")
    expect(hand.page.locator(".venn")).to_have_attribute("aria-label", re.compile("Only in twice@2: "))
    return hand


@task("Export")
def _(place: Place) -> Hand:
    hand = place.cohort()
    hand.link("Export")
    hand.click(hand.page.get_by_label("JSON Lines"))
    hand.button("Start the export")
    expect(hand.page.get_by_role("heading", name="Files")).to_be_visible()
    return hand


@task("Export what a search finds")
def _(place: Place) -> Hand:
    hand = place.results("pneumothorax")
    hand.button("Export")
    hand.type(hand.page.get_by_label("Name", exact=True), "handed-over")
    hand.press("Enter")
    hand.button("Start the export")
    expect(hand.page.get_by_role("heading", name="Files")).to_be_visible()
    return hand


@task("Begin a review")
def _(place: Place) -> Hand:
    hand = place.cohort(Role.REVIEWER)
    hand.link("Review")
    expect(hand.page.locator(".review-include")).to_be_visible()
    return hand


@task("Decide on a patient")
def _(place: Place) -> Hand:
    hand = Hand(place.open(Role.REVIEWER))
    hand.page.goto(f"/cohorts/{place.twice.cohort_id}/review")
    before = int(hand.page.locator("[data-decided]").inner_text())
    hand.press("i")
    expect(hand.page.locator("[data-decided]")).to_have_text(str(before + 1))
    return hand


@task("How two reviewers agree")
def _(place: Place) -> Hand:
    hand = place.cohort()
    hand.link("Agreement")
    hand.page.wait_for_url("**/review/agreement")
    expect(hand.page.get_by_role("heading", level=1)).to_be_visible()
    return hand


@task("Who saw this patient")
def _(place: Place) -> Hand:
    place.open(Role.MANAGER).goto("/patients/1")
    found = place.ledger.listing.patient(1)
    assert found
    hand = Hand(place.open(Role.AUDITOR))
    hand.page.goto("/")
    hand.link("Audit trail")
    hand.type(hand.page.get_by_label("Patient"), found.patient_id)
    hand.press("Enter")
    expect(
        hand.page.get_by_role("row", name=re.compile(rf"task-manager.*{re.escape(found.patient_id)}")).first
    ).to_be_visible()
    return hand


@task("Try failed notes again")
def _(place: Place) -> Hand:
    whole = place.ledger.counts()
    with writing(place.ledger.engine) as c:  # as if they had failed; the worker puts them back
        some = select(notes.c.key).where(notes.c.collection == "demo").order_by(notes.c.key).limit(2)
        c.execute(update(notes).where(notes.c.key.in_(some)).values(state=FAILED, last_error="ValueError"))
    hand = Hand(place.open(Role.ADMIN))
    hand.page.goto("/")
    hand.link("Administration")
    with looks_held(hand.page):
        hand.button("Try them again in demo")
        expect(hand.page.get_by_role("status")).to_contain_text("2 notes of demo are tried again.")
    end = time.monotonic() + 120
    while place.ledger.counts() != whole:
        assert time.monotonic() < end, "the worker does not take them up"
        time.sleep(0.2)
    expect(hand.page.locator("[data-run]")).to_have_count(0)  # the page looks by itself
    return hand


def listed() -> dict[str, int]:
    """By task, the interactions that the document tells."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\d+) \|$", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(number) for name, number in rows}


@pytest.fixture(scope="module")
def page_url(stack: Settings) -> Iterator[str]:
    """The demo's notes, where people sign in."""
    settings = stack.model_copy(update={"accounts": True, "web_port": free_port(), "onnx_threads": 1})
    server = make_server(create_app(settings, ledger=Ledger.from_settings(stack)), settings)
    thread = Thread(target=server.run)
    thread.start()
    yield settings.web_address
    server.stop()
    thread.join()


@pytest.fixture(scope="module")
def place(stack: Settings, lasting_context: NewContext, page_url: str) -> Iterator[Place]:
    ledger = Ledger.from_settings(stack)
    purpose = a_purpose(ledger.engine, code=PURPOSE, collections=["demo"])
    searcher, store = Searcher.from_settings(stack, ledger), Store(ledger.engine, purpose.id)
    finder = Finder(searcher, ledger, stack).within(purpose.reach)

    def save(name: str, line: str) -> Version:
        return store.save(name, finder.find(searcher.understand(line).query, "patient", line), "task-manager")

    once = save("once", "pleural effusion")
    save("twice", "pneumonia or heart failure")
    twice = save("twice", "pneumonia")
    tabs: dict[Role, Page] = {}

    def opened(role: Role) -> Page:
        """The tab of whoever has it, signed in, for the purpose where the role wants one."""
        if role not in tabs:
            accounts, name = Accounts(ledger.engine), f"task-{role}"
            first = accounts.add(name, role)
            accounts.change_password(accounts.named(name), first, PASSWORD)
            reads = role in (Role.MANAGER, Role.REVIEWER)
            if reads:
                Purposes(ledger.engine).add(purpose, name)
            tabs[role] = lasting_context(page_url).new_page()
            tabs[role].goto("/sign-in")
            sign_in(tabs[role], name, PASSWORD, PURPOSE if reads else "")
        return tabs[role]

    yield Place(ledger, opened, twice, once)
    for kept in store.cohorts():
        store.delete(kept.id)


def test_every_task_that_is_listed_is_done_here_and_no_other() -> None:
    assert list(listed()) == list(TASKS)
    assert max(listed().values()) <= 3


@pytest.mark.parametrize("name", TASKS)
def test_a_task_takes_what_is_listed(place: Place, name: str) -> None:
    assert TASKS[name](place).count == listed()[name]
