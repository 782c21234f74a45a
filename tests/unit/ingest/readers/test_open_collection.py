"""Which format a path is taken for, and what cannot be opened."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pytest

from ingest.readers import Rejected, mapping_of, open_collection
from search_stack.errors import AspectraError
from search_stack.schema import Note

OPENI = b"uid,MeSH,Problems,image,indication,comparison,findings,impression\n1,m,p,Chest,a,b,c,d\n"
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
    collection = open_collection(path)
    assert collection.format == expected
    assert len(list(collection)) == 1
    assert collection.total_bytes == path.stat().st_size
    assert collection.name == (expected if expected in ("openi", "mtsamples") else "a")


def test_a_mapping_of_ones_own_makes_it_a_plain_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(OPENI)
    assert open_collection(path, mapping=mapping_of({"text": "findings"})).format == "csv"


def test_a_given_format_wins_over_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "export.dat"
    path.write_bytes(b"id,text\n1,t\n")
    assert open_collection(path, "csv").name == "export.dat"
    with pytest.raises(AspectraError, match="--format"):
        open_collection(path)


def test_a_file_called_demo_is_not_taken_for_the_synthetic_notes(tmp_path: Path) -> None:
    path = tmp_path / "demo.csv"
    path.write_bytes(b"id,text\n1,t\n")
    assert open_collection(path).name != "demo"
    assert open_collection(path, collection="demo").name == "demo"


@pytest.mark.parametrize("form", ["fhir", "omop"])
def test_reserved_formats_are_errors(tmp_path: Path, form: str) -> None:
    with pytest.raises(AspectraError, match=f"{form} cannot be read yet"):
        open_collection(tmp_path, form)


def test_fhir_resources_are_known_by_their_key(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(b'{"resourceType":"DocumentReference","id":"1"}\n')
    with pytest.raises(AspectraError, match="fhir cannot be read yet"):
        open_collection(path)


def test_paths_that_hold_nothing_are_errors(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "a.txt").write_text("t")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(AspectraError, match=r"gone\.csv does not exist"):
        open_collection(tmp_path / "gone.csv")
    with pytest.raises(AspectraError, match=r"empty\.csv is empty"):
        open_collection(tmp_path / "empty.csv")
    with pytest.raises(AspectraError, match=r"pipe\.csv is neither"):
        open_collection(tmp_path / "pipe.csv")
    with pytest.raises(AspectraError, match="Unknown format 'xml'"):
        open_collection(tmp_path / "empty.csv", "xml")
    with pytest.raises(AspectraError, match="is a folder, and csv"):
        open_collection(tmp_path, "csv")
    with pytest.raises(AspectraError, match="text takes no columns"):
        open_collection(tmp_path / "a.txt", mapping=mapping_of({"text": "t"}))


@pytest.mark.skipif(os.geteuid() == 0, reason="needs an ordinary user: root reads every file")
def test_a_file_without_permission_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,text\n1,t\n")
    path.chmod(0)
    with pytest.raises(AspectraError, match="Permission denied"):
        open_collection(path)


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
    first, *others = (r.item for r in open_collection(tmp_path / name, note_characters=1450))
    assert isinstance(first, Rejected)
    assert first.field == "text"
    assert re.fullmatch(r"1,5\d\d characters; at most 1,450 \(ASPECTRA_NOTE_CHARACTERS\)", first.reason)
    assert len(others) == (name != "a.txt")
    assert all(isinstance(item, Note) for item in others)
    assert all(isinstance(r.item, Note) for r in open_collection(tmp_path / name, note_characters=1600))
