"""Reports of errors that nobody had foreseen: where in the code, never what with."""

from __future__ import annotations

import os
import time
import traceback
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.settings import load_settings


def keep_report(error: BaseException) -> Path | None:
    """Write where ``error`` came from to a file of the log folder, for its owner only; None where that fails.

    An error's own words and the values of variables may be text of a note: they are left out.
    """
    try:
        path = load_settings().data_dir / "logs" / f"error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(_report(error), encoding="utf-8")
    except (OSError, AspectraError):
        return None
    return path


def _report(error: BaseException | None) -> str:
    parts = []
    while error:
        frames = traceback.format_list(traceback.extract_tb(error.__traceback__))
        parts.append(f"{type(error).__module__}.{type(error).__name__}\n{''.join(frames)}")
        error = error.__cause__ or error.__context__
    return "\nafter\n\n".join(parts)
