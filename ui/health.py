"""Whether the page can answer."""

from __future__ import annotations

from flask import Blueprint
from opensearchpy.exceptions import OpenSearchException
from sqlalchemy.exc import SQLAlchemyError

from ui.services import services

blueprint = Blueprint("health", __name__)
PATIENCE = 3
"""Seconds that the engine has to answer."""


@blueprint.get("/healthz")
def health() -> tuple[dict[str, object], int]:
    status, engine = ("ok", "ok") if _engine_answers() else ("unavailable", "down")
    return {"status": status, "engine": engine, "notes": _note_counts()}, 200 if engine == "ok" else 503


def _engine_answers() -> bool:
    try:
        services().engine.info(params={"request_timeout": PATIENCE})
    except OpenSearchException:
        return False
    return True


def _note_counts() -> dict[str, int] | None:
    """Notes by state; None where the ledger does not answer."""
    try:
        return services().ledger.counts()
    except SQLAlchemyError:
        return None
