"""`aspectra train own` as a user runs it: a site's notes, an encoder that knows none of their words, and what comes of
it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from aspectra.train_own import OWN, SERVED, Verdict, verdict
from encoders.export.bundle import Card, export_bundle
from encoders.training.folder import TrainingFolder
from ingest.ledger import Ledger
from search_stack.core.halves import kept_aside
from search_stack.core.schema import Note
from search_stack.core.settings import load_settings
from search_stack.evaluation.measures import NDCG, Measure, ReciprocalRank
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.inference.bundle import load_bundle
from search_stack.inference.models import Encoder
from search_stack.inference.session import ModelSession

ENTITIES = ("asthma", "gout", "anaemia", "angina", "eczema", "sepsis")
SAID = {"HISTORY OF PRESENT ILLNESS": "arises from", "PLAN": "is eased with", "FAMILY HISTORY": "shows itself as"}
FILLERS = ["small", "left", "right", "effusion", "pain", "chest", "heart", "lung", "clear"]
LEARNING = (
    "--set",
    "learning_rate=3e-3",
    "--set",
    "batch=16",
    "--set",
    "precision=fp32",
    "--set",
    "checkpoint_every=2",
)
Run = Callable[..., Result]


def notes(count: int) -> list[Note]:
    rng = random.Random(7)
    found = []
    for n in range(count):
        parts = []
        for heading, said in SAID.items():
            entity = rng.choice(ENTITIES)
            parts.append(f"{heading}: {entity} {said} {' '.join(rng.choices(FILLERS, k=16))}.")
        found.append(Note(f"n{n}", "\n\n".join(parts), f"P-{n}", title="Visit"))
    return found


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_base: Path) -> Run:
    """Commands of an installation whose encoder is the tiny base as it comes."""
    export_bundle(str(tiny_base), "bi", tmp_path / "served", Card("served", "tiny"), 48, "fp32", ("title", "lead"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ASPECTRA_ENCODER_BUNDLE", str(tmp_path / "served"))
    return lambda *arguments: CliRunner().invoke(main, ["train", "own", *map(str, arguments)])


@pytest.fixture
def filled(run: Run) -> list[Note]:
    given = notes(120)
    ledger = Ledger.from_settings(load_settings())
    ledger.put(given, ledger.start_run("notes", "jsonl"))
    return given


def said(done: Result) -> str:
    return " ".join(done.output.split())


def figures(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    return found


def test_an_encoder_learns_the_words_of_the_site_and_is_left_as_a_bundle(
    run: Run, filled: list[Note], tmp_path: Path
) -> None:
    (tmp_path / "judged.tsv").write_text(
        "query\tkind\tnote\tbegin\tend\tgrade\treading\n"
        + "".join(
            f"How did {entity} come about ?\tfinding\t{note.note_id}\t{at}\t{at + 60}\t"
            f"{2 * note.text[at:].startswith(entity)}\t1\n"
            for entity in ENTITIES
            for note in filled[:40]
            for at in (note.text.index(": ") + 2,)
        )
    )
    done = run("--minutes", 0.2, "--judgments", "judged.tsv", *LEARNING)
    assert done.exit_code == 0, done.output
    folder = tmp_path / "data" / "own"
    found = figures(folder)
    assert found["better"], done.output
    assert found["pairs"]["intervals"][OWN]["MRR"]["low"] > 0
    assert found["judged"]["queries"] == len(ENTITIES)
    assert f"aspectra models use {found['bundle']}" in said(done)
    bundle = load_bundle(found["bundle"], "bi")
    assert bundle.manifest.context == ("title", "lead")
    assert Encoder(ModelSession(bundle, "cpu", 1)).encode(["gout", "sepsis"]).shape == (2, 64)
    assert not (folder / "candidate").exists()
    # Nothing of those who measure was learnt from.
    ids = {
        name: {d["id"] for d in json.loads((folder / name).read_text())["documents"]}
        for name in ("pairs.json", "aside.json")
    }
    aside = {note.note_id for note in filled if kept_aside(note.patient_id)}
    assert ids["aside.json"] == aside
    assert ids["pairs.json"] == {note.note_id for note in filled} - aside
    assert (folder / "pairs.json").stat().st_mode & 0o077 == 0


def test_what_has_learnt_nothing_is_not_kept_and_the_next_run_begins_anew(
    run: Run, filled: list[Note], tmp_path: Path
) -> None:
    still = ("--minutes", 0.01, *LEARNING, "--set", "learning_rate=1e-12", "--set", "weight_decay=0", "--out", "runs")
    done = run(*still)
    assert done.exit_code == 0, done.output
    assert "Not better than the encoder that serves: on pairs of notes that it has not read" in said(done)
    assert not figures(tmp_path / "runs")["better"]
    assert {p.name for p in (tmp_path / "runs").iterdir()} >= {"pairs.json", "figures.json", "run"}
    assert not [*(tmp_path / "runs").glob("own-*"), *(tmp_path / "runs").glob("candidate")]
    again = run(*still)
    assert "the run before had ended; this is a new one" in said(again)
    assert ", mined before" not in said(again)


def test_a_run_that_is_cut_short_goes_on(
    run: Run, filled: list[Note], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = TrainingFolder.save

    def cut(self: TrainingFolder, state: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        real(self, state, line)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TrainingFolder, "save", cut)
        assert run("--minutes", 0.1, *LEARNING).exit_code == 1
    folder = tmp_path / "data" / "own"
    assert not (folder / "figures.json").exists()
    other = run("--minutes", 5, *LEARNING)
    assert other.exit_code == 1
    assert "holds a run with other settings: minutes" in said(other)
    done = run("--minutes", 0.1, *LEARNING)
    assert done.exit_code == 0, done.output
    assert ", mined before" in said(done)
    assert "Goes on from step 2, after 0 minutes." in said(done)
    log = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in log[:2]] == [2, 4]
    assert 6 <= log[-1]["seconds"] < 60


def test_too_little_is_told_and_nothing_is_begun(run: Run, tmp_path: Path) -> None:
    empty = run("--minutes", 1)
    assert empty.exit_code == 1
    assert "There are no notes to learn from. Ingest some first" in said(empty)
    ledger = Ledger.from_settings(load_settings())
    ledger.put(notes(12), ledger.start_run("notes", "jsonl"))
    few = run("--minutes", 1)
    assert few.exit_code == 1
    assert "queries to learn from, and 100 are needed" in said(few)
    assert not (tmp_path / "data" / "own" / "run").exists()


def test_judgments_of_other_notes_are_told_before_anything_is_learnt(
    run: Run, filled: list[Note], tmp_path: Path
) -> None:
    (tmp_path / "judged.tsv").write_text(
        "query\tkind\tnote\tbegin\tend\tgrade\treading\ngout\t\telsewhere\t0\t60\t2\t1\n"
    )
    done = run("--minutes", 1, "--judgments", "judged.tsv")
    assert done.exit_code == 1
    assert "None of the judged notes is here." in said(done)
    assert not (tmp_path / "data" / "own" / "run").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "as many --minutes as are given"),
        (("--minutes", 1, "--data", "pairs.json"), "learn from the notes that are here"),
        (("--minutes", 0), "0 is not in the range"),
        (("--minutes", 1, "--judgments", "nowhere.tsv"), "nowhere.tsv"),
    ],
)
def test_an_option_that_cannot_be_is_told(options: tuple[Any, ...], told: str, run: Run) -> None:
    done = run(*options)
    assert done.exit_code != 0
    assert told in said(done)
    assert "Traceback" not in done.output


def report(measure: Measure, served: list[int], own: list[int]) -> RetrievalReport:
    """Of queries whose one answer stands at these places of ten."""
    ranked = {
        name: {
            str(q): [(f"p{n}", -float(n)) for n in range(1, 11)]
            if place == 1
            else [(f"p{(n - place) % 10 + 1}", -float(n)) for n in range(1, 11)]
            for q, place in enumerate(places)
        }
        for name, places in ((SERVED, served), (OWN, own))
    }
    return retrieval_report(ranked, {str(q): {"p1": 1} for q in range(len(served))}, [measure], baseline=SERVED)


def test_only_what_is_better_beyond_chance_and_on_judgments_no_worse_is_promoted() -> None:
    last, first, mixed = [10] * 20, [1] * 20, [1, 10] * 10
    better, same = report(ReciprocalRank(), last, first), report(ReciprocalRank(), mixed, mixed[::-1])
    assert verdict(better, None).better
    assert not verdict(same, None).better
    assert not verdict(report(ReciprocalRank(), first, last), None).better
    assert verdict(better, report(NDCG(10), mixed, mixed)).better
    refused = verdict(better, report(NDCG(10), first, mixed))
    assert refused == Verdict(False, refused.why)
    assert refused.why.startswith("on judged passages, nDCG@10 differs by -")
