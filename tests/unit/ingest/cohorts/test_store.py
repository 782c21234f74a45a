"""Kept cohorts in each kind of database: saved whole, never changed, found again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select, update

from ingest.cohorts.records import Request
from ingest.cohorts.store import LONGEST_PERIOD, Store
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.tables import cohort_versions, cohorts
from search_stack.cohorts.rows import NO_NOTE
from search_stack.cohorts.version import Combined, Found, Imported, Operand
from search_stack.core.errors import AspectraError, KeyReused, NotKept
from search_stack.query.tree import QueryError
from tests.unit.ingest.cohorts.conftest import Make, states


def plain(found: Found) -> dict[str, Any]:
    """All that a version says, to be compared."""
    return {
        "unit": found.unit,
        "origin": found.origin,
        "patients": list(found.patients),
        "rows": [c.tolist() for c in (found.rows.patient, found.rows.day, found.rows.note)],
        "notes": [c.tolist() for c in found.notes.columns],
        "past": [c.tolist() for c in found.past.columns],
        "steps": found.steps,
        "undated": found.undated,
        "provenance": found.provenance,
    }


def test_a_version_comes_back_as_it_was_saved(store: Store, make_found: Make) -> None:
    found = make_found((1, 18_000, 7), (1, -5, 8), (4_000_000_000, 18_001, NO_NOTE), past=states((3, 0, -1, 0)))
    saved = store.save("fever", found, "mo", "Who has fever.")
    assert plain(saved) == plain(store.version("fever")) == plain(store.version("FEVER", 1)) == plain(found)
    assert (saved.name, saved.by, saved.scheduled) == ("fever@1", "mo", False)
    assert store.version("fever").digest == saved.digest
    kept = store.cohort("fever")
    assert (kept.description, kept.every, kept.newest.patients, kept.newest.notes) == ("Who has fever.", None, 2, 2)


def test_every_save_is_another_version_and_the_older_ones_stay(store: Store, make_found: Make) -> None:
    first = store.save("a", make_found((1, 1, 1)), "mo", "x")
    store.save("b", make_found((9, 9, 9)), "mo")
    second = store.save("A", make_found((1, 1, 1), (2, 2, 2)), "jo")
    assert (second.name, second.by) == ("a@2", "jo")
    assert plain(store.version("a", 1)) == plain(first)
    assert [e.number for e in store.editions("a")] == [1, 2]
    assert [(c.name, c.description, c.newest.number, c.newest.patients) for c in store.cohorts()] == [
        ("a", "x", 2, 2),
        ("b", "", 1, 1),
    ]
    store.save("a", make_found(), "mo", "y")
    assert (store.cohort("a").description, store.cohort("a").newest.patients) == ("y", 0)


@pytest.mark.parametrize(
    "origin",
    [Combined("union", (Operand("a", 1, 4), Operand("b", 2, 5))), Imported(9, 2, 1, "f" * 64)],
    ids=["combined", "imported"],
)
def test_any_origin_comes_back(store: Store, make_found: Make, origin: Any) -> None:
    store.save("a", make_found((1, 1, 1), origin=origin), "mo")
    assert store.version("a").origin == origin
    assert store.cohort("a").newest.origin == origin


def test_what_is_not_there_is_said(store: Store, make_found: Make) -> None:
    store.save("asthma", make_found(), "mo")
    with pytest.raises(AspectraError, match="Did you mean asthma") as caught:
        store.version("astma")
    assert caught.value.message == "There is no cohort astma."
    with pytest.raises(AspectraError, match="asthma has no version 2"):
        store.version("asthma", 2)
    for call in (store.delete, store.editions, store.cohort):
        with pytest.raises(AspectraError, match="There is no cohort other"):
            call("other")
    with pytest.raises(AspectraError, match="no name"):
        store.save("a b", make_found(), "mo")
    with pytest.raises(AspectraError, match="The description has more than"):
        store.save("ok", make_found(), "mo", "x" * 2001)
    for odd in ("a\0", "a\ud800"):
        with pytest.raises(AspectraError, match="no database takes"):
            store.save("ok", make_found(), "mo", odd)
    assert [c.name for c in store.cohorts()] == ["asthma"]


def test_what_was_deleted_leaves_nothing_and_its_ids_are_not_given_again(
    ledger: Ledger, store: Store, make_found: Make
) -> None:
    store.save("a", make_found((1, 1, 1)), "mo")
    last = store.save("a", make_found((1, 1, 1)), "mo").id
    assert store.delete("a") == 2
    assert store.cohorts() == []
    with ledger.engine.connect() as c:
        assert not c.execute(select(cohort_versions.c.id)).all()
        assert not c.execute(select(cohorts.c.id)).all()
    again = store.save("a", make_found((2, 2, 2)), "mo")
    assert (again.number, again.id) == (1, last + 1)


@pytest.mark.parametrize("column", ["patients", "evidence", "notes", "past", "origin", "provenance", "steps"])
def test_what_is_not_as_it_was_saved_is_refused(ledger: Ledger, store: Store, make_found: Make, column: str) -> None:
    store.save("a", make_found((1, 1, 1), (2, 2, 2)), "mo")
    with writing(ledger.engine) as c:
        was = c.execute(select(cohort_versions.c[column])).scalar_one()
        other = was + (b"\x00" if isinstance(was, bytes) else " ")
        c.execute(update(cohort_versions).values({column: other}))
    with pytest.raises(AspectraError, match="a@1 is not as it was saved"):
        store.version("a")


def test_a_query_asks_who_is_in_a_version(ledger: Ledger, store: Store, make_found: Make) -> None:
    store.save("Copd", make_found((1, 1, 1), (4_000_000_000, 1, 2)), "mo")
    store.save("copd", make_found((2, 1, 1)), "mo")
    known = ledger.people
    assert [known.newest_of(name) for name in ("copd", "COPD", "copd@1")] == ["Copd@2", "Copd@2", "Copd@1"]
    assert known.in_cohort("Copd@1") == [1, 4_000_000_000]
    assert known.in_cohort("copd@2") == [2]
    for name in ("copdd", "copd@3"):
        with pytest.raises(QueryError, match="Did you mean Copd"):
            known.newest_of(name)
    with pytest.raises(QueryError, match="There is no cohort gone@1"):
        known.in_cohort("gone@1")


def test_a_cohort_by_its_id(store: Store, make_found: Make) -> None:
    first = store.save("a", make_found((1, 1, 1)), "mo")
    store.save("A", make_found((1, 1, 1), (2, 2, 2)), "mo")
    store.save("b", make_found((9, 9, 9)), "mo")
    key = store.cohort("a").id
    assert key == first.cohort_id != store.cohort("b").id
    assert store.cohort(key) == store.cohort("a")
    assert store.editions(key) == store.editions("a")
    assert store.edition(key, 1).digest == first.digest
    assert plain(store.version(key, 1)) == plain(first)
    assert store.version(key).name == "a@2"
    assert store.schedule(key, 60).every == 60
    for page, names in ((store.page(0, 1), ["a"]), (store.page(key, 9), ["b"]), (store.page(0, 9), ["a", "b"])):
        assert [c.name for c in page] == names
    assert [e.newest.number for e in store.page(0, 9)] == [2, 1]
    assert store.delete(key) == 2
    for call in (store.cohort, store.editions, store.version, store.delete):
        with pytest.raises(NotKept, match=f"There is no cohort with the id {key}"):
            call(key)
    with pytest.raises(NotKept, match="b has no version 7"):
        store.edition("b", 7)
    # A cohort that is called alike later has another id.
    assert store.save("a", make_found((1, 1, 1)), "mo").cohort_id > key + 1


@pytest.mark.parametrize("every", [0, 59, LONGEST_PERIOD + 1])
def test_a_schedule_is_neither_too_often_nor_too_seldom(store: Store, make_found: Make, every: int) -> None:
    store.save("a", make_found((1, 1, 1)), "mo")
    with pytest.raises(AspectraError, match="once a minute at most"):
        store.schedule("a", every)
    assert store.schedule("a", LONGEST_PERIOD).every == LONGEST_PERIOD


def test_a_request_that_comes_again_makes_no_other_version(store: Store, make_found: Make) -> None:
    request = Request("key", "d" * 64)
    assert store.made_by(request) is None
    first, replayed = store.save_once(request, "a", make_found((1, 1, 1)), "mo", "x")
    assert (first.name, replayed) == ("a@1", False)
    again, replayed = store.save_once(request, "a", make_found((2, 2, 2)), "jo", "y")
    assert (again.id, replayed, plain(again)) == (first.id, True, plain(first))
    assert store.cohort("a").description == "x"
    known = store.made_by(request)
    assert known is not None
    assert known.id == first.id
    for call in (
        lambda: store.made_by(Request("key", "e" * 64)),
        lambda: store.save_once(Request("key", "e" * 64), "b", make_found(), "mo"),
    ):
        with pytest.raises(KeyReused, match="Idempotency-Key came before, with another request"):
            call()
    assert [c.name for c in store.cohorts()] == ["a"]
    # Others have no key, and are none the less.
    assert store.save("a", make_found((1, 1, 1)), "mo").number == 2
    assert store.save("a", make_found((1, 1, 1)), "mo").number == 3
    store.delete("a")
    assert store.made_by(request) is None


def test_of_requests_at_once_with_one_key_one_makes_a_version(store: Store, make_found: Make) -> None:
    many, request = 6, Request("key", "d" * 64)
    ready = Barrier(many)

    def save(n: int) -> tuple[int, bool]:
        found = make_found((n, 1, 1))
        ready.wait()
        version, replayed = store.save_once(request, f"c{n % 2}", found, "mo")
        return version.id, replayed

    with ThreadPoolExecutor(many) as pool:
        made = list(pool.map(save, range(1, many + 1)))
    assert len({key for key, _ in made}) == 1
    assert sorted(replayed for _, replayed in made) == [False] + [True] * (many - 1)
    assert [c.newest.number for c in store.cohorts()] == [1]
