"""Text files, alone and in folders."""

from __future__ import annotations

import gzip
import os
from datetime import date
from pathlib import Path

import pytest

from ingest.readers import Rejected, Work, open_source
from ingest.readers.streams import InputFile
from ingest.readers.text_reader import EACH_ITS_OWN
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note


def test_a_folder_is_walked_in_order_with_paths_as_ids(tmp_path: Path) -> None:
    folder = tmp_path / "ward"
    (folder / "b").mkdir(parents=True)
    (folder / "c.txt").write_bytes(b"third\r\n")
    (folder / "b" / "2.v1.txt").write_bytes(b"\xef\xbb\xbfsecond")
    (folder / "a.TXT.gz").write_bytes(gzip.compress(b"first"))
    (folder / "skip.md").write_text("not a note")
    (folder / ".hidden.txt").write_text("not a note")
    collection = open_source(folder)
    records = list(collection)
    assert [r.item for r in records] == [
        Note("a", "first", "a", collection="ward"),
        Note("b/2.v1", "second", "b/2.v1", collection="ward"),
        Note("c", "third\r\n", "c", collection="ward"),
    ]
    assert collection.work == Work(records[-1].done, "bytes")
    assert [r.item for r in collection] == [r.item for r in records]


def test_bad_files_are_rejected_and_the_others_stay(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "b.txt").write_bytes(b" \n")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"no effusion " * 999)[:40])
    (tmp_path / "d.txt").write_bytes(b"well")
    (tmp_path / "e\x01.txt").write_bytes(b"well")
    assert [r.item for r in open_source(tmp_path, collection="x")] == [
        Rejected("a.txt", 0, "text", "not valid UTF-8"),
        Rejected("b.txt", 0, "text", "empty"),
        Rejected("c.txt.gz", 0, "text", "the file cannot be read, or is damaged"),
        Note("d", "well", "d", collection="x"),
        Rejected("e\x01.txt", 0, "note_id", "holds a control character"),
    ]


UTF16 = "many NUL characters: UTF-16 without a byte order mark? Save it as UTF-8"


def test_utf16_without_a_mark_is_rejected_and_a_few_nuls_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("No effusion.".encode("utf-16-le"))
    (tmp_path / "b.txt").write_bytes("Выпота нет, лёгкие чистые.".encode("utf-16-be"))
    (tmp_path / "c.txt").write_bytes(b"No\0effusion\0\0")
    (tmp_path / "d.txt").write_bytes(b"A long note.\0" * 5 + b"Lungs are clear. " * 50)
    assert [r.item for r in open_source(tmp_path, collection="x")][:3] == [
        Rejected("a.txt", 0, "text", UTF16),
        Rejected("b.txt", 0, "text", UTF16),
        Note("c", "No\ufffdeffusion\ufffd\ufffd", "c", collection="x"),
    ]
    assert isinstance(list(open_source(tmp_path))[3].item, Note)


def test_a_file_name_that_is_not_utf8_is_rejected(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_bytes(b"well")
    (record,) = open_source(tmp_path)
    assert isinstance(record.item, Rejected)
    assert (record.item.source, record.item.field) == ("a\ufffd.txt", "note_id")


def test_a_single_file_is_one_note(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear colleague")
    collection = open_source(path)
    assert [r.item for r in collection] == [Note("letter", "Dear colleague", "letter", collection="letter")]
    assert collection.format == "text"


def test_a_folder_without_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n")
    with pytest.raises(AspectraError, match=r"no \.txt file"):
        open_source(tmp_path)


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("well")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert len(list(open_source(tmp_path))) == 1


def test_links_are_left_out_and_counted_unless_they_are_asked_for(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("of another folder")
    folder = tmp_path / "ward"
    (folder / "below").mkdir(parents=True)
    (folder / "a.txt").write_text("well")
    (folder / "b.txt").symlink_to(outside / "secret.txt")
    (folder / "below" / "c.txt").symlink_to(folder / "a.txt")
    (folder / "d").symlink_to(outside, target_is_directory=True)
    found = open_source(folder)
    assert ([r.item.note_id for r in found if isinstance(r.item, Note)], [r[:18] for r in found.remarks]) == (
        ["a"],
        ["3 symbolic links w", EACH_ITS_OWN[:18]],
    )
    found = open_source(folder, follow_links=True)
    assert ([r.item.note_id for r in found if isinstance(r.item, Note)], [r[:18] for r in found.remarks]) == (
        ["a", "b", "below/c"],
        ["1 symbolic links w", EACH_ITS_OWN[:18]],
    )


def test_files_of_other_kinds_are_counted_by_ending_and_never_named(tmp_path: Path) -> None:
    for name in ("a.txt", "b.TXT", "reports.csv", "more.CSV", "d.rtf", "Smith", "Letter.to Mr Jones", ".hidden.rtf"):
        (tmp_path / name).write_text("well")
    os.mkfifo(tmp_path / "pipe")
    found = open_source(tmp_path)
    assert [r.item.note_id for r in found if isinstance(r.item, Note)] == ["a", "b"]
    assert list(found.remarks) == ["5 files of other kinds were left out: without an ending, .csv, .rtf.", EACH_ITS_OWN]


def test_of_many_other_kinds_the_most_frequent_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("well")
    for n in range(9):
        (tmp_path / f"a.k{n}").touch()
    (tmp_path / "b.k8").touch()
    kinds = ".k8, .k0, .k1, .k2, .k3, .k4, .k5, .k6, …"
    assert list(open_source(tmp_path).remarks) == [f"10 files of other kinds were left out: {kinds}.", EACH_ITS_OWN]


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_text("well")
    (tmp_path / "file.txt").symlink_to(tmp_path / "a" / "x.txt")
    (tmp_path / "folder").symlink_to(tmp_path / "a", target_is_directory=True)
    assert len(list(open_source(tmp_path / "file.txt"))) == 1
    assert len(list(open_source(tmp_path / "folder"))) == 1


def test_a_folder_of_links_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to("/etc/passwd")
    with pytest.raises(AspectraError, match=r"holds no \.txt file but symbolic links.*--follow-links"):
        open_source(tmp_path)


def test_a_file_that_became_a_link_or_a_pipe_is_rejected(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("well")
    items = []
    for record in open_source(tmp_path):
        items.append(record.item)
        if len(items) == 1:  # between the listing and the reading
            for name in ("b.txt", "c.txt"):
                (tmp_path / name).unlink()
            (tmp_path / "b.txt").symlink_to("/etc/passwd")
            os.mkfifo(tmp_path / "c.txt")
    assert [i.note_id for i in items if isinstance(i, Note)] == ["a"]


@pytest.mark.parametrize("link", ["pipe", "/dev/zero"])
def test_pipes_and_devices_in_a_folder_are_not_read(tmp_path: Path, link: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "b.txt")
    (tmp_path / "a.txt").write_text("well")
    (tmp_path / "c.txt").symlink_to(link)
    for follow in (False, True):
        assert [r.item for r in open_source(tmp_path, collection="x", follow_links=follow)] == [
            Note("a", "well", "a", collection="x")
        ]


def test_pipes_and_devices_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(AspectraError, match="neither a file nor a folder"):
        open_source(tmp_path / "a.txt")
    with pytest.raises(AspectraError, match="neither a file nor a folder"):
        open_source(Path("/dev/zero"), "csv")
    with pytest.raises(AspectraError, match="no regular file"):  # even where it came later
        InputFile(tmp_path / "a.txt")


def test_names_of_files_tell_patient_day_and_type(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    (folder / "P-7").mkdir(parents=True)
    (folder / "P-9").mkdir()
    (folder / "P-7" / "2021-02-03 Clinic letter.txt").write_text("No effusion.")
    (folder / "P-7" / "20210204 Discharge summary.txt.gz").write_bytes(gzip.compress(b"Effusion."))
    (folder / "P-9" / "draft.txt").write_text("Effusion.")
    (folder / "P-9" / "03.02.2021 ED note.txt").write_text("Effusion.")
    source = open_source(folder, names="{patient_id}/{date} {type}")
    found = [r.item for r in source]
    assert source.remarks == []
    first, second, third, fourth = found
    assert isinstance(first, Note)
    assert isinstance(second, Note)
    assert (first.note_id, first.patient_id, first.date, first.type) == (
        "P-7/2021-02-03 Clinic letter",
        "P-7",
        date(2021, 2, 3),
        "Clinic letter",
    )
    assert (second.patient_id, second.date, second.type) == ("P-7", date(2021, 2, 4), "Discharge summary")
    assert third == Rejected("P-9/03.02.2021 ED note.txt", 0, "date", "not an ISO date")
    assert fourth == Rejected("P-9/draft.txt", 0, "note_id", "the file's name is not as --names has it")


def test_what_is_not_read_of_a_name_is_a_star(tmp_path: Path) -> None:
    (tmp_path / "w3_P-7_(final).txt").write_text("well")
    (note,) = [r.item for r in open_source(tmp_path, names="w*_{patient_id}_(*)")]
    assert isinstance(note, Note)
    assert (note.patient_id, note.date, note.type) == ("P-7", None, "")


@pytest.mark.parametrize("pattern", ["*", "", "{patient}/{date}", "{date} {date}", "{note_id}", "{}"])
def test_a_pattern_of_names_that_tells_nothing_is_an_error(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "a.txt").write_text("well")
    with pytest.raises(AspectraError, match="--names"):
        open_source(tmp_path, names=pattern)


def test_a_table_has_columns_and_no_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1,well\n")
    with pytest.raises(AspectraError, match="names of files"):
        open_source(tmp_path / "a.csv", names="{patient_id}")
