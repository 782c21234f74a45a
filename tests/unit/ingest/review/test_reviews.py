"""The review of a cohort in each kind of database: rows are added, and go along."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.database import open_database, writing
from ingest.ledger.move import move
from ingest.ledger.tables import review_decisions, review_marks
from ingest.review.store import MOST_FIELDS, Reviews
from search_stack.core.errors import AspectraError, NotKept, NotPossible
from search_stack.core.schema import Merge, Note, StructuredFact
from search_stack.review.decisions import Given, Verdict
from search_stack.review.fields import Field, Quote, Value
from search_stack.review.marks import Item
from search_stack.review.queue import evidence_digest, since
from tests.unit.ingest.cohorts.conftest import Make, states

FEVER = Item("fever", "c1", "fever", "present", 7, 1, 3, 8)
FACT = Item("fact icd10 I48", "icd10:I48", "Atrial fibrillation", "", None, 0, 0, 12)


@pytest.fixture
def reviews(ledger: Ledger, store: Store, make_found: Make) -> Reviews:
    saved = store.save("fever", make_found((1, 10, 5), (2, 11, 6)), "mo")
    return Reviews(ledger.engine, saved.cohort_id)


def given(patient: int, verdict: Verdict, **other: object) -> Given:
    return Given(patient, 1, "e" * 64, verdict, **other)  # type: ignore[arg-type]  # named as the fields are


def rows(ledger: Ledger) -> int:
    with ledger.engine.connect() as c:
        return int(c.execute(select(func.count()).select_from(review_decisions)).scalar_one())


def test_a_decision_comes_back_as_it_was_made(reviews: Reviews) -> None:
    said = given(
        1,
        "doubt",
        reason="r\u00e9",
        comment="Zw\u00f6lf\nlines",
        values={3: Value("12.5"), 4: Value("x", Quote(7, 2, 0, 5))},
    )
    made = reviews.decide("dr.lee", said)
    assert made.given == said
    assert reviews.standing().of("dr.lee") == {1: made}
    assert reviews.standing().of("dr.kim") == {}


def test_the_same_again_adds_nothing_and_an_undo_takes_one_back_once(ledger: Ledger, reviews: Reviews) -> None:
    first = reviews.decide("dr.lee", given(1, "include"))
    assert reviews.decide("dr.lee", given(1, "include")).id == first.id
    second = reviews.decide("dr.lee", given(1, "exclude"))
    reviews.decide("dr.kim", given(1, "doubt"))
    assert rows(ledger) == 3
    for _ in range(2):
        assert reviews.undo("dr.lee", second.id).patient == 1
    assert rows(ledger) == 4
    assert reviews.standing().of("dr.lee")[1].verdict == "include"
    assert reviews.standing().of("dr.kim")[1].verdict == "doubt"
    for who, which in (("dr.kim", first.id), ("dr.lee", 999)):
        with pytest.raises(NotKept, match="no such decision of yours"):
            reviews.undo(who, which)
    with pytest.raises(NotKept):
        reviews.undo("dr.lee", first.id, final=True)
    again = reviews.decide("dr.lee", given(1, "exclude"))
    assert again.id != second.id


def test_an_undo_of_two_hands_at_once_takes_back_once(ledger: Ledger, reviews: Reviews) -> None:
    made = reviews.decide("dr.lee", given(1, "include"))
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: reviews.undo("dr.lee", made.id).id, range(8)))
    assert set(taken) == {made.id}
    assert rows(ledger) == 2


def test_what_settles_stands_apart_and_the_last_word_counts(reviews: Reviews) -> None:
    reviews.decide("dr.lee", given(1, "include"))
    reviews.decide("mo", given(1, "exclude"), final=True)
    last = reviews.decide("jo", given(1, "doubt"), final=True)
    assert {p: (d.reviewer, d.verdict) for p, d in reviews.final().items()} == {1: ("jo", "doubt")}
    assert reviews.standing().reviewers == ("dr.lee",)
    reviews.undo("jo", last.id, final=True)
    assert reviews.final()[1].verdict == "exclude"


def test_decisions_survive_the_next_version_and_say_what_became_of_the_evidence(
    store: Store, reviews: Reviews, make_found: Make
) -> None:
    before = store.version("fever")
    made = {p: reviews.decide("dr.lee", Given(p, before.number, evidence_digest(before, p), "include")) for p in (1, 2)}
    newest = store.save("fever", make_found((1, 10, 5), (1, 12, 9), (2, 11, 6)), "mo")
    assert reviews.standing().of("dr.lee") == made
    assert {p: since(one, newest) for p, one in made.items()} == {1: "changed", 2: "same"}
    rewritten = make_found((1, 10, 5), (2, 11, 6), notes=states((5, 1, 0, 5), (6, 2, 0, 9)))
    newest = store.save("fever", rewritten, "mo")
    assert {p: since(one, newest) for p, one in made.items()} == {1: "same", 2: "changed"}
    newest = store.save("fever", make_found((2, 11, 6)), "mo")
    assert {p: since(one, newest) for p, one in made.items()} == {1: "gone", 2: "same"}


def test_marks_stand_by_reviewer_and_item(reviews: Reviews) -> None:
    reviews.mark("dr.lee", 1, FEVER, "right")
    reviews.mark("dr.lee", 1, FEVER, "wrong")
    reviews.mark("dr.lee", 2, FACT, "right")
    reviews.mark("dr.kim", 1, FEVER, "right")
    reviews.mark("dr.kim", 1, FEVER, None)
    marks = reviews.marks()
    assert {item: mark.reading for item, mark in marks["dr.lee"].items()} == {FEVER: "wrong", FACT: "right"}
    assert marks["dr.kim"] == {}
    assert list(reviews.marks(2)["dr.lee"]) == [FACT]


def test_marks_are_of_the_patient_whose_the_note_or_fact_is(ledger: Ledger, reviews: Reviews) -> None:
    run = ledger.start_run("file", "csv")
    ledger.put([Note(f"n{id}", "There is fever.", id, collection="c") for id in "AB"], run)
    ledger.facts.put([StructuredFact("A", "icd10", "I48", collection="c")], run)
    mention, fact = replace(FEVER, note=1), replace(FACT, end=1)
    ledger.merges.put([Merge("A", "B")])
    for item in (mention, fact, FEVER):
        reviews.mark("dr.lee", 2, item, "right")
    assert {mark.patient for mark in reviews.marks(2)["dr.lee"].values()} == {2}
    ledger.merges.put([Merge("A")])
    assert list(reviews.marks(1)["dr.lee"]) == [mention, fact]
    assert list(reviews.marks(2)["dr.lee"]) == [FEVER]  # of a note that is not there
    assert {mark.patient for mark in reviews.marks()["dr.lee"].values()} == {1, 2}


def test_a_decision_of_several_ids_says_which_they_were(ledger: Ledger, reviews: Reviews) -> None:
    run = ledger.start_run("file", "csv")
    ledger.put([Note(f"n{id}", "There is fever.", id, collection="c") for id in "AB"], run)
    ledger.facts.put([StructuredFact(id, "icd10", "I48", collection="c") for id in "AC"], run)
    ledger.merges.put([Merge("A", "B"), Merge("C", "B"), Merge("empty", "B")])
    number = ledger.people.numbers("ABC")["A"]
    made = reviews.decide("dr.lee", given(1, "include"))
    assert (made.patient, made.of) == (number, {1, 2, 3})
    assert reviews.decide("dr.lee", given(2, "include")) == made
    # An id that brought nothing takes nothing with it.
    ledger.merges.put([Merge("empty")])
    assert reviews.standing().of("dr.lee") == {number: made}
    ledger.merges.put([Merge("C")])
    assert reviews.standing().of("dr.lee") == {}


def test_fields_are_asked_for_until_they_are_retired(reviews: Reviews) -> None:
    reviews.add_field("Size", "number", (), "mo")
    reviews.add_field("Side", "choice", ("left", "right"), "mo")
    size, side = reviews.fields()
    assert (size, side) == (Field(size.id, "Size", "number"), Field(side.id, "Side", "choice", ("left", "right")))
    with pytest.raises(NotPossible, match="already"):
        reviews.add_field("size", "text", (), "mo")
    reviews.retire_field(size.id)
    assert reviews.fields() == (side,)
    assert reviews.fields(retired=True) == (size, side)
    reviews.add_field("size", "text", (), "mo")
    for n in range(MOST_FIELDS - 2):
        reviews.add_field(f"f{n}", "text", (), "mo")
    with pytest.raises(NotPossible, match="There are 20 fields"):
        reviews.add_field("one more", "text", (), "mo")


def test_what_no_database_takes_is_refused(reviews: Reviews) -> None:
    for odd in ("a\0", "a\ud800", "x" * 4001):
        with pytest.raises(AspectraError):
            reviews.decide("dr.lee", given(1, "include", comment=odd))
    assert reviews.standing().reviewers == ()


@pytest.mark.parametrize("table", [review_decisions, review_marks], ids=["decisions", "marks"])
def test_what_was_said_cannot_be_changed(ledger: Ledger, reviews: Reviews, table: object) -> None:
    reviews.decide("dr.lee", given(1, "include"))
    reviews.mark("dr.lee", 1, FEVER, "right")
    with pytest.raises(DatabaseError), writing(ledger.engine) as c:
        c.execute(text(f"UPDATE {table} SET reviewer = 'mo'"))
    assert reviews.standing().reviewers == ("dr.lee",)


def test_a_review_goes_with_its_cohort(ledger: Ledger, store: Store, reviews: Reviews, make_found: Make) -> None:
    other = store.save("cough", make_found((1, 10, 5)), "mo")
    others = Reviews(ledger.engine, other.cohort_id)
    for one in (reviews, others):
        one.undo("dr.lee", one.decide("dr.lee", given(1, "include")).id)
        one.mark("dr.lee", 1, FEVER, "right")
        one.add_field("Size", "number", (), "mo")
        one.decide("dr.lee", given(1, "exclude"))
    store.delete("fever")
    assert reviews.standing().reviewers == ()
    assert (reviews.marks(), reviews.fields(retired=True)) == ({}, ())
    assert others.standing().of("dr.lee")[1].verdict == "exclude"
    with pytest.raises(NotKept):
        reviews.decide("dr.lee", given(1, "include"))


def test_a_review_moves_with_the_ledger(
    ledger: Ledger, reviews: Reviews, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    first = reviews.decide("dr.lee", given(1, "include", values={1: Value("12")}))
    reviews.undo("dr.lee", first.id)
    kept = reviews.decide("dr.lee", given(2, "doubt"))
    reviews.mark("dr.lee", 1, FEVER, "right")
    reviews.add_field("Size", "number", (), "mo")
    sqlite = ledger.engine.dialect.name == "sqlite"
    address = f"sqlite:///{tmp_path / 'to.sqlite3'}" if sqlite else request.getfixturevalue("make_postgresql")()
    move(ledger.engine, address, lambda done, total: None)
    moved = Reviews(open_database(address), 1)
    assert moved.standing().of("dr.lee") == {2: kept}
    assert moved.marks()["dr.lee"][FEVER].reading == "right"
    assert [field.name for field in moved.fields()] == ["Size"]
    assert moved.decide("dr.lee", given(1, "include")).id == kept.id + 1
    with pytest.raises(DatabaseError), writing(open_database(address)) as c:
        c.execute(text(f"UPDATE {review_decisions} SET reason = 'other'"))
