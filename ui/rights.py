"""Which right each view and route asks for, where people sign in: the one table of it."""

from __future__ import annotations

from collections.abc import Mapping

from access.roles import Right

OPEN = frozenset(("static", "bootstrap.static", "health.alive", "health.health", "signing.show", "signing.sign_in"))
"""For whoever reaches the page: no text, no id, no count but of notes by their state."""
SIGNED_IN = frozenset(("description", "signing.sign_out", "signing.password", "signing.change", "search.home"))
"""For everybody who has signed in."""
NEEDED: Mapping[str, Right] = {
    "search.submit": Right.FIND,
    "search.results": Right.FIND,
    "search.complete": Right.FIND,
    "notes.note": Right.FIND,
    "api_asking.run": Right.FIND,
    "api_asking.search": Right.FIND,
    "api_asking.suggest": Right.FIND,
    "api_asking.understand": Right.FIND,
    "api_records.find": Right.FIND,
    "api_records.note": Right.FIND,
    "api_records.notes": Right.FIND,
    "api_records.notes_of": Right.FIND,
    "api_records.patient": Right.FIND,
    "api_records.patients": Right.FIND,
    "api_cohorts.changed": Right.COHORTS,
    "api_cohorts.cohort": Right.COHORTS,
    "api_cohorts.cohorts": Right.COHORTS,
    "api_cohorts.compare": Right.COHORTS,
    "api_cohorts.evidence": Right.COHORTS,
    "api_cohorts.members": Right.COHORTS,
    "api_cohorts.version": Right.COHORTS,
    "api_cohorts.delete": Right.KEEP,
    "api_cohorts.save": Right.KEEP,
    "api_cohorts.schedule": Right.KEEP,
    "api_exports.add": Right.EXPORT,
    "api_exports.file": Right.EXPORT,
    "api_exports.one": Right.EXPORT,
    "api_exports.several": Right.EXPORT,
    "metrics.metrics": Right.OPERATE,
}
