"""A cohort at a glance: everybody once by sex and age, findings by what is said of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search_stack.cohorts.cohort import NobodyKnown
from search_stack.cohorts.contrast import NOT_KNOWN, band
from search_stack.cohorts.facets import Counted
from search_stack.cohorts.overview import Remembered, overview_of, told_of
from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Ints, Rows
from search_stack.language.lexicon.concepts import Concept, Lexicon
from tests.unit.search_stack.cohorts.test_facets import DAY_OF_2020, Pages

LEXICON = Lexicon([Concept("F:1", "fever", "symptom"), Concept("C:1", "cough", "symptom")])


class Told(NobodyKnown):
    """Ages by row, in the order in which rows stand."""

    def __init__(self, ages: list[int], sexes: dict[str, list[int]]) -> None:
        self._ages, self._sexes = ages, sexes

    def by_sex(self) -> dict[str, list[int]]:
        return self._sexes

    def ages(self, rows: Rows) -> Ints:
        return np.array(self._ages[: len(rows)], dtype=np.int64)


def test_the_age_is_that_of_the_first_evidence_that_has_one_and_decades_between_are_told() -> None:
    days = [DAY_OF_2020, DAY_OF_2020 + 400, DAY_OF_2020, UNDATED, UNDATED]
    rows = Rows.of([1, 1, 2, 3, 4], days, [11, 12, 21, 31, NO_NOTE])
    known = Told([-1, 69, 38, 95, -1], {"male": [2, 9], "female": [1, 3]})
    pages = Pages(
        {
            "note_type": [(1, "letter"), (2, "letter"), (2, "report")],
            "own": [(1, "present F:1"), (2, "absent F:1"), (3, "absent F:1"), (2, "possible gone"), (2, "present C:1")],
        }
    )
    told = overview_of(np.array([1, 2, 3, 4, 7]), rows, told_of(rows.notes(), pages), known, LEXICON)
    assert told.sexes == ("female", "male", NOT_KNOWN)
    ages = dict(told.ages)
    assert list(ages) == ["30-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90 and older", NOT_KNOWN]
    assert {name: counts for name, counts in ages.items() if any(counts)} == {
        "30-39": (0, 1, 0),
        "60-69": (1, 0, 0),
        "90 and older": (1, 0, 0),
        NOT_KNOWN: (0, 0, 2),  # one with a fact alone, one without any evidence
    }
    assert told.years == (Counted("2020", 2), Counted("2021", 1))
    assert told.types == (Counted("letter", 2), Counted("report", 1))
    assert [(one.name, dict(one.patients)) for one in told.findings] == [
        ("fever", {"present": 1, "absent": 2}),
        ("cough", {"present": 1}),
        ("gone", {"possible": 1}),
    ]


def test_a_word_for_many_drugs_or_procedures_stands_behind_what_is_told_and_a_disorder_never_does() -> None:
    lexicon = Lexicon(
        [
            Concept("D:0", "medication", "drug"),
            Concept("D:1", "analgesic", "drug", parents=("D:0",)),  # told, and itself narrower
            Concept("D:2", "aspirin", "drug", parents=("D:1",)),
            Concept("D:3", "metformin", "drug"),  # nothing is narrower
            Concept("I:0", "infection", "disorder"),
            Concept("I:1", "sepsis", "disorder", parents=("I:0",)),
        ]
    )
    said = {"D:0": 9, "I:0": 8, "D:1": 7, "D:3": 6, "I:1": 5, "D:2": 4}
    own = [(patient, f"present {concept}") for concept, most in said.items() for patient in range(most)]
    patients = np.arange(9)
    rows = Rows.of(patients.tolist(), [DAY_OF_2020] * 9, patients.tolist())
    told = overview_of(patients, rows, told_of(rows.notes(), Pages({"own": own})), NobodyKnown(), lexicon)
    names = [one.name for one in told.findings]
    assert names == ["infection", "analgesic", "metformin", "sepsis", "aspirin", "medication"]


def test_of_nobody_nothing_is_told() -> None:
    told = overview_of(np.array([], dtype=np.int64), NONE, told_of(NONE.note, Pages({})), NobodyKnown(), None)
    assert (told.sexes, told.ages, told.years, told.types, told.findings) == ((), (), (), (), ())


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 400), st.integers(-1, 110)), max_size=60), st.data())
def test_everybody_counts_once(evidence: list[tuple[int, int, int]], data: st.DataObject) -> None:
    patients = sorted({no for no, _, _ in evidence} | {31})
    first: dict[int, int] = {}
    rows = Rows.of(*zip(*[(no, day, n) for n, (no, day, _) in enumerate(evidence)], strict=True)) if evidence else NONE
    ages = [evidence[note][2] for note in rows.note.tolist()]
    for no, age in zip(rows.patient.tolist(), ages, strict=True):
        if age >= 0:
            first.setdefault(no, age)
    women = data.draw(st.sets(st.sampled_from(patients)))
    told = overview_of(
        np.array(patients), rows, told_of(rows.notes(), Pages({})), Told(ages, {"female": sorted(women)}), None
    )
    for name, counts in told.ages:
        here = [no for no in patients if band(first.get(no)) == name]
        by_sex = dict(zip(told.sexes, counts, strict=True))
        assert by_sex.get("female", 0) == len(women & set(here))
        assert sum(counts) == len(here)
    assert sum(sum(counts) for _, counts in told.ages) == len(patients)


def test_the_least_used_is_forgotten() -> None:
    told = Remembered(most=2)
    one, two, three = ({"own": Counter({"present C:1": n})} for n in (1, 2, 3))
    told.put("a", one)
    told.put("b", two)
    assert told.get("a") == one
    told.put("c", three)
    assert [told.get(key) for key in "abc"] == [one, None, three]
