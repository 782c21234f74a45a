"""The page by a name of its own, over https: through a proxy on its machine, and by a certificate of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from access.accounts import Accounts
from access.roles import Role
from ingest.ledger import Ledger
from tests.browser.conftest import NewContext
from tests.browser.test_access import sign_in, sign_out
from tests.certificates import write_certificate
from tests.conftest import free_port
from tests.people import a_purpose
from tests.tls_proxy import tls_proxy
from tests.unit.ui.test_access import PASSWORD
from tests.unit.ui.test_proxied import settings_for
from ui.app import create_app
from ui.server import make_server

pytestmark = pytest.mark.browser
NAME = "aspectra.localhost"
"""Browsers take it for this machine's."""


@contextmanager
def reached(folder: Path, way: str) -> Iterator[tuple[int, str]]:
    """The port at which the page answers to its name, and the purpose of ``lee``."""
    more: dict[str, object] = {}
    if way == "by itself":
        more["web_certificate"], more["web_key"] = write_certificate(folder, (NAME,))
        more["web_host"] = "0.0.0.0"
    settings = settings_for(folder, web_port=free_port(), web_names=NAME, **more)
    ledger = Ledger.from_settings(settings)
    accounts = Accounts(ledger.engine)
    once = accounts.add("lee", Role.SEARCHER)
    accounts.change_password(accounts.named("lee"), once, PASSWORD)
    purpose = a_purpose(ledger.engine, "lee").code
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    try:
        if way == "by itself":
            yield settings.web_port, purpose
        else:
            with tls_proxy(settings.web_port, folder, (NAME,)) as port:
                yield port, purpose
    finally:
        server.stop()
        thread.join()


@pytest.mark.parametrize("way", ["through a proxy", "by itself"])
def test_somebody_signs_in_by_name_and_the_cookies_are_this_name_s(
    new_context: NewContext, tmp_path: Path, way: str
) -> None:
    with reached(tmp_path, way) as (port, purpose):
        context = new_context(f"https://{NAME}:{port}", ignore_https_errors=True)
        page = context.new_page()
        page.goto("/")
        sign_in(page, "lee", PASSWORD, purpose)
        expect(page.get_by_role("search")).to_be_visible()
        assert {cookie["domain"] for cookie in context.cookies()} == {NAME}
        assert all(cookie["secure"] for cookie in context.cookies())
        sign_out(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        context.close()
