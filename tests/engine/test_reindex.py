"""A new index beside the old one: under searches, changes, deletions and kills."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aspectra.stack import down, up
from ingest.work.dispatch import Dispatcher
from search_stack.index.meta import IndexMeta
from search_stack.query.nodes import Finding
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
NOTES = 160
RADIOLOGIST = Finding("radiologistfinding")
WORD = "silhouette"
"""No lexicon knows it by itself."""


@pytest.fixture
def filled(empty_stack: Any, first_reports: Callable[[int], Path]) -> Any:
    """A stack with real reports, all indexed."""
    status, _, errors = empty_stack.run("ingest", first_reports(NOTES))
    assert status == 0, errors
    empty_stack.assert_whole(NOTES)
    return empty_stack


def begin(place: Any) -> Any:
    """A reindex that has written some notes to the new index, and not yet all."""
    command = place.start("reindex")
    place.wait(lambda: any(place.ledger.building().values()), command, pause=0.005)
    return command


@contextmanager
def searching(place: Any) -> Iterator[list[int]]:
    """Search again and again meanwhile; the counts found, or -1 for a search that failed."""
    searcher = Searcher.from_settings(place.settings, place.ledger)
    over = threading.Event()
    found: list[int] = []

    def search() -> None:
        while not over.is_set():
            try:
                found.append(searcher.ask(WORD).counts.passages)
            except Exception:
                found.append(-1)

    thread = threading.Thread(target=search)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def test_searches_go_on_while_a_note_changes_and_others_leave(filled: Any) -> None:
    place = filled
    holding = sum(WORD in text.lower() for *_, text in place.expected().values())
    old = place.indexes.live()
    plain = [s for s in place.notes() if WORD not in s.note.text.lower()]
    early, late = plain[:2], plain[-2:]
    assert holding > 20
    with searching(place) as counts:
        command = begin(place)
        for s in (early[0], late[0]):
            changed = replace(s.note, text="IMPRESSION: Nothing to see.")
            assert place.ledger.put([changed], place.ledger.start_run("file", "csv")) == ["changed"]
        gone = [early[1].note.note_id, late[1].note.note_id]
        place.ledger.mark_deleting(gone)
        Dispatcher(place.ledger, place.settings).sweep()
        place.wait(lambda: place.indexed() == NOTES - 2)
        during = len(counts)
        assert place.ledger.building()  # all that happened while the new index was being built
        status, said, errors = place.end(command)
        assert status == 0, errors
        place.wait(lambda: len(counts) > during + 3)
    assert during > 0
    assert set(counts) == {holding}
    new = place.indexes.live()
    assert new != old
    assert place.versions() == [new]
    assert f"{new} serves now" in said
    place.assert_whole(NOTES - 2)


def test_a_killed_reindex_goes_on_where_it_stopped(filled: Any) -> None:
    place = filled
    live = place.indexes.live()
    command = begin(place)
    command.kill()
    place.end(command)
    ((name, cursor),) = place.ledger.building().items()
    assert 0 < cursor < max(s.key for s in place.notes())
    assert place.indexes.live() == live
    place.assert_whole(NOTES)
    before = numbers(place, name, cursor)
    assert before
    status, said, errors = place.run("reindex")
    assert status == 0, errors
    assert f"{name} serves now" in said
    assert numbers(place, name, cursor) == before  # not one was written again
    assert place.versions() == [name]
    assert place.ledger.building() == {}
    place.assert_whole(NOTES)


def numbers(place: Any, index: str, cursor: int) -> dict[str, int]:
    """Sequence numbers of the documents of notes up to ``cursor``."""
    place.indexes.refresh(index)
    query = {"range": {"note_key": {"lte": cursor}}}
    body = {"size": 10_000, "seq_no_primary_term": True, "_source": False, "query": query}
    return {h["_id"]: h["_seq_no"] for h in place.client.search(index=index, body=body)["hits"]["hits"]}


def test_changes_reach_a_build_whose_command_was_killed(filled: Any) -> None:
    place = filled
    command = begin(place)
    command.kill()
    place.end(command)
    stored = place.notes()
    place.ledger.put([replace(stored[0].note, text="Effusion.")], place.ledger.start_run("file", "csv"))
    assert place.run("delete", stored[1].note.note_id, stored[-1].note.note_id)[0] == 0
    place.wait(lambda: place.indexed() == NOTES - 2)
    place.assert_whole(NOTES - 2)
    assert place.run("reindex")[0] == 0
    place.assert_whole(NOTES - 2)


def test_an_index_and_a_build_that_were_wiped_come_back(filled: Any) -> None:
    place = filled
    command = begin(place)
    command.kill()
    place.end(command)
    place.client.indices.delete(index=place.versions())
    assert place.indexes.live() is None
    status, _, errors = place.run("reindex")
    assert status == 0, errors
    place.assert_whole(NOTES)


def test_what_an_interrupted_swap_left_is_dropped(empty_stack: Any) -> None:
    place = empty_stack
    meta = IndexMeta(place.encoder.manifest.identity, place.ledger.identity)
    left = place.indexes.create(place.encoder.dimensions, meta)  # killed before the old version was dropped
    assert place.run("reindex")[0] == 0
    assert place.versions() == [place.indexes.live()]
    assert left not in place.versions()


def test_a_note_that_only_the_reindex_has_written_can_be_deleted(
    empty_stack: Any, first_reports: Callable[[int], Path]
) -> None:
    place = empty_stack
    down(place.settings, ["worker"])
    assert place.run("ingest", "--no-wait", first_reports(12))[0] == 0
    assert place.run("reindex")[0] == 0
    note_id = place.notes()[0].note.note_id
    assert place.found()
    assert place.run("delete", note_id)[0] == 0
    assert not [id for id in place.found() if id.startswith(f"{place.notes()[0].key - 1}.")]
    up(place.settings, ["worker"])
    place.wait(lambda: place.indexed() == 11)
    place.assert_whole(11)


def vectors(place: Any) -> dict[str, list[float]]:
    place.indexes.refresh()
    body = {"size": 10_000, "_source": ["vector"]}
    found = place.client.search(index=place.indexes.alias, body=body)["hits"]["hits"]
    return {h["_id"]: h["_source"]["vector"] for h in found}


def test_labels_are_made_anew_without_encoding_anew(filled: Any) -> None:
    place = filled
    searcher = Searcher.from_settings(place.settings, place.ledger)
    line = "finding:radiologistfinding"
    before = vectors(place)
    assert before
    # Vectors that no encoder gives, so that any that was encoded again would show.
    marked = next(iter(before))
    source = place.client.get(index=place.indexes.alias, id=marked)["_source"]
    source["vector"] = [1.0] + [0.0] * (len(source["vector"]) - 1)
    place.client.index(
        index=place.indexes.live(),
        id=marked,
        body=source,
        params={"version": source["note_version"], "version_type": "external_gte"},
    )
    before[marked] = source["vector"]
    place.indexes.refresh()
    folder = place.settings.lexicon_folder
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "own.csv"
    try:
        file.write_text("id,name,kind,synonyms\nradiologistfinding,radiologistfinding,finding,XXXX\n", encoding="utf-8")
        status, said, errors = place.run("reindex", "--labels-only")
        assert status == 0, errors
        assert "serves now" in said
        assert vectors(place) == before
        marks = sum("XXXX" in text for *_, text in place.found().values())
        assert 0 < searcher.ask(line).counts.passages <= marks
        place.assert_whole(NOTES)
        # As many documents, numbered alike, in another index: who kept what the last one held must see it.
        generation, few = searcher.asking().generation, len(searcher.cohort(RADIOLOGIST, "patient")[0].patients)
        words = "id,name,kind,synonyms\nradiologistfinding,radiologistfinding,finding,XXXX;lungs\n"
        file.write_text(words, encoding="utf-8")
        assert place.run("reindex", "--labels-only")[0] == 0
        assert searcher.asking().generation != generation
        assert len(searcher.cohort(RADIOLOGIST, "patient")[0].patients) > few
        file.write_text("id,name,kind\nbroken row,,\n", encoding="utf-8")
        live = place.indexes.live()
        status, _, errors = place.run("reindex", "--labels-only")
        assert status == 1
        assert "own.csv:2" in errors
        assert place.indexes.live() == live
    finally:
        file.unlink()
