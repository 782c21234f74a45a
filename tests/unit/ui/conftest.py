"""A real application over real settings, an empty ledger and the shipped encoder; no engine answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from search_stack.query.understand import Understanding
from tests.queries.judge import shipped
from ui.app import create_app


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder: Path = tmp_path_factory.mktemp("page")
    return Settings(data_dir=folder, engine_port=1, reranker_bundle="", onnx_threads=1, onnx_provider="cpu")


@pytest.fixture(scope="module")
def ledger(settings: Settings) -> Ledger:
    return Ledger.from_settings(settings)


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    return create_app(settings, ledger=ledger)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def understanding() -> Understanding:
    """By the shipped lexicon, on a day that does not change."""
    return shipped()
