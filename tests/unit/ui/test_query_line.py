"""Criteria written back as a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.criteria import Query, QueryError, Term, parse
from ui.query_line import writable, write


@pytest.mark.parametrize(
    "line",
    [
        "effusion",
        "effusion OR pneumothorax cough",
        '"chest pain" -"pleural plaque" -cough',
        'effusion section:impression section:"past medical history" type:"radiology report"',
        "effusion patient:P-00317 note:demo-0001 collection:demo after:2019 before:2020-03",
        "x-ray COVID-19 5mg/ml",
    ],
)
def test_a_line_in_the_usual_form_is_written_as_it_was(line: str) -> None:
    assert write(parse(line)) == line


def test_a_word_that_would_read_as_something_else_is_quoted() -> None:
    assert write(Query(clauses=((Term("OR"),), (Term("section:"),)))) == '"OR" "section:"'
    assert write(Query(clauses=((Term("a"),),), excluded=(Term("--b"),))) == 'a -"--b"'


_ATOMS = ("a", "ab-c", "OR", "AND", "NOT", "-", ":", '"', "x y", "section:", "type:", "foo:bar", "after:2019", " ", " ")


@given(st.lists(st.sampled_from(_ATOMS), max_size=12).map("".join))
def test_whatever_is_read_can_be_written_and_read_again(line: str) -> None:
    try:
        query = parse(line)
    except QueryError:
        return
    again = parse(write(query))
    assert (again.sections, again.types, again.after) == (query.sections, query.types, query.after)
    assert [t.text for c in again.clauses for t in c] == [t.text for c in query.clauses for t in c]
    assert [t.text for t in again.excluded] == [t.text for t in query.excluded]
    assert write(again) == write(query)


def test_a_value_that_no_line_can_say_is_told_apart() -> None:
    assert writable("section", "past medical history")
    assert not writable("section", "")
    assert not writable("section", 'the "old" one')
    assert not writable("type", "—")
