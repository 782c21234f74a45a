"""Entries of a vocabulary as concepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.vocab import Converted, convert
from ingest.vocab.entry import Entry
from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import Concept

SHIPPED = {c.id: c for c in (Concept("pneumonia", "pneumonia", "disorder", synonyms=("lung infection",)),)}
FILE = Path("some.obo")


def converted(*entries: Entry) -> Converted:
    return convert(entries, FILE, "disorder", SHIPPED)


def test_names_and_lines_are_kept() -> None:
    (placed,) = converted(Entry("X:1", ("Cough (finding)", "tussis", "CGH1"), 7)).placed
    assert placed.concept == Concept("X:1", "Cough", "disorder", (), ("tussis",), ("CGH1",))
    assert (placed.file, placed.line) == ("some.obo", 7)


def test_an_entry_may_tell_its_own_kind() -> None:
    assert converted(Entry("X:1", ("aspirin",), 1, kind="drug")).placed[0].concept.kind == "drug"


def test_entries_of_one_id_are_merged() -> None:
    done = converted(
        Entry("X:1", ("cough",), 1, ("X:2",)), Entry("X:2", ("airway sign",), 2), Entry("X:1", ("tussis",), 3, ("X:2",))
    )
    assert [p.concept for p in done.placed] == [
        Concept("X:1", "cough", "disorder", ("X:2",), ("tussis",)),
        Concept("X:2", "airway sign", "disorder"),
    ]
    assert done.merged == 1


def test_a_concept_with_a_shipped_name_is_left_to_the_shipped_one() -> None:
    done = converted(
        Entry("X:1", ("Pneumonia, unspecified",), 1), Entry("X:2", ("odd pneumonia",), 2, ("X:1", "X:3")),
        Entry("X:3", ("Lung infection",), 3),
    )  # fmt: skip
    assert {p.concept.id: p.concept.parents for p in done.placed} == {"X:2": ("pneumonia", "X:3"), "X:3": ()}
    assert (done.shipped, done.orphaned) == (1, 0)


def test_parents_that_are_nowhere_are_left_out_and_counted() -> None:
    done = converted(Entry("X:1", ("cough",), 1, ("X:7", "X:2")), Entry("X:2", ("disease",), 2))
    assert [p.concept.parents for p in done.placed] == [()]
    assert (done.orphaned, done.nameless) == (1, 1)


def test_names_are_counted() -> None:
    assert converted(Entry("X:1", ("cough", "tussis", "CGH1"), 1), Entry("X:2", ("fever",), 2)).names == 4


@pytest.mark.parametrize("id", ["", "X 1", "X;1", "X" * 81])
def test_an_id_that_cannot_be_one_is_refused_with_its_line(id: str) -> None:
    with pytest.raises(AspectraError, match=r"some\.obo:5: id: "):
        converted(Entry("X:0", ("fever",), 1), Entry(id, ("cough",), 5))
