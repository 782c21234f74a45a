from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.criteria import ConceptTerm, Query, QueryError, Term, parse
from search_stack.lexicon.concepts import Concept, Lexicon
from search_stack.understanding import Understanding

LEXICON = Lexicon(
    [
        Concept("pneumothorax", "pneumothorax", "finding", abbreviations=("PTX",)),
        Concept("effusion", "effusion", "finding"),
        Concept("pleural-effusion", "pleural effusion", "finding", parents=("effusion",)),
        Concept("asthma", "asthma", "disorder"),
        Concept("lung", "lung", "anatomy"),
    ]
)
UNDERSTANDING = Understanding.of(LEXICON)


def understood(line: str) -> Query:
    return UNDERSTANDING.understand(parse(line))


def found(line: str) -> list[tuple[str, str]]:
    return [(t.concept, t.assertion) for t in understood(line).concepts]


def words(line: str) -> list[str]:
    return [t.text for c in understood(line).clauses for t in c if isinstance(t, Term)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pneumothorax", [("pneumothorax", "present")]),
        ("Pneumothoraces", [("pneumothorax", "present")]),
        ("PTX", [("pneumothorax", "present")]),
        ("pleural effusion", [("pleural-effusion", "present")]),
        ("pleural effusion pneumothorax", [("pleural-effusion", "present"), ("pneumothorax", "present")]),
        ("effusion and pneumothorax", [("effusion", "present"), ("pneumothorax", "present")]),
        ("no pneumothorax", [("pneumothorax", "absent")]),
        ("no evidence of pneumothorax", [("pneumothorax", "absent")]),
        ("pneumothorax absent", [("pneumothorax", "absent")]),
        ("possible pneumothorax", [("pneumothorax", "possible")]),
        ("family history of asthma", [("asthma", "family")]),
        ("asthma any", [("asthma", "any")]),
        ("effusion OR PTX", [("effusion", "present"), ("pneumothorax", "present")]),
        ("finding:PTX absent", [("pneumothorax", "absent")]),
    ],
)
def test_words_become_findings(line: str, expected: list[tuple[str, str]]) -> None:
    assert found(line) == expected
    assert words(line) == []


def test_words_that_name_nothing_stay_words() -> None:
    assert understood("left lower lobe").clauses == parse("left lower lobe").clauses
    assert words("small left pneumothorax yesterday") == ["small", "left", "yesterday"]
    assert found("small left pneumothorax yesterday") == [("pneumothorax", "present")]


def test_anatomy_is_no_finding() -> None:
    assert found("lung") == []


@pytest.mark.parametrize("line", ["effusion without pneumothorax", "effusion -pneumothorax", "effusion NOT PTX"])
def test_what_is_excluded_is_the_finding_where_it_is_present(line: str) -> None:
    query = understood(line)
    assert [t.concept for t in query.concepts] == ["effusion"]
    assert [(t.concept, t.assertion) for t in query.excluded if isinstance(t, ConceptTerm)] == [
        ("pneumothorax", "present")
    ]


def test_a_quoted_name_is_the_finding_and_the_phrase() -> None:
    (term,) = understood('"pleural effusion"').concepts
    assert (term.concept, term.words) == ("pleural-effusion", "pleural effusion")
    (excluded,) = understood('asthma -"pleural effusion"').excluded
    assert isinstance(excluded, ConceptTerm)
    assert (excluded.concept, excluded.words) == ("pleural-effusion", "")


def test_only_named_findings_are_strict() -> None:
    assert [t.strict for t in understood("finding:effusion pneumothorax").concepts] == [True, False]


def test_an_entity_is_looked_up() -> None:
    assert understood("entity:asthma").concepts[0].concept == "asthma"


@pytest.mark.parametrize("line", ["finding:pnuemothoraxis", "entity:qwertz", "cough -finding:qwertz"])
def test_a_name_that_no_lexicon_holds_is_refused(line: str) -> None:
    with pytest.raises(QueryError, match="in the lexicon"):
        understood(line)


def test_a_near_name_is_offered() -> None:
    with pytest.raises(QueryError) as caught:
        understood("finding:pnuemotorax")
    assert "pneumothorax" in caught.value.remedy


@given(
    st.lists(
        st.sampled_from(
            ["no", "pneumothorax", "pleural", "effusion", "left", "without", "and", "PTX", "absent", "asthma", "x"]
        )
    )
)
def test_nothing_that_is_asked_is_lost(typed: list[str]) -> None:
    """Each word ends in a criterion, an exclusion, an assertion, or is a link between them."""
    if not typed:
        return
    query = understood(" ".join(typed))
    names = [t.name for t in query.concepts]
    names += [t.name for t in query.excluded if isinstance(t, ConceptTerm)]
    kept = " ".join([*names, *(t.text for c in query.clauses for t in c if isinstance(t, Term))]).split()
    dropped = set(typed) - set(kept)
    assert dropped <= {"no", "without", "and", "absent"}
    assert all(t.concept for t in query.concepts)


@pytest.mark.parametrize(
    ("line", "alone"),
    [
        ("pneumothorax", True),
        ("no effusion", True),
        ("effusion walking", False),
        ('"effusion"', False),
        ("type:letter", False),
    ],
)
def test_the_labels_alone_answer_what_names_findings_only(line: str, alone: bool) -> None:
    assert understood(line).labelled == alone
