"""Signing in with a provider of identities, in a real browser: over https to the provider, and back to loopback."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules
from tests.conftest import free_port
from tests.oidc import TestProvider
from tests.unit.ui.test_provider import settings_for
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestProvider]:
    made = TestProvider(tmp_path_factory.mktemp("provider"))
    made.people = {
        "lee": {"preferred_username": "dr.lee", "roles": ["searcher"]},
        "visitor": {"preferred_username": "visitor", "roles": []},
    }
    with made.running():
        yield made


@pytest.fixture(scope="module")
def settings(provider: TestProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A page that needs no engine: nobody searches."""
    made = settings_for(tmp_path_factory.mktemp("page"), provider, web_port=free_port())
    server = make_server(create_app(made), made)
    thread = Thread(target=server.run)
    thread.start()
    yield made
    server.stop()
    thread.join()


@pytest.fixture
def page(new_context: NewContext, settings: Settings, watch: Watch) -> Page:
    watch.expect(r"/favicon\.ico")  # which the provider lacks
    return new_context(settings.web_address, ignore_https_errors=True).new_page()


def test_there_and_back(page: Page, provider: TestProvider) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign in with localhost").click()
    expect(page.get_by_role("heading")).to_have_text("Who are you?")
    assert page.url.startswith(provider.issuer)
    page.get_by_role("link", name="lee").click()
    expect(page.get_by_role("link", name="dr.lee")).to_be_visible()  # the cookie came along
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you read for?")
    expect(page).to_have_url("/purpose")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    keeps_the_rules(page)


def test_who_has_no_role_is_told_so(page: Page) -> None:
    page.goto("/sign-in")
    page.get_by_role("link", name="Sign in with localhost").click()
    page.get_by_role("link", name="visitor").click()
    expect(page.get_by_role("alert")).to_contain_text("localhost gives you no role here")
    keeps_the_rules(page)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
