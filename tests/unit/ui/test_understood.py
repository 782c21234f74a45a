from __future__ import annotations

from search_stack.answer import FacetValue
from search_stack.criteria import ConceptTerm, Query, Term, parse
from ui.understood import understood

QUERY = Query(clauses=((ConceptTerm("pleural effusion", concept="pleural-effusion", strict=False),), (Term("left"),)))


def test_each_assertion_is_a_line_that_asks_for_it() -> None:
    (shown,) = understood(QUERY, [FacetValue("present", 12), FacetValue("absent", 30)])
    assert (shown.name, shown.assertion) == ("pleural effusion", "present")
    lines = {c.assertion: c for c in shown.choices}
    assert [c.assertion for c in shown.choices if c.active] == ["present"]
    assert (lines["absent"].passages, lines["family"].passages) == (30, 0)
    asked = parse(lines["absent"].line)
    assert (asked.concepts[0].name, asked.concepts[0].assertion) == ("pleural effusion", "absent")
    assert asked.clauses[1] == (Term("left"),)


def test_what_was_not_counted_says_so() -> None:
    assert {c.passages for c in understood(QUERY, [])[0].choices} == {None}


def test_an_entity_has_no_assertion_to_choose() -> None:
    query = Query(clauses=((ConceptTerm("asthma", role="entity", assertion="any", concept="asthma"),),))
    (shown,) = understood(query, [])
    assert (shown.role, shown.choices) == ("entity", ())
