from __future__ import annotations

import json
from pathlib import Path

import pytest

from aspectra.cli import main
from encoders.training.negatives import with_negatives
from search_stack.core.schema import Note
from search_stack.evaluation.datasets.entity_aspect import load
from search_stack.evaluation.datasets.mining import MOST_CHARACTERS, Mined, mine, mine_findings
from search_stack.language.labeller import Labeller
from tests import language

TEXT = """HISTORY OF PRESENT ILLNESS: The patient has had gout of the right big toe for three days. The gout came at
night and woke him up.

PLAN: Colchicine for the gout, and rest until the swelling has gone. He comes back in two weeks for a blood test.

ALLERGIES: None.
"""


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return language.labeller()


def mined(labeller: Labeller, text: str) -> Mined:
    (one,) = mine([Note("n1", text, "p1", title="Visit")], labeller)
    return one


def test_what_a_section_is_about_and_its_heading_ask_for_its_text(labeller: Labeller) -> None:
    one = mined(labeller, TEXT)
    asked = {(q["annotations"][0]["entity"], q["annotations"][0]["aspect"]): q for q in one.queries}
    history, plan = asked["gout", "history of present illness"], asked["gout", "plan"]
    assert history["text"] == "How did gout come about ?"
    assert plan["text"] == "What is planned for gout ?"
    text = {a["id"]: TEXT[a["begin"] : a["begin"] + a["length"]] for a in one.document["annotations"]}
    assert text[plan["results"][0]["id"]].startswith("Colchicine for the gout")
    assert history["results"] != plan["results"]


def test_no_passage_holds_a_heading(labeller: Labeller) -> None:
    one = mined(labeller, TEXT)
    for a in one.document["annotations"]:
        passage = TEXT[a["begin"] : a["begin"] + a["length"]]
        assert "PLAN" not in passage
        assert "HISTORY" not in passage


def test_every_answer_names_the_entity(labeller: Labeller) -> None:
    far = " ".join(f"He walked {n} miles on day {n} and felt well enough afterwards." for n in range(40))
    one = mined(labeller, f"PLAN: Colchicine for the gout. {far} The gout needs a blood test in two weeks.")
    (query,) = (q for q in one.queries if q["annotations"][0]["entity"] == "gout")
    answers = {r["id"] for r in query["results"]}
    pieces = one.document["annotations"]
    assert len(pieces) > 2
    assert all(a["length"] <= MOST_CHARACTERS for a in pieces)
    assert [a["id"] in answers for a in pieces] == [True, *[False] * (len(pieces) - 2), True]


def test_notes_without_headings_or_entities_give_nothing(labeller: Labeller) -> None:
    notes = [Note("a", "Gout of the big toe, which came at night and hurt a lot, says the patient himself.", "p")]
    assert list(mine([*notes, Note("b", "PLAN: " + "He comes back when he likes to. " * 5, "p")], labeller)) == []


def test_the_command_writes_what_train_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes.jsonl"
    rows = [{"note_id": f"n{n}", "patient_id": f"p{n}", "text": TEXT} for n in range(3)]
    notes.write_text("\n".join([*map(json.dumps, rows), "{torn"]) + "\n")
    out = tmp_path / "pairs.json"
    with pytest.raises(SystemExit) as ended:
        main(["mine", str(notes), "--out", str(out)])
    assert not ended.value.code
    data = load(out)
    assert {q.aspect for q in data.queries} >= {"plan", "history of present illness"}
    assert len({p.document_id for p in data.passages}) == 3
    assert out.stat().st_mode & 0o777 == 0o600
    said = capsys.readouterr().out
    assert "1 records could not be read, the first at notes.jsonl:4" in " ".join(said.split())


def test_notes_that_teach_nothing_leave_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("Nothing to see.")
    with pytest.raises(SystemExit) as ended:
        main(["mine", str(tmp_path / "note.txt"), "--out", str(tmp_path / "pairs.json")])
    assert ended.value.code
    assert "no headed section" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["note.txt"]


DENIED = "FINDINGS: No pleural effusion. The heart is enlarged."
AFFIRMED = "FINDINGS: Small left pleural effusion."


def test_findings_ask_for_what_affirms_and_for_what_denies_them(labeller: Labeller) -> None:
    found = list(mine_findings([Note("a", DENIED, "p"), Note("b", AFFIRMED, "p")], labeller))
    assert [one.document["id"] for one in found] == ["a", "b"]
    text = {
        a["id"]: one.document["text"][a["begin"] : a["begin"] + a["length"]]
        for one in found
        for a in one.document["annotations"]
    }
    asked = {q["text"]: [text[r["id"]] for r in q["results"]] for one in found for q in one.queries}
    assert asked["no pleural effusion"] == ["No pleural effusion. The heart is enlarged."]
    assert asked["pleural effusion"] == ["Small left pleural effusion."]


def test_every_query_has_every_answer_and_each_another_one_in_front(labeller: Labeller) -> None:
    notes = [Note(f"n{n}", f"FINDINGS: Pleural effusion {n}.", "p") for n in range(1, 8)]
    queries = [q for one in mine_findings(notes, labeller, most=3) for q in one.queries]
    answers = [[r["id"] for r in q["results"]] for q in queries]
    assert len({ids[0] for ids in answers}) == len(queries) == 3
    assert all(sorted(ids) == sorted(answers[0]) and len(ids) == 7 for ids in answers)


def test_mined_findings_can_be_learnt_from(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    texts = [DENIED, DENIED, AFFIRMED, AFFIRMED] * 3
    rows = [{"note_id": f"n{n}", "patient_id": f"p{n}", "text": t} for n, t in enumerate(texts)]
    notes.write_text("\n".join(map(json.dumps, rows)) + "\n")
    halves = {}
    for half in ("first", "second"):
        with pytest.raises(SystemExit) as ended:
            main(["mine", str(notes), "--findings", "--half", half, "--out", str(tmp_path / f"{half}.json")])
        assert not ended.value.code
        halves[half] = load(tmp_path / f"{half}.json")
    documents = [{p.document_id for p in data.passages} for data in halves.values()]
    assert not documents[0] & documents[1]
    assert len(documents[0] | documents[1]) == len(texts)
    examples = with_negatives(halves["first"])
    assert examples
    for e in examples:
        assert all(p.id not in e.query.relevant for p in e.negatives)
