"""`aspectra train qa-head` and what it wrote as a system of `aspectra evaluate qa`, as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from aspectra.cli import main

ANSWER = (
    '<Answer AID="{n}_{k}" SystemRank="{k}" ReferenceRank="{k}" ReferenceScore="{score}">'
    "<AnswerText>{text}</AnswerText></Answer>"
)


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = []
    for n, word in enumerate(("asthma", "gout", "sepsis", "eczema")):
        texts = (f"{word} arises from the lung .", "chest pain ; no fever .")
        answers = [ANSWER.format(n=n, k=k, score=5 - 2 * k, text=text) for k, text in enumerate(texts, 1)]
        rows.append(f'<Question QID="{n}"><QuestionText>causes of {word}</QuestionText>{"".join(answers)}</Question>')
    file = tmp_path_factory.mktemp("qa") / "set.xml"
    file.write_text(f"<Set>{''.join(rows)}</Set>", encoding="utf-8")
    return file


def test_it_is_trained_on_questions_and_documents_and_measured_beside_the_others(
    questions: Path, tmp_path: Path, data_dir: Path, tiny_base: Path
) -> None:
    run, out, figures = CliRunner(), tmp_path / "a", tmp_path / "qa.json"
    given = ["train", "qa-head", "--data", str(questions), "--base", str(tiny_base), "--out", str(out)]
    given += ["--set", "max_tokens=24", "--set", "folds=2", "--epochs", "1"]
    more = ["--more", str(data_dir / "entity_aspect" / "medquad_dev.json"), "--set", "augment=8"]
    trained = run.invoke(main, [*given, *more, "--dev", str(questions)])
    assert trained.exit_code == 0, trained.output
    said = " ".join(trained.output.split())
    assert "4 questions, each told by what learnt without its fold: accuracy" in said
    assert "learnt from 4 questions, 8 pairs of documents." in said
    model = ["--model", str(out / "model"), "--json", str(figures)]
    measured = run.invoke(main, ["evaluate", "qa", "--data", str(questions), *model])
    assert measured.exit_code == 0, measured.output
    assert set(json.loads(figures.read_text(encoding="utf-8"))["systems"]) == {
        *("as given", "bm25", "cosine", "stacked", "a")
    }


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--set", "augment=8"], "--more and augment go together."),
        (["--set", "folds=5"], "4 questions are too few for 5 folds."),
        (["--set", "hiden=5"], "no such option"),
        (["--base", "nowhere"], "The base 'nowhere' has no config.json."),
    ],
)
def test_what_cannot_be_trained_is_said_and_nothing_is_written(
    questions: Path, tmp_path: Path, more: list[str], says: str
) -> None:
    given = ["train", "qa-head", "--data", str(questions), "--out", str(tmp_path / "a"), "--set", "folds=2"]
    told = CliRunner().invoke(main, [*given, *more])
    assert told.exit_code == 1
    assert says in " ".join(told.output.split())
    assert not (tmp_path / "a").exists()
