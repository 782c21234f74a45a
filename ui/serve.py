"""The page in the foreground."""

from __future__ import annotations

import signal

from access.audit.sending import Sender
from search_stack.core import logs
from search_stack.core.settings import Settings
from ui.app import create_app
from ui.server import make_server
from ui.services import NAME


def serve(settings: Settings) -> None:
    """Serve the page until a signal ends it.

    Raises:
        AspectraError: the ledger or a bundle cannot be opened, or the address is taken.
    """
    logs.set_up(settings)
    app = create_app(settings)
    server = make_server(app, settings)
    if settings.accounts and settings.audit_collector:
        Sender(app.extensions[NAME].trail, settings).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.stop)
    server.run()
