"""Cohorts from lists of ids: whatever a line is, it counts or is told."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from ingest.cohorts.lists import PatientList, given_list, left_out_of, read_list
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.cohorts.version import Imported
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note


@pytest.fixture
def known(ledger: Ledger) -> Ledger:
    """Patients p1, p2 and p3, with the numbers 1, 2 and 3."""
    ledger.put([Note(f"n{p}", "Text.", f"p{p}") for p in (1, 2, 3)], ledger.start_run("file", "csv"))
    return ledger


def told(given: PatientList) -> list[tuple[int, str]]:
    return [(r.line, r.reason) for r in given.left_out]


def test_one_id_a_line(known: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_bytes(b"\xef\xbb\xbfp2\r\n\n p1 \nnobody\np2\nnobody\n\xff\xfe\xfd\n" + b"x" * 300 + b"\n")
    given = read_list(path, known)
    assert list(given.found.patients) == [1, 2]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert given.found.origin == Imported(ids=5, unknown=1, duplicate=2, sha256=digest)
    assert told(given) == [
        (4, "no patient has this id"),
        (5, "line 1 has this id already"),
        (6, "line 4 has this id already"),
        (7, "not valid UTF-8"),
        (8, "longer than 255 characters"),
    ]
    assert not any("nobody" in reason or "p2" in reason for _, reason in told(given))
    assert (len(given.found.rows), given.found.steps, given.found.provenance.ledger) == (0, (), known.identity)


@pytest.mark.parametrize("header", ["patient_id", "Subject_ID", "MRN"])
def test_a_column_of_a_table(known: Ledger, tmp_path: Path, header: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f'name,{header}\n"Doe,\nJo",p3\n,p1\nroe,\nx,p1\nx,y,z\n')
    given = read_list(path, known)
    assert list(given.found.patients) == [1, 3]
    assert [line for line, _ in told(given)] == [5, 6, 7]
    assert given.left_out[0].reason == "empty"
    assert given.left_out[1].reason == "line 4 has this id already"


def test_a_column_by_its_name_and_a_packed_file(known: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b"who;when\np1;2020\np2;2021\n"))
    assert list(read_list(path, known, "who").found.patients) == [1, 2]
    with pytest.raises(AspectraError, match="no column is called patient_id"):
        read_list(path, known)
    with pytest.raises(AspectraError, match="no such column"):
        read_list(path, known, "whom")


def test_a_file_that_gives_nobody(known: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("a\nb\n")
    with pytest.raises(AspectraError, match="none of its 2 ids"):
        read_list(path, known)
    with pytest.raises(AspectraError, match="cannot be read"):
        read_list(tmp_path / "nowhere", known)


def test_ids_of_a_request(known: Ledger, store: Store) -> None:
    ids = ["p2", "nobody", " p2 ", "", "p1", "nobody", "a\0"]
    given = given_list(ids, "f" * 64, known)
    assert list(given.found.patients) == [1, 2]
    assert given.found.origin == Imported(ids=5, unknown=1, duplicate=2, sha256="f" * 64)
    assert told(given) == [
        (2, "no patient has this id"),
        (3, "position 1 has this id already"),
        (4, "empty"),
        (6, "position 2 has this id already"),
        (7, "holds a control character"),
    ]
    saved = store.save("a", given.found, "mo")
    # Who has come since was unknown then.
    known.put([Note("n9", "Text.", "nobody")], known.start_run("file", "csv"))
    assert left_out_of(saved, ids, known) == given.left_out
    with pytest.raises(AspectraError, match="None of these ids"):
        given_list(["x", "y"], "f" * 64, known)
