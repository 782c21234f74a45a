"""An export from the ledger to its files: whole or not at all, and the same bytes however often it was killed."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import signal
import stat
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fhir.resources.R4B.group import Group
from pyroaring import BitMap
from sqlalchemy import update

from ingest.cohorts.store import Store
from ingest.handover import gathering
from ingest.handover.export import FORMS, OMOP_FILES, Form, Order, export
from ingest.handover.gathering import Gathering
from ingest.handover.preparing import settled_of
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import notes
from ingest.review.store import Reviews
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Ints, Rows
from search_stack.cohorts.version import Asked, Found, NoteStates, Provenance
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding, Hit, Note, Scores, StructuredFact
from search_stack.handover.cover import Cover
from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.query.nodes import Fact
from search_stack.query.tree_json import from_json
from search_stack.retrieval.evidence import Criterion, Shown, ShownFact, Sought
from search_stack.review.decisions import Given, Verdict

TREE = {"finding": "fever", "assertion": "absent"}
LEXICON = Lexicon([Concept("fever", "fever", "symptom")])
SOUGHT = Sought.of(Plan.of(from_json(TREE), LEXICON))
CODE = Criterion(Fact("loinc", "718-7", "<", 8.0), "the code loinc:718-7<8", {})
TEXT = "Seen today. No fever, =1+1."
PATIENTS = 12


def text_of(number: int) -> str:
    return "x" * number + TEXT


def read(keys: Ints) -> Iterable[Shown]:
    """The passage of each note, as the index would give it: behind the first sentence."""
    for key in keys.tolist():
        text = text_of(key)
        begin = text.index("No")
        fever = Finding("fever", "fever", "symptom", begin + 3, begin + 8, "absent", begin, begin + 2,
            sites=("left", "chest"),
        )  # fmt: skip
        hit = Hit(
            f"{key}.0", f"n-{key}", key, "", "", None, "", "", "PLAN", "", begin, len(text), text[begin:], (),
            Scores(), "", (fever,),
        )  # fmt: skip
        yield Shown(hit, 1, (0,))


def read_facts(patients: Ints) -> Iterable[ShownFact]:
    """The one fact, as the index would give it."""
    return [ShownFact(patient, 20_000, 1, (0,)) for patient in patients.tolist()]


@pytest.fixture
def found(ledger: Ledger) -> Found:
    """Twelve patients with a note each, but for the fifth, who has two, one without a date, the sixth, who has a
    structured fact, and the seventh without evidence."""
    run = ledger.start_run("a.csv", "csv")
    owners = [5 if n == 7 else n for n in range(1, PATIENTS + 1)]
    batch = [
        Note(f"n-{n}", text_of(n), f"p{owner}", "progress", date(2020, 1, n), encounter_id=f"e{n}")
        for n, owner in enumerate(owners, 1)
    ]
    ledger.put(batch, run)
    ledger.put([Note("late", "Well.", "p7")], run)
    numbers = ledger.people.numbers([f"p{n}" for n in range(1, PATIENTS + 1)])
    rows = [(numbers[f"p{owner}"], 18_262 + n, n) for n, owner in enumerate(owners, 1)]
    rows[6] = (rows[6][0], UNDATED, 7)
    rows.append((numbers["p6"], 20_000, NO_NOTE))
    low = StructuredFact("p6", "loinc", "718-7", date(2024, 10, 4), "Hemoglobin", 7.1, "g/dL", "e6")
    ledger.facts.put([low], run)
    keys = np.arange(1, PATIENTS + 1)
    return Found(
        unit="patient",
        origin=Asked(TREE, "no fever"),
        patients=BitMap(numbers.values()),
        provenance=Provenance(datetime(2024, 5, 6, tzinfo=UTC), "a" * 32, 3, 99, "g", ("v1",), "lex", "rules"),
        rows=Rows.of(*zip(*rows, strict=True)),
        notes=NoteStates(keys, np.ones_like(keys), np.zeros_like(keys), np.ones_like(keys)),
    )


@pytest.fixture
def cover(found: Found) -> Cover:
    return Cover("csv", found, "", "mo", datetime(2024, 6, 1, tzinfo=UTC), "0.1", "g", "lex", True, 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where nothing is but what is exported."""
    made = tmp_path / "exports"
    made.mkdir()
    return made


@pytest.fixture
def make(ledger: Ledger, cover: Cover, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Export to a path, two notes at a time."""
    monkeypatch.setattr(gathering, "NOTES_AT_ONCE", 2)

    def run(form: Form, output: Path, progress: Any = lambda *_: None, sheet: Cover = cover, **options: Any) -> Any:
        sheet = replace(sheet, form=form)
        settled = settled_of(sheet.found, ledger)
        rows = Gathering(sheet.found, ledger, SOUGHT.criteria, read, sheet.text, (CODE,), read_facts, settled)
        return export(Order(form, output, **options), sheet, rows, progress)

    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_patient_and_note_has_a_row_in_order(make: Callable[..., Any], folder: Path) -> None:
    done = make("csv", folder / "a.csv")
    rows = table(folder / "a.csv")
    assert done.counts == {"rows": 14, "rows of finding": 12, "rows of fact": 1, "rows of patient": 1}
    assert [int(r["patient_no"]) for r in rows] == sorted(int(r["patient_no"]) for r in rows)
    by_patient: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_patient.setdefault(row["patient_id"], []).append(row)
    assert [(r["note_id"], r["date"]) for r in by_patient["p5"]] == [("n-7", ""), ("n-5", "2020-01-06")]
    assert [(r["kind"], r["date"]) for r in by_patient["p6"]] == [("finding", "2020-01-07"), ("fact", "2024-10-04")]
    fact = by_patient["p6"][1]
    assert [fact[c] for c in ("name", "system", "code", "value", "unit", "encounter_id", "criterion")] == [
        "Hemoglobin", "loinc", "718-7", "7.1", "g/dL", "e6", "the code loinc:718-7<8",
    ]  # fmt: skip
    assert [r["kind"] for r in by_patient["p7"]] == ["patient"]
    first = by_patient["p1"][0]
    assert (first["words"], first["trigger"], first["passage"]) == ("fever", "No", "No fever, =1+1.")
    assert (first["begin"], first["end"], first["trigger_begin"], first["passage_begin"]) == ("16", "21", "13", "13")
    assert (first["assertion"], first["criterion"], first["section"]) == ("absent", "fever ruled out", "PLAN")
    assert (first["sites"], by_patient["p6"][1]["sites"]) == ("left; chest", "")
    assert (first["note_id"], first["encounter_id"], first["note_type"]) == ("n-1", "e1", "progress")


@pytest.mark.parametrize("form", FORMS)
def test_provenance_names_every_file_with_its_digest(make: Callable[..., Any], folder: Path, form: Form) -> None:
    done = make(form, folder / "out")
    made = folder / "out" if form == "omop" else folder
    (said,) = (json.loads(p.read_bytes()) for p in done.files if p.name.endswith("provenance.json"))
    own = {name: content for name, content in contents(made).items() if not name.endswith("provenance.json")}
    assert {name: f["sha256"] for name, f in said["files"].items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in own.items()
    }
    assert {str(made / name) for name in own} < {str(p) for p in done.files}
    assert said["cohort"]["query"] == TREE
    assert said["cohort"]["found_in"]["generation"] == said["export"]["index_generation"] == "g"
    assert (said["export"]["by"], said["export"]["at"]) == ("mo", "2024-06-01T00:00:00+00:00")
    assert said["evidence"]["rows"] == 14
    began = datetime(2024, 6, 1, tzinfo=UTC)
    assert Order(form, folder / "out").is_there(began)
    assert not Order(form, folder / "out").is_there(began.replace(year=2025))
    assert not Order(form, folder / "other").is_there(began)
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in done.files)
    assert [p.name for p in made.iterdir() if p.name.startswith(".")] == []
    if form == "omop":
        assert {p.name for p in made.iterdir()} == OMOP_FILES
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
        assert [r["patient_id"] for r in table(made / "undated.csv")] == ["p7"]
    if form == "fhir":
        assert len(Group.model_validate_json((folder / "out").read_bytes()).member) == PATIENTS
        assert len((folder / "out.evidence.jsonl").read_bytes().splitlines()) == 14


@pytest.mark.parametrize("form", FORMS)
def test_a_killed_export_goes_on_to_the_same_bytes(
    make: Callable[..., Any], ledger: Ledger, cover: Cover, folder: Path, form: Form
) -> None:
    at_once, killed = folder / "whole", folder / "killed"
    at_once.mkdir()
    killed.mkdir()
    make(form, at_once / "out")
    ledger.engine.dispose()

    for stage, part, resume in (("patients", 0.3, False), ("patients", 0.7, True), ("rows", 1, True)):

        def die(what: str, done: int, total: int, stage: str = stage, part: float = part) -> None:
            if what == stage and done >= total * part:
                os.kill(os.getpid(), signal.SIGKILL)

        child = os.fork()
        if not child:
            try:
                make(form, killed / "out", die, resume=resume)
            finally:
                os._exit(9)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        assert [p.name for p in killed.iterdir()] == [".out.export"]
        with (killed / ".out.export" / "rows.jsonl").open("ab") as file:
            file.write(b'["half a li')
    make(form, killed / "out", sheet=replace(cover, began=datetime(2030, 1, 1, tzinfo=UTC)), resume=True)
    assert contents(killed) == contents(at_once)


def test_each_patient_has_what_was_adjudicated_and_nobody_s_name(
    make: Callable[..., Any], ledger: Ledger, cover: Cover, folder: Path
) -> None:
    version = Store(ledger.engine).save("fever", cover.found, "mo")
    reviews, numbers = Reviews(ledger.engine, version.cohort_id), ledger.people.numbers([f"p{n}" for n in range(1, 8)])

    def said(patient: str, verdict: Verdict, final: bool = True) -> None:
        reviews.decide("dr.kanari", Given(numbers[patient], 1, "e" * 64, verdict, "canary", "canary"), final)

    said("p1", "include", final=False)  # two alike are no adjudication
    said("p2", "include")
    said("p2", "exclude")
    said("p5", "doubt")
    said("p7", "include")
    sheet = replace(cover, found=version, began=now())
    make("csv", folder / "a.csv", sheet=sheet)
    told = {(r["patient_id"], r["verdict"]) for r in table(folder / "a.csv")}
    assert told == {
        *((f"p{n}", "") for n in (1, 3, 4, 6, 8, 9, 10, 11, 12)),
        *(("p2", "exclude"), ("p5", "doubt"), ("p7", "include")),
    }
    assert not [name for name, content in contents(folder).items() if b"kanari" in content or b"canary" in content]

    # What is settled while it is interrupted comes with the next export, not with half of this one.
    cut_off(make, folder / "b.csv", sheet)
    said("p1", "exclude")
    said("p5", "include")
    make("csv", folder / "b.csv", sheet=replace(sheet, began=now()), resume=True)
    assert (folder / "b.csv").read_bytes() == (folder / "a.csv").read_bytes()
    make("omop", folder / "omop", sheet=replace(sheet, began=now()))
    settled = {r["patient_id"]: r["verdict"] for r in table(folder / "omop" / "subjects.csv") if r["verdict"]}
    assert settled == {"p1": "exclude", "p2": "exclude", "p5": "include", "p7": "include"}
    # A query that is run now is no cohort that anybody reviewed.
    make("csv", folder / "c.csv")
    assert {r["verdict"] for r in table(folder / "c.csv")} == {""}


def test_what_was_put_in_place_just_before_the_end_is_taken_as_done(make: Callable[..., Any], folder: Path) -> None:
    make("csv", folder / "a.csv")
    before = contents(folder)

    class Cut(Exception):
        pass

    def cut(what: str, done: int, total: int) -> None:
        if what == "rows":
            raise Cut

    with pytest.raises(Cut):
        make("csv", folder / "b.csv", cut)
    (folder / ".b.csv.export" / "making").rename(folder / ".b.csv.export" / "out")
    for name in ("b.csv", "b.csv.provenance.json"):
        (folder / ".b.csv.export" / "out" / name).unlink(missing_ok=True)
        (folder / name).write_bytes(before[name.replace("b.csv", "a.csv")])
    done = make("csv", folder / "b.csv", resume=True)
    assert done.counts["rows"] == 14
    assert (folder / "b.csv").read_bytes() == before["a.csv"]
    assert not (folder / ".b.csv.export").exists()


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"generation": "h"}, "index generation"),
        ({"lexicon": "m"}, "lexicon"),
        ({"text": False}, "choice of text"),
        ({"program": "0.2"}, "version of Aspectra"),
    ],
)
def test_another_export_does_not_go_on_from_this_one(
    make: Callable[..., Any], cover: Cover, folder: Path, other: dict[str, Any], named: str
) -> None:
    cut_off(make, folder / "a.csv")
    with pytest.raises(AspectraError, match=f"another {named}"):
        make("csv", folder / "a.csv", sheet=replace(cover, **other), resume=True)
    smaller = replace(cover.found, patients=BitMap(list(cover.found.patients)[:3]))
    with pytest.raises(AspectraError, match="another digest"):
        make("csv", folder / "a.csv", sheet=replace(cover, found=smaller), resume=True)
    with pytest.raises(AspectraError, match="another choice of cells"):
        make("csv", folder / "a.csv", guard=False, resume=True)
    assert make("csv", folder / "a.csv", resume=True).counts["rows"] == 14


class Away(Exception):
    """As an engine that is lost half-way."""


def cut_off(make: Callable[..., Any], output: Path, *sheet: Cover) -> None:
    def lost(what: str, done: int, total: int) -> None:
        if done:
            raise Away

    with pytest.raises(Away):
        make("csv", output, lost, *sheet)


def test_what_is_there_is_replaced_only_if_told(make: Callable[..., Any], folder: Path) -> None:
    out = folder / "a.csv"
    out.write_text("mine")
    with pytest.raises(AspectraError, match="there already"):
        make("csv", out)
    cut_off_with_force = pytest.raises(Away)

    def lost(what: str, done: int, total: int) -> None:
        raise Away

    with cut_off_with_force:
        make("csv", out, lost, force=True)
    assert out.read_text() == "mine"
    make("csv", out, force=True, resume=True)
    assert len(table(out)) == 14


def test_what_was_interrupted_is_neither_lost_nor_taken_up_unasked(make: Callable[..., Any], folder: Path) -> None:
    with pytest.raises(AspectraError, match="No export"):
        make("csv", folder / "a.csv", resume=True)
    cut_off(make, folder / "a.csv")
    with pytest.raises(AspectraError, match="was interrupted"):
        make("csv", folder / "a.csv")
    make("csv", folder / "a.csv", force=True)
    assert not (folder / ".a.csv.export").exists()


def test_no_folder_of_others_is_replaced(make: Callable[..., Any], folder: Path) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    for form in ("omop", "csv"):
        with pytest.raises(AspectraError, match="something else"):
            make(form, mine, force=True)
    assert contents(mine) == {"letter.txt": b"dear"}
    with pytest.raises(AspectraError, match="no such folder"):
        make("csv", folder / "nowhere" / "a.csv")
    make("omop", folder / "omop")
    before = contents(folder / "omop")
    with pytest.raises(AspectraError, match="there already"):
        make("omop", folder / "omop")
    make("omop", folder / "omop", force=True)
    assert contents(folder / "omop") == before


def test_nothing_is_gathered_where_others_could_read_it(make: Callable[..., Any], folder: Path) -> None:
    work = folder / ".a.csv.export"
    (folder / "theirs").mkdir()
    work.symlink_to(folder / "theirs")
    with pytest.raises(AspectraError, match="own folder"):
        make("csv", folder / "a.csv")
    assert not list((folder / "theirs").iterdir())
    work.unlink()
    work.mkdir(mode=0o777)
    modes = set()
    make("csv", folder / "a.csv", lambda *_: modes.add(stat.S_IMODE(work.stat().st_mode)))
    assert modes == {0o700}


def test_two_at_once_do_not_meet(make: Callable[..., Any], folder: Path) -> None:
    def again(what: str, done: int, total: int) -> None:
        with pytest.raises(AspectraError, match="is held by process"):
            make("csv", folder / "a.csv", force=True)

    make("csv", folder / "a.csv", again)
    assert len(table(folder / "a.csv")) == 14


def test_words_of_notes_that_changed_since_are_left_out_and_said(
    make: Callable[..., Any], ledger: Ledger, folder: Path
) -> None:
    with writing(ledger.engine) as c:
        c.execute(update(notes).where(notes.c.key == 2).values(version=2, text_version=2))
        c.execute(notes.delete().where(notes.c.key == 3))
    ledger.mark_deleting(["n-4"])
    done = make("csv", folder / "a.csv")
    rows = {r["note_key"]: r for r in table(folder / "a.csv")}
    assert [(rows[k]["kind"], rows[k]["state"]) for k in "1234"] == [
        ("finding", "as found"),
        ("note", "changed"),
        ("note", "deleted"),
        ("note", "deleted"),
    ]
    assert (rows["2"]["note_id"], rows["2"]["words"], rows["2"]["passage"]) == ("n-2", "", "")
    assert (rows["3"]["note_id"], rows["3"]["patient_id"], rows["3"]["date"]) == ("", "p3", "2020-01-04")
    assert [r for r in done.remarks if "were" in r] == [
        "1 notes were changed since the cohort was found: their words are left out.",
        "2 notes were deleted since the cohort was found: their words are left out.",
    ]


def test_without_text_no_word_of_a_note_is_in_any_file(make: Callable[..., Any], cover: Cover, folder: Path) -> None:
    for form in FORMS:
        make(form, folder / form, sheet=replace(cover, text=False))
    whole = b"".join(content for name, content in contents(folder).items() if "parquet" not in name)
    assert b"No fever" not in whole
    assert b"=1+1" not in whole
    rows = table(folder / "csv")
    assert {(r["words"], r["trigger"], r["passage"]) for r in rows} == {("", "", "")}
    assert (rows[0]["begin"], rows[0]["trigger_end"]) == ("16", "15")
