"""The evidence that reviewers see and mark, read from a real index."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from flask.testing import FlaskClient

from ingest.cohorts.finding import Finder, provenance
from ingest.cohorts.lists import given_list
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.review.evidence import evidence_of
from ingest.review.store import Reviews
from search_stack.cohorts.combining import combined
from search_stack.cohorts.version import Found, Version
from search_stack.core.account import present_user
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from ui.app import create_app

pytestmark = pytest.mark.engine


class Place:
    """The demo's notes, with everything a review needs; nobody signs in."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ledger = Ledger.from_settings(settings)
        self.searcher = Searcher.from_settings(settings, self.ledger)
        self.store = Store(self.ledger.engine)
        self.app = create_app(settings, self.searcher, self.ledger)

    def find(self, line: str) -> Found:
        query = self.searcher.understand(line).query
        return Finder(self.searcher, self.ledger, self.settings).find(query, "patient", line)

    def save(self, name: str, line: str) -> Version:
        return self.store.save(name, self.find(line), "mo")

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()


@pytest.fixture(scope="module")
def place(stack: Settings) -> Place:
    return Place(stack)


def test_mentions_and_facts_are_marked_each_for_itself(place: Place) -> None:
    version = place.save("coded", "fact:icd10:I48 pacemaker")
    patient = int(version.numbers[0])
    evidence = evidence_of(version, patient, place.store, place.searcher, place.ledger)
    items = list(evidence.items())
    assert len({item.id for item in items}) == len(items)
    fact = next(item for item in items if item.note is None)
    assert fact.concept.startswith("icd10:I48")
    mention = next(item for item in items if item.assertion == "present")
    note = place.ledger.note(mention.note or 0)
    assert note is not None
    assert "pacemaker" in note.note.text[mention.begin : mention.end].lower()
    address = f"/cohorts/{version.cohort_id}/review/{patient}"
    page = place.client.get(address).text
    assert [item.id for item in items if f'id="item-{item.id}"' not in page] == []
    reviews = Reviews(place.ledger.engine, version.cohort_id)
    sent = {"version": str(version.number)}
    for item, said in ((fact, "right"), (mention, "wrong")):
        answer = place.client.post(f"{address}/mark", data={**sent, "mark": f"{item.id} {said}"})
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{address}#item-{item.id}")
    mine = reviews.marks()[present_user()]
    assert {item: mark.reading for item, mark in mine.items()} == {fact: "right", mention: "wrong"}
    marked = place.client.get(address).text
    assert re.findall(r'value="(\w+ \w+)" aria-pressed="true"', marked) in (
        [f"{mention.id} wrong", f"{fact.id} right"],
        [f"{fact.id} right", f"{mention.id} wrong"],
    )
    again = place.client.post(
        f"{address}/mark", data={**sent, "mark": f"{fact.id} right"}, headers={"Accept": "application/json"}
    )
    assert again.json == {"reading": None}
    assert list(reviews.marks()[present_user()]) == [mention]
    none = place.client.post(f"{address}/mark", data={**sent, "mark": f"{'0' * 32} right"})
    assert none.status_code == 404
    place.store.delete("coded")


def test_what_was_combined_shows_the_criteria_of_both(place: Place) -> None:
    a, b = place.save("pace", "pacemaker"), place.save("thorax", "pneumothorax")
    both = place.store.save("both", combined("intersection", a, b, provenance(place.ledger)), "mo")
    evidence = evidence_of(both, int(both.numbers[0]), place.store, place.searcher, place.ledger)
    assert {item.criterion for item in evidence.items()} == {"pacemaker", "pneumothorax"}
    for name in ("both", "pace", "thorax"):
        place.store.delete(name)


def test_a_list_and_a_query_that_only_leaves_out_have_no_criteria(place: Place) -> None:
    known = place.save("some", "pacemaker")
    ids = place.ledger.people.ids(known.numbers)
    listed = place.store.save("listed", given_list(list(ids.values()), "f" * 64, place.ledger).found, "mo")
    without = place.save("without", "-pacemaker")
    for version, said in ((listed, "This cohort is a list of patients"), (without, "The query only leaves out")):
        page = place.client.get(f"/cohorts/{version.cohort_id}/review/{int(version.numbers[0])}")
        assert (page.status_code, said in page.text) == (200, True)
    for name in ("some", "listed", "without"):
        place.store.delete(name)


def test_what_came_since_a_decision_is_marked(place: Place) -> None:
    full = place.find("pacemaker")
    numbers, notes = np.unique(full.rows.patient, return_counts=True)
    patient = int(numbers[notes > 1][0])
    own = full.rows.note[full.rows.patient == patient]
    version = place.store.save("growing", replace(full, rows=full.rows.where(full.rows.note != own[-1])), "mo")
    address = f"/cohorts/{version.cohort_id}/review/{patient}"
    assert place.client.post(address, data={"verdict": "include", "version": "1"}).status_code == 303
    same = place.client.get(address).text
    assert ("The evidence is the same." in same, "new since you decided" in same) == (True, False)
    place.store.save("growing", full, "mo")
    page = place.client.get(address).text
    assert "by version 1. The evidence has changed since." in page
    lines = re.findall(r'class="review-note" href="/notes/(\d+)(.*?)</p>', page, re.DOTALL)
    assert {int(key) for key, _ in lines} == set(own.tolist())
    assert {int(key) for key, rest in lines if "new since you decided" in rest} == {int(own[-1])}
    place.store.delete("growing")
