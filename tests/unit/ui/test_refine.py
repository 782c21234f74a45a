"""Chips and facets: each carries the whole query line that it leads to."""

from __future__ import annotations

from dataclasses import replace

from search_stack.answer import FacetValue
from search_stack.criteria import ConceptTerm, parse
from ui.refine import chips, facets, with_note, with_patient, years


def test_each_filter_is_a_chip_that_takes_only_itself_off() -> None:
    query = parse("effusion -cough section:impression section:findings after:2019")
    found = chips(query, query)
    assert [(c.name, c.value, c.line) for c in found] == [
        ("without", "cough", "effusion section:impression section:findings after:2019"),
        ("section", "impression", "effusion -cough section:findings after:2019"),
        ("section", "findings", "effusion -cough section:impression after:2019"),
        ("from", "2019-01-01", "effusion -cough section:impression section:findings"),
    ]


def test_the_last_filter_leaves_an_empty_line() -> None:
    assert [c.line for c in chips(parse("section:impression"), parse("section:impression"))] == [""]


def test_words_are_no_chips() -> None:
    query = parse('effusion OR "chest pain"')
    assert chips(query, query) == ()


def test_what_words_exclude_is_a_chip_too() -> None:
    typed = parse("effusion without pneumothorax -cough type:letter")
    terms = {name: ConceptTerm(name, concept=name, strict=False) for name in ("effusion", "pneumothorax", "cough")}
    understood = replace(
        typed, clauses=((terms["effusion"],),), excluded=(terms["cough"], terms["pneumothorax"]), within=None
    )
    without_cough, without_pneumothorax, _ = chips(typed, understood)
    assert (without_cough.value, without_cough.line) == ("cough", "effusion without pneumothorax type:letter")
    assert without_pneumothorax.value == "pneumothorax"
    assert without_pneumothorax.line == "finding:effusion present -finding:cough present type:letter"


def test_a_facet_puts_its_filter_on_and_takes_it_off_again() -> None:
    query = parse("effusion section:Impression")
    (section,) = facets(query, {"section": [FacetValue("impression", 8), FacetValue("findings", 2)]})
    on, off = section.rows
    assert (on.active, on.line) == (True, "effusion")
    assert (off.active, off.line) == (False, "effusion section:Impression section:findings")


def test_bars_are_shares_of_the_longest_and_never_vanish() -> None:
    (kind,) = facets(parse("a"), {"type": [FacetValue("letter", 1000), FacetValue("report", 250), FacetValue("x", 1)]})
    assert [row.share for row in kind.rows] == [100, 25, 1]


def test_a_value_that_cannot_be_asked_for_has_no_line() -> None:
    (kind,) = facets(
        parse("a"), {"type": [FacetValue("", 3), FacetValue('5" scan', 2), FacetValue("clinic letter", 1)]}
    )
    assert [row.line for row in kind.rows] == [None, None, 'a type:"clinic letter"']


def test_a_year_replaces_the_dates_and_a_second_time_lifts_them() -> None:
    (before, chosen) = years(parse("a after:2021 before:2022"), [FacetValue("2021", 4), FacetValue("2019", 2)])
    assert (before.value, before.active, before.line) == ("2019", False, "a after:2019 before:2020")
    assert (chosen.value, chosen.active, chosen.line) == ("2021", True, "a")


def test_the_last_year_of_the_calendar_has_no_end() -> None:
    assert years(parse("a"), [FacetValue("9999", 1)])[0].line == "a after:9999"


def test_one_patient_or_one_note() -> None:
    query = parse("effusion patient:P-1")
    assert with_patient(query, "P-2") == "effusion patient:P-2"
    assert with_note(query, "ward 7") == 'effusion patient:P-1 note:"ward 7"'
    assert with_patient(query, '"') is None
