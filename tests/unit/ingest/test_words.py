"""What reviewers wrote goes with notes that it may quote, and nothing else of what they said."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DatabaseError

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.forgetting import Forgetting
from ingest.ledger.tables import review_decisions
from ingest.readers import Record, Withdrawn
from ingest.review.store import Reviews
from ingest.run.rejects import Rejects
from ingest.run.taking_in import take_in
from search_stack.core.schema import Merge, Note
from search_stack.review.decisions import Given
from search_stack.review.fields import Quote, Value
from search_stack.review.marks import Item
from tests.unit.ingest.cohorts.conftest import Make, make_found, store

__all__ = ["make_found", "store"]
SECRET = "gossamer"


@pytest.fixture
def reviews(ledger: Ledger, store: Store, make_found: Make) -> Reviews:
    """Of the patients A, B and C, with a note each in a collection of their own."""
    run = ledger.start_run("file", "csv")
    ledger.put([Note(f"n{id}", f"Old {SECRET}.", id, collection=f"of {id}") for id in "ABC"], run)
    saved = store.save("fever", make_found((1, 10, 1), (2, 11, 2), (3, 12, 3)), "mo")
    reviews = Reviews(ledger.engine, saved.cohort_id)
    reviews.add_field("Size", "number", (), "mo")
    reviews.add_field("Cause", "text", (), "mo")
    return reviews


def decide(reviews: Reviews, patient: int, final: bool = False) -> int:
    filled = {1: Value("12"), 2: Value(SECRET, Quote(patient, 1, 4, 17))}
    words = Given(patient, 1, "e" * 64, "include", f"{SECRET}!", f"It says {SECRET}.", filled)
    return reviews.decide("mo" if final else "lee", words, final).id


def everything(ledger: Ledger) -> str:
    with ledger.engine.connect() as c:
        return repr(c.execute(select(review_decisions)).all())


@pytest.mark.parametrize(
    "gone", [lambda one: one.mark_deleting(["nA"]), lambda one: one.mark_deleting(None, "of A")], ids=["note", "all"]
)
def test_words_go_and_verdicts_stay(ledger: Ledger, reviews: Reviews, gone: Callable[[Ledger], object]) -> None:
    first = decide(reviews, 1)
    reviews.undo("lee", first)
    decide(reviews, 1)
    decide(reviews, 1, final=True)
    other = reviews.decide("lee", Given(2, 1, "e" * 64, "exclude", comment="of B"))
    reviews.decide("kim", Given(1, 1, "e" * 64, "doubt"))  # without a word
    assert ledger.words_about(["nA", "nB", "nothing"]) == 4
    assert (ledger.words_about(["nA"]), ledger.words_about(None, "of A"), ledger.words_about(["nC"])) == (3, 3, 0)
    gone(ledger)
    assert SECRET not in everything(ledger)
    own, final = reviews.standing(), reviews.final()[1]
    for decision in (own.of("lee")[1], final):
        given = decision.given
        assert (given.verdict, given.evidence, given.reason, given.comment) == ("include", "e" * 64, "", "")
        assert given.values == {1: Value("12")}
        assert decision.words_gone is not None
    assert (own.of("kim")[1].words_gone, own.of("lee")[2]) == (None, other)
    assert (reviews.undo("lee", first).id, ledger.words_about(["nA"])) == (first, 0)


def test_words_go_with_what_a_source_withdraws(ledger: Ledger, reviews: Reviews, tmp_path: Path) -> None:
    decide(reviews, 1)
    decide(reviews, 2)
    gone = [Record(Withdrawn(f"n{id}", f"of {id}"), 1) for id in "AB"]
    with closing(Rejects(tmp_path / "rejects.jsonl", 10)) as rejects:
        totals = take_in(gone, "x", ledger, ledger.start_run("x", "fhir"), rejects, lambda _: None)
    assert (totals["withdrawn"], totals["words"]) == (2, 2)
    assert SECRET not in everything(ledger)


def test_words_are_kept_where_that_is_asked_for(ledger: Ledger, reviews: Reviews) -> None:
    decide(reviews, 1)
    before = everything(ledger)
    ledger.mark_deleting(["nA"], keep_words=True)
    assert everything(ledger) == before


def test_words_about_any_id_of_the_patient_go(ledger: Ledger, reviews: Reviews) -> None:
    decide(reviews, 1)
    ledger.merges.put([Merge("A", "B"), Merge("C", "B")])
    decide(reviews, 2)
    ledger.merges.put([Merge("C")])
    ledger.mark_deleting(["nC"])  # what was said of all three may quote it
    assert everything(ledger).count(f"It says {SECRET}.") == 1
    ledger.mark_deleting(["nB"])  # and what was said of A, who is B
    assert SECRET not in everything(ledger)


@pytest.mark.parametrize(
    "change", ["verdict = 'doubt'", "comment = 'other'", 'filled = \'{"1": {"value": "longer"}}\'']
)
def test_nothing_but_words_can_be_taken_out(ledger: Ledger, reviews: Reviews, change: str) -> None:
    reviews.decide("lee", Given(1, 1, "e" * 64, "include", values={1: Value("12")}))
    before = everything(ledger)
    with pytest.raises(DatabaseError), writing(ledger.engine) as c:
        c.execute(text(f"UPDATE review_decisions SET words_gone = made, {change}"))
    assert everything(ledger) == before


def test_who_is_forgotten_takes_along_what_was_said_while_another_was_the_same(
    ledger: Ledger, reviews: Reviews
) -> None:
    ledger.merges.put([Merge("A", "B")])
    both = decide(reviews, 2)
    reviews.mark("lee", 2, Item("fever", "fever", SECRET, "present", 1, 1, 0, 5), "right")
    ledger.merges.put([Merge("A")])
    reviews.undo("lee", both)
    kept = reviews.decide("kim", Given(2, 1, "e" * 64, "exclude", comment="of B"))
    held = Forgetting(ledger.engine).held("A")
    assert held is not None
    assert held.decisions == 3
    Forgetting(ledger.engine).mark(held)
    assert SECRET not in everything(ledger)
    assert reviews.standing().of("kim") == {2: kept}
    assert reviews.marks() == {}
