"""The search engine: a local OpenSearch node, or a cluster that the settings name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from aspectra.stack import probes
from aspectra.stack.distribution import engine_home, unpacked_engine
from aspectra.stack.engine_config import temporary_folder, write_config
from aspectra.stack.folders import Account, closed_to, engine_account
from aspectra.stack.guard import new_password
from aspectra.stack.java import find_java
from aspectra.stack.processes import Launch, Process, log_end
from aspectra.stack.service import Service
from search_stack.core.client import EngineImpostor, EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.settings import PREFIX, Settings


class Engine(Service):
    name = "engine"
    patience = 180.0

    def __init__(self, settings: Settings) -> None:
        ports = {"ASPECTRA_ENGINE_PORT": settings.engine_port}
        super().__init__(settings, settings.engine_address, ports, local=not settings.engine_url)

    def launch(self, say: Callable[[str], None]) -> Launch:
        java_home = find_java()
        account = engine_account(self.settings)
        home = unpacked_engine(self.settings, java_home, say)
        if account:
            need_entry(account, self.settings, home, java_home)
        config = write_config(self.settings, home.resolve(), account, new_password(self.settings))
        # The engine needs none of our settings, and some are secrets.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        environment = inherited | {
            "OPENSEARCH_HOME": str(home.resolve()),
            "OPENSEARCH_JAVA_HOME": str(java_home),
            "OPENSEARCH_PATH_CONF": str(config.resolve()),
            "OPENSEARCH_TMPDIR": str(temporary_folder(self.settings).resolve()),
        }
        return Launch([str(home / "bin" / "opensearch")], environment, account)

    def outdated(self, process: Process) -> bool:
        return Path(process.command[0]).parents[1].name != engine_home(self.settings).name

    def ready(self, process: Process) -> bool:
        answer = probes.get(self.address, "/")
        if answer is None or answer.status == 503:
            return False
        if answer.status != 401:
            raise AspectraError(
                f"What answers at {self.address} asks for no password; it is not our engine.",
                "Stop that program, or set ASPECTRA_ENGINE_PORT.",
            )
        try:
            return self._health() in ("yellow", "green")
        except EngineImpostor:
            raise
        except EngineUnavailable:
            return False

    def _health(self) -> str:
        brief = self.settings.model_copy(update={"engine_timeout": 5.0})
        client = connect(brief)
        try:
            with engine_errors(brief):
                return str(client.cluster.health()["status"])
        finally:
            client.close()

    def last_error(self) -> str:
        return reason(log_end(self.log))

    def check_remote(self) -> str:
        # An address may hold a password: the one in messages is the one without.
        with engine_errors(self.settings.model_copy(update={"engine_url": self.address})):
            client = connect(self.settings)
            try:
                said = client.info()
            finally:
                client.close()
        return f"OpenSearch {said['version']['number']}, cluster {said['cluster_name']}"


def need_entry(account: Account, settings: Settings, home: Path, java_home: Path) -> None:
    """
    Raises:
        AspectraError: ``account`` cannot reach the engine's files.
    """
    for path in (settings.data_dir, home, java_home / "bin"):
        closed = closed_to(account, path)
        if closed == settings.data_dir.resolve() and closed.stat().st_uid == os.geteuid():
            continue  # up opens our own data folder
        if closed:
            raise AspectraError(
                f"The engine runs as {account.name}, who may not enter {closed}.",
                f"chmod o+x {closed}, or choose other folders with ASPECTRA_DATA_DIR and ASPECTRA_CACHE_DIR.",
            )


def reason(lines: list[str]) -> str:
    """The line of the node's output that says why it ended: its own summary, else what the Java
    machine says of its options, else the last exception, else the last line."""
    for i, line in reversed(list(enumerate(lines))):
        if line.startswith("Likely root cause:"):
            return line.removeprefix("Likely root cause:").strip()
        if line.startswith("Error occurred during initialization of VM") and i + 1 < len(lines):
            return lines[i + 1].strip()
    raised = [line for line in lines if not line[0].isspace() and ("Exception" in line or "Error:" in line)]
    return (raised or lines or [""])[-1].strip()
