"""Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE = 60_000
"""Milliseconds until a browser that shows nothing new counts as stuck; a busy machine needs some."""
expect.set_options(timeout=PATIENCE)


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on PATH (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, page_url: str) -> Iterator[Page]:
    """An empty tab; the test fails if the page breaks its own content security policy or a script fails."""
    context = browser.new_context(base_url=page_url, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(f"script error: {error}"))
    yield tab
    context.close()
    assert [text for text in said if "Content Security Policy" in text or "script error" in text] == []
