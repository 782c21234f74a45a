from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import headed_notes, headed_sections, marked_sentences
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, precision_recall
from search_stack.evaluation.tasks import aspects, assertion, sections
from search_stack.language.sections.aspects import aspect_table
from search_stack.language.sections.text_model import header_table, load_model, predict_aspect, shipped, sign_patterns

HEADER = "id\tconcept\tsentence\tassertion\ttemporality\texperiencer\n"


def write(folder: Path, text: str) -> Path:
    file = folder / "data"
    file.write_text(text, encoding="utf-8")
    return file


def test_scores_of_nothing_are_0() -> None:
    assert precision_recall([], []) == PrecisionRecall(0.0, 0.0, 0.0)


def test_assertions_are_counted_by_hand(tmp_path: Path) -> None:
    rows = (
        "1\tfever\tNo FEVER today.\tNegated\tRecent\tPatient\n"
        "2\tcough\tA dry COUGH.\tAffirmed\tRecent\tPatient\n"
        "3\tasthma\tHistory of ASTHMA.\tNegated\tHistorical\tPatient\n"
    )
    report = assertion.evaluate(
        marked_sentences.load(write(tmp_path, HEADER + rows)), {"all": lambda c: iter([True] * 3)}
    )
    assert report.absent["aspectra"] == PrecisionRecall(1.0, 0.5, 2 / 3)
    assert report.absent["all"].recall == 1.0
    assert report.accuracy["aspectra"] == pytest.approx(2 / 3)
    assert (report.temporality, report.experiencer, report.sentences) == (1.0, 1.0, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\tconcept\n", ":1: there is no column sentence"),
        (HEADER + "1\ta\ta\tMaybe\tRecent\tPatient\n", ":2: assertion: unknown"),
        (HEADER, "holds no sentence"),
    ],
)
def test_a_bad_file_of_sentences_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(AspectraError, match=message):
        marked_sentences.load(write(tmp_path, text))


def test_headings_are_counted_by_hand(tmp_path: Path) -> None:
    note = {"text": "PLAN: Rest.\n\nPlan b: more rest.\n", "headings": ["PLAN:"]}
    report = sections.evaluate(headed_notes.load(write(tmp_path, json.dumps(note) + "\n")))
    assert report.heading.recall == 1.0
    assert (report.notes, report.headings) == (1, 1)


@pytest.mark.parametrize("line", ["{", '{"text": 1, "headings": []}', '{"text": "a", "headings": ["b"]}'])
def test_a_bad_line_of_notes_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(AspectraError, match=":1: "):
        headed_notes.load(write(tmp_path, line + "\n"))


def test_aspects_are_counted_by_hand(tmp_path: Path) -> None:
    text = "section_header,section_text\nALLERGY,Allergic to penicillin.\nMEDICATIONS,Aspirin 81 mg daily.\n"
    report = aspects.evaluate(headed_sections.load(write(tmp_path, text)), shipped())
    assert (report.accuracy, report.examples) == (1.0, 2)
    with pytest.raises(AspectraError, match=":2: section_header: unknown"):
        headed_sections.load(write(tmp_path, "section_header,section_text\nNONE,a\n"))


def test_an_aspect_is_told_from_the_text_where_the_model_is_sure() -> None:
    assert predict_aspect("Allergic to penicillin and sulfa.") == "allergies"
    assert predict_aspect("   ") == ""


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="no aspect model"):
        load_model(tmp_path)


def test_a_model_of_other_features_is_named(tmp_path: Path) -> None:
    one = np.ones(1)
    file = tmp_path / "aspects.npz"
    np.savez(file, headers=np.array(["CC"]), weights=np.zeros((8, 1), np.int8), scale=one, bias=one, idf=one)
    with pytest.raises(AspectraError, match="no aspect model"):
        load_model(tmp_path)


def test_headers_stand_for_aspects_of_headings() -> None:
    table, known = header_table(), set(aspect_table().aspects.values())
    assert set(table["aspects"].values()) | set(table["also"]) <= known
    assert set(table["also"].values()) <= set(table["aspects"])


@pytest.mark.parametrize("name", header_table()["signs"])
def test_a_sign_counts_what_it_names(name: str) -> None:
    sign, pattern = header_table()["signs"][name], sign_patterns()[name]
    assert [len(pattern.findall(text)) for text in sign["for"]] == [1] * len(sign["for"])
    assert [len(pattern.findall(text)) for text in sign["against"]] == [0] * len(sign["against"])


def test_sections_of_notes_teach_by_their_headings_alone(tmp_path: Path) -> None:
    note = {
        "text": "Some letter.\n\nALLERGIES: Hives from sulfa.\n\nUNKNOWN THING: More.\n",
        "headings": ["ALLERGIES:"],
    }
    found = headed_sections.of_notes(write(tmp_path, json.dumps(note) + "\n"))
    assert [(e.header, e.text) for e in found] == [("ALLERGY", "Hives from sulfa.")]


def test_the_shipped_model_reaches_what_its_card_says(data_dir: Path) -> None:
    file = data_dir / "notes" / "mts_dialog_validationset.csv"
    assert aspects.evaluate(headed_sections.load(file), shipped()).accuracy >= 0.80


def test_assertions_and_headings_stay_as_good_as_they_are(data_dir: Path) -> None:
    report = assertion.evaluate(marked_sentences.load(data_dir / "assertion" / "negex.tsv"), {})
    assert report.absent["aspectra"].f1 >= 0.985
    found = sections.evaluate(headed_notes.load(data_dir / "notes" / "mtsamples.jsonl"))
    assert found.heading.f1 >= 0.97
