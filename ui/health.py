"""Whether the page lives, and whether it can answer."""

from __future__ import annotations

from typing import Literal

from flask import Blueprint
from opensearchpy.exceptions import ConnectionError, OpenSearchException, TransportError

from ingest.ledger.failures import LEDGER_ERRORS
from ingest.ledger.tables import INDEXED
from search_stack.core.errors import AspectraError
from search_stack.index.mapping import alias
from search_stack.index.meta import ForeignIndex, OutdatedIndex
from ui.services import services

blueprint = Blueprint("health", __name__)
PATIENCE = 3
"""Seconds that the engine has to answer."""


@blueprint.get("/livez")
def alive() -> dict[str, str]:
    """This process answers; nothing else is asked."""
    return {"status": "ok"}


@blueprint.get("/healthz")
def health() -> tuple[dict[str, object], int]:
    """A search would be answered: 200; else 503, and which part is why."""
    engine, ledger = engine_state(), services().health.state()
    index = index_state() if engine == ledger == "ok" else "unknown"
    ready = engine == ledger == index == "ok"
    counts = note_counts() if ledger == "ok" else None
    said: dict[str, object] = {"engine": engine, "ledger": ledger, "index": index, "notes": counts}
    return {"status": "ok" if ready else "unavailable"} | said, 200 if ready else 503


def engine_state() -> Literal["ok", "starting", "down"]:
    """What a search over everything meets; no index at all is none to wait for."""
    patient: dict[str, object] = {"request_timeout": PATIENCE, "ignore_unavailable": "true"}
    try:
        found = services().engine.search(index=alias(services().settings), body={"size": 0}, params=patient)
    except ConnectionError:
        return "down"
    except TransportError as e:
        return "starting" if e.status_code == 503 else "down"
    except OpenSearchException:
        return "down"
    return "starting" if found["_shards"]["failed"] else "ok"


def index_state() -> Literal["ok", "foreign", "outdated", "lost", "unknown"]:
    """Whether the index is our ledger's and this version's; none at all is none of another's, and lost where notes
    should be in it."""
    try:
        serving = services().searcher.serving
        serving.need(services().ledger.identity)
        if not serving.metas() and services().ledger.counts()[INDEXED]:
            return "lost"
    except ForeignIndex:
        return "foreign"
    except OutdatedIndex:
        return "outdated"
    except (AspectraError, *LEDGER_ERRORS):
        return "unknown"
    return "ok"


def note_counts() -> dict[str, int] | None:
    """Notes by state; None where the ledger does not answer."""
    try:
        return services().ledger.counts()
    except LEDGER_ERRORS:
        return None
