"""What the worker tells of itself."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from ingest.ledger import Ledger
from ingest.work import worker
from search_stack.core.settings import Settings


def test_the_feeding_thread_touches_the_ready_file_and_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    Ledger.from_settings(settings).engine.dispose()
    monkeypatch.setattr(worker, "TICK", 0.01)
    ready = tmp_path / "run" / "worker.ready"
    ready.parent.mkdir()
    ready.write_text("17")
    os.utime(ready, (0, 0))
    stop = threading.Event()
    thread = threading.Thread(target=worker._keep_fed, args=(settings, stop, None), daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + 120
        while ready.stat().st_mtime == 0:
            assert thread.is_alive()
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.01)
        assert ready.read_text() == "17"
        ready.unlink()
        time.sleep(0.2)  # some turns
        assert thread.is_alive()
        assert not ready.exists(), "a worker that is ending must not pass for the next one"
    finally:
        stop.set()
        thread.join()
