"""The broker: a local Valkey or Redis, or one that the settings name."""

from __future__ import annotations

import os
from collections.abc import Callable

from redis import Redis
from redis.exceptions import RedisError

from aspectra.stack.broker_config import write_config
from aspectra.stack.broker_program import INSTALL, find_program
from aspectra.stack.folders import engine_account
from aspectra.stack.processes import Launch, Process, last_line
from aspectra.stack.service import Service
from ingest.work.celery_app import need_broker
from search_stack.core.errors import AspectraError
from search_stack.core.settings import PREFIX, Settings

ARGUMENTS = ["--port", "0", "-"]
"""It reads its configuration on its standard input: as a file name, a path with a wildcard's characters finds none
and the server goes on without. Whatever it reads, it opens no port."""


class Broker(Service):
    name = "broker"
    patience = 60.0

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, settings.broker_address, local=not settings.broker_url.get_secret_value())
        if self.local:
            self.address = str(settings.broker_socket)

    def launch(self, say: Callable[[str], None]) -> Launch:
        account = engine_account(self.settings)
        program = find_program(account)
        if program.warning:
            say(f"broker: {program.warning}. A newer one: {INSTALL}.")
        config = write_config(self.settings, program, account)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        return Launch([str(program.path), *ARGUMENTS], environment, account, config)

    def outdated(self, process: Process) -> bool:
        return process.command[1:] != ARGUMENTS

    def ready(self, process: Process) -> bool:
        client = Redis(unix_socket_path=str(self.settings.broker_socket), socket_timeout=5, socket_connect_timeout=5)
        try:
            said = client.info("server")
        except RedisError:
            return False  # not there yet, or still reading its file
        finally:
            client.close()
        return bool(said["process_id"] == process.pid)

    def last_error(self) -> str:
        return last_line(self.log, "# ") or last_line(self.log)

    def check_remote(self) -> str:
        try:
            need_broker(self.settings, self.settings.engine_timeout)
        except Exception as e:  # each transport of kombu raises its own
            raise AspectraError(
                f"The broker at {self.address} does not answer ({type(e).__name__}).", "Check ASPECTRA_BROKER_URL."
            ) from e
        return "answers"
