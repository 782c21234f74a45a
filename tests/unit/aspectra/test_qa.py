"""`aspectra train qa` and `aspectra evaluate qa`, as they are called."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from click.testing import CliRunner

from aspectra.cli import main

TOPICS = ("gout", "asthma", "measles", "scurvy", "migraine", "psoriasis", "anemia", "rickets", "mumps", "glaucoma")
ASPECTS = {
    "What is the treatment of {}?": "Treatment of {0}: Medicines calm {0}, and rest helps.",
    "What causes {}?": "Causes of {0}: {0} comes about by several causes, some of them inherited.",
}


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty: the right answer is of the topic, the wrong ones are of the next two."""
    rows = []
    for number, (question, answer) in enumerate((q.format(t), n) for n, t in enumerate(TOPICS) for q in ASPECTS):
        texts = [list(ASPECTS.values())[number % 2].format(TOPICS[(answer + k) % 10]) for k in (1, 0, 2)]
        answers = "".join(
            f'<Answer AID="{number}_Answer{k}" SystemRank="{k}" ReferenceRank="{k}" '
            f'ReferenceScore="{4 if k == 2 else 1}">'
            f"<AnswerText>{escape(text)}</AnswerText></Answer>"
            for k, text in enumerate(texts, 1)
        )
        rows.append(f'<Question QID="{number}"><QuestionText>{question}</QuestionText>{answers}</Question>')
    file = tmp_path_factory.mktemp("qa") / "set.xml"
    file.write_text(f"<Set>{''.join(rows)}</Set>", encoding="utf-8")
    return file


def test_what_is_trained_is_measured_beside_bm25(questions: Path, tmp_path: Path) -> None:
    run = CliRunner()
    trained = run.invoke(
        main, ["train", "qa", "--data", str(questions), "--dev", str(questions), "--out", str(tmp_path / "o")]
    )
    assert trained.exit_code == 0, trained.output
    assert "20 questions, each told by what was fitted without its fold: accuracy 1.000" in " ".join(
        trained.output.split()
    )
    # The questions have a right answer in three each: none of them can be weighted to another share.
    assert "weighted so that" not in trained.output
    assert "without its file" not in trained.output
    figures = tmp_path / "qa.json"
    weights = ["--weights", str(tmp_path / "o" / "qa.json")]
    measured = run.invoke(main, ["evaluate", "qa", "--data", str(questions), *weights, "--json", str(figures)])
    assert measured.exit_code == 0, measured.output
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert (found["questions"], found["answers"], found["baseline"]) == (20, 60, "bm25")
    assert found["systems"]["stacked"]["accuracy"]["value"] == 1
    assert (found["accuracy"], found["precision"], found["mrr"], found["spearman"]) == (1, 1, 1, None)
    assert found["spearman_ranks"] == found["systems"]["stacked"]["spearman_ranks"]["value"]
    assert found["interval_95"]["mrr"] == [1, 1]
    assert found["systems"]["as given"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert found["systems"]["as given"]["MRR"]["value"] == pytest.approx(1 / 2)
    assert set(found["intervals"]) == {"as given", "cosine", "stacked"}


def test_too_few_questions_and_no_cross_encoder_are_refused(
    questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tmp_path / "few.xml"
    text = questions.read_text(encoding="utf-8")
    few.write_text(text[: text.index('<Question QID="3"')] + "</Set>", encoding="utf-8")
    told = CliRunner().invoke(main, ["train", "qa", "--data", str(few), "--out", str(tmp_path / "o")])
    assert told.exit_code != 0
    assert "3 questions are too few to learn from." in told.output
    monkeypatch.setenv("ASPECTRA_RERANKER_BUNDLE", "")
    told = CliRunner().invoke(main, ["evaluate", "qa", "--data", str(questions)])
    assert told.exit_code != 0
    assert "No cross-encoder is set." in told.output
