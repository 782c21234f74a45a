"""`aspectra train` and `aspectra export` as a user runs them: a teacher, its student, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
import torch
from click.testing import CliRunner, Result

from aspectra.cli import main
from encoders.models import trained
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.inference.bundle import load_bundle
from search_stack.inference.models import Reranker
from search_stack.inference.session import ModelSession

Run = Callable[..., Result]
SHORT = ("--epochs", 1, "--set", "batch=6", "--set", "max_tokens=24", "--set", "precision=fp32")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)])


def written(data: EntityAspectData, file: Path) -> Path:
    """``data`` in the entity/aspect format, a document a passage."""
    documents = [
        {
            "id": f"d-{p.id}",
            "title": p.entity,
            "text": p.text,
            "annotations": [{"id": p.id, "begin": 0, "length": len(p.text), "entity": p.entity, "aspect": p.aspect}],
        }
        for p in data.passages
    ]
    queries = [
        {
            "text": q.text,
            "annotations": [{"entity": q.entity, "aspect": q.aspect, "aspectHeading": q.aspect_heading}],
            "results": [{"id": i, "relevance": 1} for i in q.relevant],
        }
        for q in data.queries
    ]
    file.write_text(json.dumps({"name": "tiny", "documents": documents, "queries": queries}))
    return file


@pytest.fixture
def pairs(tiny_data: EntityAspectData, tmp_path: Path) -> Path:
    return written(tiny_data, tmp_path / "pairs.json")


def test_a_student_with_fewer_layers_learns_from_its_teacher_and_is_exported(
    run: Run, pairs: Path, tiny_base: Path, tmp_path: Path
) -> None:
    common = ("--data", pairs, "--base", tiny_base, *SHORT, "--set", "negatives=2")
    taught = run("train", "cross", *common, "--out", "teacher")
    assert taught.exit_code == 0, taught.output
    assert "18 queries, 18 passages." in taught.output
    assert "step 3 of 3: loss " in taught.output
    assert "Export it: aspectra export BUNDLE --source teacher/model --kind cross" in taught.output.replace("\n", " ")
    distilled = ("--set", "layers=1", "--set", "loss=margin-mse", "--set", "teacher=teacher/model")
    student = run("train", "cross", *common, *distilled, "--out", "student")
    assert student.exit_code == 0, student.output
    exported = run("export", "bundle", "--source", "student/model", "--kind", "cross", "--precision", "fp32")
    assert exported.exit_code == 0, exported.output
    bundle = load_bundle(str(tmp_path / "bundle"), "cross")
    assert json.loads((tmp_path / "student" / "model" / "config.json").read_text())["num_hidden_layers"] == 1
    scores = Reranker(ModelSession(bundle, "cpu", 1)).score("causes of gout", ["gout arises from fever .", "fever"])
    assert scores.shape == (2,)


def test_nothing_is_learnt_from_the_development_data(run: Run, pairs: Path, tiny_base: Path, tmp_path: Path) -> None:
    done = run("train", "bi", "--data", pairs, "--dev", pairs, "--base", tiny_base, *SHORT, "--out", "run")
    assert done.exit_code == 1
    assert "--data holds no query, or none that --dev has not too." in done.output
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_exported_is_measured_instead(run: Run, pairs: Path, tiny_base: Path) -> None:
    done = run("train", "poly", "--data", pairs, "--base", tiny_base, *SHORT, "--out", "poly")
    assert done.exit_code == 0, done.output
    assert "aspectra evaluate retrieval --data FILE --model poly/model" in done.output.replace("\n", " ")
    assert "export" not in done.output


def test_what_no_bundle_could_say_is_told_before_it_is_trained(run: Run, pairs: Path, tiny_base: Path) -> None:
    done = run("train", "bi", "--data", pairs, "--base", tiny_base, *SHORT, "--set", "pooling=cls", "--out", "bi")
    assert done.exit_code == 0, done.output
    output = done.output.replace("\n", " ")
    told = output.index("To be measured only: a bundle serves pooling mean, not cls.")
    assert told < output.index(": loss ")
    assert "aspectra evaluate retrieval --data FILE --model bi/model" in output
    exported = run("export", "bundle", "--source", "bi/model", "--kind", "bi")
    assert exported.exit_code == 1
    assert "was trained with pooling cls" in exported.output.replace("\n", " ")


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_a_bundle_is_trained_further_from_its_weights(
    kind: Literal["bi", "cross"], run: Run, pairs: Path, tiny_base: Path, tmp_path: Path
) -> None:
    common = ("--data", pairs, *SHORT, "--set", "negatives=2")
    assert run("train", kind, *common, "--base", tiny_base, "--out", "first").exit_code == 0
    given = ("--source", "first/model", "--kind", kind, "--precision", "fp32")
    assert run("export", "bundle", *given).exit_code == 0
    still = ("--set", "learning_rate=1e-12", "--set", "weight_decay=0")
    done = run("train", kind, *common, *still, "--base", "bundle", "--out", "second")
    assert done.exit_code == 0, done.output
    first, second = (
        dict(trained.load(tmp_path / name / "model")[0].named_parameters()) for name in ("first", "second")
    )
    known = [n for n in first if "pooler" not in n or kind == "cross"]  # an encoder's bundle has none
    assert all(torch.allclose(first[n], second[n], atol=1e-6) for n in known)


def test_a_reader_of_mentions_is_no_base(run: Run, pairs: Path) -> None:
    done = run("train", "bi", "--data", pairs, *SHORT, "--base", "minilm-mention-int8", "--out", "run")
    assert done.exit_code == 1
    assert "reads mentions, not passages" in done.output


def test_queries_without_a_wrong_answer_teach_nothing(run: Run, pairs: Path, tiny_base: Path, tmp_path: Path) -> None:
    data = json.loads(pairs.read_text())
    pairs.write_text(json.dumps({**data, "queries": data["queries"][:1]}))
    done = run("train", "bi", "--data", pairs, "--base", tiny_base, *SHORT, "--out", "run")
    assert done.exit_code == 1
    assert "all queries ask for the same" in done.output.replace("\n", " ")
    assert not (tmp_path / "run" / "model").exists()


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (lambda text: text[: len(text) // 2], "pairs.json"),
        (lambda text: text.replace('"aspect": "causes"', '"aspect": 7', 1), "document 0 has a field of another kind"),
        (lambda text: text.replace('"begin": 0', '"begin": 9999', 1), "pairs.json"),
        (
            lambda text: text.replace('"queries": [{"text": "', '"queries": [{"text": " ", "said": "', 1),
            "query q0 is empty",
        ),
    ],
)
def test_a_broken_file_is_named_and_nothing_is_begun(
    broken: Callable[[str], str], told: str, run: Run, pairs: Path, tiny_base: Path, tmp_path: Path
) -> None:
    pairs.write_text(broken(pairs.read_text()))
    done = run("train", "bi", "--data", pairs, "--base", tiny_base, *SHORT, "--out", "run")
    assert done.exit_code == 1
    assert told in done.output.replace("\n", " ")
    assert "Traceback" not in done.output
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--base", "nowhere"), "The base 'nowhere' has no config.json."),
        (("--set", "layers=9"), "has 2 layers"),
        (("--set", "layers=-1"), "layers is -1"),
        (("--set", "loss=kl"), "goes with a teacher"),
    ],
)
def test_an_option_that_cannot_be_is_told(
    options: tuple[str, ...], told: str, run: Run, pairs: Path, tiny_base: Path, tmp_path: Path
) -> None:
    done = run("train", "bi", "--data", pairs, "--base", tiny_base, *SHORT, *options, "--out", "run")
    assert done.exit_code == 1
    assert told in done.output.replace("\n", " ")
    assert not (tmp_path / "run" / "model").exists()
