"""Another bundle is put into service while notes are there, or is refused and nothing has changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aspectra.promotion import use
from aspectra.stack.index_checks import index_checks
from ingest.work.dispatch import make_queue
from ingest.work.indexer import Indexer
from ingest.work.writer import Writer
from search_stack.core.promoted import promoted
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.inference.bundle import MODEL, SHIPPED, load_bundle, sha256
from search_stack.inference.models import Encoder
from search_stack.inference.session import ModelSession
from search_stack.language.labeller import load_labeller
from search_stack.retrieval.searcher import Searcher
from tests.conftest import MakeStack
from tests.engine.conftest import SERVICES, empty

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("models")]  # what they share is dear to make
NOTES = 12


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The base as it comes, in fp32 and reading less than the shipped encoder."""
    from encoders.export.bundle import Card, export_bundle  # PyTorch, which only whoever runs these tests needs

    folder = tmp_path_factory.mktemp("bundles") / "other"
    export_bundle("minilm", "bi", folder, Card("other", "minilm"), 128, "fp32")
    return folder


@pytest.fixture(scope="module")
def served(make_stack: MakeStack, make_place: Callable[..., Any], encoder: Encoder) -> Any:
    """A stack of its own: a setting names the encoder of the one to break, and nobody may choose another one."""
    return make_place(make_stack(SERVICES, reranker_bundle="", worker_processes=2, onnx_threads=1), encoder)


@pytest.fixture
def filled(served: Any, first_reports: Callable[[int], Path]) -> Iterator[Any]:
    empty(served)
    status, _, errors = served.run("ingest", first_reports(NOTES))
    assert status == 0, errors
    yield served
    noted = served.settings.data_dir / "models.json"
    if noted.exists():
        status, _, errors = served.run("models", "use", served.settings.encoder_bundle)
        assert status == 0, errors
        noted.unlink()


def encoder_of_live(place: Any) -> str:
    return str(place.indexes.meta(place.indexes.live()).encoder)


def test_another_encoder_serves_every_note_and_the_old_index_is_gone(
    filled: Any, other: Path, first_reports: Callable[[int], Path]
) -> None:
    before = filled.indexes.live()
    status, said, errors = filled.run("models", "use", other)
    assert status == 0, errors
    assert "other serves now as encoder" in said
    manifest = load_bundle(str(other), "bi").manifest
    live = filled.indexes.live()
    assert live > before
    assert not filled.indexes.exists(before)
    assert encoder_of_live(filled) == manifest.identity
    filled.assert_whole(NOTES)
    kept = Path(promoted(filled.settings.data_dir)["encoder_bundle"])
    assert kept.parent == filled.settings.data_dir / "models"
    assert load_bundle(str(kept), "bi").manifest == manifest
    # The workers that were started anew write with the new encoder.
    status, _, errors = filled.run("ingest", first_reports(NOTES + 10))
    assert status == 0, errors
    filled.assert_whole(NOTES + 10)
    status, listed, _ = filled.run("models", "list")
    assert status == 0
    serving = [line for line in listed.splitlines() if " yes" in line]
    assert {line.split()[0] for line in serving} == {"other", "minilm-mention-int8"}


def test_a_second_time_nothing_is_encoded(filled: Any, other: Path) -> None:
    assert filled.run("models", "use", other)[0] == 0
    live = filled.indexes.live()
    assert filled.run("models", "use", other)[0] == 0
    assert filled.indexes.live() == live


def test_a_worker_with_another_encoder_writes_nothing_and_the_notes_wait(filled: Any, other: Path) -> None:
    assert filled.run("down", "worker")[0] == 0
    settings = filled.settings
    new = [Note(f"new-{n}", "No pleural effusion.", "p") for n in range(3)]
    filled.ledger.put(new, filled.ledger.start_run("test", "test"))
    queue = make_queue(filled.ledger, settings)
    labeller = load_labeller(settings.lexicon_folder)
    encoder = Encoder(ModelSession(load_bundle(str(other), "bi"), "cpu", 1))
    indexer = Indexer(
        filled.ledger, queue, Writer(filled.client, settings), filled.indexes, encoder, lambda: labeller, settings
    )
    claim = queue.claim()
    assert claim
    indexer.work(claim)
    filled.indexes.refresh()
    counts = filled.ledger.counts()
    assert (counts["indexed"], counts["pending"], counts["failed"]) == (NOTES, 3, 0)
    assert filled.indexes.count() == filled.ledger.expected_passages()
    assert filled.run("up", "worker")[0] == 0
    filled.wait(lambda: filled.ledger.counts()["pending"] == 0)
    filled.assert_whole(NOTES + 3)


def test_an_encoder_that_the_index_does_not_know_finds_by_words_and_says_so(filled: Any, other: Path) -> None:
    asked = "no pleural effusion in the chest"
    whole = Searcher.from_settings(filled.settings, filled.ledger).ask(asked)
    assert whole.vectors
    config = filled.settings.model_copy(update={"encoder_bundle": str(other)})
    by_words = Searcher.from_settings(config, filled.ledger).ask(asked)
    assert not by_words.vectors
    assert by_words.counts == whole.counts
    assert {h.scores.knn for g in by_words.groups for h in g.hits if h.scores} == {None}
    told = [c.detail for c in index_checks(config) if not c.ok]
    assert len(told) == 1
    assert f"the encoder is {load_bundle(str(other), 'bi').manifest.identity}" in told[0]
    assert all(c.ok for c in index_checks(filled.settings))


def _foreign(folder: Path) -> str:
    (folder / MODEL).write_bytes(b"not a graph")
    noted = json.loads((folder / "bundle.json").read_text())
    noted["sha256"][MODEL] = sha256(folder / MODEL)
    (folder / "bundle.json").write_text(json.dumps(noted))
    return "is not a model that ONNX Runtime"


def _torn(folder: Path) -> str:
    whole = (folder / MODEL).read_bytes()
    (folder / MODEL).write_bytes(whole[: len(whole) // 2])
    return "is not the file that bundle.json describes"


def _other_shape(folder: Path) -> str:
    noted = json.loads((folder / "bundle.json").read_text())
    noted["dimensions"] = 383
    (folder / "bundle.json").write_text(json.dumps(noted))
    return "model.onnx"


@pytest.mark.parametrize("spoil", [_foreign, _torn, _other_shape])
def test_a_bundle_that_cannot_serve_changes_nothing(filled: Any, tmp_path: Path, spoil: Callable[[Path], str]) -> None:
    folder = tmp_path / "spoilt"
    shutil.copytree(SHIPPED / filled.settings.encoder_bundle, folder)
    said = spoil(folder)
    live, encoder = filled.indexes.live(), encoder_of_live(filled)
    status, _, errors = filled.run("models", "use", folder)
    assert status == 1
    assert said in " ".join(errors.split())
    assert (filled.indexes.live(), encoder_of_live(filled)) == (live, encoder)
    assert not (filled.settings.data_dir / "models.json").exists()
    filled.assert_whole(NOTES)


def test_a_cross_encoder_is_chosen_without_touching_the_index(filled: Any) -> None:
    live = filled.indexes.live()
    shipped = str(Settings.model_fields["reranker_bundle"].default)
    chosen = use(shipped, filled.settings, frozenset(), print, print)
    assert chosen.reranker_bundle == shipped
    assert promoted(filled.settings.data_dir) == {"reranker_bundle": shipped}
    assert filled.indexes.live() == live


def test_what_the_environment_names_is_not_overruled(filled: Any) -> None:
    shipped = Settings.model_fields["reranker_bundle"].default
    status, _, errors = filled.run("models", "use", shipped)
    assert status == 1
    assert "ASPECTRA_RERANKER_BUNDLE names the bundle that serves" in errors
