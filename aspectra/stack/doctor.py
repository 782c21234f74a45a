"""What this machine lacks to run the stack, and the one line that mends each."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from access.audit.sending import SENT, sent
from access.audit.trail import Trail
from aspectra.stack import probes, processes
from aspectra.stack.broker_program import INSTALL, find_program
from aspectra.stack.check import Check
from aspectra.stack.distribution import engine_home
from aspectra.stack.engine import need_entry
from aspectra.stack.folders import engine_account
from aspectra.stack.index_checks import index_checks
from aspectra.stack.java import find_java, java_version
from aspectra.stack.services import services
from ingest.ledger import Ledger
from ingest.ledger.database import is_there
from ingest.wholeness import examine
from search_stack.core.errors import AspectraError
from search_stack.core.settings import PREFIX, Settings

DISK_NEEDED = 2 * 2**30
"""Bytes: the unpacked engine and room for an index above its watermarks."""
WAITING = 100
"""Entries of the audit trail that may wait to be sent before somebody should look."""
RENEWED_BEFORE = 14
"""Days before its end that a certificate should have been renewed by."""


def doctor(settings: Settings, deep: bool = False) -> list[Check]:
    """Look at everything that the local services need. Starts nothing and changes nothing.

    ``deep`` compares every note of the ledger with what was taken in and with the index, and checks every entry of
    the audit trail.
    """
    checks = [_python(), _writable(settings), _disk(settings)]
    local = {service.name for service in services(settings) if service.local}
    if "engine" in local:
        checks += [_caught("java", _java), _maven(settings), _memory(settings), _caught("engine user", _user, settings)]
    if "broker" in local:
        checks.append(_broker(settings))
    if settings.web_certificate and settings.web_key:
        checks.append(_certificate(settings.web_certificate, settings.web_key, settings.trusted_names))
    if settings.client_certificate:
        checks.append(_client_certificate(settings.client_certificate))
    if settings.audit_collector and is_there(settings.ledger_address):
        checks.append(_caught("audit collector", _sent, settings))
    kept = [*_notes(settings), *_trail(settings)] if deep and is_there(settings.ledger_address) else []
    return [*checks, *_ports(settings), *index_checks(settings, deep), *kept]


def _notes(settings: Settings) -> list[Check]:
    """Notes and facts against their digests."""
    try:
        found = examine(Ledger.from_settings(settings))
    except AspectraError as e:
        return [Check("notes", False, e.message, e.remedy)]
    whole = not (found.altered_notes or found.altered_facts)
    remedy = (
        "See who wrote to the ledger; delete and ingest them again, or restore the last backup (docs/operations.md)."
    )
    return [Check.of("notes", whole, str(found), remedy)]


def _trail(settings: Settings) -> list[Check]:
    """Nothing where no trail was begun."""
    try:
        count, found = Trail.from_settings(settings, Ledger.from_settings(settings)).problems()
    except AspectraError as e:
        return [Check("audit trail", False, e.message, e.remedy)]
    counted = "1 entry" if count == 1 else f"{count:,} entries"
    detail = found[0].what if found else f"{counted}, none changed, none missing"
    return [Check.of("audit trail", not found, detail, "See all: aspectra audit verify")] if count or found else []


def _sent(settings: Settings) -> str:
    """
    Raises:
        AspectraError: much waits to be sent.
    """
    head = Trail.from_settings(settings, Ledger.from_settings(settings)).head().number
    waiting = head - sent(settings.data_dir / SENT)
    if waiting > WAITING:
        raise AspectraError(
            f"{waiting:,} entries of the audit trail wait to be sent to {settings.audit_collector}.",
            "See whether the page runs, what its log says, and whether the collector answers.",
        )
    return f"{head - max(waiting, 0):,} entries of the audit trail were sent to {settings.audit_collector}"


def _caught(name: str, find: Callable[..., str], *arguments: Settings) -> Check:
    try:
        return Check(name, True, find(*arguments))
    except AspectraError as e:
        return Check(name, False, e.message, e.remedy)


def _python() -> Check:
    ok = sys.version_info >= (3, 11)
    return Check.of(
        "python", ok, platform.python_version(), "apt-get install python3.11, and install Aspectra with it."
    )


def _java() -> str:
    home = find_java()
    return f"Java {java_version(home)} in {home}"


def _maven(settings: Settings) -> Check:
    home = engine_home(settings)
    if home.is_dir():
        return Check("maven", True, f"not needed, the engine is in {home}")
    found = shutil.which("mvn")
    return Check.of("maven", bool(found), found or "mvn is not on the PATH", "apt-get install maven")


def _disk(settings: Settings) -> Check:
    for folder, variable in ((settings.data_dir, "ASPECTRA_DATA_DIR"), (settings.cache_dir, "ASPECTRA_CACHE_DIR")):
        free = shutil.disk_usage(_existing(folder)).free
        if free < DISK_NEEDED:
            remedy = f"Free 2 GB there, or set {variable} to a folder on a larger disk."
            return Check("disk", False, f"{free / 2**30:.1f} GB free for {folder}", remedy)
    return Check("disk", True, f"{shutil.disk_usage(_existing(settings.data_dir)).free / 2**30:.0f} GB free")


def _memory(settings: Settings) -> Check:
    heap = heap_bytes(settings.engine_heap)
    if processes.running(settings, "engine"):
        return Check("memory", True, f"the engine runs, with a heap of {settings.engine_heap}")
    available = _available_memory()
    detail = f"{available / 2**30:.1f} GB available, heap {settings.engine_heap}"
    return Check.of(
        "memory", available >= 2 * heap, detail, "End other programs, or set ASPECTRA_ENGINE_HEAP to less: 512m."
    )


def heap_bytes(heap: str) -> int:
    """Bytes of a heap such as ``512m`` or ``1g``."""
    return int(heap[:-1]) * {"m": 2**20, "g": 2**30}[heap[-1]]


def _available_memory() -> int:
    """Bytes that new programs can have; where we live in a container, at most its limit."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    try:
        limit, used = (int(Path("/sys/fs/cgroup", name).read_text()) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):
        return available
    return min(available, limit - used)


def _user(settings: Settings) -> str:
    account = engine_account(settings)
    if account is None:
        return "the engine runs as you"
    need_entry(account, settings, engine_home(settings), find_java())
    return f"the engine runs as {account.name}"


def _broker(settings: Settings) -> Check:
    """A program that may lack fixes is a warning: nobody but its user reaches its socket, and distributions mend old
    versions without a word in their number."""
    try:
        program = find_program(engine_account(settings))
    except AspectraError as e:
        return Check("broker program", False, e.message, e.remedy)
    return Check("broker program", True, program.warning or str(program), INSTALL if program.warning else "")


def _certificate(chain: Path, key: Path, names: tuple[str, ...]) -> Check:
    """One that ends soon is a warning: the page takes up the next without being started anew."""
    from ui import certificate  # of all that is looked at only this wants it, and few have one

    try:
        found = certificate.read(chain, key, names)
    except AspectraError as e:
        return Check("certificate", False, e.message, e.remedy)
    detail = f"{chain} is for {', '.join(found.names) or 'no name'} until {found.ends.date()}"
    return _ending("certificate", detail, found.ends, "Renew it in place: the page takes it up by itself.")


def _client_certificate(chain: Path) -> Check:
    from ui import certificate

    try:
        ends = certificate.ends(chain, f"{PREFIX}CLIENT_CERTIFICATE")
    except AspectraError as e:
        return Check("client certificate", False, e.message, e.remedy)
    remedy = "Renew it, and start page and worker anew."
    return _ending("client certificate", f"{chain} is shown to the stores until {ends.date()}", ends, remedy)


def _ending(name: str, detail: str, ends: datetime, remedy: str) -> Check:
    """A warning where the end is near, and a fault where it has come."""
    left = ends - datetime.now(UTC)
    if left.days >= RENEWED_BEFORE:
        return Check(name, True, detail)
    if left.days < 0:
        return Check(name, False, f"{detail}, which is over", remedy)
    days = "a day" if left.days == 1 else f"{left.days} days" if left.days else "hours"
    return Check(name, True, f"{detail}: it ends in {days}", remedy)


def _writable(settings: Settings) -> Check:
    folder = _existing(settings.data_dir)
    ok = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    detail = f"{settings.data_dir} " + ("can be written" if ok else f"cannot be written: {folder} is closed to you")
    return Check.of("data folder", ok, detail, f"chown -R $(id -u) {folder}, or set ASPECTRA_DATA_DIR.")


def _existing(path: Path) -> Path:
    """``path``, or the nearest folder above it that exists."""
    return next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())


def _ports(settings: Settings) -> list[Check]:
    checks = []
    for service in services(settings):
        if not service.local:
            continue
        ours = processes.running(settings, service.name)
        for variable, port in service.ports.items():
            problem = "" if ours else probes.port_problem(port, service.host)
            detail = problem or f"port {port} is {'ours' if ours else 'free'}"
            remedy = f"Stop that program, or set {variable}."
            checks.append(Check.of(f"{service.name} port {port}", not problem, detail, remedy))
    return checks
