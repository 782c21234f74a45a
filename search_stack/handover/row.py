"""What is handed over of a cohort: a row for each mention. The one home of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_type_hints

from search_stack.review.decisions import Verdict

Kind = Literal["finding", "passage", "note", "fact", "patient"]
State = Literal["", "as found", "changed", "deleted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Every patient has one at least, and every note of the evidence. Offsets count in the note's text, half-open."""

    patient_id: Annotated[str, "The patient, as the source calls them."]
    patient_no: Annotated[int, "The patient's number in the ledger."]
    kind: Annotated[
        Kind,
        "finding: a mention in a note; passage: one that matched by words, or as a topic that it does not name; note: "
        "evidence as a whole, or one whose words are not shown, see state; fact: a structured fact of that day; "
        "patient: in the cohort without evidence.",
    ]
    note_id: Annotated[str, "The note, as the source calls it; empty of a note that was deleted."] = ""
    note_key: Annotated[int | None, "The note's number in the ledger."] = None
    encounter_id: Annotated[str, "The encounter that the source gives the note."] = ""
    note_type: Annotated[str, "The type that the source gives the note."] = ""
    date: Annotated[str | None, "Day of the evidence, YYYY-MM-DD; empty where it has none."] = None
    state: Annotated[
        State,
        "The note since the cohort was found: as found; changed, so that its words are others and none are shown; "
        "deleted.",
    ] = ""
    section: Annotated[str, "Heading of the section, as written."] = ""
    criterion: Annotated[str, "What it satisfies of the query; several with semicolons."] = ""
    concept: Annotated[str, "Id of the concept in the lexicon."] = ""
    name: Annotated[str, "Name of the concept, or of the code."] = ""
    system: Annotated[str, "Of a structured fact: the system of its code."] = ""
    code: Annotated[str, "Its code."] = ""
    value: Annotated[float | None, "What was measured."] = None
    unit: Annotated[str, "The unit of the value."] = ""
    assertion: Annotated[str, "present, absent, possible, historical, hypothetical or family."] = ""
    status: Annotated[str, "When: recent, historical or hypothetical."] = ""
    progress: Annotated[
        str,
        "How far it has come: of a drug taking, given, started, stopped, held, allergy, not taken or planned; of a "
        "procedure or device done, planned, past or not done.",
    ] = ""
    result: Annotated[
        str, "What a test found, as far as the note says so: normal (negative) or abnormal (positive)."
    ] = ""
    experiencer: Annotated[str, "Whose it is: patient, family or other."] = ""
    sites: Annotated[
        str,
        "Where in the body it is, as far as the note says so: a side, a part of the body, or a side of one, before it "
        "how severe: mild, moderate or severe; several with semicolons.",
    ] = ""
    begin: Annotated[int | None, "First character of the mention, or of what matched."] = None
    end: Annotated[int | None, "The character behind it."] = None
    words: Annotated[str, "The note's words from begin to end."] = ""
    spans: Annotated[str, "Of a passage that matched by words: each match as begin-end, blanks between them."] = ""
    trigger: Annotated[str, "Words that decided the assertion; none where mention or section did."] = ""
    trigger_begin: Annotated[int | None, "First character of the trigger."] = None
    trigger_end: Annotated[int | None, "The character behind it."] = None
    passage_begin: Annotated[int | None, "First character of the passage around it."] = None
    passage_end: Annotated[int | None, "The character behind it."] = None
    passage: Annotated[str, "The passage's text."] = ""
    verdict: Annotated[
        Verdict | Literal[""],
        "What was adjudicated of the patient in the cohort's review, up to when the export began: include, exclude or "
        "doubt; empty where nothing was.",
    ] = ""

    def values(self) -> tuple[Any, ...]:
        """In the order of `COLUMNS`."""
        return tuple(getattr(self, name) for name in COLUMNS)

    def json(self) -> dict[str, Any]:
        return dict(zip(COLUMNS, self.values(), strict=True))

    @classmethod
    def of(cls, values: Sequence[Any]) -> Row:
        """What `values` gave."""
        return cls(**dict(zip(COLUMNS, values, strict=True)))


COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(Row))
_HINTS = get_type_hints(Row, include_extras=True)
MEANINGS: Mapping[str, str] = {name: _HINTS[name].__metadata__[0] for name in COLUMNS}
NUMBERS = frozenset(name for name in COLUMNS if _HINTS[name].__origin__ in (int, int | None))
"""Columns of whole numbers."""
DECIMALS = frozenset(name for name in COLUMNS if _HINTS[name].__origin__ == float | None)
"""Columns of other numbers; all the rest hold text."""
