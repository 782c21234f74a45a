"""`aspectra evaluate rqe`, as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from aspectra.cli import main
from search_stack.evaluation.tasks.rqe import Learnt

PAIR = '<pair pid="{n}" value="{value}"><chq>{chq}</chq><faq>{faq}</faq></pair>'
TOPICS = ("gout", "asthma", "measles", "scurvy")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        PAIR.format(n=n, value="true" if a == b else "false", chq=f"My aunt has {a}, help!", faq=f"What is {b}?")
        for n, (a, b) in enumerate((a, b) for a in TOPICS for b in TOPICS)
    ]
    file = tmp_path_factory.mktemp("rqe") / "pairs.xml"
    file.write_text("<RQE>\n" + "\n".join(rows) + "\n</RQE>", encoding="utf-8")
    return file


def test_entailed_questions_are_told_beside_the_majority(pairs: Path, tmp_path: Path) -> None:
    figures = tmp_path / "rqe.json"
    given = ["evaluate", "rqe", "--data", str(pairs), "--json", str(figures)]
    told = CliRunner().invoke(main, [*given, "--train", str(pairs)])
    assert told.exit_code == 0, told.output
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert (found["pairs"], found["entailed"], found["accuracy"]) == (16, 0.25, 1.0)
    assert found["systems"]["majority"]["value"] == 0.75
    assert set(found["intervals"]) == {"overlap", "cosine", "cross-encoder"}
    # The shipped thresholds, chosen elsewhere.
    assert CliRunner().invoke(main, given).exit_code == 0
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert found["learnt"] == Learnt.shipped().model_dump()


def test_a_pair_with_one_side_is_named_and_no_figures_are_written(pairs: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.xml"
    broken.write_text(pairs.read_text(encoding="utf-8").replace("What is gout?", "", 1), encoding="utf-8")
    figures = tmp_path / "rqe.json"
    told = CliRunner().invoke(main, ["evaluate", "rqe", "--data", str(broken), "--json", str(figures)])
    assert told.exit_code == 1
    assert "broken.xml:2: the pair has no faq." in told.output
    assert not figures.exists()


def test_thresholds_of_other_models_are_refused(pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Learnt.shipped().model_copy(update={"encoder": "other"})
    monkeypatch.setattr(Learnt, "shipped", classmethod(lambda cls: other))
    told = CliRunner().invoke(main, ["evaluate", "rqe", "--data", str(pairs)])
    assert told.exit_code == 1
    assert "--train FILE" in told.output
