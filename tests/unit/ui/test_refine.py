"""Facets, years, one patient or note: each carries the whole query line that it leads to."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import FieldIs, Finding
from search_stack.query.tree import all_of, criteria, pruned
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import FacetValue, FindingCounts
from ui.refine import facets, findings, with_field, with_note, with_patient, without_field, years

LETTER = FieldIs("type", "letter")


def test_a_facet_puts_its_filter_on_and_takes_it_off_again(understanding: Understanding) -> None:
    asked = understanding.understand("effusion section:Impression")
    (section,) = facets(asked, {"section": [FacetValue("impression", 8), FacetValue("findings", 2)]})
    on, off = section.rows
    assert (on.active, on.line) == (True, "effusion")
    assert (off.active, off.count) == (False, 2)
    both = understanding.understand(str(off.line))
    assert both.query == understanding.understand("effusion (section:Impression OR section:findings)").query
    (section,) = facets(both, {"section": [FacetValue("impression", 8), FacetValue("findings", 2)]})
    assert [row.active for row in section.rows] == [True, True]
    only = [understanding.understand(str(row.line)).query for row in section.rows]
    assert only == [understanding.understand(f"effusion section:{s}").query for s in ("findings", "Impression")]


def test_fields_without_a_heading_and_without_values_are_no_facets(understanding: Understanding) -> None:
    asked = understanding.understand("effusion")
    counted = {"patient": [FacetValue("P-1", 3)], "section": [], "type": [FacetValue("letter", 1)]}
    assert [f.name for f in facets(asked, counted)] == ["Note type"]


def test_bars_are_shares_of_the_longest_and_never_vanish(understanding: Understanding) -> None:
    values = [FacetValue("letter", 1000), FacetValue("report", 250), FacetValue("x", 1)]
    (kind,) = facets(understanding.understand("effusion"), {"type": values})
    assert [row.share for row in kind.rows] == [100, 25, 1]


def test_a_value_that_cannot_be_asked_for_has_no_line(understanding: Understanding) -> None:
    values = [FacetValue("", 3), FacetValue('5" scan', 2), FacetValue("clinic letter", 1), FacetValue("—", 1)]
    (kind,) = facets(understanding.understand("effusion"), {"type": values})
    assert [row.line for row in kind.rows] == [None, None, 'effusion type:"clinic letter"', None]


def test_the_only_filter_of_a_query_has_no_line_without_it(understanding: Understanding) -> None:
    asked = understanding.understand("type:letter")
    assert without_field(asked, LETTER) is None
    (kind,) = facets(asked, {"type": [FacetValue("letter", 1)]})
    assert [(row.active, row.line) for row in kind.rows] == [(True, None)]


def test_a_finding_beside_is_one_more_criterion(understanding: Understanding) -> None:
    asked = understanding.understand("no effusion section:impression")
    counts = tuple(FacetValue(said, n) for said, n in (("present", 4), ("absent", 2), ("family", 1)))
    (row,) = findings(asked, [FindingCounts("cough", counts)])
    assert [(cell.assertion, cell.sign, cell.count) for cell in row.cells] == [
        ("present", "", 4),
        ("absent", "no", 2),
        ("family", "family", 1),
    ]
    for cell in row.cells:
        both = all_of([*criteria(asked.query), Finding("cough", cell.assertion)])
        assert understanding.understand(cell.line).query == both


def test_a_year_replaces_the_dates_and_a_second_time_lifts_them(understanding: Understanding) -> None:
    asked = understanding.understand("cough type:letter after:2021 before:2022")
    before, chosen = years(asked, [FacetValue("2019", 2), FacetValue("2021", 4)])
    assert (before.value, before.active, before.share) == ("2019", False, 50)
    assert before.line == "finding:cough present type:letter after:2019 before:2020"
    assert (chosen.active, chosen.line) == (True, "finding:cough present type:letter")


def test_a_year_that_was_asked_for_in_words_is_chosen(understanding: Understanding) -> None:
    (row,) = years(understanding.understand("cough in 2020"), [FacetValue("2020", 1)])
    assert (row.active, row.line) == (True, "finding:cough present")


def test_a_year_that_is_all_that_was_asked_for_has_no_line_without_it(understanding: Understanding) -> None:
    rows = years(understanding.understand("after:2020 before:2021"), [FacetValue("2020", 1), FacetValue("2021", 1)])
    assert [(row.active, row.line) for row in rows] == [(True, None), (False, "after:2021 before:2022")]


def test_the_last_year_of_the_calendar_has_no_end(understanding: Understanding) -> None:
    (row,) = years(understanding.understand("cough"), [FacetValue("9999", 1)])
    assert row.line == "finding:cough present after:9999"
    assert years(understanding.understand(row.line), [FacetValue("9999", 1)])[0].active


def test_one_patient_or_one_note(understanding: Understanding) -> None:
    asked = understanding.understand("effusion patient:P-1")
    effusion = understanding.understand("effusion").query
    other = with_patient(asked, "P-2")
    assert other
    assert understanding.understand(other).query == all_of([effusion, FieldIs("patient", "P-2")])
    assert with_note(asked, "ward 7") == 'effusion patient:P-1 note:"ward 7"'
    assert with_patient(asked, '"') is None
    assert with_patient(asked, "P-1") is None


LINES = (
    "effusion",
    "no fever or cough",
    "Fever. No cough.",
    "fever;cough",
    "- fever\n- cough",
    "cough -fever",
    "(fever or chills) -cough",
    "fever OR section:findings",
    "type:report OR type:note",
    "type:report or section:findings",
    "section:findings AND fever",
    "cough without",
    "cough no",
    "could you find patients with fever in the impression?",
    "how is asthma treated",
    "fever in 2020",
    '"chest pain" words:"left side"',
    "Inclusion criteria: fever\nExclusion criteria: cough",
    "Inclusion: fever Exclusion: cough",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("key", "value"), [("type", "letter"), ("section", "impression"), ("patient", "P-1")])
def test_one_more_filter_means_just_that_whatever_was_typed(
    understanding: Understanding, line: str, key: str, value: str
) -> None:
    asked, one = understanding.understand(line), FieldIs(key, value)
    wider = with_field(asked, key, value)
    if wider is None:  # it is on already
        assert one in criteria(asked.query)
        return
    found = understanding.understand(wider)
    assert found.query == all_of([*criteria(asked.query), one])
    narrower = without_field(found, one)
    assert narrower
    assert understanding.understand(narrower).query == pruned(found.query, lambda leaf: leaf != one)


@pytest.mark.parametrize(
    "line",
    [
        "type:letter AND fever",
        "fever AND type:letter",
        "type:letter OR type:report",
        "type:report or type:letter",
        "( type:letter ) fever",
        "no fever type:letter cough",
        "- fever type:letter\n- cough",
        "fever -cough type:letter",
        "fever with type:letter after:2019",
        "fever type:letter type:letter",
    ],
)
def test_a_filter_is_taken_off_and_nothing_else_changes(understanding: Understanding, line: str) -> None:
    asked = understanding.understand(line)
    left = without_field(asked, LETTER)
    assert left
    assert understanding.understand(left).query == pruned(asked.query, lambda leaf: leaf != LETTER)


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("Effusions,  no cough type:letter", "Effusions, no cough"),
        ("fever type:letter section:findings", "fever section:findings"),
        ('fever type:letter section:"past medical history"', 'fever section:"past medical history"'),
        ("type:letter after:2019", "after:2019"),
    ],
)
def test_what_was_typed_is_kept_where_it_means_the_same(understanding: Understanding, line: str, left: str) -> None:
    assert without_field(understanding.understand(line), LETTER) == left
