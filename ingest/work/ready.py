"""The file by which a worker tells that it lives."""

from __future__ import annotations

import time
from pathlib import Path

from search_stack.core.settings import Settings


def ready_file(settings: Settings) -> Path:
    """Where a worker writes its process id once it takes tasks; touched on every turn of its feeding thread."""
    return settings.data_dir / "run" / "worker.ready"


def silent_for(settings: Settings) -> float | None:
    """Seconds since a worker of this machine last told that it lives; None where there never was one."""
    try:
        return max(0.0, time.time() - ready_file(settings).stat().st_mtime)
    except OSError:
        return None
