"""What a reviewer's form brings, checked and made ready to be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import request
from werkzeug.exceptions import BadRequest

from ingest.cohorts.records import Cohort
from ingest.ledger import StoredNote
from search_stack.cohorts.version import Version
from search_stack.core.errors import AspectraError, NotPossible
from search_stack.review.decisions import VERDICTS, Decision, Given, Verdict
from search_stack.review.fields import LONGEST_QUOTE, Field, Quote, Value, checked_value, find_quote
from search_stack.review.queue import evidence_digest
from ui.forms import whole_number
from ui.kept import reviewed
from ui.review_page import Typed
from ui.services import services

MOST_NOTES = 5_000
AT_ONCE = 100
"""Notes whose texts are in memory together."""


def number(name: str) -> int:
    """A number that a form of ours holds."""
    found = whole_number(request.form.get(name, ""), 999_999_999)
    if found is None:
        raise BadRequest
    return found


def typed(fields: Sequence[Field]) -> Typed:
    return Typed(
        _words("reason"),
        _words("comment"),
        {one.id: request.form.get(f"field-{one.id}", "") for one in fields},
        {one.id: request.form.get(f"quote-{one.id}", "") for one in fields},
    )


def given(cohort: Cohort, patient: int, said: Typed, fields: Sequence[Field]) -> Given:
    """What is said of ``patient``, looked at in the version that the form names.

    Raises:
        AspectraError: a value is none, or a quote stands in no note of the patient; there is no such version.
    """
    version = reviewed(cohort, number("version"))
    if patient not in version.patients:
        raise NotPossible(f"{version.name} does not have this patient.", "Go on with the next.")
    values = {}
    for one in fields:
        value = checked_value(one, (said.values or {}).get(one.id, ""))
        words = (said.quotes or {}).get(one.id, "").strip() if one.kind == "text" else ""
        if value or words:
            values[one.id] = Value(value, _quote(one, words, version, patient) if words else None)
    digest = evidence_digest(version, patient)
    return Given(patient, version.number, digest, _verdict(), said.reason, said.comment, values)


def quotes_of(decision: Decision | None) -> dict[int, str]:
    """The words that a decision quotes, as far as their notes still have them."""
    values = decision.given.values if decision else {}
    quotes = {field: value.quote for field, value in values.items() if value.quote}
    notes = services().ledger.several([one.note for one in quotes.values()])
    return {f: _quoted(notes, one) for f, one in quotes.items() if one.note in notes}


def _quoted(notes: Mapping[int, StoredNote], quote: Quote) -> str:
    stored = notes[quote.note]
    return stored.note.text[quote.begin : quote.end] if stored.text_version == quote.version else ""


def _quote(field: Field, words: str, version: Version, patient: int) -> Quote:
    """
    Raises:
        AspectraError: the words stand in no note.
    """
    if len(words) > LONGEST_QUOTE:
        raise AspectraError(f"{field.name}: the quote is too long.", f"At most {LONGEST_QUOTE:,} characters are kept.")
    ledger = services().ledger
    own = [note.key for note in ledger.listing.notes(0, MOST_NOTES, patient_no=patient)]
    # What brought the patient in is looked through first.
    first = {int(key) for key in version.rows.note[version.rows.patient == patient]}
    ordered = sorted(own, key=lambda key: key not in first)
    for begin in range(0, len(ordered), AT_ONCE):
        notes = ledger.several(ordered[begin : begin + AT_ONCE])
        for key in ordered[begin : begin + AT_ONCE]:
            place = find_quote(notes[key].note.text, words) if key in notes else None
            if place:
                return Quote(key, notes[key].text_version, *place)
    raise AspectraError(
        f"{field.name}: these words stand in no note of the patient.",
        "Copy them as they are written, or leave the quote empty.",
    )


def _verdict() -> Verdict:
    found = next((one for one in VERDICTS if one == request.form.get("verdict")), None)
    if found is None:
        raise BadRequest
    return found


def _words(name: str) -> str:
    return request.form.get(name, "").strip().replace("\r\n", "\n")
