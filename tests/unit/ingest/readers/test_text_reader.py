"""Text files, alone and in folders."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from ingest.readers import Rejected, open_collection
from search_stack.errors import AspectraError
from search_stack.schema import Note


def test_a_folder_is_walked_in_order_with_paths_as_ids(tmp_path: Path) -> None:
    folder = tmp_path / "ward"
    (folder / "b").mkdir(parents=True)
    (folder / "c.txt").write_bytes(b"third\r\n")
    (folder / "b" / "2.v1.txt").write_bytes(b"\xef\xbb\xbfsecond")
    (folder / "a.TXT.gz").write_bytes(gzip.compress(b"first"))
    (folder / "skip.md").write_text("not a note")
    (folder / ".hidden.txt").write_text("not a note")
    collection = open_collection(folder)
    records = list(collection)
    assert [r.item for r in records] == [
        Note("a", "first", "a", collection="ward"),
        Note("b/2.v1", "second", "b/2.v1", collection="ward"),
        Note("c", "third\r\n", "c", collection="ward"),
    ]
    assert records[-1].bytes_read == collection.total_bytes
    assert [r.item for r in collection] == [r.item for r in records]


def test_bad_files_are_rejected_and_the_others_stay(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "b.txt").write_bytes(b" \n")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"no effusion " * 999)[:40])
    (tmp_path / "d.txt").write_bytes(b"well")
    (tmp_path / "e\x01.txt").write_bytes(b"well")
    assert [r.item for r in open_collection(tmp_path, collection="x")] == [
        Rejected("a.txt", 0, "text", "not valid UTF-8"),
        Rejected("b.txt", 0, "text", "empty"),
        Rejected("c.txt.gz", 0, "text", "the file cannot be read, or is damaged"),
        Note("d", "well", "d", collection="x"),
        Rejected("e\x01.txt", 0, "note_id", "holds a control character"),
    ]


def test_a_file_name_that_is_not_utf8_is_rejected(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_bytes(b"well")
    (record,) = open_collection(tmp_path)
    assert isinstance(record.item, Rejected)
    assert (record.item.source, record.item.field) == ("a\ufffd.txt", "note_id")


def test_a_single_file_is_one_note(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear colleague")
    collection = open_collection(path)
    assert [r.item for r in collection] == [Note("letter", "Dear colleague", "letter", collection="letter")]
    assert collection.format == "text"


def test_a_folder_without_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n")
    with pytest.raises(AspectraError, match=r"no \.txt file"):
        open_collection(tmp_path)


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("well")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert len(list(open_collection(tmp_path))) == 1
