"""All hand-written cases, each a complete note for one named phenomenon."""

from __future__ import annotations

from ingest.demo import cases_form, cases_negation, cases_person_time
from ingest.demo.case import Case

CASES: tuple[Case, ...] = (*cases_negation.CASES, *cases_person_time.CASES, *cases_form.CASES)
