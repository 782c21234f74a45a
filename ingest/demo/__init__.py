"""Synthetic clinical notes and structured facts that ship with Aspectra: invented patients, nobody's record."""

from __future__ import annotations

from ingest.demo.generator import demo_items, demo_notes
from ingest.demo.source import demo_source

__all__ = ["demo_items", "demo_notes", "demo_source"]
