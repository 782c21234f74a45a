"""Kept cohorts in each kind of database."""

from __future__ import annotations

from tests.unit.ingest.cohorts.conftest import make_found, store

__all__ = ["make_found", "store"]
