"""What of the stack runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aspectra.stack import processes
from aspectra.stack.folders import run_folder
from aspectra.stack.service import Service
from aspectra.stack.services import services
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

OUTDATED = "an earlier version started it; start it anew: aspectra up"
State = Literal["running", "silent", "stopped", "remote", "unreachable"]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """``silent``: the process lives and does not serve. ``remote`` and ``unreachable``: a service
    that the settings name does answer, or does not."""

    name: str
    state: State
    address: str
    pid: int | None
    detail: str


def status(settings: Settings) -> list[ServiceStatus]:
    """The state of every service, in the order in which they start. Changes nothing."""
    return [_status(settings, service) for service in services(settings)]


def _status(settings: Settings, service: Service) -> ServiceStatus:
    if not service.local:
        try:
            return ServiceStatus(service.name, "remote", service.address, None, service.check_remote())
        except AspectraError as e:
            return ServiceStatus(service.name, "unreachable", service.address, None, str(e))
    process = processes.running(settings, service.name) if run_folder(settings).is_dir() else None
    if process is None:
        return ServiceStatus(service.name, "stopped", service.address, None, "")
    if service.outdated(process):
        return ServiceStatus(service.name, "silent", service.address, process.pid, OUTDATED)
    try:
        serves, why = service.ready(process), f"starting or hung; its log is {service.log}"
    except AspectraError as e:
        serves, why = False, str(e)
    state: State = "running" if serves else "silent"
    return ServiceStatus(service.name, state, service.address, process.pid, "" if serves else why)
