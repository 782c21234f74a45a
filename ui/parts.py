"""The parts of the installation, and what ails each."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ingest.work.celery_app import need_broker
from ingest.work.ready import silent_for
from search_stack.core.settings import Settings
from ui.health import PATIENCE, index_state

SILENT = 60.0
"""Seconds without a sign of life after which a worker hangs, or has ended: it gives one each second."""
NEEDED = 2 * 2**30
"""Bytes: with less room the engine soon takes nothing more."""
ENGINE = {"ok": "", "starting": "It is starting: try again shortly.", "down": "See what is amiss: aspectra doctor"}
LEDGER = {
    "ok": "",
    "down": "It does not answer.",
    "damaged": "Stop everything (aspectra down), then restore the last backup.",
}
INDEX = {
    "ok": "",
    "foreign": "It was built from another ledger: aspectra doctor says what to do.",
    "outdated": "It was built by another version: build it anew by aspectra reindex.",
    "lost": "The engine holds none, and the ledger has notes that should be in it: build it anew by aspectra reindex.",
    "unknown": "It cannot be asked: aspectra doctor says why.",
}


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    state: str
    ok: bool | None
    """None where this machine cannot tell."""
    detail: str = ""


def parts_of(settings: Settings, engine: str, ledger: str) -> tuple[Part, ...]:
    """
    Args:
        engine, ledger: their states.
    """
    return (
        Part("Engine", engine, engine == "ok", ENGINE[engine]),
        _index(engine == ledger == "ok"),
        Part("Ledger", ledger, ledger == "ok", LEDGER[ledger]),
        _broker(settings),
        _worker(settings),
        _disk(settings.data_dir),
    )


def _index(asked: bool) -> Part:
    state = index_state() if asked else "unknown"
    return Part("Index", state, state == "ok", INDEX[state])


def _broker(settings: Settings) -> Part:
    try:
        need_broker(settings, PATIENCE)
    except Exception:  # each transport raises its own, and its words may hold an address with a password
        remedy = "Check ASPECTRA_BROKER_URL." if settings.broker_url else "Start it: aspectra up"
        return Part("Broker", "down", False, f"Nothing is indexed meanwhile, and no note is lost. {remedy}")
    return Part("Broker", "ok", True)


def _worker(settings: Settings) -> Part:
    silent = silent_for(settings)
    if silent is None:
        return Part("Worker", "not seen from here", None, "None was started on this machine; others are not asked.")
    if silent > SILENT:
        return Part("Worker", "silent", False, f"No sign of life for {span(silent)}. Start it: aspectra up")
    return Part("Worker", "ok", True)


def _disk(folder: Path) -> Part:
    room = shutil.disk_usage(folder)
    detail = f"{room.free / 2**30:,.1f} of {room.total / 2**30:,.1f} GB free for {folder}"
    return Part("Disk", "ok", True, detail) if room.free >= NEEDED else Part("Disk", "low", False, detail)


def span(seconds: float) -> str:
    """
    >>> [span(s) for s in (59, 60, 7300, 200_000)]
    ['59 s', '1 min', '2 h', '2 days']
    """
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds < 60 else "1 min"
    if seconds < 7200:
        return f"{seconds // 60:.0f} min"
    return f"{seconds // 3600:.0f} h" if seconds < 172_800 else f"{seconds // 86_400:.0f} days"
