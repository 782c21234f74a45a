"""The bench of the page says what keeps it from asking."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.evaluation.bench.page import PageClient
from tests.conftest import free_port
from ui.app import create_app
from ui.server import make_server


def test_a_page_that_asks_who_one_is_is_not_timed(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path, engine_port=1, web_port=free_port(), accounts=True, reranker_bundle="", onnx_threads=1
    )
    server = make_server(create_app(settings), settings)
    thread = Thread(target=server.run)
    thread.start()
    try:
        with pytest.raises(AspectraError, match="who you are"):
            PageClient(settings.web_local_address)
    finally:
        server.stop()
        thread.join()


def test_where_no_page_is() -> None:
    with pytest.raises(AspectraError, match="No page answers"):
        PageClient(f"http://127.0.0.1:{free_port()}")
