"""The page in the foreground."""

from __future__ import annotations

import gc
import logging
import signal

from access.audit.sending import Sender
from search_stack.core import logs
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from ui.app import create_app
from ui.server import make_server
from ui.services import NAME

_log = logging.getLogger(__name__)


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
    _warm(app.extensions[NAME].searcher)
    # Lexicon and models stay; a collection that looks through them too holds a request up by a quarter of a second.
    gc.collect()
    gc.freeze()
    server.run()


def _warm(searcher: Searcher) -> None:
    """So that nobody who asks waits for what is loaded once."""
    try:
        searcher.warm()
    except AspectraError as e:
        _log.error("No question can be answered: %s", e.message)  # and each is told so until it is mended
