"""What every page shows around its own part."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime

from flask import g

from ingest.ledger import Ledger
from ingest.ledger.failures import LEDGER_ERRORS
from search_stack.retrieval.answer import SCOPES, Scope
from ui.services import services

DEMO = "demo"
USUAL: Scope = "patient"
"""What a search lists that begins on a page of no search: who is looked for is mostly a patient."""
SCOPE_NAMES: dict[Scope, str] = {"passage": "Passages", "note": "Notes", "patient": "Patients"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Frame:
    """``line`` stands in the search line, ``demo`` puts the notice on top."""

    line: str
    scope: Scope
    demo: bool
    """Synthetic notes are there."""
    others: bool
    """Notes are there that are not synthetic."""
    scopes: tuple[tuple[Scope, str], ...] = tuple(SCOPE_NAMES.items())
    made: datetime = field(default_factory=lambda: datetime.now(UTC))
    """When the page was; paper says it."""


def asked(line: str, scope: Scope = "passage") -> None:
    """Remember what this request asks for, so that an error page can keep it."""
    g.line, g.scope = line, scope


def frame() -> Frame:
    """The frame of this request's page; it can be had even when nothing else works."""
    return Frame(g.get("line", ""), g.get("scope", USUAL), *_collections(services().ledger))


def read_scope(value: str | None, otherwise: Scope = "passage") -> Scope:
    """The scope called ``value``; ``otherwise`` for anything else."""
    return next((scope for scope in SCOPES if scope == value), otherwise)


def _collections(ledger: Ledger) -> tuple[bool, bool]:
    """Whether there are synthetic notes, and whether there are others."""
    try:
        return ledger.has_collection(DEMO), ledger.has_collection_besides(DEMO)
    except LEDGER_ERRORS as e:
        _log.error("The ledger does not answer (%s).", type(e).__name__)
        return False, True
