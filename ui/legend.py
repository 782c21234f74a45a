"""The assertions, as every page explains them."""

from __future__ import annotations

from ui.highlight import SIGNS

MEANINGS = {
    "present": "the note says that it is there; of a procedure, that it was done",
    "absent": "the note says that it is not there",
    "normal": "the note says that all is well there",
    "possible": "suspected, or not excluded",
    "historical": "in the past",
    "hypothetical": "if it should occur, or is looked for",
    "family": "of a relative",
    "unaffected": "relatives are said not to have it",
    "allergy": "a drug that is not borne: nobody takes it",
}
LEGEND: tuple[tuple[str, str, str], ...] = tuple((a, SIGNS[a], meaning) for a, meaning in MEANINGS.items())
"""Assertion, sign and meaning."""
