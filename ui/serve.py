"""The page in the foreground, behind gunicorn."""

from __future__ import annotations

import logging
import sys
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from search_stack.errors import AspectraError
from search_stack.settings import Settings
from ui.app import create_app

LONGEST_REQUEST_LINE = 8190
"""Bytes. A link with a query in it may be long; searches themselves are posted."""


class QuietLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's logger without what a reader sent: request lines may hold a query."""

    def warning(self, msg: object, *args: object, **kwargs: Any) -> None:
        self.error_log.warning("A request was refused." if str(msg).startswith("Invalid request") else msg, *args)

    def exception(self, msg: object, *args: object, **kwargs: Any) -> None:
        self.error_log.error("A request failed outside the page (%s).", getattr(sys.exc_info()[0], "__name__", "error"))

    def access(self, resp: object, req: object, environ: object, request_time: object) -> None:
        """Nothing: addresses and times of searches are not recorded."""


class _Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        host = f"[{self._settings.web_host}]" if ":" in self._settings.web_host else self._settings.web_host
        chosen = {
            "bind": f"{host}:{self._settings.web_port}",
            "workers": 1,  # the query store lives in this one process
            "worker_class": "gthread",
            "threads": self._settings.web_threads,
            "preload_app": False,
            "accesslog": None,
            "loglevel": "warning",
            "logger_class": QuietLogger,
            "limit_request_line": LONGEST_REQUEST_LINE,
            "timeout": 120,
            "graceful_timeout": 10,
            "proc_name": "aspectra-web",
            "control_socket_disable": True,
        }
        for name in chosen.keys() & self.cfg.settings.keys():  # older releases have no control socket
            self.cfg.set(name, chosen[name])

    def load(self) -> Flask:
        try:
            return create_app(self._settings)
        except AspectraError as e:
            logging.getLogger(__name__).error("%s", e)
            raise SystemExit(Arbiter.APP_LOAD_ERROR) from e  # with any other code it would be started again


def serve(settings: Settings) -> None:
    """Serve the page until a signal ends it."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    _Server(settings).run()
