"""Two people review one cohort by keyboard, blind to each other; a third settles what they differ on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from access.accounts import Accounts
from access.audit.entry import Action
from access.audit.trail import Trail, Wanted
from access.purposes import Purposes
from access.roles import Role
from aspectra.cli import main
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.purposes import Purpose
from ingest.review.store import Reviews
from search_stack.cohorts.version import Version
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from search_stack.review.precision import wilson
from search_stack.review.queue import in_order
from tests.browser.conftest import NewContext
from tests.browser.rules import keeps_the_rules
from tests.browser.test_access import PASSWORD, sign_in
from tests.conftest import free_port
from tests.people import a_purpose
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
LINE = "pleural effusion, no pneumothorax"
Sign = Callable[[str], Page]


@pytest.fixture(scope="module")
def ledger(stack: Settings) -> Ledger:
    return Ledger.from_settings(stack)


@pytest.fixture(scope="module")
def purpose(ledger: Ledger) -> Purpose:
    return a_purpose(ledger.engine, code="REVIEW-1", collections=["demo"])


@pytest.fixture(scope="module")
def version(stack: Settings, ledger: Ledger, purpose: Purpose) -> Version:
    """A cohort of the demo's patients, under review."""
    searcher = Searcher.from_settings(stack, ledger)
    found = Finder(searcher, ledger, stack).find(searcher.understand(LINE).query, "patient", LINE)
    saved = Store(ledger.engine, purpose.id).save("reviewed", found, "mo")
    reviews = Reviews(ledger.engine, saved.cohort_id)
    reviews.add_field("Cause", "text", (), "mo")
    reviews.add_field("Side", "choice", ("left", "right"), "mo")
    return saved


@pytest.fixture(scope="module")
def page_url(stack: Settings, ledger: Ledger, purpose: Purpose) -> Iterator[str]:
    settings = stack.model_copy(update={"accounts": True, "web_port": free_port(), "onnx_threads": 1})
    accounts = Accounts(ledger.engine)
    for name, role in (("rev.lee", Role.REVIEWER), ("rev.kim", Role.REVIEWER), ("rev.mo", Role.MANAGER)):
        once = accounts.add(name, role)
        accounts.change_password(accounts.named(name), once, PASSWORD)
        Purposes(ledger.engine).add(purpose, name)
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    yield settings.web_address
    server.stop()
    thread.join()


@pytest.fixture
def signed_in(new_context: NewContext, page_url: str) -> Sign:
    """A browser of their own for each person."""

    def make(name: str) -> Page:
        tab = new_context(page_url).new_page()
        tab.goto("/sign-in")
        sign_in(tab, name, PASSWORD, "REVIEW-1")
        return tab

    return make


def fits(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def press(page: Page, key: str) -> str:
    """Decide by a key; the patient who is shown then."""
    before = page.url
    page.keyboard.press(key)
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_load_state()
    return page.locator("h1").inner_text()


def test_two_reviewers_blind_to_each_other_and_a_third(
    signed_in: Sign, stack: Settings, ledger: Ledger, version: Version, tmp_path: Path
) -> None:
    order = in_order(version.numbers, version.cohort_id).tolist()
    names = ledger.people.ids(version.numbers)
    here = f"/cohorts/{version.cohort_id}"
    lee = signed_in("rev.lee")
    lee.goto(f"{here}/review")
    expect(lee.get_by_role("heading", level=1)).to_have_text(names[order[0]])
    keeps_the_rules(lee)
    fits(lee)
    # Evidence first: the words of the query, lit, and what was read from them.
    marks = {words.lower() for words in lee.locator(".review-text mark").all_inner_texts()}
    assert any("effusion" in words for words in marks)
    # Who is first is drawn by lot, by the number of the cohort. Every match of that patient is right but the first,
    # which is of the first criterion.
    items = lee.locator(".review-item:visible")
    criteria = lee.locator("h2 mark").all_inner_texts()
    assert criteria == ["pleural effusion", "pneumothorax ruled out"]
    shown = items.count()
    assert shown >= 2
    for number in range(shown):
        lee.keyboard.press("n")
        expect(items.nth(number)).to_be_focused()
        key, wanted = ("w", ".review-wrong") if number == 0 else ("r", ".review-right")
        lee.keyboard.press(key)
        expect(items.nth(number).locator(wanted)).to_have_attribute("aria-pressed", "true")
    lee.keyboard.press("p")
    expect(items.nth(shown - 2)).to_be_focused()
    # A text with its quote: what is selected.
    lee.locator(".review-text").first.evaluate("words => getSelection().selectAllChildren(words)")
    lee.keyboard.press("q")
    quoted = lee.get_by_label("Cause: quoted from a note").input_value()
    assert "effusion" in quoted.lower()
    lee.get_by_label("Cause", exact=True).fill("heart failure")
    lee.get_by_label("Reason").fill("seen twice")
    lee.keyboard.press("Enter")  # decides nothing
    lee.keyboard.press("Escape")
    expect(lee.locator("h1")).to_have_text(names[order[0]])
    # The next patient is there already: no page is loaded after the decision.
    lee.evaluate("window.same = true")
    assert press(lee, "i") == names[order[1]]
    assert lee.evaluate("window.same") is True
    expect(lee.locator("h1")).to_be_focused()
    expect(lee.locator("[data-decided]")).to_have_text("1")
    expect(lee.get_by_role("status").filter(has_text="included")).to_have_count(1)
    # Undo shows the first again, as it was filled in before, nothing decided.
    assert press(lee, "u") == names[order[0]]
    expect(lee.locator("[data-decided]")).to_have_text("0")
    lee.get_by_label("Cause", exact=True).fill("heart failure")
    lee.get_by_label("Cause: quoted from a note").fill(quoted)
    lee.keyboard.press("Escape")
    for key, patient in zip("ieid", order[1:], strict=False):
        assert press(lee, key) == names[patient]
    for _ in order[4:]:
        press(lee, "i")
    expect(lee.get_by_role("heading", level=1)).to_have_text("You have decided on every patient")
    keeps_the_rules(lee)
    fits(lee)
    own = Reviews(ledger.engine, version.cohort_id)
    quote = own.standing().of("rev.lee")[order[0]].given.values
    assert [value.said for value in quote.values()] == ["heart failure"]

    kim = signed_in("rev.kim")
    kim.goto(f"{here}/review")
    expect(kim.locator("h1")).to_have_text(names[order[0]])
    progress = kim.get_by_role("group", name="Progress")
    expect(progress).to_contain_text(re.compile(rf"rev\.lee\s+{len(order)} of {len(order)}"))
    assert "heart failure" not in kim.get_by_label("Cause", exact=True).input_value()
    assert kim.locator(".review-verdict[aria-pressed=true], .review-mark[aria-pressed=true]").count() == 0
    for key, patient in zip("iiid", order[1:], strict=False):
        assert press(kim, key) == names[patient]

    mo = signed_in("rev.mo")
    mo.goto(f"{here}/review/agreement")
    keeps_the_rules(mo)
    fits(mo)
    # By hand. Lee: include, exclude, include, doubt; Kim: include, include, include, doubt. Alike 3/4; by chance
    # 2/4 · 3/4 + 1/4 · 0 + 1/4 · 1/4 = 7/16; kappa (3/4 - 7/16) / (9/16) = 0.56.
    expect(mo.get_by_text("0.56 (")).to_be_visible()
    expect(mo.get_by_role("region", name="Verdicts of rev.kim and rev.lee").get_by_role("row").nth(1)).to_have_text(
        re.compile(r"include\s*2\s*1\s*0")
    )
    mo.get_by_role("link", name="Settle 1 disagreement").click()
    expect(mo.locator("h1")).to_have_text(names[order[1]])
    expect(mo.locator(".review-card h2")).to_have_text(
        [re.compile(r"rev\.kim:\s+include"), re.compile(r"rev\.lee:\s+exclude")]
    )
    keeps_the_rules(mo)
    fits(mo)
    mo.get_by_label("Reason").fill("none is described")
    mo.keyboard.press("Escape")
    assert press(mo, "e") == "Nothing is left to settle"
    expect(mo.get_by_role("region", name="What was settled")).to_contain_text("none is described")
    keeps_the_rules(mo)
    fits(mo)
    mo.goto(f"{here}/review/fields")
    expect(mo.get_by_role("region", name="Fields")).to_contain_text("left, right")
    keeps_the_rules(mo)
    fits(mo)

    # What it measures, by hand: one is settled as out, one is in doubt, all others are in.
    told = tmp_path / "figures.json"
    result = CliRunner().invoke(
        main,
        ["evaluate", "judgments", "reviewed", "--purpose", "review-1", "--json", str(told)],
        env={"ASPECTRA_DATA_DIR": str(stack.data_dir)},
    )
    assert result.exit_code == 0, result.output
    figures = json.loads(told.read_text())
    right, judged = len(order) - 2, len(order) - 1
    assert (figures["query"]["right"], figures["query"]["judged"]) == (right, judged)
    assert (figures["query"]["low"], figures["query"]["high"]) == pytest.approx(wilson(right / judged, judged))
    criteria_told = {name: (one["right"], one["judged"]) for name, one in figures["criteria"].items()}
    assert sum(judged for _, judged in criteria_told.values()) == shown
    effusions = criteria_told["pleural effusion"]
    assert effusions[0] == effusions[1] - 1
    assert criteria_told["pneumothorax ruled out"][0] == criteria_told["pneumothorax ruled out"][1]
    assert figures["assertions"]["absent"]["precision"] == 1
    # Who looked at the patient, and who decided, is in the trail; no word of a note is.
    entries = Trail(ledger.engine, stack.data_dir).all_entries(Wanted(patient=names[order[0]]))
    seen = {(one.entry.person, one.entry.action) for one in entries}
    assert {("rev.lee", Action.REVIEW), ("rev.lee", Action.DECIDE), ("rev.kim", Action.DECIDE)} <= seen
    for page in (lee, kim, mo):
        assert names[order[0]] not in page.url


def test_every_form_works_without_scripts(
    new_context: NewContext, page_url: str, ledger: Ledger, version: Version
) -> None:
    order = in_order(version.numbers, version.cohort_id).tolist()
    accounts = Accounts(ledger.engine)
    once = accounts.add("rev.plain", Role.REVIEWER)
    accounts.change_password(accounts.named("rev.plain"), once, PASSWORD)
    Purposes(ledger.engine).add(Purposes(ledger.engine).named("REVIEW-1"), "rev.plain")
    page = new_context(page_url, java_script_enabled=False).new_page()
    page.goto("/sign-in")
    sign_in(page, "rev.plain", PASSWORD, "REVIEW-1")
    page.goto(f"/cohorts/{version.cohort_id}/review")
    page.locator(".review-right").first.click()
    expect(page.locator(".review-right").first).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Comment").fill("By hand.")
    page.locator(".review-include").click()
    page.wait_for_url(f"**/{order[1]}")
    page.get_by_role("button", name="Undo the last decision").click()
    page.wait_for_url(f"**/{order[0]}")
    page.locator(".review-doubt").click()
    page.wait_for_url(f"**/{order[1]}")
    own = Reviews(ledger.engine, version.cohort_id).standing().of("rev.plain")
    assert {patient: one.verdict for patient, one in own.items()} == {order[0]: "doubt"}
