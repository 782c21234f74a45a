"""An index belongs to one ledger, and holds what that ledger says: nothing else, nothing old, nobody else's."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from aspectra.stack import down, up
from ingest.agreement import compare, every_range, greatest_key
from ingest.ledger.database import writing
from ingest.ledger.tables import PENDING, notes
from ingest.work.dispatch import Dispatcher, make_queue
from ingest.work.indexer import Slice, write_slice
from ingest.work.orphans import OrphanSweep
from ingest.work.writer import Writer
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.documents import encoded, prepare
from search_stack.index.meta import SCHEMA, ForeignIndex, IndexMeta
from search_stack.inference.models import Encoder
from search_stack.language.labeller import load_labeller
from search_stack.retrieval.searcher import Searcher
from ui.app import create_app

pytestmark = pytest.mark.engine
TEXTS = {
    "R-1": "FINDINGS: No pneumothorax. Heart size is normal.\n\nIMPRESSION: No acute disease.",
    "R-2": "FINDINGS: Small left effusion.\n\nIMPRESSION: Effusion, new since the last film.",
    "R-3": "FINDINGS: A silhouette sign at the left heart border.\n\nIMPRESSION: Pneumonia of the lingula.",
}


def rows(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"note_id": name, "patient_id": f"P-{name}", "text": TEXTS[name]} for name in names]


@pytest.fixture
def place(empty_stack: Any, make_csv: Callable[..., Path]) -> Any:
    """Three notes, indexed; no worker."""
    status, _, errors = empty_stack.run("ingest", make_csv(rows(list(TEXTS))))
    assert status == 0, errors
    down(empty_stack.settings, ["worker"])
    empty_stack.indexes.refresh()
    return empty_stack


def differences(place: Any) -> dict[str, int]:
    live = place.indexes.live()
    greatest = greatest_key(place.client, place.settings, live)
    found = compare(place.ledger, place.client, place.settings, live, every_range(place.ledger, greatest))
    return dict(found.differences)


def plant(place: Any, key: int, ordinal: int, version: int, **other: Any) -> None:
    """Put a copy of the first note's first passage where it does not belong."""
    first = place.notes()[0].key
    source = place.client.get(index=place.indexes.alias, id=f"{first}.0")["_source"]
    document = source | {"note_key": key, "ordinal": ordinal, "note_version": version} | other
    place.client.index(index=place.indexes.alias, id=f"{key}.{ordinal}", body=document)
    place.indexes.refresh()


@pytest.fixture
def other_ledger(place: Any, make_postgresql: Callable[[], str]) -> Settings:
    """The same engine under a ledger that knows nothing yet."""
    return Settings(**(place.settings.model_dump(exclude_unset=True) | {"ledger_url": make_postgresql()}))


def test_a_fresh_ledger_on_an_old_index_is_refused_everywhere(
    place: Any, other_ledger: Settings, make_place: Callable[..., Any], make_csv: Callable[..., Path]
) -> None:
    before = place.found()
    elsewhere = make_place(other_ledger, place.encoder)
    again = make_csv(rows(["R-3", "R-1"]), "another-order.csv")
    for command in (
        ("ingest", again),
        ("search", "effusion"),
        ("status",),
        ("doctor",),
        ("up", "worker"),
    ):
        status, out, errors = elsewhere.run(*command)
        assert status == 1, command
        assert "another ledger" in out + errors, command
        assert "aspectra reindex" in out + errors, command
        assert "Traceback" not in errors
    with pytest.raises(ForeignIndex):
        Searcher.from_settings(other_ledger, elsewhere.ledger).ask("effusion")
    assert OrphanSweep(elsewhere.ledger, place.client, other_ledger).step() == 0
    assert place.found() == before
    # Our own ledger goes on as if nothing had been.
    assert place.run("search", "effusion")[0] == 0


def test_a_worker_that_runs_writes_nothing_to_another_ledgers_index(
    place: Any, other_ledger: Settings, make_place: Callable[..., Any]
) -> None:
    elsewhere = make_place(other_ledger, place.encoder)
    up(place.settings, ["worker"])
    live = place.indexes.live()
    place.client.indices.put_mapping(
        index=live, body={"_meta": IndexMeta(place.encoder.manifest.identity, elsewhere.ledger.identity).body()}
    )
    before = place.found()
    place.ledger.put([place.notes()[0].note.__class__("R-9", "New effusion.", "P-9", collection="notes")], 1)
    place.wait(lambda: "another ledger" in (place.settings.data_dir / "logs" / "worker.log").read_text())
    assert place.found() == before
    meta = IndexMeta(place.encoder.manifest.identity, place.ledger.identity)
    place.client.indices.put_mapping(index=live, body={"_meta": meta.body()})
    place.wait(lambda: place.indexed() == 4)
    place.assert_whole(4)


def test_reindex_makes_the_index_this_ledgers(
    place: Any, other_ledger: Settings, make_place: Callable[..., Any], make_csv: Callable[..., Path]
) -> None:
    elsewhere = make_place(other_ledger, place.encoder)
    assert elsewhere.run("reindex")[0] == 0
    assert elsewhere.found() == {}
    status, _, errors = elsewhere.run("ingest", "--no-wait", make_csv(rows(["R-3", "R-1"])))
    assert status == 0, errors
    assert place.run("search", "effusion")[0] == 1
    assert place.run("reindex")[0] == 0
    place.assert_whole(3)


def test_an_index_of_an_earlier_version_is_refused_and_built_anew_with_its_vectors(
    place: Any, make_csv: Callable[..., Path]
) -> None:
    live, encoder = place.indexes.live(), place.encoder.manifest.identity
    place.client.indices.put_mapping(index=live, body={"_meta": {"schema": 4, "encoder": encoder, "ledger": "x"}})
    with pytest.raises(AspectraError, match="aspectra reindex"):
        Searcher.from_settings(place.settings, place.ledger).ask("effusion")
    # Whoever writes is told the same cause, which is not the encoder.
    for command in (("ingest", "--no-wait", make_csv(rows(["R-1"]))), ("doctor",)):
        status, out, errors = place.run(*command)
        told = " ".join((out + errors).split())
        assert status == 1
        assert "made by an older Aspectra: its schema is 4" in told
        assert "Build it anew from the ledger: aspectra reindex" in told
        assert "Use the encoder" not in told
    assert place.run("reindex")[0] == 0
    assert place.indexes.meta(place.indexes.live()) == IndexMeta(encoder, place.ledger.identity, SCHEMA)
    place.assert_whole(3)


def test_every_kind_of_difference_is_told_apart(place: Any) -> None:
    assert differences(place) == {}
    status, out, _ = place.run("doctor", "--deep")
    assert "3 notes and their" in out
    first, second, third = place.notes()
    last = third.key
    plant(place, last + 7, 0, 1)
    plant(place, second.key, 0, 1)
    plant(place, first.key, first.passages, 1, text="something else")
    place.client.delete(index=place.indexes.alias, id=f"{last}.0", params={"refresh": "true"})
    # The passage too many counts twice: it says something else, and there are more than there should be.
    assert differences(place) == {"orphaned": 1, "other note": 1, "stale": 2, "missing": 1}
    for command in (("status",), ("doctor", "--deep")):
        status, out, _ = place.run(*command)
        assert status == 1
        assert re.search(r"1 passages belong to no note.*aspectra reindex --labels-only", out, re.DOTALL), out
        assert "R-1" not in out
    assert place.run("reindex", "--labels-only")[0] == 0
    assert differences(place) == {}
    place.assert_whole(3)


# A writer that sleeps


def sleeping(encoder: Encoder, meanwhile: Callable[[], None]) -> Callable[[Slice], list[list[float]]]:
    """Vectors as ever; but ``meanwhile`` happens after the ledger was asked and before the engine is."""

    def vectors(part: Slice) -> list[list[float]]:
        meanwhile()
        return encoded(encoder, part)

    return vectors


@pytest.fixture
def forgetful(place: Any) -> Iterator[Any]:
    """The engine forgets at once what was deleted, so that the clock is on no one's side."""
    place.client.indices.put_settings(index=place.indexes.live(), body={"index": {"gc_deletes": "0s"}})
    return place


def write_late(place: Any, meanwhile: Callable[[], None]) -> None:
    settings = place.settings
    stored = place.stored("R-2")
    labeller = load_labeller(settings.lexicon_folder)
    part = [(stored, p) for p in prepare(stored, labeller, place.encoder, settings.passage_tokens)]

    def wait_for_the_engine_to_forget() -> None:
        meanwhile()
        time.sleep(1.5)  # it looks for what to forget at each refresh, at most once a second
        place.indexes.refresh()

    write_slice(
        part,
        {stored.key: len(part)},
        [place.indexes.alias],
        make_queue(place.ledger, settings),
        Writer(place.client, settings),
        sleeping(place.encoder, wait_for_the_engine_to_forget),
        labeller,
    )
    place.indexes.refresh()


def test_a_writer_that_slept_through_a_deletion_brings_nothing_back(forgetful: Any) -> None:
    place = forgetful

    def delete() -> None:
        assert place.run("delete", "R-2")[0] == 0

    write_late(place, delete)
    assert "R-2" not in {s.note.note_id for s in place.notes()}
    place.assert_whole(2)


def test_a_writer_that_slept_through_a_change_leaves_nothing_of_the_old(
    forgetful: Any, make_csv: Callable[..., Path]
) -> None:
    place = forgetful

    def change() -> None:
        shorter = rows(["R-2"])
        shorter[0]["text"] = "No effusion."
        assert place.run("ingest", "--no-wait", make_csv(shorter))[0] == 0
        up(place.settings, ["worker"])
        place.wait(lambda: place.indexed() == 3)
        down(place.settings, ["worker"])

    write_late(place, change)
    place.assert_whole(3)


def test_what_a_killed_writer_left_is_swept_away(place: Any) -> None:
    first, _, third = place.notes()
    plant(place, third.key + 5, 0, 1)
    plant(place, third.key + 5, 1, 1)
    with writing(place.ledger.engine) as c:
        c.exec_driver_sql(f"UPDATE notes SET version = 2 WHERE key = {first.key}")
    place.client.update(
        index=place.indexes.alias, id=f"{first.key}.0", body={"doc": {"note_version": 2}}, params={"refresh": "true"}
    )
    assert "orphaned" in differences(place)
    Dispatcher(place.ledger, place.settings).sweep()
    place.indexes.refresh()
    held = {(h[0], i) for i, h in place.found().items()}
    assert not [i for _, i in held if i.startswith(f"{third.key + 5}.")]
    assert {v for v, i in held if i.startswith(f"{first.key}.")} == {2}


def test_an_index_ahead_of_its_ledger_is_not_taken_for_done(place: Any, make_csv: Callable[..., Path]) -> None:
    """As after the ledger's file was put back from an old copy: the engine refuses what is older, rightly."""
    stored = place.stored("R-2")
    source = place.client.get(index=place.indexes.alias, id=f"{stored.key}.0")["_source"]
    place.client.index(
        index=place.indexes.alias,
        id=f"{stored.key}.0",
        body=source | {"note_version": 9},
        params={"version": 9, "version_type": "external"},
    )
    changed = rows(["R-2"])
    changed[0]["text"] = "FINDINGS: No effusion."
    up(place.settings, ["worker"])
    place.run("ingest", make_csv(changed))
    assert place.stored("R-2").state == "failed"
    assert "ahead of the ledger" in place.stored("R-2").last_error
    assert differences(place)["ahead"] == 1


# Labels


def test_labels_older_than_the_lexicon_are_said(place: Any) -> None:
    def said(*command: str) -> tuple[int, str]:
        status, out, errors = place.run(*command)
        assert "Traceback" not in errors
        return status, " ".join(out.split())

    assert "labelled before" not in said("search", "effusion")[1]
    folder = place.settings.lexicon_folder
    folder.mkdir(exist_ok=True)
    new = folder / "own.csv"
    new.write_text("id,name,kind\nborder,left heart border,finding\n")
    try:
        total = place.indexes.count()
        older = f'{total} passages were labelled before "left heart border" was read as now'
        assert older in said("search", "left heart border")[1]
        assert "labelled before" not in said("search", "effusion")[1]
        for command in (("status",), ("doctor",)):
            status, out = said(*command)
            assert status == 1
            assert f"{total} of {total} passages carry labels of another version or lexicon" in out
            assert "aspectra reindex --labels-only" in out
        assert said("reindex", "--labels-only")[0] == 0
        status, out = said("search", "left heart border")
        assert "labelled before" not in out
        assert "1 passage says that left heart border is present" in out
        assert "carry labels of another" not in said("status")[1]
    finally:
        new.unlink()
        assert said("reindex", "--labels-only")[0] == 0


def test_up_says_that_labels_are_old(place: Any) -> None:
    ids = list(itertools.islice(place.found(), 1))
    place.client.update(index=place.indexes.alias, id=ids[0], body={"doc": {"labels": "of-old"}})
    place.indexes.refresh()
    status, out, _ = place.run("up", "worker")
    assert status == 0
    assert "1 of" in out
    assert "labels of another version or lexicon than yours" in " ".join(out.split())


def test_a_page_over_another_ledgers_index_is_not_ready_and_says_why(
    place: Any, other_ledger: Settings, make_place: Callable[..., Any]
) -> None:
    elsewhere = make_place(other_ledger, place.encoder)
    theirs, ours = (create_app(p.settings, ledger=p.ledger).test_client() for p in (elsewhere, place))
    assert theirs.get("/healthz").status_code == 503
    assert theirs.get("/healthz").get_json()["index"] == "foreign"
    found = theirs.get(theirs.post("/search", data={"line": "effusion"}).headers["Location"])
    assert found.status_code == 503
    assert "another ledger" in found.get_data(as_text=True)
    assert "P-R-2" not in found.get_data(as_text=True)
    assert ours.get("/healthz").get_json()["index"] == "ok"
    page = ours.get(ours.post("/search", data={"line": "effusion"}).headers["Location"])
    assert page.status_code == 200
    assert "P-R-2" in page.get_data(as_text=True)


def test_an_index_that_is_lost_is_a_fault_everywhere(place: Any) -> None:
    place.client.indices.delete(index=place.versions())
    lost = "the engine holds no index, and 3 notes of the ledger should be in one. Build it anew: aspectra reindex"
    for command in ("status", "doctor"):
        status, out, _ = place.run(command)
        assert status == 1
        assert lost in " ".join(out.split())
    _, out, _ = place.run("up", "engine")
    assert lost in " ".join(out.split())
    answer = create_app(place.settings, ledger=place.ledger).test_client().get("/healthz")
    assert (answer.status_code, answer.get_json()["index"]) == (503, "lost")
    assert place.run("delete", *TEXTS, "--yes")[0] == 0
    answer = create_app(place.settings, ledger=place.ledger).test_client().get("/healthz")
    assert (answer.status_code, answer.get_json()["index"]) == (200, "ok")  # nothing was to be in it
    place.run("reindex")


def test_notes_of_an_index_that_was_lost_are_written_to_the_next(place: Any, make_csv: Callable[..., Path]) -> None:
    place.client.indices.delete(index=place.versions())
    stored = place.notes()[0]
    with writing(place.ledger.engine) as c:  # one that a task had let go half-written
        c.execute(notes.update().where(notes.c.key == stored.key).values(state=PENDING, progress=1))
    up(place.settings, ["worker"])
    new = {"note_id": "R-4", "patient_id": "P-R-4", "text": "FINDINGS: Clear lungs."}
    status, out, errors = place.run("ingest", make_csv([new], "another.csv"))
    assert (status, "The index lacks" in out) == (0, False), errors
    place.assert_whole(4)
