"""Notes taken in, changed, refused, failed and deleted, by the command itself."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from aspectra.stack import down, up
from ingest.work.dispatch import Dispatcher
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
LONG = "FINDINGS:\n" + "\n".join(
    f"Nodule number {i} in the upper lobe measures {i} mm and is stable." for i in range(60)
)
SENTINEL = "zebrafinding"
"""A word that stands in a note and may stand nowhere but in ledger and index."""


def row(note_id: str, text: str = "IMPRESSION: Clear lungs.", **more: str) -> dict[str, str]:
    return {
        "note_id": note_id,
        "patient_id": f"p-{note_id}",
        "date": "2020-01-31",
        "type": "report",
        "text": text,
    } | more


def ingest(place: Any, *arguments: object, status: int = 0) -> str:
    """Run the command, which must end with ``status``; what it said."""
    ended, said, errors = place.run("ingest", *arguments)
    assert ended == status, errors
    assert ("NOT EVERYTHING WENT IN" in errors) == (status == 3 and "--retry" not in arguments)
    return str(said)


def rejects(said: str) -> list[dict[str, Any]]:
    found = re.search(r"line by line: (.+)", said)
    assert found
    return [json.loads(line) for line in Path(found[1]).read_text().splitlines()]


def places(place: Any) -> dict[str, tuple[int, int]]:
    """Sequence number and version of every document in the index: a write changes both."""
    place.indexes.refresh()
    body = {"size": 10_000, "seq_no_primary_term": True, "version": True, "_source": False}
    hits = place.client.search(index=place.indexes.alias, body=body)["hits"]["hits"]
    return {h["_id"]: (h["_seq_no"], h["_version"]) for h in hits}


def test_a_second_run_changes_nothing(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place, file = empty_stack, make_csv([row("a", LONG), row("b"), row("c")])
    assert "3 notes: 3 new, 0 unchanged, 0 changed; 0 rejected, 0 failed." in ingest(place, file)
    before, stored = places(place), place.notes()
    assert len(before) > 3
    assert "3 notes: 0 new, 3 unchanged, 0 changed; 0 rejected, 0 failed." in ingest(place, file)
    assert places(place) == before
    assert place.notes() == stored


def test_a_changed_note_replaces_its_passages_whole(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a", LONG), row("b")]))
    key, many = place.stored("a").key, place.stored("a").passages
    untouched = places(place)[f"{place.stored('b').key}.0"]
    assert many > 3
    said = ingest(place, make_csv([row("a", "IMPRESSION: All nodules are gone."), row("b")]))
    assert "0 new, 1 unchanged, 1 changed" in said
    place.assert_whole(2)
    assert place.found()[f"{key}.0"][0] == 2
    assert f"{key}.1" not in place.found()
    assert places(place)[f"{place.stored('b').key}.0"] == untouched
    ingest(place, make_csv([row("a", LONG), row("b")]))  # and longer again
    place.assert_whole(2)
    assert place.stored("a").passages == many


def test_a_note_whose_patient_or_date_alone_changed_is_written_anew(
    empty_stack: Any, make_csv: Callable[..., Path]
) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a")]))
    ingest(place, make_csv([row("a", patient_id="p-moved", date="2021-05-06")]))
    source = place.client.get(index=place.indexes.alias, id=f"{place.stored('a').key}.0")["_source"]
    assert (source["patient_id"], source["date"], source["note_version"]) == ("p-moved", "2021-05-06", 2)


def test_what_is_rejected_is_named_line_by_line(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    rows = [
        row("a"),
        row("a", f"Other {SENTINEL}."),
        row("b", date="31/01/2020"),
        row("", "No id."),
        row("c", " "),
        row("d"),
    ]
    said = ingest(place, make_csv(rows), status=3)
    assert "2 notes: 2 new, 0 unchanged, 0 changed; 4 rejected, 0 failed." in said
    found = rejects(said)
    assert all(set(line) == {"source", "line", "field", "reason"} for line in found)
    by_field = {line["field"]: line for line in found}
    assert (by_field["date"]["line"], by_field["text"]["line"]) == (4, 6)
    (duplicate,) = (line for line in found if "same note id" in line["reason"])
    assert "note a" in duplicate["source"]
    assert SENTINEL not in json.dumps(found)
    assert place.stored("a").note.text == "IMPRESSION: Clear lungs."
    place.assert_whole(2)


def test_rows_after_an_unclosed_quote_go_in(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place, file = empty_stack, make_csv([row(f"n{i}") for i in range(200)])
    lines = file.read_text().split("\n")
    lines[1] = lines[1].replace(",", ',"', 1)
    file.write_text("\n".join(lines))
    said = ingest(place, file)
    assert "199 notes: 199 new, 0 unchanged, 0 changed; 1 rejected" in said
    assert "201 lines were read, and 1 of them left out." in said
    place.assert_whole(199)


def test_a_file_that_ends_inside_a_quote_is_no_success(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place, file = empty_stack, make_csv([row(f"n{i}") for i in range(200)])
    file.write_text(file.read_text() + 'n200,p-n200,2020-01-31,report,"IMPRESSION: No')
    said = ingest(place, file, status=3)
    assert "200 notes: 200 new" in said
    place.assert_whole(200)


def test_a_note_of_another_collection_is_not_replaced(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, "--collection", "first", make_csv([row("a")]))
    said = ingest(place, "--collection", "second", make_csv([row("a", "IMPRESSION: Effusion."), row("b")]), status=3)
    assert "1 notes: 1 new, 0 unchanged, 0 changed; 1 rejected" in said
    assert [line["reason"] for line in rejects(said)] == [
        "another collection has a note of this id; name that collection to replace it, or change the id"
    ]
    assert place.stored("a").note.text == "IMPRESSION: Clear lungs."
    assert "1 changed" in ingest(place, "--collection", "first", make_csv([row("a", "IMPRESSION: Effusion.")]))
    place.assert_whole(2)


def test_a_note_without_patient_or_date_is_a_patient_of_its_own(empty_stack: Any, tmp_path: Path) -> None:
    file = tmp_path / "bare.jsonl.gz"
    with gzip.open(file, "wt") as out:
        out.write(json.dumps({"note_id": "a", "text": "Clear lungs."}) + "\n")
        out.write(json.dumps({"note_id": "b", "text": "Effusion.", "patient_id": "", "date": ""}) + "\n")
    place = empty_stack
    ingest(place, file)
    place.assert_whole(2)
    found = [h["_source"] for h in place.client.search(index=place.indexes.alias)["hits"]["hits"]]
    assert {(s["note_id"], s["patient_id"], s["date"]) for s in found} == {("a", "a", None), ("b", "b", None)}


def test_a_gzipped_table_is_the_same_collection(
    empty_stack: Any, first_reports: Callable[[int], Path], tmp_path: Path
) -> None:
    place, plain, packed = empty_stack, first_reports(20), tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert "20 new" in ingest(place, packed)
    assert "20 unchanged" in ingest(place, plain)
    place.assert_whole(20)


def test_a_note_of_5_mb_without_a_line_break_is_indexed_to_its_end(empty_stack: Any, tmp_path: Path) -> None:
    """Prose at both ends, and between them what an embedded picture looks like."""
    blob = base64.b32encode(random.Random(5).randbytes(3_000_000)).decode()
    blob = " ".join(blob[i : i + 120] for i in range(0, len(blob), 120))
    prose = "The cardiac silhouette is normal in size. There is no effusion. " * 200
    text = f"{prose}{blob} {prose}The last word is gossamer."
    assert len(text) > 4_800_000
    file = tmp_path / "long.jsonl"
    file.write_text("\n".join(json.dumps(row(i, t)) for i, t in (("long", text), ("short", "Clear lungs."))))
    place = empty_stack
    said = ingest(place, file, status=3)
    assert re.search(r"4,[89]\d\d,\d\d\d characters; at most 2,000,000", rejects(said)[0]["reason"])
    place.settings = place.settings.model_copy(update={"note_characters": 6_000_000})
    ingest(place, file)
    place.assert_whole(2)
    covered = sorted((begin, end) for _, begin, end, _ in place.found().values())
    assert covered[-1][1] == len(text)
    assert place.stored("long").attempts <= 1
    body = {"query": {"match": {"text": "gossamer"}}}
    assert place.client.count(index=place.indexes.alias, body=body)["count"] == 1


def test_deletion_removes_a_note_everywhere(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a", LONG), row("b"), row("c"), row("d")]))
    status, said, errors = place.run("delete", "a", "unknown", "c")
    assert status == 1
    assert "2 notes deleted." in said
    assert "Not in the ledger: unknown." in errors
    assert [s.note.note_id for s in place.notes()] == ["b", "d"]
    place.assert_whole(2)
    status, said, _ = place.run("delete", "--collection", "notes")
    assert (status, said.strip()) == (0, "2 notes deleted.")
    assert place.notes() == []
    assert place.found() == {}
    assert place.run("delete")[0] == 1
    ingest(place, make_csv([row("a")]))  # and it may come back
    place.assert_whole(1)


def test_an_interrupted_deletion_is_finished_by_the_sweep(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a", LONG), row("b")]))
    place.ledger.mark_deleting(["a"])  # and here the command dies
    assert len(place.found()) > 2
    Dispatcher(place.ledger, place.settings).sweep()  # the worker's thread calls it every few seconds
    place.assert_whole(1)


def test_the_worker_finishes_an_interrupted_deletion_by_itself(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a", LONG), row("b")]))
    place.ledger.mark_deleting(["a"])
    place.wait(lambda: len(place.notes()) == 1)
    place.assert_whole(1)


@pytest.fixture
def refuse(empty_stack: Any) -> Iterator[Callable[[dict[str, Any] | None], None]]:
    """Have the engine refuse documents by a pipeline that the index applies to each; None ends it."""
    client, index = empty_stack.client, empty_stack.indexes.live()

    def set_processor(processor: dict[str, Any] | None) -> None:
        if processor:
            client.ingest.put_pipeline(id="refuse", body={"processors": [processor]})
        pipeline = "refuse" if processor else "_none"
        client.indices.put_settings(index=index, body={"index.default_pipeline": pipeline})

    yield set_processor
    set_processor(None)


def test_a_document_that_was_withdrawn_leaves_the_index_with_the_next_export(empty_stack: Any, tmp_path: Path) -> None:
    place, file = empty_stack, tmp_path / "ward.ndjson"
    told = {
        "resourceType": "DocumentReference",
        "subject": {"reference": "Patient/p1"},
        "content": [{"attachment": {"contentType": "text/plain", "data": "Tm8gZmV2ZXIu"}}],
    }

    def export(status: str) -> None:
        documents = ({"id": "d1", "status": status}, {"id": "d2", "status": "current"})
        file.write_text("".join(json.dumps(told | more) + "\n" for more in documents))

    export("current")
    ingest(place, file)
    place.assert_whole(2)
    export("entered-in-error")
    said = ingest(place, file, "--no-wait")
    assert "1 notes that were here were withdrawn, and are deleted." in said
    place.assert_whole(1)


def refused_by_script() -> dict[str, Any]:
    source = "if (ctx.text.contains('poison')) { throw new IllegalArgumentException(ctx.text) }"
    return {"script": {"source": source}}


def refused_by_fail() -> dict[str, Any]:
    return {"fail": {"if": "ctx.text.contains('poison')", "message": "no: {{text}}"}}


@pytest.mark.parametrize("processor", [refused_by_script, refused_by_fail])
def test_a_poison_note_is_set_aside_alone_and_tried_again_when_asked(
    processor: Callable[[], dict[str, Any]],
    empty_stack: Any,
    refuse: Callable[[dict[str, Any] | None], None],
    make_csv: Callable[..., Path],
) -> None:
    """The engine's own words about it quote the note, and must go nowhere."""
    place = empty_stack
    refuse(processor())
    rows = [row(f"good{i}") for i in range(6)]
    said = ingest(place, make_csv([*rows[:3], row("bad", f"A poison called {SENTINEL}."), *rows[3:]]), status=3)
    assert "7 notes: 7 new, 0 unchanged, 0 changed; 0 rejected, 1 failed." in said
    states = {s.note.note_id: s.state for s in place.notes()}
    assert states == {f"good{i}": "indexed" for i in range(6)} | {"bad": "failed"}
    assert place.found() == place.expected()
    listed = ingest(place, "--failed")
    assert "bad" in listed
    assert "good" not in listed
    assert "RefusedDocument" in place.stored("bad").last_error
    assert SENTINEL not in place.stored("bad").last_error + listed
    assert_nowhere_but_in_the_ledger(place, SENTINEL)
    refuse(None)
    assert "1 failed notes are tried again." in ingest(place, "--retry")
    place.assert_whole(7)
    assert "No note has failed." in ingest(place, "--failed")


def assert_nowhere_but_in_the_ledger(place: Any, word: str) -> None:
    """Logs of every service, the broker's keys and its file on disk."""
    folder = place.settings.data_dir
    logs = [p for p in (folder / "logs").rglob("*") if p.is_file()]
    assert {"engine.log", "broker.log", "worker.log"} <= {p.name for p in logs}
    broker = [p for p in (folder / "broker").rglob("*") if p.is_file()]
    assert broker
    for path in [*logs, *broker, *(folder / "run").iterdir()]:
        assert word.encode() not in path.read_bytes(), path
    redis = Redis(unix_socket_path=str(place.settings.broker_socket))
    for key in redis.scan_iter():
        assert word.encode() not in key + (redis.dump(key) or b"")


def test_words_of_a_note_are_only_in_the_ledger_and_the_index(
    empty_stack: Any, make_csv: Callable[..., Path], tmp_path: Path
) -> None:
    place = empty_stack
    ingest(place, make_csv([row(f"n{i}", f"A {SENTINEL} in the left lung.") for i in range(9)]))
    place.assert_whole(9)
    assert_nowhere_but_in_the_ledger(place, SENTINEL)


def test_a_stopped_worker_loses_nothing_and_the_command_brings_one_back(
    empty_stack: Any, make_csv: Callable[..., Path]
) -> None:
    place = empty_stack
    rows = [row(f"n{i}", f"IMPRESSION: Finding number {i}.") for i in range(40)]
    said = ingest(place, "--no-wait", make_csv(rows))
    assert "40 new" in said
    said = ingest(place, make_csv(rows))
    assert "40 unchanged" in said
    place.assert_whole(40)


def test_passages_that_were_lost_are_told(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place, file = empty_stack, make_csv([row("a"), row("b")])
    ingest(place, file)
    place.client.delete(index=place.indexes.live(), id=f"{place.stored('a').key}.0")
    said = ingest(place, file)
    assert "aspectra reindex" in said
    assert place.run("reindex")[0] == 0
    place.assert_whole(2)
    assert "aspectra reindex" not in ingest(place, file)


def test_searches_find_what_was_taken_in(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    ingest(place, make_csv([row("a", "IMPRESSION: A small gossamer."), row("b")]))
    answer = Searcher.from_settings(place.settings, place.ledger).ask("gossamer")
    assert (answer.counts.passages, answer.groups[0].hits[0].note_id) == (1, "a")


def test_a_broker_that_is_away_is_started(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    down(place.settings, ["broker", "worker"])
    said = ingest(place, make_csv([row("a"), row("b")]))
    assert "broker does not run; starting it." in said
    assert "worker does not run; starting it." in said
    place.assert_whole(2)


def test_an_engine_that_is_away_is_an_error_with_its_remedy(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    place = empty_stack
    down(place.settings, ["engine"])
    try:
        status, _, errors = place.run("ingest", make_csv([row("a")]))
    finally:
        up(place.settings, ["engine"])
    assert status == 1
    assert "aspectra up" in errors
    assert "Traceback" not in errors
