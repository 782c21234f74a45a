"""What a page does when its session ends, in a real browser whose clock the test moves; no engine is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from access.accounts import Accounts
from access.roles import Role
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext, Watch
from tests.browser.test_access import sign_out, state
from tests.conftest import free_port
from tests.people import a_purpose
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
PASSWORD = "lantern ochre bicycle"
HEAR = """() => {
  window.heard = new Promise((done) => { new BroadcastChannel("aspectra-session").onmessage = () => done(); });
}"""
"""A promise of the next word from another tab, which the page's own script hears first."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("page")
    options = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1, "onnx_provider": "cpu"}
    settings = Settings(**{**options, "accounts": True, "web_port": free_port()})
    ledger = Ledger.from_settings(settings)
    accounts = Accounts(ledger.engine)
    once = accounts.add("lee", Role.SEARCHER)
    accounts.change_password(accounts.named("lee"), once, PASSWORD)
    a_purpose(ledger.engine, "lee")
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    yield settings.web_address
    server.stop()
    thread.join()


@pytest.fixture
def context(new_context: NewContext, address: str) -> BrowserContext:
    made = new_context(address)
    made.clock.install()
    return made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    made = context.new_page()
    made.goto("/sign-in")
    made.get_by_label("Name").fill("lee")
    made.get_by_label("Password").fill(PASSWORD)
    made.get_by_role("button", name="Sign in").click()
    state(made, "STUDY-1")
    expect(made).to_have_url("/")
    made.wait_for_load_state()  # its scripts have begun
    return made


def test_a_page_left_open_is_cleared_when_time_has_ended_its_session(page: Page, context: BrowserContext) -> None:
    context.clock.run_for("30:30")
    expect(page).to_have_url("/")
    context.clock.run_for("00:45")
    expect(page).to_have_url("/sign-in")


def test_a_page_is_cleared_though_the_door_does_not_open(page: Page, context: BrowserContext) -> None:
    begun: list[str] = []

    def stay(route: Route) -> None:
        begun.append(route.request.url)
        route.fulfill(status=204)  # a browser stays where it is

    page.route("**/sign-in", stay)
    expect(page.get_by_label("Search the notes")).to_be_visible()
    context.clock.run_for("32:00")
    expect(page.locator("body")).to_be_empty()
    context.clock.run_for("05:00")
    assert len(begun) == 1


def test_what_another_tab_asks_keeps_a_page(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto("/password")
    for _ in range(3):
        context.clock.run_for("20:00")
        page.evaluate(HEAR)
        other.reload()
        page.evaluate("window.heard")
        expect(page).to_have_url("/")
    context.clock.run_for("32:00")
    for one in (page, other):
        expect(one).to_have_url("/sign-in")


def test_what_a_script_asks_keeps_a_page(page: Page, context: BrowserContext, watch: Watch) -> None:
    watch.expect(r"status of 503 .*/complete")  # without an engine
    context.clock.run_for("20:00")
    with page.expect_response("**/complete"):
        page.get_by_label("Search the notes").press_sequentially("fever")
        context.clock.run_for(1000)
    context.clock.run_for("20:00")
    expect(page).to_have_url("/")
    context.clock.run_for("12:00")
    expect(page).to_have_url("/sign-in")


def test_signing_out_clears_the_other_tabs(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto("/password")
    sign_out(other)
    expect(other).to_have_url("/sign-in")
    expect(page).to_have_url("/sign-in")
