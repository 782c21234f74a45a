"""What the views work with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Flask, current_app, g
from opensearchpy import OpenSearch

from access.audit.trail import Trail
from access.provider import Provider
from ingest.ledger import Ledger
from search_stack.core.reach import Reach
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

    def within(self, reach: Reach) -> Services:
        """The same, as if nothing outside ``reach`` were there."""
        ledger = self.ledger.within(reach)
        return replace(self, ledger=ledger, searcher=self.searcher.within(reach, ledger))


def install(app: Flask, services: Services) -> None:
    app.extensions[NAME] = services


def services() -> Services:
    """Those of this request: they find, count and list what its purpose covers, and nothing else."""
    found: Services = g.get(NAME) or current_app.extensions[NAME]
    return found


def whole() -> Services:
    """Those of the installation, whatever a purpose covers: for what counts, and shows nothing of anybody."""
    found: Services = current_app.extensions[NAME]
    return found


def keep_within(reach: Reach) -> None:
    """For this request."""
    setattr(g, NAME, services().within(reach))
