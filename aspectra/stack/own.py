"""The services that are this program itself: the worker and the web page."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from aspectra.stack import probes
from aspectra.stack.folders import run_folder
from aspectra.stack.processes import Launch, Process, last_line
from aspectra.stack.service import Service
from search_stack.core.errors import AspectraError
from search_stack.core.secret_files import file_variable, secrets_of
from search_stack.core.settings import PREFIX, RETIRED, Settings

SAID = "Error:"
"""How the console begins an error for people."""


def environment(settings: Settings) -> dict[str, str]:
    """Every field that was given, wherever it came from, as the variables that a child reads.

    Secrets are among them: hand it to a process as its environment, never as arguments. Those that came from a file
    are not: the child reads the file.
    """
    in_files = {name for name in secrets_of(Settings) if file_variable(PREFIX, name) in os.environ}
    given = {name: getattr(settings, name) for name in sorted(settings.model_fields_set - in_files)}
    return {PREFIX + name.upper(): _text(value) for name, value in given.items() if value is not None}


def child_environment(settings: Settings) -> dict[str, str]:
    """The present environment, its settings replaced by ``settings``; the configuration file is in them."""
    replaced = {PREFIX + name.upper() for name in (*Settings.model_fields, *RETIRED, "config")}
    return {name: value for name, value in os.environ.items() if name not in replaced} | environment(settings)


def ready_file(settings: Settings) -> Path:
    """Where the worker writes its process id once it takes tasks."""
    return run_folder(settings) / "worker.ready"


class _Own(Service):
    def last_error(self) -> str:
        """What it said when it gave up, without the remedy that follows; else the last line of its log."""
        said = last_line(self.log, SAID)
        return said.removeprefix(SAID).strip().removesuffix(".") or super().last_error()


class Worker(_Own):
    name = "worker"

    def launch(self, say: Callable[[str], None]) -> Launch:
        ready_file(self.settings).unlink(missing_ok=True)
        return Launch([sys.executable, "-m", "aspectra", "worker"], child_environment(self.settings))

    def ready(self, process: Process) -> bool:
        try:
            return ready_file(self.settings).read_text().strip() == str(process.pid)
        except FileNotFoundError:
            return False


class Web(_Own):
    name = "web"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, settings.web_address, {"ASPECTRA_WEB_PORT": settings.web_port})
        self.host = settings.web_host

    def launch(self, say: Callable[[str], None]) -> Launch:
        return Launch([sys.executable, "-m", "aspectra", "serve"], child_environment(self.settings))

    def ready(self, process: Process) -> bool:
        certificate, names = self.settings.web_certificate, self.settings.trusted_names
        name = names[0] if certificate and names else ""
        answer = probes.get(self.settings.web_local_address, "/healthz", certificate=certificate, name=name)
        if answer is not None and answer.status in (0, 404):
            raise AspectraError(
                f"What answers at {self.address} is not our page.", "Stop that program, or set ASPECTRA_WEB_PORT."
            )
        return answer is not None and (answer.status == 200 or _outdated(answer.body))


def _outdated(health: bytes) -> bool:
    """Whether an index of another version is all that is amiss: it is built anew while the page runs."""
    try:
        return bool(json.loads(health)["index"] == "outdated")
    except (ValueError, KeyError, TypeError):
        return False


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
