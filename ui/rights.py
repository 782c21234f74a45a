"""Which right each view and route asks for, and what the audit trail calls it, where people sign in: the one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from access.audit.entry import Action
from access.roles import Right

OPEN = frozenset(
    (
        *("static", "bootstrap.static", "health.alive", "health.health"),
        *("signing.show", "signing.sign_in", "signing.leave", "signing.back"),
    )
)
"""For whoever reaches the page: no text, no id, no count but of notes by their state."""
SIGNED_IN = frozenset(
    (
        *("description", "describing.show", "signing.sign_out", "signing.password", "signing.change", "search.home"),
        "signing.end_elsewhere",
        *("purposes.choose", "purposes.state", "search.put_tour_away"),
    )
)
"""For everybody who has signed in."""


class Needs(NamedTuple):
    right: Right
    action: Action | None = None
    """None where nothing of a note or patient is shown: a line is kept for later, read, or gone on with."""


NEEDED: Mapping[str, Needs] = {
    "viewing.show": Needs(Right.VIEW),
    "viewing.ask": Needs(Right.VIEW, Action.SEARCH),
    "building.show": Needs(Right.FIND),
    "building.step": Needs(Right.FIND, Action.COUNT),
    "building.counts": Needs(Right.FIND, Action.COUNT),
    "building.preview": Needs(Right.FIND, Action.COUNT),
    "search.submit": Needs(Right.FIND),
    "history.show": Needs(Right.FIND),
    "search.results": Needs(Right.FIND, Action.SEARCH),
    "search.reordered": Needs(Right.FIND, Action.REORDER),
    "search.complete": Needs(Right.FIND),
    "notes.note": Needs(Right.FIND, Action.NOTE),
    "notes.beside": Needs(Right.FIND, Action.NOTE),
    "similar.similar": Needs(Right.FIND, Action.SEARCH),
    "patients.patient": Needs(Right.FIND, Action.PATIENT),
    "patients.passages": Needs(Right.FIND, Action.PATIENT),
    "comparing.changed": Needs(Right.COHORTS, Action.COHORT),
    "comparing.compare": Needs(Right.COHORTS, Action.COHORT),
    "cohorts.members": Needs(Right.COHORTS, Action.COHORT),
    "cohorts.one": Needs(Right.COHORTS, Action.COHORT),
    "cohorts.several": Needs(Right.COHORTS, Action.COHORT),
    "cohorts.version": Needs(Right.COHORTS, Action.COHORT),
    "keeping.again": Needs(Right.KEEP, Action.KEEP),
    "keeping.combine": Needs(Right.KEEP, Action.KEEP),
    "keeping.delete": Needs(Right.KEEP, Action.KEEP),
    "keeping.forget": Needs(Right.KEEP, Action.COHORT),
    "keeping.save": Needs(Right.KEEP, Action.KEEP),
    "keeping.schedule": Needs(Right.KEEP, Action.KEEP),
    "exporting.ask": Needs(Right.EXPORT, Action.EXPORT),
    "exporting.file": Needs(Right.EXPORT, Action.EXPORT),
    "exporting.order": Needs(Right.EXPORT, Action.EXPORT),
    "exporting.show": Needs(Right.EXPORT, Action.EXPORT),
    "exporting.state": Needs(Right.EXPORT),
    "api_asking.run": Needs(Right.FIND, Action.COUNT),
    "api_asking.search": Needs(Right.FIND, Action.SEARCH),
    "api_asking.suggest": Needs(Right.FIND),
    "api_asking.understand": Needs(Right.FIND),
    "api_records.find": Needs(Right.FIND, Action.LIST),
    "api_records.note": Needs(Right.FIND, Action.NOTE),
    "api_records.notes": Needs(Right.FIND, Action.LIST),
    "api_records.notes_of": Needs(Right.FIND, Action.LIST),
    "api_records.patient": Needs(Right.FIND, Action.LIST),
    "api_records.patients": Needs(Right.FIND, Action.LIST),
    "api_cohorts.changed": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.cohort": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.cohorts": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.compare": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.evidence": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.members": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.version": Needs(Right.COHORTS, Action.COHORT),
    "api_cohorts.delete": Needs(Right.KEEP, Action.KEEP),
    "api_cohorts.save": Needs(Right.KEEP, Action.KEEP),
    "api_cohorts.schedule": Needs(Right.KEEP, Action.KEEP),
    "api_exports.add": Needs(Right.EXPORT, Action.EXPORT),
    "api_exports.file": Needs(Right.EXPORT, Action.EXPORT),
    "api_exports.one": Needs(Right.EXPORT, Action.EXPORT),
    "api_exports.several": Needs(Right.EXPORT, Action.EXPORT),
    "purposes.show": Needs(Right.PURPOSES, Action.PURPOSE),
    "purposes.add": Needs(Right.PURPOSES, Action.PURPOSE),
    "purposes.close": Needs(Right.PURPOSES, Action.PURPOSE),
    "purposes.person_of": Needs(Right.PURPOSES, Action.PURPOSE),
    "reviewing.begin": Needs(Right.REVIEW, Action.REVIEW),
    "reviewing.show": Needs(Right.REVIEW, Action.REVIEW),
    "reviewing.decide": Needs(Right.REVIEW, Action.DECIDE),
    "reviewing.mark": Needs(Right.REVIEW, Action.DECIDE),
    "reviewing.undo": Needs(Right.REVIEW, Action.DECIDE),
    "adjudicating.agreement": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.begin": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.show": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.settle": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.undo": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.fields": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.add_field": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "adjudicating.retire_field": Needs(Right.ADJUDICATE, Action.ADJUDICATE),
    "audit.show": Needs(Right.AUDIT, Action.AUDIT),
    "audit.asked": Needs(Right.AUDIT, Action.AUDIT),
    "audit.export": Needs(Right.AUDIT, Action.AUDIT),
    "administration.show": Needs(Right.OPERATE),
    "administration.runs": Needs(Right.OPERATE),
    "administration.again": Needs(Right.OPERATE, Action.OPERATE),
    "metrics.metrics": Needs(Right.OPERATE),
}
OF_ONESELF: Mapping[str, Action] = {
    "signing.sign_in": Action.SIGN_IN,
    "signing.back": Action.SIGN_IN,
    "signing.sign_out": Action.SIGN_OUT,
    "signing.end_elsewhere": Action.SIGN_OUT,
    "signing.change": Action.PASSWORD,
    "purposes.state": Action.PURPOSE,
}


def action_of(endpoint: str | None) -> Action | None:
    """What the trail calls a request for ``endpoint``; None where it does not keep it."""
    needed = NEEDED.get(endpoint or "")
    return needed.action if needed else OF_ONESELF.get(endpoint or "")
