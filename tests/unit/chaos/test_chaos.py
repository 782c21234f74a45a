"""What the chaos driver is told apart by: the plan repeats, and each kind of disagreement is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from ingest.ledger import StoredNote
from search_stack.core.schema import Note
from tests.chaos import plan
from tests.chaos.check import Shown, edition_of, unlike_ledger
from tests.chaos.faults import FAULTS, faults
from tests.chaos.workload import Model, note_id, note_text, patient_id


def stored(key: int, number: int, edition: int) -> StoredNote:
    note = Note(note_id(number), note_text(number, edition), patient_id(number, edition))
    return StoredNote(key, edition, "indexed", 0, "", 1, 0, note)


def shown(key: int, number: int, edition: int, begin: int = 0, end: int | None = None) -> Shown:
    text = note_text(number, edition)
    end = len(text) if end is None else end
    return Shown(
        f"{key}.0", key, note_id(number), patient_id(number, edition), begin, end, text[begin:end], version=edition
    )


LEDGER = {1: stored(1, 5, 2), 2: stored(2, 6, 1)}


def test_every_fault_comes_once_before_any_comes_again_and_a_seed_repeats() -> None:
    for kind in ("sqlite", "postgresql"):
        names = list(faults(kind))
        steps = list(islice(plan.steps(3, names), 2 * len(names)))
        assert {s.fault for s in steps[: len(names)]} == {s.fault for s in steps[len(names) :]} == set(names)
        assert steps == plan.first(2 * len(names), 3, names)
        assert steps != plan.first(2 * len(names), 4, names)
    assert len({f.name for f in FAULTS}) == len(FAULTS)


def test_an_index_that_agrees_is_not_complained_of() -> None:
    assert unlike_ledger([shown(1, 5, 2), shown(2, 6, 1)], LEDGER) == {}


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (shown(3, 6, 1), "orphaned: no note in the ledger"),
        (shown(2, 5, 2), "wrong: the key leads to another note or patient"),
        (replace(shown(2, 6, 1), patient_id="p-other"), "wrong: the key leads to another note or patient"),
        (replace(shown(2, 6, 1), version=2), "stale: another version or text"),
        (replace(shown(2, 6, 1), text="FINDINGS: something else"), "stale: another version or text"),
    ],
)
def test_what_does_not_agree_is_told_by_its_kind(wrong: Shown, kind: str) -> None:
    assert unlike_ledger([shown(1, 5, 2), wrong], LEDGER)[kind] == 1


def test_a_passage_that_is_there_twice_is_told() -> None:
    assert unlike_ledger([shown(1, 5, 2), replace(shown(1, 5, 2), id="1.1")], LEDGER) == {"doubled": 1}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: replace(s, note_id="n6"),
        lambda s: replace(s, patient_id="p-other"),
        lambda s: replace(s, begin=s.begin + 1),
        lambda s: replace(s, text="no mark at all"),
        lambda s: replace(s, text=s.text + " n6e1"),
    ],
)
def test_a_hit_that_no_note_says_is_told(spoil: Callable[[Shown], Shown]) -> None:
    assert edition_of(shown(1, 5, 2)) == 2
    with pytest.raises(ValueError, match="passage"):
        edition_of(spoil(shown(1, 5, 2)))


def test_what_may_be_shown_follows_what_was_acknowledged() -> None:
    model = Model()
    model.found(model.offer([1, 2]))
    model.offer([1])
    assert (model.oldest()[1], model.newest()[1]) == (1, 2)  # either, until the second is found
    model.leave([2])
    assert (model.oldest()[2], model.newest()[2]) == (1, 1)
    model.gone([2])
    assert model.oldest()[2] > model.newest()[2]  # none at all
    assert (model.wanted, model.absent()) == ({1: 2}, [2])
    assert model.offer([2]) == {2: 2}
