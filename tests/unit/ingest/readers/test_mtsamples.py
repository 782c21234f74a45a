"""MTSamples notes, from the real file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ingest.readers import open_source
from ingest.readers.mtsamples import note_type
from search_stack.core.schema import Note


def test_every_note_comes_out_with_its_exact_text(data_dir: Path) -> None:
    path = data_dir / "notes" / "mtsamples.jsonl"
    collection = open_source(path)
    notes = [r.item for r in collection]
    with path.open(encoding="utf-8") as f:
        raw = [json.loads(line) for line in f]
    assert (collection.format, collection.collection, len(notes)) == ("mtsamples", "mtsamples", 1_660)
    types: Counter[str] = Counter()
    for note, source in zip(notes, raw, strict=True):
        assert isinstance(note, Note)
        assert note.text == source["text"]
        assert (note.note_id, note.title) == (f"mtsamples-{source['id']}", source["name"].strip())
        types[note.type] += 1
    assert types["discharge summary"] == 77
    assert types["letter"] == 20
    assert types["progress note"] == 110
    assert set(types) == {
        "discharge summary",
        "letter",
        "progress note",
        "operative note",
        "emergency department note",
        "radiology report",
        "consultation",
        "clinical note",
    }


@pytest.mark.parametrize(
    ("specialties", "expected"),
    [
        (["Surgery", "Radiology"], "operative note"),
        (["Consult - History and Phy.", "Emergency Room Reports"], "emergency department note"),
        (["Consult - History and Phy.", "Discharge Summary"], "discharge summary"),
        (["Autopsy"], "clinical note"),
        ([], "clinical note"),
    ],
)
def test_the_most_telling_specialty_names_the_type(specialties: list[str], expected: str) -> None:
    assert note_type(specialties) == expected
