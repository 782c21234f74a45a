"""A cohort from a search to its files: saved, seen, saved again, compared, combined, scheduled, exported, deleted."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext
from tests.browser.rules import keeps_the_rules
from tests.browser.test_axe import ask

pytestmark = pytest.mark.browser


@pytest.fixture
def store(stack: Settings) -> Iterator[Store]:
    store = Store(Ledger.from_settings(stack).engine)
    yield store
    for kept in store.cohorts():
        store.delete(kept.id)


def looks_right(page: Page) -> None:
    """Folded parts open."""
    page.locator(".behind, .keep").evaluate_all("all => all.forEach(one => one.open = true)")
    keeps_the_rules(page)


def save(page: Page, line: str, name: str) -> None:
    ask(page, line, "Patients")
    page.get_by_text("Save cohort", exact=True).click()
    page.get_by_label("Name", exact=True).fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def test_the_results_lead_to_a_comparison_and_an_export_in_one_row(page: Page, store: Store) -> None:
    save(page, "pneumonia", "other")
    for act, ends in (("Compare", r"/cohorts/compare\?a=\d+\.1$"), ("Export", r"/versions/1/export$")):
        ask(page, "heart failure", "Patients")
        tops = {one.bounding_box()["y"] for one in page.locator(".acts .act").all()}  # type: ignore[index]
        assert len(tops) == 1
        page.get_by_role("button", name=act, exact=True).click()
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        looks_right(page)
        page.keyboard.type(act)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(ends))
    assert [kept.name for kept in store.cohorts()] == ["Compare", "Export", "other"]


def test_from_a_search_to_its_files(page: Page, store: Store) -> None:
    page.goto("/")
    page.get_by_role("link", name="Cohorts").click()
    expect(page.get_by_role("heading", name="No cohort is kept yet")).to_be_visible()
    looks_right(page)

    # Saved from the results, by the keyboard alone.
    ask(page, "pneumonia or heart failure", "Patients")
    headline = page.locator("#headline").inner_text()
    looks_right(page)
    page.reload()
    page.locator(".keep > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("chest")
    page.keyboard.press("Tab")
    page.keyboard.type("For the audit of 2027")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("chest version 1")
    patients = page.locator(".cohort-numbers dd").first.inner_text()
    assert headline.startswith(f"{patients} patients ")
    expect(page.get_by_text("For the audit of 2027")).to_be_visible()
    # Each chart has its table: behind it are the same numbers.
    page.get_by_text("As a table: Age at the first evidence, and sex").click()
    table = page.get_by_role("group", name="Age at the first evidence, and sex")
    counts = [int(text) for text in table.locator("tbody tr td:last-child").all_inner_texts()]
    assert sum(counts) == int(patients)
    looks_right(page)
    cohort = re.search(r"/cohorts/(\d+)/", page.url)
    assert cohort
    assert "chest" not in page.url

    page.get_by_role("link", name="Patients").click()
    expect(page.locator(".member")).to_have_count(min(20, int(patients)))
    expect(page.locator(".member").first.locator("mark").first).to_be_visible()
    looks_right(page)
    page.locator(".member h3 a").first.click()
    page.wait_for_url("**/patients/**")

    # The same name is asked for again, and is the next version then.
    save(page, "pneumonia", "chest")
    expect(page.get_by_role("alert")).to_contain_text("chest is there already, with 1 version")
    looks_right(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Save as version 2 of chest").click()
    versions = page.get_by_role("group", name="Versions").get_by_role("row")
    expect(versions).to_have_count(3)
    versions.nth(1).get_by_role("link", name="since version 1").click()
    gone = page.locator(".changes > div", has_text="Gone")
    expect(gone).to_contain_text("because of another query")
    looks_right(page)
    page.get_by_role("combobox", name="From").select_option("2")
    page.get_by_role("combobox", name="To").select_option("0")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Nothing has changed")).to_be_visible()

    # A schedule, set and stopped.
    page.get_by_role("link", name="Overview").click()
    page.get_by_label("Run it every").fill("2")
    page.get_by_label("Unit").select_option("w")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("A worker runs it every 2 weeks")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("It is not run by itself.")).to_be_visible()

    # Compared and combined.
    page.get_by_role("link", name="Compare or combine").click()
    page.get_by_role("combobox", name="Second").select_option(f"{cohort[1]}.1")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".venn")).to_have_attribute("aria-label", re.compile("Only in chest@1: "))
    looks_right(page)
    page.get_by_label("in chest@1, not in chest@2").check()
    page.get_by_label("Name", exact=True).fill("heart-only")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("heart-only version 1")
    expect(page.locator(".cohort-question")).to_have_text("Patients in chest@1 and not in chest@2")
    before, after = store.version("chest", 1), store.version("chest", 2)
    assert store.version("heart-only").patients == before.patients - after.patients
    page.locator(".cohort-question").get_by_role("link", name="chest@1").click()
    expect(page.get_by_text("There is a newer one")).to_be_visible()

    # On a telephone all that is told of a cohort is in sight.
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("link", name="Cohorts").first.click()
    rows = page.get_by_role("region", name="Kept cohorts").get_by_role("row")
    cells = rows.nth(1).get_by_role("cell")
    expect(cells).to_have_count(5)
    for cell in cells.all():
        box = cell.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
    page.go_back()
    page.set_viewport_size({"width": 1280, "height": 900})

    # Exported: the page follows the worker by itself.
    page.get_by_role("link", name="Export").click()
    looks_right(page)
    number = page.get_by_label("Number of the cohort definition")
    formulas = page.get_by_label("Leave cells that look like formulas")
    expect(formulas).to_be_visible()
    expect(number).to_be_hidden()
    page.get_by_label("OMOP").check()
    number.fill("none")  # what is hidden again does not hold the form up
    expect(formulas).to_be_hidden()
    page.get_by_label("JSON Lines").check()
    expect(number).to_be_hidden()
    page.get_by_role("button", name="Start the export").click()
    page.wait_for_url("**/exports/**")
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    looks_right(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="cohort.jsonl", exact=True).click()
    assert len(download.value.path().read_text(encoding="utf-8").splitlines()) >= before.note_count

    # The list has both; one is deleted after a question.
    page.get_by_role("link", name="Cohorts").click()
    rows = page.get_by_role("region", name="Kept cohorts").get_by_role("row")
    expect(rows).to_have_count(3)
    looks_right(page)
    rows.filter(has_text="heart-only").get_by_role("link").click()
    page.get_by_role("link", name="Delete this cohort…").click()
    looks_right(page)
    page.get_by_role("button", name="Delete heart-only").click()
    expect(rows).to_have_count(2)


def test_it_is_asked_anew(page: Page, store: Store) -> None:
    save(page, "no pneumothorax", "denied")
    page.get_by_role("button", name="Ask it anew").click()
    page.wait_for_url("**/results/**")
    expect(page.get_by_label("Search the notes")).to_have_value("no pneumothorax")


def test_without_scripts_it_works_the_same(new_context: NewContext, page_url: str, store: Store) -> None:
    with new_context(page_url, java_script_enabled=False) as plain:
        tab = plain.new_page()
        tab.goto("/")
        tab.get_by_label("Search the notes").fill("pleural effusion")
        tab.get_by_role("button", name="Search").click()
        tab.locator(".keep > summary").click()
        tab.get_by_label("Name", exact=True).fill("effusion")
        tab.get_by_role("button", name="Save", exact=True).click()
        tab.get_by_role("link", name="Export").click()
        with tab.expect_navigation():
            tab.get_by_role("button", name="Start the export").click()
        files = tab.get_by_role("link", name="cohort.csv", exact=True)
        for _ in range(120):  # each look at a page that is there, not at one that is being left
            if files.count():
                break
            tab.wait_for_timeout(500)
            with tab.expect_navigation():
                tab.get_by_role("link", name="Look again").click()
        with tab.expect_download() as download:
            files.click()
        rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
        assert len({row["patient_id"] for row in rows}) == len(store.version("effusion").patients)
