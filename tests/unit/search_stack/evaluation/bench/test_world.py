"""The synthetic collection of the cohorts' benchmark: seeded, skewed, and the same in documents and arrays."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from search_stack.cohorts.rows import UNDATED
from search_stack.evaluation.bench.world import COMMONEST, FINDINGS, World, lexicon, world
from search_stack.index.passage import IndexedPassage

PATIENTS, PASSAGES = 400, 4000


@pytest.fixture(scope="module")
def made() -> World:
    return world(PATIENTS, PASSAGES, 13)


def same(one: World, other: World) -> bool:
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(World))


def test_a_seed_gives_the_same_world_and_another_seed_another(made: World) -> None:
    assert same(made, world(PATIENTS, PASSAGES, 13))
    assert not same(made, world(PATIENTS, PASSAGES, 14))


def test_few_findings_are_common_and_many_are_rare(made: World) -> None:
    notes = PASSAGES // 2
    many = [len(made.holding(rank)) for rank in range(FINDINGS)]
    assert many[0] == notes * COMMONEST
    assert many[1] == many[0] // 2
    assert sorted(many, reverse=True) == many
    assert np.median(many) < notes / 500
    assert np.bincount(made.patient).max() > 5 * notes / PATIENTS


def test_documents_say_what_the_arrays_say_and_fit_the_index(made: World) -> None:
    documents = dict(made.documents())
    assert len(documents) == PASSAGES
    known = {f.name for f in fields(IndexedPassage)}
    first = lexicon().find("synthetic finding 0")
    assert first
    for assertion in ("present", "absent"):
        holding = {d["note_key"] for d in documents.values() if first.id in d.get(assertion, ())}
        assert holding == set(made.holding(0, assertion).tolist())
    for id, d in documents.items():
        assert id == f"{d['note_key']}.{d['ordinal']}"
        assert set(d) <= known
        assert d["patient_no"] == made.patient[d["note_key"] - 1]
        assert (d["date"] is None) == (d["day"] == UNDATED)
        assert set(d["mentioned"]) == {
            i for name in ("present", "absent", "possible", "historical", "family") for i in d.get(name, ())
        }
