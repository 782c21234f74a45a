"""By what broker and worker are known to live."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from ingest.work.celery_app import need_broker
from ingest.work.ready import ready_file, silent_for
from search_stack.core.settings import Settings


def test_a_worker_is_silent_since_it_last_touched_its_file(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert silent_for(settings) is None
    ready_file(settings).parent.mkdir()
    ready_file(settings).write_text("1")
    os.utime(ready_file(settings), (time.time() - 90, time.time() - 90))
    assert 90 <= (silent_for(settings) or 0) < 120


def test_a_broker_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"(?i)connect|no such file"):
        need_broker(Settings(data_dir=tmp_path), 1)


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_hangs_keeps_nobody_waiting(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings = Settings(broker_url=f"{scheme}://127.0.0.1:{deaf.getsockname()[1]}")
        began = time.monotonic()
        with pytest.raises(Exception, match=r"(?i)time"):
            need_broker(settings, 0.2)
        assert time.monotonic() - began < 60  # what it takes to load a client for brokers is in it
