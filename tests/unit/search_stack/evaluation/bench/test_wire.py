"""What travels is counted in requests and bytes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from opensearchpy import OpenSearch

from search_stack.evaluation.bench.wire import Wire


def test_requests_and_bytes_are_counted_from_lap_to_lap() -> None:
    def perform(method: str, url: str, params: Any, body: Any, **options: Any) -> tuple[int, dict[str, str], str]:
        assert options == {"timeout": 3}
        return 200, {}, "grün"

    connection = SimpleNamespace(perform_request=perform)
    wire = Wire(cast(OpenSearch, SimpleNamespace(transport=SimpleNamespace(get_connection=lambda: connection))))
    assert connection.perform_request("POST", "/", {}, "ask", timeout=3)[2] == "grün"
    connection.perform_request("GET", "/", None, None, timeout=3)
    assert wire.lap() == {"requests": 2, "sent_bytes": 3, "received_bytes": 10}
    assert wire.lap() == {"requests": 0, "sent_bytes": 0, "received_bytes": 0}
