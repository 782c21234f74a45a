"""An engine that answers and cannot search yet: real, with an index whose shards have nowhere to go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.index.mapping import alias, index_body
from search_stack.index.meta import IndexMeta
from search_stack.inference.bundle import read_manifest
from ui.app import create_app

pytestmark = pytest.mark.engine


@pytest.fixture
def client(stack: Settings) -> Iterator[FlaskClient]:
    settings = stack.model_copy(update={"index_prefix": "unready", "reranker_bundle": ""})
    engine = connect(settings)
    manifest = read_manifest(settings.encoder_bundle)
    meta = IndexMeta(manifest.identity, Ledger.from_settings(settings).identity)
    body = index_body(settings, manifest.dimensions or 0, meta)
    body["settings"]["index"]["routing.allocation.require.box"] = "none"
    engine.indices.create(index=alias(settings), body=body, params={"wait_for_active_shards": "0"})
    yield create_app(settings).test_client()
    engine.indices.delete(index=alias(settings))


def test_a_search_is_told_to_wait_and_keeps_its_line(client: FlaskClient) -> None:
    response = client.get(client.post("/search", data={"line": "pleural effusion"}).headers["Location"])
    page = response.get_data(as_text=True)
    assert response.status_code == 503
    assert "is starting" in page
    assert "Try again in a moment." in page
    assert "Simplify" not in page
    assert 'value="pleural effusion"' in page


def test_it_is_not_ready_and_completes_nothing(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.get_json()["engine"]) == (503, "starting")
    assert client.post("/complete", json={"start": "eff"}).status_code == 503
    assert client.get("/livez").status_code == 200
