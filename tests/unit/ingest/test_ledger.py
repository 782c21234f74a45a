"""The ledger in SQLite, and in PostgreSQL where that is installed."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError

from ingest.agreement import some_ranges
from ingest.ledger import Ledger, StoredNote
from ingest.ledger.database import MIGRATIONS, open_database, writing
from ingest.ledger.queue import Queue
from ingest.ledger.tables import metadata
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note


def note(note_id: str = "n1", text: str = "Clear lungs.", collection: str = "reports") -> Note:
    return Note(note_id, text, "p1", "report", date(2020, 2, 29), "Chest", collection)


def put(ledger: Ledger, *batch: Note) -> list[str]:
    """Put notes in a run of their own."""
    return list(ledger.put(batch, ledger.start_run("file", "csv")))


def stored(ledger: Ledger, note_id: str = "n1") -> StoredNote:
    return next(s for s in ledger.after(0, 1000) if s.note.note_id == note_id)


def finish_all(ledger: Ledger, passages: int) -> None:
    """Everything that waits is indexed, with so many passages each."""
    queue = Queue(ledger, 100, 60, 5)
    batch = queue.begin(queue.claim() or "")
    queue.finish([(s, passages) for s in batch])


def test_a_new_note_comes_back_as_it_was(ledger: Ledger) -> None:
    odd = replace(note(), text="µ 𝔘 \u2028 \ue000 e\u0301\r\n\tend", date=None, title="")
    assert put(ledger, note("n0"), odd) == ["new", "new"]
    assert stored(ledger).note == odd
    assert (stored(ledger).version, stored(ledger).state, stored(ledger).passages) == (1, "pending", 0)
    assert stored(ledger, "n0").note == note("n0")


def test_the_same_content_changes_nothing(ledger: Ledger) -> None:
    put(ledger, note())
    finish_all(ledger, 3)
    before = stored(ledger)
    assert put(ledger, note()) == ["unchanged"]
    assert stored(ledger) == before


@pytest.mark.parametrize(
    "other",
    [
        replace(note(), text="Effusion."),
        replace(note(), patient_id="p2"),
        replace(note(), type="letter"),
        replace(note(), date=None),
        replace(note(), title=""),
    ],
)
def test_every_field_that_reaches_the_index_makes_a_note_changed(other: Note, ledger: Ledger) -> None:
    put(ledger, note())
    finish_all(ledger, 7)
    assert put(ledger, other) == ["changed"]
    now = stored(ledger)
    assert now.note == other
    assert (now.version, now.state, now.attempts) == (2, "pending", 0)
    assert now.passages == 7  # so many may have to leave the index


def test_an_id_twice_in_one_run_is_a_duplicate_in_one_batch_and_in_two(ledger: Ledger) -> None:
    run = ledger.start_run("file", "csv")
    assert ledger.put([note(), note(), note(text="Other.")], run) == ["new", "unchanged", "duplicate"]
    assert ledger.put([note(text="Another."), note()], run) == ["duplicate", "unchanged"]
    assert stored(ledger).note.text == "Clear lungs."
    assert put(ledger, note(text="Other."), note(text="Third.")) == ["changed", "duplicate"]
    assert stored(ledger).note.text == "Other."


def test_another_collections_note_is_not_replaced(ledger: Ledger) -> None:
    put(ledger, note())
    assert put(ledger, note(text="Other.", collection="letters")) == ["foreign"]
    assert put(ledger, note(collection="letters")) == ["unchanged"]
    assert stored(ledger).note == note()


def test_two_that_bring_the_same_notes_at_once(ledger: Ledger) -> None:
    batch = [note(f"n{i}") for i in range(400)]
    outcomes: list[str] = []
    barrier = threading.Barrier(4)

    def bring() -> None:
        run = ledger.start_run("file", "csv")
        barrier.wait()
        for part in range(0, 400, 20):
            outcomes.extend(ledger.put(batch[part : part + 20], run))

    threads = [threading.Thread(target=bring) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(outcomes) == {"new": 400, "unchanged": 1200}
    assert ledger.counts()["pending"] == 400


def test_notes_after_a_key_come_in_order_without_those_that_belong_in_no_index(ledger: Ledger) -> None:
    put(ledger, *(note(f"n{i}") for i in range(5)))
    keys = [s.key for s in ledger.after(0, 10)]
    assert keys == sorted(keys)
    queue = Queue(ledger, 1, 60, 1)
    queue.fail(queue.begin(queue.claim() or "")[0], "ValueError")
    ledger.mark_deleting(["n3"])
    assert [s.note.note_id for s in ledger.after(0, 10)] == ["n1", "n2", "n4"]
    assert [s.note.note_id for s in ledger.after(keys[1], 1)] == ["n2"]
    assert ledger.counts() == {"pending": 3, "indexed": 0, "failed": 1, "deleting": 1}
    assert [s.note.note_id for s in ledger.failed()] == ["n0"]


def test_expected_passages_are_those_of_indexed_notes(ledger: Ledger) -> None:
    assert ledger.expected_passages() == 0
    put(ledger, note("n1"), note("n2"))
    finish_all(ledger, 3)
    assert ledger.expected_passages() == 6
    put(ledger, note("n1", "Other."))
    assert ledger.expected_passages() == 3


def test_deletion_by_id_and_by_collection(ledger: Ledger) -> None:
    put(ledger, note("n1"), note("n2"), note("n3", collection="letters"))
    assert ledger.mark_deleting(["n1", "unknown"]) == ["n1"]
    assert ledger.mark_deleting(["n3"], "reports") == []
    assert sorted(ledger.mark_deleting(None, "reports")) == ["n1", "n2"]
    assert ledger.has_collection("letters")
    marked = ledger.deleting(10)
    assert [(s.note.note_id, s.version) for s in marked] == [("n1", 2), ("n2", 2)]
    ledger.remove(marked)
    assert [s.note.note_id for s in ledger.after(0, 10)] == ["n3"]
    assert not ledger.has_collection("reports")


def test_a_mark_counts_once_as_a_version(ledger: Ledger) -> None:
    put(ledger, note())
    ledger.mark_deleting(["n1"])
    ledger.mark_deleting(["n1"])
    assert ledger.deleting(1)[0].version == 2


def test_more_ids_than_one_statement_takes(ledger: Ledger) -> None:
    batch = [note(f"n{i}") for i in range(1201)]
    assert Counter(put(ledger, *batch)) == {"new": 1201}
    assert Counter(put(ledger, *batch)) == {"unchanged": 1201}
    assert len(ledger.mark_deleting([n.note_id for n in batch])) == 1201


@pytest.mark.parametrize("text", ["Clear lungs.", "Other."])
def test_a_note_brought_back_while_it_is_deleted_stays(text: str, ledger: Ledger) -> None:
    put(ledger, note())
    finish_all(ledger, 4)
    ledger.mark_deleting(["n1"])
    marked = ledger.deleting(10)
    assert put(ledger, note(text=text)) == ["changed"]
    ledger.remove(marked)
    now = stored(ledger)
    assert (now.version, now.state, now.passages, now.note.text) == (3, "pending", 4, text)


def test_a_key_is_never_used_again(ledger: Ledger) -> None:
    put(ledger, note())
    before = stored(ledger).key
    ledger.mark_deleting(["n1"])
    ledger.remove(ledger.deleting(1))
    put(ledger, note())
    assert stored(ledger).key > before


def test_builds(ledger: Ledger) -> None:
    ledger.start_build("passages-000002")
    ledger.move_build("passages-000002", 17)
    assert ledger.building() == {"passages-000002": 17}
    ledger.end_build("passages-000002")
    assert ledger.building() == {}


def test_an_error_of_the_database_holds_no_text_of_a_note(ledger: Ledger) -> None:
    run = ledger.start_run("file", "csv")
    with writing(ledger.engine) as c:
        c.execute(text("ALTER TABLE notes RENAME COLUMN title TO heading"))
    with pytest.raises(DatabaseError) as caught:
        ledger.put([note(text="zebrafinding")], run)
    error: BaseException | None = caught.value
    while error:
        assert "zebrafinding" not in str(error)
        error = error.__context__


# Schema and migrations


def test_the_migrations_make_the_tables_that_the_code_declares(ledger: Ledger) -> None:
    with ledger.engine.connect() as c:
        context = MigrationContext.configure(c, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        indexes = {i["name"]: i["column_names"] for i in inspect(c).get_indexes("notes") if not i["unique"]}
    assert indexes == {i.name: [c.name for c in i.columns] for i in metadata.tables["notes"].indexes}


def test_a_migration_is_in_the_file_of_its_revision_and_comes_after_those_before() -> None:
    found = [(r.revision, r.down_revision, Path(r.path).stem[:5]) for r in ScriptDirectory(MIGRATIONS).walk_revisions()]
    names = [f"{number:04d}" for number in range(1, len(found) + 1)]
    assert found[::-1] == [(r, before, f"{r}_") for before, r in zip([None, *names], names, strict=False)]


def test_opening_a_ledger_again_keeps_it(ledger: Ledger, ledger_address: str) -> None:
    put(ledger, note())
    again = Ledger(open_database(ledger_address))
    assert stored(again) == stored(ledger)
    again.engine.dispose()


def test_a_newer_ledger_is_refused(ledger: Ledger, ledger_address: str) -> None:
    with writing(ledger.engine) as c:
        c.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(AspectraError, match="newer Aspectra \\(revision 9999\\)"):
        open_database(ledger_address)
    with ledger.engine.connect() as c:
        assert inspect(c).has_table("notes")


def test_two_processes_migrate_at_once(ledger_address: str) -> None:
    program = """
import sys
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
print(Ledger(open_database(sys.argv[1])).start_run("file", "csv"))
"""
    command = [sys.executable, "-c", program, ledger_address]
    callers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert sorted(c.communicate()[0].strip() for c in callers) == ["1", "2", "3", "4"]


def test_what_is_no_ledger_is_an_error_for_people(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite3"
    file.write_bytes(b"not a database, whatever its name says" * 100)
    with pytest.raises(AspectraError, match=str(file)):
        open_database(f"sqlite:///{file}")
    with pytest.raises(AspectraError, match="ASPECTRA_LEDGER_URL"):
        open_database(f"sqlite:///{file}/ledger.sqlite3")
    with pytest.raises(AspectraError, match="ASPECTRA_LEDGER_URL"):
        open_database("ledger")


def test_a_database_that_is_away_is_an_error_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(AspectraError) as caught:
        open_database(f"postgresql+psycopg://someone:hushhush@/ledger?host={tmp_path}")
    assert "hushhush" not in str(caught.value)


def test_two_connections_of_one_process_lose_nothing_when_others_come_and_go(tmp_path: Path) -> None:
    """SQLite's locks are the process's: to close the file once would end them all."""
    address = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    program = """
import sys
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from search_stack.core.schema import Note
ledger = Ledger(open_database(sys.argv[1]))
ledger.put([Note(sys.argv[2], "Clear lungs.", "p1")], ledger.start_run("file", "csv"))
"""
    first, second = Ledger(open_database(address)), Ledger(open_database(address))
    put(first, note("n1"))
    for name in ("n2", "n3"):
        subprocess.run([sys.executable, "-c", program, address, name], check=True)
        put(second, note(f"after {name}"))
    first.engine.dispose()
    second.engine.dispose()
    read = Ledger(open_database(address))
    assert [s.note.note_id for s in read.after(0, 10)] == ["n1", "n2", "after n2", "n3", "after n3"]
    read.engine.dispose()


def test_the_ledger_is_for_its_owner_only(tmp_path: Path) -> None:
    made = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    put(made, note())
    modes = {p.name: p.stat().st_mode & 0o077 for p in tmp_path.iterdir() if p.name != "ledger.sqlite3.lock"}
    assert set(modes) >= {"ledger.sqlite3", "ledger.sqlite3-wal"}
    assert set(modes.values()) == {0}
    made.engine.dispose()


def test_stretches_of_keys_that_hold_a_note(ledger: Ledger) -> None:
    run = ledger.start_run("s", "csv")
    ledger.put([Note(f"n{i}", "text", "p") for i in range(25)], run)
    assert sorted(ledger.stretches(10)) == [0, 1, 2]
    ledger.mark_deleting([f"n{i}" for i in range(10, 20)])
    ledger.remove(ledger.deleting(100))
    assert sorted(ledger.stretches(10)) == [0, 2]
    assert list(some_ranges(ledger, 0)) == [range(1, 201)]
    assert list(some_ranges(ledger, 401)) == [range(1, 201), range(401, 601)]
