"""`aspectra train sts` and `aspectra evaluate sts` as a user runs them, on a tiny base and invented notes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from search_stack.evaluation.datasets.gold import part_of
from search_stack.evaluation.datasets.sentence_pairs import load

Run = Callable[..., Result]
NOTE = (
    "There is a small pleural effusion. She denies chest pain. The patient has hypertension. Her mother had asthma. "
    "There is an opacity in the right lower lobe. He takes metoprolol 50 mg daily."
)
SHORT = ("--epochs", "4", "--set", "batch=2", "--set", "max_tokens=24", "--set", "precision=fp32")


@pytest.fixture
def run(tmp_path: Path, tiny_base: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base").symlink_to(tiny_base)
    rows = ["left fever\tthe left fever\t4.5", "gout\tasthma\t0.5", "no pain\tpain\t2", "small heart\theart\t3.5"]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n")
    notes = [json.dumps({"id": f"n{n}", "text": f"{NOTE} Aspirin {n} mg was given daily."}) for n in range(1, 40)]
    (tmp_path / "notes.jsonl").write_text("\n".join(notes) + "\n")
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)])


def test_trained_on_pairs_and_notes_it_is_measured_and_exported(run: Run, tmp_path: Path) -> None:
    common = ("--data", "pairs.tsv", "--base", "base", *SHORT)
    done = run("train", "sts", *common, "--more", "notes.jsonl", "--dev", "pairs.tsv", "--out", "none")
    assert done.exit_code == 1
    assert "no pair that --dev has not too" in done.output
    done = run("train", "sts", *common, "--more", "notes.jsonl", "--out", "siamese")
    assert done.exit_code == 0, done.output
    assert "4 pairs, " in done.output
    assert " 0 triples" not in done.output
    done = run("train", "sts", *common, "--set", "model=regression", "--out", "regression")
    assert done.exit_code == 0, done.output
    assert "4 pairs, 0 triples of 0 notes." in done.output
    assert "Export it: aspectra export BUNDLE --source regression/model --kind cross" in done.output
    done = run("train", "sts", *common, "--set", "model=hconv", "--out", "hconv")
    assert done.exit_code == 0, done.output
    assert "Measure it" in done.output
    assert "Export it" not in done.output  # no bundle holds its convolutions
    exported = run("export", "bundle", "--source", "siamese/model", "--kind", "bi", "--precision", "fp32")
    assert exported.exit_code == 0, exported.output

    models = ("--model", "siamese/model", "--model", "bundle", "--model", "regression/model")
    told = run("evaluate", "sts", "--data", "pairs.tsv", *models, "--json", "sts.json")
    assert told.exit_code == 0, told.output
    found = json.loads((tmp_path / "sts.json").read_text())
    assert [*found["systems"]] == ["overlap", "bm25", "encoder", "siamese/model", "bundle", "regression/model", "mean"]
    assert found["model"] == "mean"
    assert found["pearson"] == found["systems"]["mean"]["pearson"]["value"]
    assert found["spearman"] == found["systems"]["mean"]["spearman"]["value"]
    same = (found["systems"][name]["pearson"]["value"] for name in ("siamese/model", "bundle"))
    assert next(same) == pytest.approx(next(same), abs=1e-3)

    minimal = ("--minimal-pairs", "--limit", "20", "--model", "bundle", "--json", "minimal.json")
    told = run("evaluate", "sts", "--data", "notes.jsonl", *minimal)
    assert told.exit_code == 0, told.output
    found = json.loads((tmp_path / "minimal.json").read_text())
    assert found["part"] == "dev"
    assert found["notes"] <= sum(part_of(f"n{n}") == "dev" for n in range(1, 40))
    assert 0 <= found["systems"]["bundle"]["all"]["value"] <= 1
    assert found["triples"]["all"] == sum(found["triples"][k] for k in ("concept", "denial", "side", "dose", "person"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"a\tb\t1\na\tb\t7\n", "pairs.tsv:2: score: 7 is not from 0 to 5."),
        (b"a\tb\t1\na\tb\tmany\n", "pairs.tsv:2: score: this is no number."),
        (b"a\tb\t1\na\t\t2\n", "pairs.tsv:2: a sentence is empty."),
        (b"a\tb\t1\na\t\xe9\t2\n", "pairs.tsv:2: not UTF-8."),
    ],
)
def test_a_broken_pair_is_told_with_its_line_and_nothing_is_begun(
    text: bytes, told: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "pairs.tsv").write_bytes(text)
    done = run("train", "sts", "--data", "pairs.tsv", "--base", "base", *SHORT, "--out", "run")
    assert done.exit_code == 1
    assert told in done.output.replace("\n", " ")
    assert not (tmp_path / "run").exists()


def test_a_model_scores_pairs_of_real_notes_and_others_learn_from_them(
    run: Run, tmp_path: Path, data_dir: Path
) -> None:
    """Two steps each, on lines of the data."""
    lines = (data_dir / "sts/stsb_train.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "stsb.tsv").write_text("".join(lines[:16]), encoding="utf-8")
    notes = [json.loads(n) for n in (data_dir / "notes/mtsamples.jsonl").read_text(encoding="utf-8").splitlines()[:30]]
    real = [json.dumps({"id": f"m{n}", "text": note["text"]}) for n, note in enumerate(notes)]
    (tmp_path / "real.jsonl").write_text("\n".join(real) + "\n", encoding="utf-8")
    start = ("train", "sts", "--data", "stsb.tsv", "--base", "base", "--set", "max_tokens=24", "--set", "triples=0")
    two = (*start, "--set", "batch=8", "--set", "precision=fp32")
    assert run(*two, "--set", "model=regression", "--out", "gold").exit_code == 0

    more = ("--more", "real.jsonl", "--set", "labeller=gold/model", "--set", "candidates=40", "--set", "each=5")
    again = ("--set", "model=regression", "--epochs", "0.5", "--out", "round")
    done = run(*two, *more, *again)
    assert done.exit_code == 0, done.output
    kept = tmp_path / "round/pseudo/pairs.tsv"
    assert kept.stat().st_mode & 0o077 == 0
    pairs = load(kept).pairs
    assert f"; {len(pairs)} taken." in " ".join(done.output.split())
    assert f"{16 + len(pairs)} pairs, 0 triples" in done.output
    low = [sum(at <= p.score < at + 1 for p in pairs) for at in range(3)]
    assert max(low) <= 5
    assert pairs
    texts = [" ".join(note["text"].split()) for note in notes]
    assert all(any(p.one in t for t in texts) and not any(p.one in t and p.other in t for t in texts) for p in pairs)

    # A run that goes on scores nothing again; another labeller's pairs are not taken for its own.
    told = run(*two, *more, *again)
    assert told.exit_code == 0, told.output
    assert "scored" not in told.output
    other = ("--set", "labeller=round/model", *more[:2], "--set", "candidates=40", "--set", "each=5")
    told = run(*two, *other, *again)
    assert told.exit_code == 1
    assert "other settings: labeller" in told.output.replace("\n", " ")
    # The file is one of pairs like any other.
    done = run(*two[:2], "--data", kept, *two[4:], "--epochs", "0.5", "--out", "siamese")
    assert done.exit_code == 0, done.output
    assert f"{len(pairs)} pairs, 0 triples" in done.output
    told = run(*two, *more[:2], "--set", "labeller=siamese/model", "--out", "cosines")
    assert told.exit_code == 1
    assert "its cosines are no scores" in told.output.replace("\n", " ")
    told = run(*two, "--set", "labeller=gold/model", "--out", "noteless")
    assert told.exit_code == 1
    assert "Name the notes: --more" in told.output.replace("\n", " ")


def test_what_gives_no_scores_is_refused(run: Run) -> None:
    done = run("evaluate", "sts", "--data", "pairs.tsv", "--model", "minilm-mention-int8")
    assert done.exit_code == 1
    assert "is of the kind mention" in done.output
    done = run("evaluate", "sts", "--minimal-pairs", "--data", "notes.jsonl", "--part", "all")
    assert done.exit_code == 2
