"""A stack that works, seen from outside: health, metrics, the worker's log."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from ui.app import create_app

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def client(stack: Settings) -> FlaskClient:
    return create_app(stack).test_client()


def test_a_page_that_can_search_is_ready(client: FlaskClient) -> None:
    response = client.get("/healthz")
    said = response.get_json()
    assert response.status_code == 200
    assert (said["status"], said["engine"], said["ledger"], said["notes"]["pending"]) == ("ok", "ok", "ok", 0)


def test_metrics_tell_the_index_and_the_stages_of_a_search(client: FlaskClient, stack: Settings) -> None:
    client.get(client.post("/search", data={"line": "pleural effusion"}).headers["Location"])
    text = client.get("/metrics").get_data(as_text=True)
    found = {family.name: family.samples for family in text_string_to_metric_families(text)}
    assert {s.labels["part"]: s.value for s in found["aspectra_up"]} == {"engine": 1, "ledger": 1}
    (index,) = found["aspectra_index_info"]
    indexes = Indexes(connect(stack), stack)
    assert index.labels["index"] == indexes.live()
    assert index.labels["encoder"] == indexes.meta(indexes.live() or "").encoder
    assert index.labels["ledger"] == Ledger.from_settings(stack).identity
    assert [s.labels["current"] for s in found["aspectra_passages"]] == ["yes"]
    assert {s.labels["stage"] for s in found["aspectra_search_seconds"]} == {"engine", "fetch", "rerank", "counts"}
    assert "effusion" not in text


def test_the_worker_logs_the_stages_of_a_batch_and_no_text(stack: Settings) -> None:
    log = (stack.data_dir / "logs" / "worker.log").read_text()
    assert re.search(r"INFO ingest\.work\.stages: A batch\. encode=[\d.]+ write=[\d.]+ rest=[\d.]+", log)
    note = Ledger.from_settings(stack).after(0, 1)[0].note
    assert not [word for word in set(re.findall(r"[a-z]{9,}", note.text)) if word in log]
