"""What every service of the stack can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from aspectra.stack import probes
from aspectra.stack.processes import Launch, Process, last_line, log_file
from search_stack.core.settings import Settings


class Service(ABC):
    """One service: a process of this machine, or, where not ``local``, one that the settings name."""

    name: ClassVar[str]
    patience: ClassVar[float] = 120.0
    """Seconds that a start may take."""

    def __init__(
        self, settings: Settings, address: str = "", ports: Mapping[str, int] | None = None, local: bool = True
    ) -> None:
        self.settings = settings
        self.address = probes.shown(address)
        self.ports = dict(ports or {})
        """Ports it listens on, by the variable that changes each."""
        self.local = local
        self.host = "127.0.0.1"

    @abstractmethod
    def launch(self, say: Callable[[str], None]) -> Launch:
        """Make ready what the process needs, and say how to start it."""

    @abstractmethod
    def ready(self, process: Process) -> bool:
        """Whether it serves.

        Raises:
            AspectraError: something else answers in its place.
        """

    def outdated(self, process: Process) -> bool:
        """Whether an earlier version of Aspectra started ``process``, so that it must be started anew."""
        return False

    def check_remote(self) -> str:
        """What the service that the settings name says of itself.

        Raises:
            AspectraError: it does not answer, or refuses us.
        """
        return ""

    def need_ports(self) -> None:
        """
        Raises:
            AspectraError: another program has one of its ports.
        """
        for variable, port in self.ports.items():
            probes.need_port(port, variable, self.host)

    @property
    def log(self) -> Path:
        return log_file(self.settings, self.name)

    def last_error(self) -> str:
        """The line of its log that says why it ended."""
        return last_line(self.log)
