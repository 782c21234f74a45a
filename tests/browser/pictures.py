"""The five pictures of README, taken of the demo's notes: ``python -m tests.browser.pictures docs``."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, expect, sync_playwright

from ingest.cohorts.store import Store
from ingest.demo import demo_source
from ingest.ledger import Ledger
from ingest.run import run_ingest
from search_stack.core.settings import Settings
from tests.browser.conftest import PATIENCE, chromium
from tests.conftest import free_port, stacks
from ui.app import create_app
from ui.server import make_server

SIZE = (1280, 800)
BROAD = "pneumonia or heart failure"
COHORT = "chest-2027"


def ask(page: Page, line: str) -> None:
    page.goto("/")
    page.locator(".scope-choice", has_text="Patients").click()
    page.get_by_label("Search the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_load_state("networkidle")  # the final order has come


def results(page: Page) -> None:
    ask(page, BROAD)


def builder(page: Page) -> None:
    page.goto("/build")
    page.get_by_label("As a line").fill(
        "(pneumothorax within 30 days after pacemaker) women over 60 -(pleural effusion OR hemothorax)"
    )
    page.keyboard.press("Enter")
    expect(page.locator("#counts-title")).to_be_visible()


def record(page: Page) -> None:
    ask(page, "pneumothorax or pacemaker")
    page.get_by_role("link", name="P-04919").first.click()
    page.wait_for_url("**/patients/**")


def cohort(page: Page) -> None:
    ask(page, BROAD)
    page.get_by_text("Save cohort", exact=True).click()
    page.get_by_label("Name", exact=True).fill(COHORT)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def review(page: Page) -> None:
    page.goto("/cohorts")
    page.get_by_role("link", name=COHORT).click()
    page.get_by_role("link", name="Review").click()
    page.wait_for_url(re.compile("/review"))


PICTURES: dict[str, Callable[[Page], None]] = {
    "results": results,
    "builder": builder,
    "record": record,
    "cohort": cohort,
    "review": review,
}
"""In the order in which they are taken: the last is of what the one before has kept."""


def take(browser: Browser, address: str, folder: Path) -> None:
    context = browser.new_context(
        base_url=address, viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce", color_scheme="light"
    )
    context.set_default_timeout(PATIENCE)
    for name, lead in PICTURES.items():
        page = context.new_page()
        lead(page)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{name}.png")
        page.close()
    context.close()


def of(settings: Settings, folder: Path) -> None:
    """Of the notes of ``settings``, by a page of this process; the cohort that is kept for it is let go again."""
    ledger = Ledger.from_settings(settings)
    own = settings.model_copy(update={"web_port": free_port(), "onnx_threads": 1})
    server = make_server(create_app(own, ledger=ledger), own)
    thread = Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox"] if os.geteuid() == 0 else []
            )
            take(browser, own.web_address, folder)
            browser.close()
    finally:
        server.stop()
        thread.join()
        store = Store(ledger.engine)
        for kept in store.cohorts():
            if kept.name == COHORT:
                store.delete(kept.id)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    with stacks() as make:
        settings = make()
        run_ingest(demo_source(), Ledger.from_settings(settings), settings)
        of(settings, folder)


if __name__ == "__main__":
    main()
