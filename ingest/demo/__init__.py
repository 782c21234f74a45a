"""Synthetic clinical notes that ship with Aspectra: invented patients, nobody's record."""

from __future__ import annotations

from ingest.demo.generator import demo_notes

__all__ = ["demo_notes"]
