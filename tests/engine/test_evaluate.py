"""The evaluation of retrieval from its command to its files, through a real engine."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ingest.bench_cohorts import SEED
from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.evaluation.bench.passages import QUERIES
from search_stack.evaluation.bench.world import world
from search_stack.evaluation.datasets.judgments import COLUMNS, FILE, Judgment, row_of
from search_stack.index.mapping import alias
from tests.commands import run
from tests.conftest import free_port

pytestmark = pytest.mark.engine
ENTITIES = ("asthma", "gout", "eczema", "angina", "sepsis", "rickets")
SAID = {
    "information": "{} is a condition that is seen often.",
    "causes": "It comes from things that run in families.",
    "treatment": "Tablets and rest are what helps against it.",
}
SYSTEMS = ["bm25", "tfidf", "bi", "hybrid", "rerank", "mine"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents whose later passages do not name what they are about."""
    documents = []
    for entity in ENTITIES:
        text, annotations = "", []
        for aspect, said in SAID.items():
            sentence = said.format(entity.capitalize())
            name = f"{entity.upper()}_1-{aspect}"
            annotations.append(
                {"id": name, "begin": len(text), "length": len(sentence), "entity": entity, "aspect": aspect}
            )
            text += sentence + " "
        documents.append({"id": f"{entity.upper()}_1", "title": entity, "text": text, "annotations": annotations})
    queries = [
        {
            "text": f"{aspect} of {entity}",
            "annotations": [{"entity": entity, "aspect": aspect, "aspectHeading": aspect}],
            "results": [{"id": f"{entity.upper()}_1-{aspect}", "relevance": 1}],
        }
        for entity, aspect in product(ENTITIES, SAID)
    ]
    file = tmp_path_factory.mktemp("data") / "tiny.json"
    file.write_text(json.dumps({"name": "tiny", "documents": documents, "queries": queries}))
    return file


@pytest.fixture(scope="module")
def figures(stack: Settings, data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the command wrote with an untrained model as a further system."""
    folder = tmp_path_factory.mktemp("evaluated")
    from encoders.models import trained  # PyTorch, which only whoever runs these tests needs
    from encoders.training.options import with_options

    config = with_options("cdv", {"sentences": "words", "max_tokens": 144})
    trained.save(config.build(), config.trained, folder / "mine" / "model")
    given = ("--data", data, "--candidates", "corpus", "--model", folder / "mine" / "model", "--by", "aspect")
    out = ("--json", folder / "figures.json", "--report", folder / "report")
    done = run(stack, "evaluate", "retrieval", *given, *out)
    assert done.status == 0, done.errors
    assert "R@1 by aspect" in done.out
    return json.loads((folder / "figures.json").read_text()), folder / "report"


def test_every_column_holds_every_system(figures: tuple[dict[str, Any], Path]) -> None:
    found, _ = figures
    assert list(found["columns"]) == ["alone", "context", "title"]
    for column in found["columns"].values():
        assert list(column["systems"]) == SYSTEMS
        assert column["queries"] == len(ENTITIES) * len(SAID)
        assert set(column["groups"]["source"]) == {e.upper() for e in ENTITIES}
        assert column["costs"]["rerank"]["queries_per_second"] < column["costs"]["hybrid"]["queries_per_second"]
    assert found["systems"] == found["columns"]["context"]["systems"]


def test_context_tells_passages_apart_that_are_the_same_without(figures: tuple[dict[str, Any], Path]) -> None:
    columns = figures[0]["columns"]
    alone, context = (columns[name]["systems"] for name in ("alone", "context"))
    # Alone, six passages on causes are the same words.
    assert max(means["R@1"] for means in alone.values()) < 0.5
    assert context["bi"]["R@1"] > alone["bi"]["R@1"] + 0.3
    assert context["bm25"]["MAP"] > alone["bm25"]["MAP"]


def test_the_kept_runs_give_the_same_figures(figures: tuple[dict[str, Any], Path], stack: Settings) -> None:
    found, folder = figures
    assert (folder / "report.html").stat().st_size > 5_000
    assert "| rerank |" in (folder / "report.md").read_text()
    runs = [option for name in ("bm25", "bi") for option in ("--run", folder / f"context-{name}.run")]
    again = folder / "again.json"
    done = run(stack, "evaluate", "trec", "--qrels", folder / "qrels.txt", *runs, "--json", again)
    assert done.status == 0, done.errors
    assert json.loads(again.read_text())["systems"] == {
        f"context-{name}": pytest.approx(found["systems"][name]) for name in ("bm25", "bi")
    }


def test_nothing_is_left_in_the_engine(figures: tuple[dict[str, Any], Path], stack: Settings) -> None:
    assert figures
    assert [i for i in connect(stack).indices.get(index="*") if "evaluation" in i] == []


REPORTS = [("Pleural Effusion", "Large pleural effusion."), ("normal", "No pleural effusion.")] * 6


def test_cohorts_over_synthetic_patients_are_counted_exactly_and_leave_nothing_behind(
    stack: Settings, tmp_path: Path
) -> None:
    patients, passages, file = 300, 3000, tmp_path / "cohorts.json"
    size = ("--patients", patients, "--passages", passages)
    done = run(stack, "bench", "cohorts", *size, "--runs", 3, "--json", file)
    assert done.status == 0, done.errors
    told = json.loads(file.read_text())
    made = world(patients, passages, SEED)
    notes = made.holding(0)
    assert (told["notes"], told["criterion"]["pairs"]) == (passages // 2, len(notes))
    trees = {one["tree"]: one for one in told["trees"]}
    assert trees["1"]["notes"] == len(notes)
    assert trees["1"]["patients"] == len(set(made.patient[notes - 1].tolist()))
    assert all(0 < one["patients"] < patients for one in told["ids"])
    for one in told["cardinality"]:
        assert one["estimate"] == one["patients"]  # So few that the engine counts them.
    for one in trees.values():
        assert one["warm"]["requests"] == 2
    assert "evaluation" not in "".join(connect(stack).indices.get(index="*"))


def test_the_page_is_timed_as_a_browser_asks_it(stack: Settings, tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    done = run(stack, "bench", "page", "--runs", 3, "--json", file)
    assert done.status == 0, done.errors
    told = json.loads(file.read_text())
    assert told["passages"] == connect(stack).count(index=alias(stack))["count"]
    first, final = told["first"], told["final"]
    assert (first["runs"], final["runs"]) == (3 * len(QUERIES), 3 * len(QUERIES))
    assert 0 < told["read_closely"] <= told["queries"] == len(QUERIES)
    assert first["ours_ms"] < final["ours_ms"]
    assert first["times_peer_min"] <= first["times_peer"] <= first["times_peer_max"]
    assert first["peer_ms"] == final["peer_ms"] > 0
    assert (first["goal_ms"], final["goal_ms"]) == (500, 1500)


def test_no_page_to_time_is_told(stack: Settings) -> None:
    away = stack.model_copy(update={"web_port": free_port()})
    done = run(away, "bench", "page", "--runs", 3)
    assert done.status == 1
    assert "No page answers" in done.errors


@pytest.mark.parametrize("protocol", ["codes", "polarity"])
def test_labels_tell_a_finding_from_its_denial(stack: Settings, tmp_path: Path, protocol: str) -> None:
    rows = [f"{n},{code},{text},The heart is normal.\n" for n, (code, text) in enumerate(REPORTS)]
    (tmp_path / "reports.csv").write_text("uid,Problems,findings,impression\n" + "".join(rows))
    kept = tmp_path / "figures.json"
    given = ("--data", tmp_path / "reports.csv", "--protocol", protocol, "--json", kept)
    done = run(stack, "evaluate", "findings", *given)
    assert done.status == 0, done.errors
    found = json.loads(kept.read_text())
    assert (found["protocol"], found["reports"], found["map"]) == (protocol, len(REPORTS), 1.0)
    if protocol == "codes":
        assert found["per_finding"]["Pleural Effusion"]["reports"] == 6
    else:
        assert found["separation"]["aspectra"] == {"+pleural effusion": 1.0, "-pleural effusion": 1.0}
    assert [i for i in connect(stack).indices.get(index="*") if "evaluation" in i] == []


@pytest.mark.parametrize("wrong", ["nowhere", ""])
def test_a_model_that_is_none(stack: Settings, data: Path, wrong: str) -> None:
    done = run(stack, "evaluate", "retrieval", "--data", data, "--model", wrong)
    assert done.status == 1
    assert "no bundle.json there" in " ".join(done.errors.split())


def test_judged_passages_measure_what_is_indexed(stack: Settings, tmp_path: Path) -> None:
    notes = [s.note for s in Ledger.from_settings(stack).after(0, 100_000)]
    rows = ["\t".join(COLUMNS)]
    for query in ("pneumothorax", "pneumonia", "asthma"):
        for note in notes:
            if query in note.text:
                rows.append(row_of(Judgment(query, "plain", note.note_id, 0, len(note.text), 2, 1)))
                rows.append(row_of(Judgment(query, "plain", note.note_id, 0, len(note.text), 2, 2)))
        rows.append(row_of(Judgment(query, "plain", "of another house", 0, 9, 2, 1)))
    # What cannot be read counts 0.
    rows.append(row_of(Judgment("finding:nosuchthing", "field", notes[0].note_id, 0, len(notes[0].text), 1, 1)))
    rows.append(row_of(Judgment("nowhere answered", "plain", notes[0].note_id, 0, 9, 0, 1)))
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = run(stack, "evaluate", "judgments", file, "--json", tmp_path / "figures.json")
    assert done.status == 0, done.errors
    assert "1 queries were refused" in done.out
    told = json.loads((tmp_path / "figures.json").read_text())
    assert (told["part"], told["refused"], told["unanswerable"], told["missing_notes"]) == ("all", 1, 1, 1)
    assert list(told["systems"]) == ["bm25", "vectors", "hybrid", "default"]
    assert told["kinds"]["field"]["default"] == 0
    assert told["systems"]["bm25"]["P(rel=2)@1"] == told["systems"]["default"]["P(rel=2)@1"] == 3 / 4
    assert told["kappa"] is None or told["kappa"]["value"] == 1

    done = run(stack, "evaluate", "judgments", FILE)
    assert done.status == 1
    assert "holds none of the judged notes" in done.errors
