"""What this request shows of whom: told by the views, kept in the audit trail before the answer leaves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from flask import g, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from access.audit.entry import Action, Entry, Outcome
from access.audit.trail import Trail
from search_stack.cohorts.rows import Ints
from search_stack.core.errors import AspectraError
from search_stack.query.understand import Understood
from search_stack.query.write import write
from search_stack.retrieval.answer import Group
from ui.security import named
from ui.services import services


@dataclass(slots=True)
class Seen:
    patients: set[str] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)
    query: str = ""
    """The line that was asked, not sealed yet."""
    about: dict[str, str | int] = field(default_factory=dict)
    person: str = ""
    """Who signs in with this request."""
    refused: bool = False
    told: bool = False
    """An entry of the same search tells all of it already."""
    once_kept: Callable[[], None] = lambda: None
    """What is to be done when the trail has it."""


FROM_WHERE = (Action.SIGN_IN, Action.SIGN_OUT, Action.PASSWORD)
"""Entries that tell the client's address, where it is known."""


def seen() -> Seen:
    """Of this request."""
    if "seen" not in g:
        g.seen = Seen()
    found: Seen = g.seen
    return found


def saw_patients(ids: Iterable[str]) -> None:
    seen().patients.update(ids)


def saw_note(note_id: str, patient_id: str) -> None:
    seen().notes.add(note_id)
    seen().patients.add(patient_id)


def saw_groups(groups: Iterable[Group], told: Collection[str] = ()) -> None:
    """``told`` are notes that an entry of the same search has."""
    for group in groups:
        for hit in group.hits:
            if hit.note_id not in told:
                saw_note(hit.note_id, hit.patient_id)
    seen().told = bool(told) and not seen().notes


def once_kept(act: Callable[[], None]) -> None:
    seen().once_kept = act


def saw_numbers(numbers: Ints) -> None:
    """Patients by their numbers, sorted."""
    saw_patients(services().ledger.people.ids(numbers).values())


def asked_for(asked: Understood) -> None:
    """What was asked: as it was typed, or where a tree came, as a line that means it."""
    seen().query = asked.line or write(asked.query)


def about(**values: str | int) -> None:
    seen().about.update(values)


def keep(trail: Trail, action: Action, person: str, response: Response) -> None:
    """
    Raises:
        AspectraError: it cannot be kept.
        SQLAlchemyError: likewise.
    """
    own = seen()
    refused = own.refused or response.status_code in (401, 403)
    outcome = Outcome.REFUSED if refused else Outcome.DONE if response.status_code < 400 else Outcome.FAILED
    patients, notes = (tuple(sorted(ids)) for ids in (own.patients, own.notes))
    addressed: dict[str, str | int] = {
        name: value for name, value in (request.view_args or {}).items() if isinstance(value, int)
    }
    if named() and action in FROM_WHERE:
        addressed["address"] = request.remote_addr or ""
    sealed = trail.seal.sealed(own.query)
    if not (own.told and outcome is Outcome.DONE):
        trail.add(Entry(person, action, outcome, patients, notes, sealed, {**addressed, **own.about}))
    own.once_kept()


FAILURES = (AspectraError, SQLAlchemyError, OSError)
"""Of `keep`."""
