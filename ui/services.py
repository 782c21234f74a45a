"""What the views work with."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, current_app
from opensearchpy import OpenSearch

from access.audit.trail import Trail
from access.provider import Provider
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from ui.ledger_health import LedgerHealth
from ui.metrics import Metrics
from ui.queries import QueryStore

NAME = "aspectra"


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    searcher: Searcher
    ledger: Ledger
    queries: QueryStore
    engine: OpenSearch
    """For the health check and the metrics."""
    health: LedgerHealth
    metrics: Metrics
    trail: Trail
    """Of who did what."""
    provider: Provider | None
    """Who signs people in besides us."""


def install(app: Flask, services: Services) -> None:
    app.extensions[NAME] = services


def services() -> Services:
    found: Services = current_app.extensions[NAME]
    return found
