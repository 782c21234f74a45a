"""A long record by keyboard: from passage to passage, those that are not read yet as well."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from ingest.ledger import Ledger
from ingest.readers.registry import open_source
from ingest.run import run_ingest
from search_stack.core.settings import Settings
from tests import language
from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules
from tests.browser.test_axe import ask
from tests.conftest import MakeStack
from tests.varied import varied_notes
from ui.patient_page import FIRST_COURSES, LISTED

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("record")]  # what they share is dear to make
FIRST = date(2019, 1, 1)
LIT, REST = LISTED + 5, 10
"""Notes of a long record that show the search, and others."""
HUNDREDS = 400
MOST_CHARACTERS = 1_150
"""Of the page for each of hundreds of notes, which are longer than that themselves."""


HISTORY = (
    "The patient walked along the corridor twice. He came to the ward with {} pneumothorax after a fall from a ladder, "
    "and the drain gives {} ml a day. The wound is dry and clean. He sleeps well, eats half of his meals and reads."
)
COPIED = (("a left", 40), ("a left", 40), ("a left", 90), ("no", 40), ("a left", 40))
"""What stands in a history that is copied from day to day."""


NAMED = 120
"""Findings of another record, about."""


def texts(n: int) -> str:
    return f"Impression: Left pneumothorax, drain {n}." if n < LIT else "Plan: A walk along the corridor."


@pytest.fixture(scope="module")
def record(make_stack: MakeStack, quick_encoder: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A stack of its own, in which a patient has many notes."""
    settings = make_stack(encoder_bundle=quick_encoder)
    path: Path = tmp_path_factory.mktemp("record") / "record.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(("note_id", "patient_id", "title", "date", "text"))
        for n in range(LIT + REST):
            out.writerow((f"long-{n}", "P-LONG", "Progress note", (FIRST + timedelta(days=n)).isoformat(), texts(n)))
        for one in varied_notes(HUNDREDS, "P-MANY"):
            out.writerow((one.note_id, one.patient_id, one.title, one.date, one.text))
        for n, said in enumerate(COPIED):
            day = (FIRST + timedelta(days=n)).isoformat()
            out.writerow((f"copied-{n}", "P-COPY", "Progress note", day, f"History: {HISTORY.format(*said)}"))
        names = sorted({concept.name for concept in language.lexicon().concepts.values() if concept.kind == "disorder"})
        for n in range(NAMED // 10):
            said = "\n".join(f"{n}) {name}." for n, name in enumerate(names[n * 40 : n * 40 + 10], 1))
            day = (FIRST + timedelta(days=n)).isoformat()
            out.writerow(
                (f"named-{n}", "P-NAMED", "Problem list", day, f"Assessment: Bradycardia.\n\nProblems:\n{said}")
            )
    done = run_ingest(open_source(path), Ledger.from_settings(settings), settings)
    assert (done.rejected, done.failed) == (0, 0)
    return settings


@pytest.fixture(scope="module")
def page_url(record: Settings) -> str:
    return record.web_address


def opened(page: Page, line: str, patient: str) -> None:
    ask(page, line, "Patients")
    page.get_by_role("link", name=patient, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(patient)
    page.wait_for_load_state()  # its scripts too


def focused(page: Page) -> Locator:
    return page.locator(".record-snippet a:focus")


def test_keys_go_from_passage_to_passage_and_read_the_notes_on_the_way(page: Page) -> None:
    opened(page, "pneumothorax", "P-LONG")
    unread, at = page.locator(".record-note[data-part]"), page.locator(".record-at")
    expect(unread).to_have_count(LIT - LISTED)
    expect(page.locator(".record-snippet")).to_have_count(LISTED)
    expect(at).to_have_text(f"{LIT} passages")
    keeps_the_rules(page)
    page.keyboard.press("n")
    expect(focused(page)).to_have_text("Impression")
    expect(focused(page)).to_have_accessible_description("Left pneumothorax, drain 0.")
    expect(at).to_have_text(f"1 of {LIT}")
    for n in range(2, LISTED + 1):
        page.keyboard.press("n")
        expect(at).to_have_text(f"{n} of {LIT}")
    expect(unread).to_have_count(LIT - LISTED)
    page.keyboard.press("n")
    expect(at).to_have_text(f"{LISTED + 1} of {LIT}")
    expect(focused(page)).to_have_accessible_description(f"Left pneumothorax, drain {LISTED}.")
    expect(focused(page)).to_be_in_viewport()
    expect(unread).to_have_count(0)
    said = page.get_by_role("status").filter(has_text=f"{LISTED + 1} of {LIT}: ")
    expect(said).to_have_text(f"{LISTED + 1} of {LIT}: {FIRST + timedelta(days=LISTED)}, Progress note, Impression")
    page.keyboard.press("p")
    expect(at).to_have_text(f"{LISTED} of {LIT}")
    for _ in range(LIT - LISTED):
        page.keyboard.press("n")
    expect(at).to_have_text(f"{LIT} of {LIT}")
    page.keyboard.press("n")
    expect(at).to_have_text("This is the last one.")
    expect(focused(page)).to_have_accessible_description(f"Left pneumothorax, drain {LIT - 1}.")
    keeps_the_rules(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # To the note and back, at the same place.
    page.keyboard.press("Enter")
    page.wait_for_url("**/notes/**")
    expect(page.locator("#passage")).to_contain_text(f"drain {LIT - 1}")
    page.get_by_role("link", name="P-LONG").click()
    page.wait_for_url("**/patients/**")
    page.keyboard.press("p")
    expect(at).to_have_text(f"{LIT - 1} of {LIT}")


def seconds_to_open(page: Page) -> float:
    """The best of three, until all is there."""
    found = []
    for _ in range(3):
        page.reload()
        found.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
    return float(min(found))


def test_of_hundreds_of_notes_that_all_differ_only_what_is_shown_is_loaded(
    page: Page, record_testsuite_property: Callable[[str, object], None]
) -> None:
    opened(page, "pneumonia or fever or hypertension", "P-MANY")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    loaded = page.reload()
    page.wait_for_load_state()
    assert loaded is not None
    expect(page.locator(".record-note")).to_have_count(HUNDREDS)
    # Passages of the first notes alone; of the others that show the search, how many there are.
    lit, unread = page.locator(".record-note:has(.record-snippet)"), page.locator(".record-note[data-part]")
    expect(lit).to_have_count(LISTED)
    assert unread.count() > LISTED
    # Of the findings those of the search and the last ones.
    findings = page.locator("[aria-labelledby=findings-title]")
    assert findings.locator("tbody tr").count() <= FIRST_COURSES + 60
    assert int(re.sub(r"\D", "", findings.get_by_role("link", name="findings").inner_text())) > HUNDREDS
    # Of one that changes with the notes, how it began and the last changes, until all is asked for.
    often = findings.locator("tbody tr", has_text="more changes").first
    assert often.locator(".course-part").count() <= 7
    expect(findings.locator(".record-hint")).to_contain_text("how it began and the last 6 changes")
    # The page itself, its styles, scripts and pictures; nothing for a note.
    assert [one.url for one in asked if "/static/" not in one.url] == [page.url]
    assert len(loaded.text()) < MOST_CHARACTERS * HUNDREDS
    record_testsuite_property(f"seconds until {HUNDREDS} notes are open", seconds_to_open(page))


def test_a_note_is_lit_and_leads_on_to_the_next_notes_passage(page: Page) -> None:
    opened(page, "pneumothorax words:left", "P-LONG")
    page.locator(".record-note .hit-open").nth(1).click()
    page.wait_for_url("**/notes/**")
    paper = page.locator(".note-paper")
    expect(paper.locator("mark.hue-0")).to_have_text("pneumothorax")
    expect(paper.locator("mark.hue-1")).to_have_text("Left")
    legend = page.get_by_role("list", name="Criteria, by their colours")
    expect(legend.get_by_role("listitem")).to_have_count(2)
    expect(page.locator("a[rel=next]")).to_contain_text("in the note of 2019-01-03")
    keeps_the_rules(page)
    for key, n in (("n", 2), ("p", 1), ("p", 0)):
        with page.expect_navigation():  # its scripts too
            page.keyboard.press(key)
        expect(page.locator("#passage")).to_contain_text(f"drain {n}.")
    expect(page.locator("a[rel=prev]")).to_have_count(0)


def test_a_record_has_the_outline_of_its_notes(page: Page) -> None:
    opened(page, "corridor", "P-COPY")
    expect(page.locator(".record-sections")).to_have_count(0)  # one section alone
    opened(page, "bradycardia", "P-NAMED")
    expect(page.locator(".record-sections")).to_have_count(NAMED // 10)
    first = page.locator(".record-note").first
    first.locator(".record-sections summary").press("Enter")
    first.get_by_role("link", name="Problems").click()
    page.wait_for_url("**/notes/**#section-2")
    expect(page.locator(".note-section:target")).to_contain_text("1)")


def test_from_the_end_the_notes_before_it_are_read(page: Page) -> None:
    opened(page, "pneumothorax", "P-LONG")
    page.keyboard.press("p")
    expect(page.locator(".record-at")).to_have_text(f"{LIT} of {LIT}")
    expect(focused(page)).to_have_accessible_description(f"Left pneumothorax, drain {LIT - 1}.")


def test_buttons_keep_the_focus_and_say_the_words(page: Page) -> None:
    opened(page, "pneumothorax", "P-LONG")
    following = page.get_by_role("group", name="From passage to passage").get_by_role("button", name="Next")
    following.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".record-at")).to_have_text(f"2 of {LIT}")
    expect(following).to_be_focused()
    expect(page.locator(".record-snippet[aria-current]")).to_contain_text("drain 1.")
    expect(page.get_by_role("status").filter(has_text="drain 1.")).to_contain_text("2019-01-02, Progress note")
    # Then the key goes on from there.
    page.keyboard.press("n")
    expect(focused(page)).to_have_accessible_description("Left pneumothorax, drain 2.")
    # From a note that one has come to by its own keys, to its first passage.
    page.locator(".record-note .hit-open").nth(9).focus()
    page.keyboard.press("n")
    expect(page.locator(".record-at")).to_have_text(f"10 of {LIT}")


def test_a_note_shows_its_passages_when_it_is_asked(page: Page) -> None:
    opened(page, "pneumothorax", "P-LONG")
    last = page.locator(".record-note[data-part]").last
    identity = last.get_attribute("id")
    last.get_by_role("button", name="1 passage").press("Enter")
    row = page.locator(f"#{identity}")
    expect(row.locator(".record-snippet")).to_contain_text(f"drain {LIT - 1}.")
    expect(row.get_by_role("link").first).to_be_focused()


def test_of_many_findings_the_first_are_shown_and_all_can_be_sifted(page: Page) -> None:
    opened(page, "bradycardia", "P-NAMED")
    rows = page.locator("[aria-labelledby=findings-title] tbody tr:visible")
    expect(rows).to_have_count(FIRST_COURSES + 1)
    expect(rows.first).to_contain_text("bradycardia")
    whole = page.get_by_role("link", name=re.compile(r"All \d+ findings"))
    number = int(whole.inner_text().split()[1])
    assert number > FIRST_COURSES + 1
    whole.click()
    expect(rows).to_have_count(number)
    page.get_by_label("Only findings called").press_sequentially("BRADY")
    expect(rows).to_have_count(1)
    expect(page.locator("output[for=sift]")).to_have_text("1 finding")
    page.evaluate("scrollTo(0, 0)")  # where the steps that stay in sight cover nothing
    keeps_the_rules(page)
    page.get_by_label("Only findings called").fill("")
    expect(rows).to_have_count(number)


def test_what_cannot_be_read_is_said(page: Page, watch: Watch) -> None:
    watch.expect(r"net::ERR_FAILED .*/passages/")
    page.route("**/passages/*", lambda route: route.abort())  # before any of the page's own is under way
    opened(page, "pneumothorax", "P-LONG")
    page.keyboard.press("p")
    expect(page.locator(".record-at")).to_have_text("These passages cannot be read now. Reload the page.")
    page.unroute("**/passages/*")
    page.keyboard.press("p")
    expect(page.locator(".record-at")).to_have_text(f"{LIT} of {LIT}")


def test_what_repeats_an_earlier_passage_is_folded_and_what_says_otherwise_is_not(page: Page) -> None:
    opened(page, "corridor", "P-COPY")
    notes, folds = page.locator(".record-note"), page.locator(".record-copies")
    expect(notes).to_have_count(len(COPIED))
    assert [note.is_visible() for note in notes.all()] == [True, False, False, True, False]
    expect(notes.nth(3)).to_contain_text("no pneumothorax")
    expect(folds.locator("> summary")).to_have_text(
        [
            "2 near-copies, 1 with other numbers, in 2 notes, 2019-01-02 – 2019-01-03",
            "1 near-copy, word for word, in 1 note, 2019-01-05",
        ]
    )
    # Keys pass over what is folded, and say so.
    at = page.locator(".record-at")
    page.keyboard.press("n")
    expect(at).to_have_text("1 of 5")
    page.keyboard.press("n")
    expect(at).to_have_text("4 of 5, 2 near-copies passed over")
    page.keyboard.press("n")
    expect(at).to_have_text("This is the last one.")
    # Opened, they are gone through like the others.
    folds.first.locator("> summary").press("Enter")
    notes.nth(3).locator(".hit-open").focus()
    page.keyboard.press("p")
    expect(at).to_have_text("3 of 5")
    expect(notes.nth(2).locator("ins")).to_have_text("90")
    expect(notes.nth(1).locator("ins")).to_have_count(0)
    keeps_the_rules(page)
    notes.nth(2).get_by_role("link", name="2019-01-01").click()
    expect(page.locator(".record-note:target")).to_contain_text("2019-01-01")


def test_similar_passages_are_found_from_a_record_a_hit_and_a_note(page: Page) -> None:
    opened(page, "corridor", "P-COPY")
    page.keyboard.press("n")
    page.keyboard.press("s")
    page.wait_for_url("**/notes/*/passages/*/similar**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Similar passages")
    assert "corridor" not in page.url
    own = page.get_by_role("region", name="In other notes of this patient")
    # Of its copies the nearest stands for all; what denies the finding stands by itself.
    expect(own.get_by_role("article")).to_have_count(2)
    expect(own.get_by_role("article").first).to_contain_text("close")
    expect(own.locator(".similar-copies")).to_have_text(re.compile("2 near-copies, 1 with other numbers"))
    denied = own.get_by_role("article").last
    expect(denied).to_contain_text("says otherwise")
    expect(denied.locator(".said.is-absent")).to_contain_text("absent")
    others = page.get_by_role("region", name="Of other patients")
    expect(others.get_by_role("article").first).to_be_visible()
    page.locator(".why, .legend, .similar-copies").evaluate_all("all => all.forEach(one => one.open = true)")
    keeps_the_rules(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # On from one of them, and back to the results.
    others.get_by_role("link", name="similar passages").first.click()
    expect(page.get_by_role("region", name="Of other patients").get_by_role("article").first).to_be_visible()
    page.wait_for_load_state()  # its scripts too
    page.keyboard.press("b")
    page.wait_for_url("**/results/**")
    page.keyboard.press("j")
    page.keyboard.press("s")
    page.wait_for_url("**/similar**")
    page.get_by_role("article").first.locator(".hit-open").click()
    page.get_by_role("link", name="Passages like the marked one").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Similar passages")


def test_without_scripts_every_note_leads_to_its_passage(new_context: NewContext, page_url: str) -> None:
    page = new_context(page_url, java_script_enabled=False).new_page()
    page.goto("/")
    page.locator(".scope-choice", has_text="Patients").click()
    page.get_by_label("Search the notes").fill("pneumothorax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/results/**")
    page.get_by_role("link", name="P-LONG", exact=True).first.click()
    expect(page.locator(".record-steps")).to_be_hidden()
    page.locator(".record-note[data-part] .hit-open").last.click()
    expect(page.locator("#passage")).to_contain_text(f"drain {LIT - 1}")
