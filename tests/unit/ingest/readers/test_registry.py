"""Which format a path is taken for, and what cannot be opened."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pytest

from ingest.readers import CHOICES, Opened, Record, Rejected, Source, Work, columns_of, open_source, registry
from ingest.readers.format import Format, Rank, Request
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note

OPENI = b"uid,MeSH,Problems,image,indication,comparison,findings,impression\n1,m,p,Chest,a,b,c,d\n"
EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"
MTSAMPLES = b'{"id":"1","specialty":[],"name":"n","description":"","headings":[],"text":"t"}\n'


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", b"id,text\n1,t\n", "csv"),
        ("a.tsv", b"id\ttext\n1\tt\n", "csv"),
        ("a.ndjson", b'{"id":"1","text":"t"}\n', "jsonl"),
        ("a.json", b'{"id":"1","text":"t"}\n', "jsonl"),
        ("a.txt", b"t", "text"),
        ("a.csv", OPENI, "openi"),
        ("a.jsonl", MTSAMPLES, "mtsamples"),
    ],
)
def test_auto_finds_the_format(tmp_path: Path, name: str, content: bytes, expected: str, packed: bool) -> None:
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content) if packed else content)
    collection = open_source(path)
    assert collection.format == expected
    assert len(list(collection)) == 1
    assert collection.work == Work(path.stat().st_size, "bytes")
    assert collection.collection == (expected if expected in ("openi", "mtsamples") else "a")


def test_a_columns_of_ones_own_makes_it_a_plain_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(OPENI)
    assert open_source(path, columns=columns_of({"text": "findings"})).format == "csv"


def test_a_given_format_wins_over_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "export.dat"
    path.write_bytes(b"id,text\n1,t\n")
    assert open_source(path, "csv").collection == "export.dat"
    with pytest.raises(AspectraError, match="--format"):
        open_source(path)


def test_a_file_called_demo_is_not_taken_for_the_synthetic_notes(tmp_path: Path) -> None:
    path = tmp_path / "demo.csv"
    path.write_bytes(b"id,text\n1,t\n")
    assert open_source(path).collection == "demo-file"
    assert open_source(path, collection="demo").collection == "demo"


def test_exports_of_clinical_databases_are_known_by_what_they_hold(tmp_path: Path) -> None:
    fhir = tmp_path / "a.ndjson"
    fhir.write_bytes(b'{"resourceType":"Patient","id":"1"}\n')
    assert open_source(fhir).format == "fhir"
    assert open_source(tmp_path).format == "fhir"
    fhir.write_bytes(b'{"id":"1","text":"t"}\n')
    assert open_source(fhir).format == "jsonl"
    assert open_source(EXAMPLES / "fhir").format == "fhir"
    assert open_source(EXAMPLES / "omop").format == "omop"


def test_paths_that_hold_nothing_are_errors(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "a.txt").write_text("t")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(AspectraError, match=r"gone\.csv does not exist"):
        open_source(tmp_path / "gone.csv")
    with pytest.raises(AspectraError, match=r"empty\.csv is empty"):
        open_source(tmp_path / "empty.csv")
    with pytest.raises(AspectraError, match=r"pipe\.csv is neither"):
        open_source(tmp_path / "pipe.csv")
    with pytest.raises(AspectraError, match="Unknown format 'xml'"):
        open_source(tmp_path / "empty.csv", "xml")
    with pytest.raises(AspectraError, match="is a folder, and csv"):
        open_source(tmp_path, "csv")
    with pytest.raises(AspectraError, match="text takes no columns"):
        open_source(tmp_path / "a.txt", columns=columns_of({"text": "t"}))


@pytest.mark.skipif(os.geteuid() == 0, reason="needs an ordinary user: root reads every file")
def test_a_file_without_permission_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,text\n1,t\n")
    path.chmod(0)
    with pytest.raises(AspectraError, match="Permission denied"):
        open_source(path)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "openi.csv", "mt.jsonl", "a.txt"])
def test_a_note_beyond_the_limit_is_rejected_by_every_reader(tmp_path: Path, name: str) -> None:
    text = "é" * 1500
    content = {
        "a.csv": f"id,text\n1,{text}\n2,{text[:1400]}\n",
        "a.jsonl": "".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, t in ((1, text), (2, "short"))),
        "openi.csv": OPENI.decode().replace(",d\n", f",{text}\n2,m,p,Chest,a,b,c,d\n"),
        "mt.jsonl": MTSAMPLES.decode().replace('"t"', f'"{text}"') + MTSAMPLES.decode(),
        "a.txt": text,
    }[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    first, *others = (r.item for r in open_source(tmp_path / name, note_characters=1450))
    assert isinstance(first, Rejected)
    assert first.field == "text"
    assert re.fullmatch(r"1,5\d\d characters; at most 1,450 \(ASPECTRA_NOTE_CHARACTERS\)", first.reason)
    assert len(others) == (name != "a.txt")
    assert all(isinstance(item, Note) for item in others)
    assert all(isinstance(r.item, Note) for r in open_source(tmp_path / name, note_characters=1600))


def demo_patients(request: Request) -> Source:
    """Patients of a database; nobody knows how many."""
    note = Note("1", "t", "1", collection=request.collection_name("ward"))
    return Opened(request.shown, request.shown, "database", note.collection, None, lambda: iter([Record(note, 1)]))


def by_address(request: Request) -> Rank:
    return Rank.CONTENT if request.where.startswith("postgresql://") else Rank.NO


def test_a_reader_needs_neither_a_file_nor_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    database = Format("database", demo_patients, recognise=by_address, holds=("address",))
    address = "postgresql://me:secret@host/notes"
    with pytest.raises(AspectraError, match="postgresql://…: its format cannot be told"):
        open_source(address)
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, database))
    found = open_source(address)
    assert (found.format, found.collection, found.work, len(list(found))) == ("database", "ward", None, 1)
    with pytest.raises(AspectraError, match="postgresql://… is an address, and csv is read from a file") as caught:
        open_source(address, "csv")
    assert "secret" not in str(caught.value)


def test_a_folder_of_a_surer_format_is_not_taken_for_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("t")
    assert open_source(tmp_path).format == "text"
    export = Format("export", demo_patients, recognise=lambda r: Rank.CONTENT, holds=("folder",))
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, export))
    assert open_source(tmp_path).format == "database"


def test_every_format_is_known_by_one_name() -> None:
    names = [f.name for f in registry.FORMATS]
    assert len(set(names)) == len(names)
    tables = {"csv", "jsonl", "text", "openi", "mtsamples", "patients", "merges", "facts", "codes"}
    assert set(CHOICES) == {"auto", "omop", "fhir"} | tables
