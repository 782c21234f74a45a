"""The states of pages that are seldom seen keep the rules too: errors, empty and failed ones, those that refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask, render_template, template_rendered
from playwright.sync_api import Page, expect
from pyroaring import BitMap
from sqlalchemy import delete, select, update

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.handover.export import Order
from ingest.handover.jobs import FAILED, LIFE, RUNNING, Jobs, JobState
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import accounts, answers, exports
from search_stack.cohorts.version import Operand, Version
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules
from tests.browser.test_access import PASSWORD, sign_in
from tests.conftest import free_port
from tests.people import a_purpose
from ui.app import create_app
from ui.frame import frame
from ui.server import make_server
from ui.signing import SigningPage

pytestmark = pytest.mark.browser
OFTEN = 12
"""Requests a minute, of each kind."""


class Site:
    """A page with somebody of every role signed in, each at a browser of their own, who read for the same purpose."""

    def __init__(self, settings: Settings, new_context: NewContext, code: str) -> None:
        self.settings = settings
        self.ledger = Ledger.from_settings(settings)
        self.purpose: Purpose = a_purpose(self.ledger.engine, code=code)
        self.app: Flask = create_app(settings, ledger=self.ledger)
        self.rendered: list[str] = []
        self._new_context = new_context
        self._tabs: dict[Role, Page] = {}

    @contextmanager
    def running(self) -> Iterator[Site]:
        server = make_server(self.app, self.settings)
        thread = Thread(target=server.run)
        thread.start()
        template_rendered.connect(self._took, self.app)
        yield self
        server.stop()
        thread.join()

    def _took(self, sender: Flask, template: Any, **_: object) -> None:
        self.rendered.append(template.name)

    def name(self, role: Role) -> str:
        return f"{self.purpose.code.lower()}-{role}"

    def another_tab(self, role: Role) -> Page:
        tab = self._new_context(self.settings.web_address).new_page()
        tab.goto("/sign-in")
        reads = role in (Role.SEARCHER, Role.REVIEWER, Role.MANAGER, Role.VIEWER)
        sign_in(tab, self.name(role), PASSWORD, self.purpose.code if reads else "")
        return tab

    def tab(self, role: Role) -> Page:
        if role not in self._tabs:
            known, name = Accounts(self.ledger.engine), self.name(role)
            once = known.add(name, role)
            known.change_password(known.named(name), once, PASSWORD)
            Purposes(self.ledger.engine).add(self.purpose, name)
            self._tabs[role] = self.another_tab(role)
        return self._tabs[role]


@pytest.fixture(scope="module")
def down(tmp_path_factory: pytest.TempPathFactory, lasting_context: NewContext) -> Iterator[Site]:
    """Nothing is ingested, and no engine answers."""
    folder: Path = tmp_path_factory.mktemp("page")
    options: dict[str, Any] = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_provider": "cpu"}
    options |= {"accounts": True, "web_port": free_port(), "web_requests_per_minute": OFTEN, "onnx_threads": 1}
    with Site(Settings(**options), lasting_context, "DOWN").running() as site:
        yield site


@pytest.fixture(scope="module")
def demo(stack: Settings, lasting_context: NewContext) -> Iterator[Site]:
    """The demo's notes."""
    settings = stack.model_copy(update={"accounts": True, "web_port": free_port(), "onnx_threads": 1})
    with Site(settings, lasting_context, "STATES").running() as site:
        yield site
    with writing(site.ledger.engine) as c:  # one that runs would have others' wait
        c.execute(delete(exports).where(exports.c.purpose == site.purpose.id))


State = Callable[[Site], Page]


@dataclass(frozen=True, slots=True)
class Case:
    template: str
    show: State


CASES: dict[str, dict[str, Case]] = {"down": {}, "demo": {}}


def case(site: str, name: str, template: str) -> Callable[[State], State]:
    """One more state of a page by ``template``."""

    def keep(show: State) -> State:
        CASES[site][name] = Case(template, show)
        return show

    return keep


def at(page: Page, path: str, status: int, heading: str) -> Page:
    came = page.goto(path)
    assert came is not None
    assert came.status == status
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    return page


@case("down", "nothing ingested", "home.html")
def _(site: Site) -> Page:
    page = at(site.tab(Role.SEARCHER), "/", 200, "Find patients")
    expect(page.get_by_text("There are no notes to search yet")).to_be_visible()
    return page


@case("down", "the keyboard's help", "home.html")
def _(site: Site) -> Page:
    page = at(site.tab(Role.SEARCHER), "/", 200, "Find patients")
    page.keyboard.press("Escape")  # out of the line
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    return page


@case("down", "403", "error.html")
def _(site: Site) -> Page:
    return at(site.tab(Role.SEARCHER), "/cohorts", 403, "Your account may not do that")


@case("down", "404", "error.html")
def _(site: Site) -> Page:
    return at(site.tab(Role.SEARCHER), "/nowhere", 404, "There is no such page")


@case("down", "410", "error.html")
def _(site: Site) -> Page:
    return at(site.tab(Role.SEARCHER), "/results/nothing", 410, "This search has expired")


@case("down", "503", "error.html")
def _(site: Site) -> Page:
    page = site.tab(Role.SEARCHER)
    page.goto("/")
    page.get_by_label("Search the notes").fill("fever")
    page.keyboard.press("Enter")
    page.wait_for_url("**/results/**")
    expect(page.get_by_text("Reference for the log")).to_be_visible()
    return page


@case("down", "429", "error.html")
def _(site: Site) -> Page:
    page = site.tab(Role.SEARCHER)
    for _ in range(OFTEN):
        page.goto("/build")
    return at(page, "/build", 429, "This is faster than anyone reads")


@case("down", "two sessions", "password.html")
def _(site: Site) -> Page:
    page = site.tab(Role.SEARCHER)
    site.another_tab(Role.SEARCHER).close()
    page = at(page, "/password", 200, "Change your password")
    expect(page.get_by_role("button", name="End all others")).to_be_visible()
    return page


@case("down", "a password that the provider keeps", "password.html")
def _(site: Site) -> Page:
    page = site.tab(Role.REVIEWER)
    with writing(site.ledger.engine) as c:  # as one whom a provider signs in
        c.execute(
            update(accounts).where(accounts.c.name == site.name(Role.REVIEWER)).values(subject="another", password="")
        )
    page = at(page, "/password", 200, "Change your password")
    expect(page.get_by_text("Your password is kept by the provider")).to_be_visible()
    return page


@case("down", "entries of the trail", "audit.html")
def _(site: Site) -> Page:
    page = at(site.tab(Role.AUDITOR), "/audit", 200, "Audit trail")
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("region", name="Entries")).to_be_visible()
    return page


@case("down", "no entry fits", "audit.html")
def _(site: Site) -> Page:
    page = at(site.tab(Role.AUDITOR), "/audit", 200, "Audit trail")
    page.get_by_label("Patient").fill("P-NOBODY")
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No entry fits.")).to_be_visible()
    return page


@case("down", "administration of what is down", "administration.html")
def _(site: Site) -> Page:
    page = at(site.tab(Role.ADMIN), "/admin", 200, "Administration")
    expect(page.get_by_role("table", name="Parts of the installation")).to_contain_text("Engine")
    return page


def builder(site: Site, line: str) -> Page:
    page = site.tab(Role.MANAGER)
    page.goto("/build")
    page.get_by_label("As a line").fill(line)
    page.keyboard.press("Enter")
    return page


@case("demo", "nested and excluded groups, every menu open", "build.html")
def _(site: Site) -> Page:
    page = builder(site, "pneumonia, (cough or (fever and chills)), not (asthma or copd)")
    expect(page.locator(".block-excluded .block-members, .block-excluded").first).to_be_visible()
    expect(page.locator("#counts-title")).to_be_visible()
    page.locator(".ways").evaluate_all("all => all.forEach(one => one.open = true)")
    return page


@case("demo", "a line that cannot be read", "build.html")
def _(site: Site) -> Page:
    page = builder(site, "cough section:")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


@case("demo", "before a choice", "compare.html")
def _(site: Site) -> Page:
    saved(site, "compared", "asthma")
    return at(site.tab(Role.MANAGER), "/cohorts/compare", 200, "Compare or combine two")


@case("demo", "evidence changed, all that did", "review_done.html")
def _(site: Site) -> Page:
    page = site.tab(Role.REVIEWER)
    cohort = saved(site, "few", "fact:icd10:I48 and pneumothorax").cohort_id
    page.goto(f"/cohorts/{cohort}/review")
    while page.locator(".review-include").count():
        before = page.url
        page.keyboard.press("i")
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_load_state()
    saved(site, "few", "fact:icd10:I48 and pneumothorax", later=1)
    page.goto(f"/cohorts/{cohort}/review")
    expect(page.get_by_text("has changed since you decided")).to_be_visible()
    return page


def saved(site: Site, name: str, line: str, later: int = 0) -> Version:
    """What ``line`` finds, each note as many versions later as told."""
    searcher = Searcher.from_settings(site.settings, site.ledger)
    finder = Finder(searcher, site.ledger, site.settings).within(site.purpose.reach)
    found = finder.find(searcher.understand(line).query, "patient", line)
    states = replace(found.notes, version=found.notes.version + later)
    return Store(site.ledger.engine, site.purpose.id).save(name, replace(found, notes=states), "tests")


@case("demo", "evidence changed", "review.html")
def _(site: Site) -> Page:
    """Of a patient who was decided on before the notes had another text."""
    page = site.tab(Role.REVIEWER)
    cohort = saved(site, "changed", "pneumonia").cohort_id
    page.goto(f"/cohorts/{cohort}/review")
    first = page.url
    page.keyboard.press("i")
    expect(page.locator("[data-decided]")).to_have_text("1")
    saved(site, "changed", "pneumonia", later=1)
    page.goto(first)
    expect(page.get_by_role("status").filter(has_text="The evidence has changed since")).to_be_visible()
    return page


def exported(site: Site, state: JobState, **told: object) -> Page:
    """As a worker left it; the stack's own takes it to be another's, and would end it otherwise."""
    version = saved(site, f"export-{state}", "asthma")
    jobs = Jobs(site.ledger.engine, site.purpose.id)
    order = Order("csv", site.settings.data_dir / "exports" / state / "cohort.csv")
    number = jobs.add(Operand(version.cohort, version.number, version.id), order, False, None, "tests")
    with writing(site.ledger.engine) as c:
        here = update(exports).where(exports.c.id == number)
        c.execute(here.values(state=state, claim=None, claimed_until=now() + LIFE, **told))
    page = site.tab(Role.MANAGER)
    page.goto(f"/exports/{number}")
    return page


@case("demo", "an export that runs", "export.html")
def _(site: Site) -> Page:
    page = exported(site, RUNNING, total=40, done=10, attempts=1, problem="The disk was full.")
    expect(page.get_by_role("progressbar")).to_be_visible()
    return page


@case("demo", "an export that failed", "export.html")
def _(site: Site) -> Page:
    page = exported(site, FAILED, problem="The disk is full.")
    expect(page.get_by_role("alert")).to_contain_text("It failed.")
    return page


def count(site: Site, line: str, heading: str) -> Page:
    page = site.tab(Role.VIEWER)
    page.goto("/view")
    page.get_by_label("Ask the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile(f"^{heading}"))).to_be_visible()
    return page


@case("demo", "fewer than five", "viewing.html")
def _(site: Site) -> Page:
    return count(site, "fact:icd10:Z99", "Fewer than 5 patients")


@case("demo", "refused", "viewing.html")
def _(site: Site) -> Page:
    """As if all but three of those who cough had been told of before."""
    page = count(site, "cough", r"\d+ patients$")
    own = answers.c.purpose == site.purpose.id
    with writing(site.ledger.engine) as c:
        first = c.execute(select(answers).where(own).order_by(answers.c.id).limit(1)).one()
        less = BitMap(list(BitMap.deserialize(first.patients))[3:]).serialize()
        c.execute(delete(answers).where(own, answers.c.id != first.id))
        c.execute(update(answers).where(own).values(patients=less, digest="less"))
    page = count(site, "cough", "Not told")
    expect(page.get_by_text(re.compile("Together with the numbers"))).to_be_visible()
    return page


@pytest.mark.parametrize("name", CASES["down"])
def test_what_is_shown_without_an_engine_keeps_the_rules(down: Site, name: str, watch: Watch) -> None:
    watch.expect(r"status of 503 .*/complete")
    keeps(down, CASES["down"][name])


@pytest.mark.parametrize("name", CASES["demo"])
def test_a_state_seldom_seen_keeps_the_rules(demo: Site, name: str, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")
    keeps(demo, CASES["demo"][name])


def keeps(site: Site, one: Case) -> None:
    page = one.show(site)
    assert site.rendered[-1] == one.template
    keeps_the_rules(page)


def test_the_page_between_keeps_the_rules(down: Site, new_context: NewContext) -> None:
    """Which goes on by itself at once: it is looked at without what makes it go on."""
    with down.app.test_request_context("/sign-in/back"):
        shown = render_template("signed_in.html", page=SigningPage(frame()))
    assert "http-equiv" in shown
    page = new_context(down.settings.web_address).new_page()
    page.route("**/sign-in/back", lambda route: route.fulfill(body=re.sub("<meta http-equiv[^>]*>", "", shown)))
    page.goto("/sign-in/back")
    expect(page.get_by_role("heading", level=1)).to_have_text("Signed in")
    keeps_the_rules(page)
