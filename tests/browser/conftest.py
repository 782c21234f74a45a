"""Debian's Chromium, driven by Playwright, and what no page may do in it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

PATIENCE = 60_000
"""Milliseconds until a browser that shows nothing new counts as stuck; a busy machine needs some."""
expect.set_options(timeout=PATIENCE)
NOT_LOADED = "Failed to load resource: the server responded with a status of "


def chromium() -> str | None:
    """Where there is one, the browser that can only be headless: the whole one, headless, draws its own window too."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on PATH (Debian: apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield started
        started.close()


class Watch:
    """Sees all that goes wrong in every tab: errors of scripts and on the console, what the page's own policy refuses,
    requests that would leave the machine."""

    def __init__(self) -> None:
        self._said: list[tuple[str, str]] = []
        self._refused: set[str] = set()
        self._expected: list[str] = []

    def over(self, context: BrowserContext) -> None:
        context.on("console", self._heard)
        context.on("weberror", lambda error: self._said.append(("", f"script error: {error.error}")))
        context.on("request", self._asked)
        context.on("response", self._answered)

    def expect(self, words: str) -> None:
        """What the console says of ``words``, a pattern, is meant by this test."""
        self._expected.append(words)

    def wrong(self) -> list[str]:
        """What was seen since it was asked last. A page whose own answer is an error is none of it: the browser says so
        of every such page."""
        found = [
            f"{said} ({url})" if url else said
            for url, said in self._said
            if not (said.startswith(NOT_LOADED) and url in self._refused)
            and not any(re.search(words, f"{said} {url}") for words in self._expected)
        ]
        for held in (self._said, self._refused, self._expected):
            held.clear()
        return found

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" or "Content Security Policy" in message.text:
            self._said.append((message.location.get("url", ""), message.text))

    def _asked(self, request: Request) -> None:
        if not stays_here(request.url):
            self._said.append((request.url, "left the machine"))

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and response.request.is_navigation_request():
            self._refused.add(response.url)


def stays_here(url: str) -> bool:
    """Whether a request for ``url`` goes to this machine, or nowhere.

    >>> [stays_here(f"http://{host}/") for host in ("127.0.0.1:8", "[::1]", "x.localhost", "10.0.0.1", "localhost.org")]
    [True, True, True, False, False]
    >>> stays_here("data:,x"), stays_here("wss://example.org")
    (True, False)
    """
    parts = urlsplit(url)
    if parts.scheme in ("about", "blob", "data"):
        return True
    host = parts.hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class NewContext(Protocol):
    def __call__(self, base_url: str, **options: Any) -> BrowserContext: ...


@pytest.fixture(scope="session")
def watch() -> Watch:
    return Watch()


@pytest.fixture(autouse=True)
def nothing_wrong(watch: Watch) -> Iterator[None]:
    """The test fails in whose time something went wrong, in whichever tab."""
    yield
    assert watch.wrong() == []


def make_contexts(browser: Browser, watch: Watch) -> Iterator[NewContext]:
    """Make a browser of its own for somebody, with an ordinary screen; all are closed in the end."""
    made: list[BrowserContext] = []

    def make(base_url: str, **options: Any) -> BrowserContext:
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(base_url=base_url, **(usual | options))
        context.set_default_timeout(PATIENCE)
        watch.over(context)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def new_context(browser: Browser, watch: Watch, nothing_wrong: None) -> Iterator[NewContext]:
    """For one test; every test has its contexts from here, or from the like that lasts for its module."""
    yield from make_contexts(browser, watch)


@pytest.fixture(scope="module")
def lasting_context(browser: Browser, watch: Watch) -> Iterator[NewContext]:
    yield from make_contexts(browser, watch)


@pytest.fixture
def page(new_context: NewContext, page_url: str) -> Page:
    """An empty tab."""
    return new_context(page_url).new_page()
