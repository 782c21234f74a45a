"""Signing in, in a real browser over http on loopback, which it takes for as safe as https."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy import select, update

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import FAILED, notes
from search_stack.core.settings import Settings
from tests.browser.rules import keeps_the_rules, tables_fit
from tests.conftest import free_port
from tests.people import a_purpose
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
PASSWORD = "lantern ochre bicycle"


@pytest.fixture(scope="module")
def ledger(stack: Settings) -> Ledger:
    return Ledger.from_settings(stack)


@pytest.fixture(scope="module")
def purpose(ledger: Ledger) -> Purpose:
    """Covers the demo's notes."""
    return a_purpose(ledger.engine, code="STUDY-0042", collections=["demo"])


@pytest.fixture(scope="module")
def page_url(stack: Settings, ledger: Ledger) -> Iterator[str]:
    """Another page over the demo's notes, where people sign in."""
    settings = stack.model_copy(update={"accounts": True, "web_port": free_port(), "onnx_threads": 1})
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    yield settings.web_address
    server.stop()
    thread.join()


def sign_in(page: Page, name: str, password: str, purpose: str = "") -> None:
    """And state the purpose, where one is given."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    if purpose:
        state(page, purpose)


def state(page: Page, purpose: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=f"I read for {purpose}").click()


def sign_out(page: Page) -> None:
    """Of one who has a search line, beside which this stands behind the name."""
    page.locator(".account-menu summary").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").click()


@contextmanager
def looks_held(page: Page) -> Iterator[None]:
    """The page of administration, which loads itself anew once all has come in, does not hear of it yet."""
    looks: list[Route] = []
    page.route("**/admin/runs", lambda route: looks.append(route))  # the method itself is none that Playwright takes
    yield
    page.unroute("**/admin/runs")
    for look in looks:
        look.continue_()


def test_from_a_one_time_password_to_a_note_and_out(page: Page, ledger: Ledger, purpose: Purpose) -> None:
    once = Accounts(ledger.engine).add("dr.lee", Role.SEARCHER)
    page.goto("/results/nothing")
    expect(page).to_have_url("/sign-in")
    expect(page.get_by_label("Name")).to_be_focused()
    keeps_the_rules(page)
    sign_in(page, "dr.lee", "not this one")
    expect(page.get_by_role("alert")).to_contain_text("do not open an account")
    sign_in(page, "dr.lee", once)
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a password of your own")
    expect(page.get_by_role("search")).to_have_count(0)
    keeps_the_rules(page)
    page.get_by_label("Present password").fill(once)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password, once more").fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Change it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you read for?")
    expect(page.get_by_role("status")).to_contain_text("You are of no purpose that is open.")
    keeps_the_rules(page)
    page.goto("/results/nothing")
    expect(page).to_have_url("/purpose")
    Purposes(ledger.engine).add(purpose, "dr.lee")
    page.reload()
    expect(page.get_by_role("button", name="I read for STUDY-0042")).to_be_focused()
    keeps_the_rules(page)
    state(page, "STUDY-0042")
    expect(page.get_by_role("link", name="STUDY-0042")).to_be_visible()
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The names that go on from what is typed are asked for by a script.
    with page.expect_response("**/complete") as completed:
        page.get_by_label("Search the notes").press_sequentially("pneumo")
    assert completed.value.ok
    page.get_by_label("Search the notes").fill("pneumothorax")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.locator(".facet-row:not([disabled])").first.click()
    page.wait_for_url("**/results/**")
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    keeps_the_rules(page)
    page.emulate_media(media="print")
    head = page.locator(".on-paper")
    expect(head).to_contain_text("STUDY-0042: A study of tests (until ")
    expect(head).to_contain_text("pneumothorax")
    page.emulate_media(media="null")
    page.goto("/")
    expect(page.get_by_role("region", name="What you asked last").get_by_role("button")).to_contain_text(
        ["pneumothorax"]
    )
    page.get_by_role("link", name="History").click()
    page.wait_for_url("**/history")
    rows = page.get_by_role("row")
    expect(rows.filter(has_text="note of")).to_have_count(1)
    expect(rows.filter(has_text="STUDY-0042").last).to_contain_text("pneumothorax")
    keeps_the_rules(page)
    rows.get_by_role("button", name="pneumothorax", exact=True).first.click()
    page.wait_for_url("**/results/**")
    page.goto("/")
    keeps_the_rules(page)
    sign_out(page)
    page.go_back()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_long_names_leave_room_for_the_line(page: Page, ledger: Ledger) -> None:
    """Code of the purpose and name of the account as long as either may be."""
    code, name = "STUDY-2027-" + "W" * 53, "dr." + "w" * 61
    a_purpose(ledger.engine, code=code, collections=["demo"])
    once = Accounts(ledger.engine).add(name, Role.MANAGER)
    Accounts(ledger.engine).change_password(Accounts(ledger.engine).named(name), once, PASSWORD)
    Purposes(ledger.engine).add(Purposes(ledger.engine).named(code), name)
    page.goto("/sign-in")
    sign_in(page, name, PASSWORD, code)
    for width in (360, 1000, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        for path in ("/purpose", "/purposes", "/history", "/"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        page.goto("/cohorts")
        page.locator(".account-menu summary").click()
        line, nav, out = (
            page.locator(one).bounding_box() for one in ("#searchline .searchline-field", ".top-nav", ".account-more")
        )
        assert line
        assert nav
        assert out
        assert line["width"] >= min(300, width - 40), width
        assert line["x"] + line["width"] <= nav["x"] or line["y"] >= nav["y"] + nav["height"], width
        assert 0 <= out["x"] <= out["x"] + out["width"] <= width
    expect(page.get_by_role("link", name=code)).to_have_attribute("title", re.compile(code))


def test_what_is_listed_is_chosen_beside_the_line(page: Page, ledger: Ledger, purpose: Purpose) -> None:
    """Of one who is signed in, with all that such a one has in the bar; what is seldom asked for is behind the name."""
    once = Accounts(ledger.engine).add("dr.park", Role.MANAGER)
    Accounts(ledger.engine).change_password(Accounts(ledger.engine).named("dr.park"), once, PASSWORD)
    Purposes(ledger.engine).add(purpose, "dr.park")
    page.goto("/sign-in")
    sign_in(page, "dr.park", PASSWORD, purpose.code)
    page.goto("/cohorts")
    line, scope = (page.locator(one).bounding_box() for one in ("#line", ".scope"))
    assert line
    assert scope
    assert line["x"] + line["width"] < scope["x"]
    assert line["y"] <= scope["y"] + scope["height"] / 2 <= line["y"] + line["height"]
    purposes = page.get_by_role("link", name="Purposes", exact=True)
    expect(purposes).to_be_hidden()
    page.locator(".account-menu summary").click()
    expect(purposes).to_be_visible()
    keeps_the_rules(page)
    page.keyboard.press("Escape")
    expect(purposes).to_be_hidden()
    expect(page.locator(".account-menu summary")).to_be_focused()


def test_an_admin_sees_no_search(page: Page, ledger: Ledger) -> None:
    accounts = Accounts(ledger.engine)
    once = accounts.add("ops", Role.ADMIN)
    accounts.change_password(accounts.named("ops"), once, PASSWORD)
    page.goto("/")
    sign_in(page, "ops", PASSWORD)
    expect(page.get_by_role("search")).to_have_count(0)
    expect(page.get_by_text("Your role, admin, sees no notes.")).to_be_visible()
    keeps_the_rules(page)
    page.get_by_role("link", name="purposes", exact=True).click()
    page.get_by_label("Code").fill("QUALITY-7")
    page.get_by_label("Kind").select_option("quality")
    page.get_by_label("Title").fill("Effusions after surgery")
    page.get_by_label("Approval").fill("Head of department, 7/2026")
    page.get_by_label("Last day").fill("2999-12-31")
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("alert")).to_contain_text("at least one collection")
    expect(page.get_by_label("Title")).to_have_value("Effusions after surgery")
    page.get_by_label("demo").check()
    page.get_by_role("button", name="Open it").click()
    people = page.get_by_role("list", name="People of QUALITY-7")
    expect(people).to_have_text("Nobody yet")
    page.get_by_label("Account for QUALITY-7").fill("nobody.here")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no account nobody.here")
    page.get_by_label("Account for QUALITY-7").fill("ops")
    page.keyboard.press("Enter")
    expect(people).to_contain_text("ops")
    keeps_the_rules(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Take ops off QUALITY-7").click()
    expect(people).to_have_text("Nobody yet")
    page.get_by_role("button", name="End QUALITY-7 now").click()
    expect(page.get_by_role("button", name="End QUALITY-7 now")).to_have_count(0)


def test_an_admin_watches_and_has_failed_notes_tried_again(page: Page, ledger: Ledger) -> None:
    accounts = Accounts(ledger.engine)
    once = accounts.add("watch", Role.ADMIN)
    accounts.change_password(accounts.named("watch"), once, PASSWORD)
    whole = ledger.counts()
    with writing(ledger.engine) as c:  # as if they had failed; the worker puts them back
        some = select(notes.c.key).where(notes.c.collection == "demo").order_by(notes.c.key).limit(2)
        c.execute(update(notes).where(notes.c.key.in_(some)).values(state=FAILED, last_error="ValueError"))
    page.goto("/")
    sign_in(page, "watch", PASSWORD)
    page.get_by_role("link", name="Administration", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Administration")
    parts = page.get_by_role("table", name="Parts of the installation").get_by_role("row")
    for number, part in enumerate(("Engine", "Index", "Ledger", "Broker", "Worker", "Disk"), 1):
        expect(parts.nth(number)).to_contain_text(re.compile(rf"{part}\s+ok"))
    answers = page.get_by_role("table", name="What answers searches")
    expect(answers).to_contain_text("minilm-bi-int8@")
    expect(answers).to_contain_text("no passage of another version")
    expect(page.get_by_role("table", name="The newest")).to_contain_text("demo")
    failed = page.get_by_role("table", name="Failed notes by collection")
    expect(failed.get_by_role("row").nth(1)).to_contain_text("ValueError")
    assert "P-0" not in page.locator("main").inner_text()
    keeps_the_rules(page)
    tables_fit(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    with looks_held(page):
        page.get_by_role("button", name="Try them again in demo").click()
        expect(page.get_by_role("status")).to_contain_text("2 notes of demo are tried again.")
        expect(page.get_by_text("No note has failed.")).to_be_visible()
    end = time.monotonic() + 120
    while ledger.counts() != whole:
        assert time.monotonic() < end, "the worker does not take them up"
        time.sleep(0.5)
    # The page loads itself anew when all is over; while it does, it is not whole.
    expect(page.locator("body:not(:has(#runs-look)) .foot")).to_be_visible()
    keeps_the_rules(page)


def test_a_viewer_counts_and_reads_without_names(page: Page, ledger: Ledger, purpose: Purpose) -> None:
    accounts = Accounts(ledger.engine)
    once = accounts.add("vera", Role.VIEWER)
    accounts.change_password(accounts.named("vera"), once, PASSWORD)
    Purposes(ledger.engine).add(purpose, "vera")
    page.goto("/")
    sign_in(page, "vera", PASSWORD, purpose.code)
    expect(page.get_by_role("heading", level=1)).to_have_text("How many patients?")
    keeps_the_rules(page)
    page.keyboard.type("pleural effusion without pneumothorax")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("patients")
    expect(page.locator(".hit")).not_to_have_count(0)
    assert "P-0" not in page.locator("main").inner_text()
    keeps_the_rules(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_who_saw_this_patient(page: Page, ledger: Ledger, purpose: Purpose) -> None:
    accounts = Accounts(ledger.engine)
    for name, role in (("dr.kim", Role.SEARCHER), ("audit", Role.AUDITOR)):
        once = accounts.add(name, role)
        accounts.change_password(accounts.named(name), once, PASSWORD)
    Purposes(ledger.engine).add(purpose, "dr.kim")
    page.goto("/")
    sign_in(page, "dr.kim", PASSWORD, purpose.code)
    page.get_by_label("Search the notes").fill("no pneumothorax")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator(".pane .passage").first).to_be_visible()  # the note of the first hit beside it
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    seen = page.locator(".note-head").inner_text()
    patient = next(word for word in seen.replace("·", " ").split() if word.startswith("P-"))
    sign_out(page)
    sign_in(page, "audit", PASSWORD)
    expect(page.get_by_role("search")).to_have_count(0)
    page.keyboard.press("/")  # there is no search line to go to
    page.get_by_role("link", name="the audit trail").click()
    keeps_the_rules(page)
    page.get_by_label("Patient").fill(patient)
    page.get_by_label("Person").fill("dr.kim")
    page.get_by_label("Purpose").fill(purpose.code)
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    entries = page.get_by_role("region", name="Entries").get_by_role("row")
    expect(entries).to_have_count(4)  # the head, the note, what stood beside the first hit, the search
    for n in (1, 2):
        expect(entries.nth(n)).to_contain_text("note")
    expect(entries.nth(2)).to_contain_text("beside")
    expect(entries.nth(1)).not_to_contain_text("beside")
    expect(entries.nth(3)).to_contain_text("no pneumothorax")
    expect(entries.nth(3)).to_contain_text(purpose.code)
    assert patient not in page.url
    tables_fit(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as CSV").click()
    assert patient in download.value.path().read_text()
