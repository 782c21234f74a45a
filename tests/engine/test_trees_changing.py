"""Random trees over notes that were brought, changed, deleted, indexed anew: the cohort of each, and what each of its
criteria leaves, is what a look at every passage of the ledger's notes finds; while an ingest runs, of the index."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from opensearchpy.helpers import scan

from ingest.ledger.tables import INDEXED
from search_stack.cohorts.cohort import Members, Step
from search_stack.index.documents import prepare
from search_stack.query.nodes import Node
from search_stack.query.tree import all_of, criteria
from search_stack.query.write import readable
from search_stack.retrieval.searcher import Searcher
from tests.trees import brute, told
from tests.trees.grow import grown

pytestmark = pytest.mark.engine
TREES = int(os.environ.get("TREES", "15"))
"""At each of five looks; ``make trees`` takes more than 2,000 cases.

While the ingest runs, as many as it has time for.
"""
UNITS = ("note", "patient")
PATIENTS = 25


class Campaign:
    """A stack, and what is asked of it."""

    def __init__(self, place: Any, make_csv: Callable[..., Path], seed: int) -> None:
        self.place = place
        self.rng = random.Random(seed)
        self.make_csv = make_csv
        self.searcher = Searcher.from_settings(place.settings, place.ledger)
        self.lexicon = place.labeller.lexicon

    def ingest(self, rows: list[told.Row]) -> None:
        self.run("ingest", self.make_csv(rows))

    def run(self, *arguments: object) -> None:
        status, _, errors = self.place.run(*arguments)
        assert status == 0, errors
        self.searcher.refresh()

    def held(self) -> tuple[told.Told, ...]:
        """What the ledger's notes say, labelled here and now."""
        place = self.place
        view = self.known()
        stored = place.notes()
        assert {s.state for s in stored} == {INDEXED}
        limit = place.settings.passage_tokens
        return tuple(
            one
            for s in stored
            for one in view.stored(s, prepare(s, place.labeller, place.encoder, limit), place.labeller)
        )

    def known(self) -> told.View:
        return told.View(self.place.ledger, self.lexicon)

    def indexed(self) -> tuple[tuple[told.Told, ...], told.View]:
        """What the index holds at this moment, and what the ledger knows of it."""
        found = [h["_source"] for h in scan(self.place.client, index=self.place.indexes.alias, size=2000)]
        view = self.known()  # Behind the passages: it knows the notes of all of them.
        ordered = sorted(found, key=lambda s: (s["note_key"], s["ordinal"]))
        return tuple(map(view.of, ordered)), view

    def asked(self, among: Sequence[told.Told]) -> Iterator[tuple[Node, Any]]:
        return ((tree, unit) for tree in grown(self.rng, among, TREES)[:TREES] for unit in UNITS)

    def look(self) -> None:
        """Every tree's cohort is what the ledger's notes say."""
        there = self.held()
        indexed, _ = self.indexed()
        assert len(indexed) == len(there)
        assert all(map(told.same, indexed, there))
        telling = 0
        for tree, unit in self.asked(there):
            assert_cohort(tree, unit, there, *self.searcher.cohort(tree, unit))
            telling += 0 < len(brute.counted(tree, there, unit)) < len(there)
        # Some trees tell some from others, so that the two do not agree by finding all or nothing.
        assert telling > TREES / 4


def assert_cohort(tree: Node, unit: str, there: tuple[told.Told, ...], found: Members, steps: Sequence[Step]) -> None:
    said = f"{unit}: {readable(tree)}"
    shown = brute.counted(tree, there, unit)
    assert set(found.patients.tolist()) == {p.patient_no for p in shown}, said
    assert set(found.notes.tolist()) == {p.note for p in shown}, said
    asked = criteria(tree)
    left = [brute.counted(all_of(asked[: n + 1]), there, unit) for n in range(len(asked))]
    assert [(s.patients, s.notes) for s in steps] == [brute.numbers(some)[:0:-1] for some in left], said


@pytest.mark.parametrize("seed", [1])
def test_cohorts_stay_exact_through_changes_deletions_and_new_indexes_and_while_an_ingest_runs(
    seed: int, empty_stack: Any, make_csv: Callable[..., Path]
) -> None:
    campaign = Campaign(empty_stack, make_csv, seed)
    rng, place = campaign.rng, empty_stack
    with told.hierarchy(campaign.lexicon):
        campaign.ingest(told.rows(rng, range(60), PATIENTS))
        campaign.look()
        # Some say something else, belong to other patients, have other days.
        campaign.ingest(told.rows(rng, range(0, 60, 3), PATIENTS))
        campaign.look()
        campaign.run("delete", *(f"n{n}" for n in range(0, 60, 4)), "--yes")
        campaign.look()
        campaign.run("reindex")
        campaign.look()
        compared = while_it_runs(campaign, place.start("ingest", make_csv(told.rows(rng, range(30, 230), PATIENTS))))
        assert compared > 4
        campaign.searcher.refresh()
        campaign.look()


def while_it_runs(campaign: Campaign, command: Any) -> int:
    """Ask until ``command`` has ended; how many cohorts could be compared: those of the generation of a look at every
    passage right before, while the ledger came to know no other age, sex or encounter."""
    compared = 0
    trees: list[tuple[Node, Any]] = []
    while command.poll() is None:
        before = campaign.searcher.asking().generation
        there, known = campaign.indexed()
        if campaign.searcher.asking().generation != before:
            continue
        trees = trees or list(campaign.asked(there))
        tree, unit = trees.pop()
        found, steps = campaign.searcher.cohort(tree, unit)
        if found.generation == before and campaign.known().knows_as_much_as(known):
            assert_cohort(tree, unit, there, found, steps)
            compared += 1
    status, _, errors = campaign.place.end(command)
    assert status == 0, errors
    return compared
