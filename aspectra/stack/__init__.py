"""The local stack: engine, broker, worker and web, started and stopped on this machine."""

from aspectra.stack.check import Check
from aspectra.stack.doctor import doctor
from aspectra.stack.services import down, up
from aspectra.stack.status import ServiceStatus, status

__all__ = ["Check", "ServiceStatus", "doctor", "down", "status", "up"]
