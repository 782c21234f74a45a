"""From weights to a bundle and back: what ONNX Runtime computes is what PyTorch computes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
import onnx
import pytest
import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertForSequenceClassification, BertModel, DistilBertConfig, DistilBertModel

from encoders.export import bundle as export
from encoders.export.bundle import Card, export_bundle
from encoders.export.restore import weights_in
from encoders.models import trained as trained_models
from encoders.peers.sentence_transformer import as_cross_encoder, as_sentence_transformer
from encoders.training.loop import train
from encoders.training.options import with_options
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.inference.bundle import Bundle, load_bundle, sha256
from search_stack.inference.models import Reranker
from search_stack.inference.session import ModelSession

Kind = Literal["bi", "cross"]
WriteBase = Callable[..., Path]
TEXTS = [
    "asthma shows itself as fever .",
    "fever",
    "",
    "no effusion , heart clear , lung clear , no pain ; fever of gout",
]
QUERY = "what are the symptoms of asthma"


def exported(base: Path, kind: Kind, precision: Literal["fp32", "int8"], out: Path, max_tokens: int = 32) -> Bundle:
    export_bundle(str(base), kind, out, Card("tiny", "random"), max_tokens, precision)
    return load_bundle(str(out), kind)


def run(bundle: Bundle, texts: list[str]) -> npt.NDArray[np.float32]:
    session = ModelSession(bundle, "cpu", threads=1)
    return Reranker(session).score(QUERY, texts) if bundle.manifest.kind == "cross" else session.run(texts)


@torch.inference_mode()
def by_torch(base: Path, kind: Kind, texts: list[str]) -> npt.NDArray[np.float32]:
    """One text at a time, so that nothing is padded."""
    tok = Tokenizer.from_file(str(base / "tokenizer.json"))
    out = []
    for text in texts:
        e = tok.encode(QUERY, text) if kind == "cross" else tok.encode(text)
        given = {"input_ids": torch.tensor([e.ids]), "token_type_ids": torch.tensor([e.type_ids])}
        if kind == "cross":
            out.append(BertForSequenceClassification.from_pretrained(base).eval()(**given).logits[0, 0])  # type: ignore[no-untyped-call]
        else:
            hidden = BertModel.from_pretrained(base).eval()(**given).last_hidden_state[0]  # type: ignore[no-untyped-call]
            out.append(torch.nn.functional.normalize(hidden.mean(dim=0), dim=0))
    return np.asarray(torch.stack(out).numpy())


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_onnx_computes_what_torch_computes_padding_included(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    bundle = exported(tiny_base, kind, "fp32", tmp_path / "b")
    expected = by_torch(tiny_base, kind, TEXTS)
    assert expected.std(axis=0).max() > 1e-3
    assert run(bundle, TEXTS) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_in_fp32_neither_neighbours_nor_order_change_a_result(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    bundle = exported(tiny_base, kind, "fp32", tmp_path / "b")
    many = [" ".join(t.split()[:n]) for n in range(8) for t in TEXTS]
    together = run(bundle, many)
    assert together == pytest.approx(np.concatenate([run(bundle, [t]) for t in many]), abs=1e-5)
    assert run(bundle, many[::-1])[::-1] == pytest.approx(together, abs=1e-5)


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_int8_stays_near(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    small = exported(tiny_base, kind, "int8", tmp_path / "q")
    large = exported(tiny_base, kind, "fp32", tmp_path / "f")
    assert small.model.stat().st_size < large.model.stat().st_size
    assert small.manifest.precision == "int8"
    assert run(small, TEXTS) == pytest.approx(run(large, TEXTS), abs=0.05)


def state(base: Path, kind: Kind) -> dict[str, torch.Tensor]:
    loader = BertForSequenceClassification if kind == "cross" else BertModel
    return {n.removeprefix("bert."): w for n, w in loader.from_pretrained(base).state_dict().items()}


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_weights_come_back_as_they_were(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    back = weights_in(exported(tiny_base, kind, "fp32", tmp_path / "b"))
    weights = state(tiny_base, kind)
    assert set(back) == {n for n in weights if kind == "cross" or not n.startswith("pooler.")}
    for name, weight in back.items():
        assert torch.equal(weight, weights[name]), name


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_of_several_runs_the_mean_is_exported(
    tiny_base: Path, write_base: WriteBase, tmp_path: Path, kind: Kind
) -> None:
    other = tmp_path / "other"
    shutil.copytree(tiny_base, other)
    model = BertForSequenceClassification.from_pretrained(other)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(1.0)
    model.save_pretrained(other)
    sources = [str(other), str(tiny_base), str(tiny_base)]
    export_bundle(sources[0], kind, tmp_path / "b", Card("x", "x"), 32, "fp32", others=sources[1:])
    weights = state(tiny_base, kind)
    for name, weight in weights_in(load_bundle(str(tmp_path / "b"), kind)).items():
        assert torch.allclose(weight, weights[name] + 1 / 3, atol=1e-6), name
    wide = write_base(tmp_path / "wide", hidden_size=96, num_attention_heads=3)
    with pytest.raises(AspectraError, match="of another shape"):
        export_bundle(sources[0], kind, tmp_path / "c", Card("x", "x"), 32, "fp32", others=[str(wide)])
    assert not (tmp_path / "c").exists()


def test_an_export_leaves_no_log_of_any_library_behind(tiny_base: Path, tmp_path: Path) -> None:
    code = "import sys; from aspectra.cli import main; main()"
    given = ["--source", str(tiny_base), "--kind", "cross", "--max-tokens", "32"]
    done = subprocess.run(
        [sys.executable, "-c", code, "export", "bundle", *given], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "bundle: cross, int8" in done.stdout
    assert "WARNING" not in done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_weights_come_back_from_int8_to_within_one_step(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    back = weights_in(exported(tiny_base, kind, "int8", tmp_path / "b"))
    weights = state(tiny_base, kind)
    assert set(back) == {n for n in weights if kind == "cross" or not n.startswith("pooler.")}
    for name, weight in back.items():
        step = weights[name].abs().max() / 127
        assert (weight - weights[name]).abs().max() <= step, name


def test_a_query_longer_than_the_model_reads_is_cut_and_not_refused(tiny_base: Path, tmp_path: Path) -> None:
    bundle = exported(tiny_base, "cross", "fp32", tmp_path / "b", max_tokens=16)
    session = ModelSession(bundle, "cpu", threads=1)
    scores = Reranker(session).score("fever " * 100, ["gout", "asthma " * 100])
    assert np.isfinite(scores).all()
    kept = session.tokenizer.encode("gout asthma", "fever " * 100)
    assert kept.type_ids == [0] * 4 + [1] * 12
    assert Reranker(session).score("gout", []).shape == (0,)


def test_the_peer_cross_encoder_gives_our_scores(tiny_base: Path, tmp_path: Path) -> None:
    bundle = exported(tiny_base, "cross", "fp32", tmp_path / "b")
    theirs = as_cross_encoder(bundle).predict([(QUERY, t) for t in TEXTS], show_progress_bar=False)
    assert run(bundle, TEXTS) == pytest.approx(np.asarray(theirs), abs=1e-4)


def test_the_peer_of_an_int8_bundle_gives_the_same_order(tiny_base: Path, tmp_path: Path) -> None:
    bundle = exported(tiny_base, "cross", "int8", tmp_path / "b")
    theirs = np.asarray(as_cross_encoder(bundle).predict([(QUERY, t) for t in TEXTS], show_progress_bar=False))
    assert run(bundle, TEXTS).argsort().tolist() == theirs.argsort().tolist()


def test_the_peer_encoder_gives_our_vectors(tiny_base: Path, tmp_path: Path) -> None:
    bundle = exported(tiny_base, "bi", "fp32", tmp_path / "b")
    theirs = as_sentence_transformer(bundle).encode(TEXTS, show_progress_bar=False)
    assert run(bundle, TEXTS) == pytest.approx(np.asarray(theirs), abs=1e-4)


def test_the_manifest_says_what_the_card_says(tiny_base: Path, tmp_path: Path) -> None:
    card = Card("mine", "random", "MIT", {"epochs": 1}, {"nDCG@10": 0.5})
    export_bundle(str(tiny_base), "bi", tmp_path / "b", card, 32, "fp32")
    manifest = load_bundle(str(tmp_path / "b"), "bi").manifest
    assert (manifest.name, manifest.base, manifest.licence) == ("mine", "random", "MIT")
    assert (manifest.training, manifest.figures) == ({"epochs": 1}, {"nDCG@10": 0.5})
    assert (manifest.dimensions, manifest.max_tokens) == (64, 32)
    assert [p.name for p in tmp_path.iterdir()] == ["b"]


def test_a_new_export_replaces_the_old(tiny_base: Path, tmp_path: Path) -> None:
    exported(tiny_base, "bi", "fp32", tmp_path / "b")
    (tmp_path / "b" / "left-over").touch()
    bundle = exported(tiny_base, "cross", "fp32", tmp_path / "b")
    assert bundle.manifest.dimensions is None
    assert not (tmp_path / "b" / "left-over").exists()


@pytest.mark.parametrize("failing", ["to_int8", "_put"])
def test_a_failed_export_leaves_the_old_bundle(
    tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    out = tmp_path / "b"
    exported(tiny_base, "bi", "int8", out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, failing, full_disk)
    with pytest.raises(OSError, match="No space"):
        exported(tiny_base, "bi", "int8", out)
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["b"]


def test_a_bundle_that_cannot_be_put_in_place_puts_the_old_one_back(tmp_path: Path) -> None:
    out = tmp_path / "b"
    out.mkdir()
    (out / "old").touch()
    with pytest.raises(FileNotFoundError):
        export._put(tmp_path / "was never written", out, tmp_path / "aside")
    assert (out / "old").exists()


def failure(source: Path, kind: Kind, tmp_path: Path, max_tokens: int = 32) -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        export_bundle(str(source), kind, tmp_path / "out", Card("x", "x"), max_tokens, "fp32")
    assert not (tmp_path / "out").exists()
    return caught.value


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_another_architecture_is_refused_by_name(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    foreign = tmp_path / "foreign"
    DistilBertModel(DistilBertConfig(vocab_size=30, dim=32, n_layers=1, n_heads=1, hidden_dim=32)).save_pretrained(
        foreign
    )
    shutil.copy(tiny_base / "tokenizer.json", foreign)
    error = failure(foreign, kind, tmp_path)
    assert error.message == f"{foreign}: its architecture is distilbert."
    assert error.remedy


def test_a_base_without_a_scoring_head_is_no_cross_encoder(tiny_base: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    BertModel(BertConfig.from_pretrained(tiny_base)).save_pretrained(base)
    shutil.copy(tiny_base / "tokenizer.json", base)
    assert "no weights of kind 'cross'" in failure(base, "cross", tmp_path).message


def test_a_head_of_several_scores_is_refused(write_base: WriteBase, tmp_path: Path) -> None:
    base = write_base(tmp_path / "base", num_labels=3)
    assert failure(base, "cross", tmp_path).message == f"{base}: gives 3 scores for a pair."


def test_a_folder_without_weights_is_named(tiny_base: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (base / name).write_bytes((tiny_base / name).read_bytes())
    assert failure(base, "bi", tmp_path).message == f"{base}: no weights of kind 'bi' can be read there."


def test_more_tokens_than_the_base_has_places_for(tiny_base: Path, tmp_path: Path) -> None:
    assert failure(tiny_base, "bi", tmp_path, max_tokens=65).message == f"{tiny_base} reads 64 tokens."


def test_an_activation_without_an_operator_is_refused(write_base: WriteBase, tmp_path: Path) -> None:
    base = write_base(tmp_path / "base", hidden_act="relu")
    assert failure(base, "bi", tmp_path).message == "No operator computes the activation relu."


def trained(base: Path, folder: Path, **changes: object) -> Path:
    options = {"base": str(base), "max_tokens": 24, **changes}
    config = with_options(str(options.pop("arch", "bi")), options)
    trained_models.save(config.build(), config.trained, folder)
    return folder


def test_a_trained_model_is_served_as_it_was_trained(tiny_base: Path, tmp_path: Path) -> None:
    source = trained(tiny_base, tmp_path / "model", context=("title", "lead"))
    manifest = export_bundle(str(source), "bi", tmp_path / "b", Card("x", "x"), None, "fp32")
    assert (manifest.max_tokens, manifest.context) == (24, ("title", "lead"))
    assert load_bundle(str(tmp_path / "b"), "bi").manifest == manifest


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shared": False}, "shared False"),
        ({"pooling": "cls"}, "pooling cls"),
        ({"similarity": "dot"}, "similarity dot"),
        ({"markers": True}, "markers True"),
        ({"arch": "poly"}, "arch poly"),
    ],
)
def test_what_a_bundle_cannot_say_is_not_exported(
    tiny_base: Path, tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    source = trained(tiny_base, tmp_path / "model", **changes)
    assert failure(source, "bi", tmp_path).message == f"{source}: was trained with {said}."


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_fixed_scales_stay_near(
    tiny_base: Path, tmp_path: Path, tiny_data: EntityAspectData, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Random weights answer by chance; there is nothing to lose.
    monkeypatch.setattr(export, "MOST_LOST", 1.0)
    out = tmp_path / "q"
    export_bundle(str(tiny_base), kind, out, Card("tiny", "x"), 32, "int8-static", development=tiny_data)
    small = load_bundle(str(out), kind)
    assert small.manifest.precision == "int8-static"
    large = exported(tiny_base, kind, "fp32", tmp_path / "f")
    assert small.model.stat().st_size < large.model.stat().st_size
    texts = [p.text for p in tiny_data.passages]
    assert run(small, texts) == pytest.approx(run(large, texts), abs=0.1)


def test_fixed_scales_need_passages_to_learn_from(tiny_base: Path, tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="--dev"):
        export_bundle(str(tiny_base), "bi", tmp_path / "b", Card("x", "x"), 32, "int8-static")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("kind", ["bi", "cross"])
def test_half_precision_halves_the_weights_and_keeps_the_inputs(tiny_base: Path, tmp_path: Path, kind: Kind) -> None:
    export_bundle(str(tiny_base), kind, tmp_path / "h", Card("tiny", "x"), 32, "fp16")
    half, whole = (
        onnx.load(folder / "model.onnx").graph
        for folder in (tmp_path / "h", exported(tiny_base, kind, "fp32", tmp_path / "f").folder)
    )
    weights = {w.name: onnx.numpy_helper.to_array(w) for w in half.initializer}
    for w in whole.initializer:
        array = onnx.numpy_helper.to_array(w)
        if array.dtype == np.float32:
            assert weights[w.name].dtype == np.float16
            assert weights[w.name] == pytest.approx(array, abs=2e-3)
    assert [i.type for i in half.input] == [i.type for i in whole.input]
    assert [o.type for o in half.output] == [o.type for o in whole.output]


def test_int8_that_loses_answers_is_refused(
    tiny_base: Path, tmp_path: Path, tiny_data: EntityAspectData, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoiled(fp32: Path, out: Path) -> None:
        graph = onnx.load(fp32)
        for w in graph.graph.initializer:
            array = onnx.numpy_helper.to_array(w)
            if array.dtype == np.float32:
                w.CopyFrom(onnx.numpy_helper.from_array(np.ones_like(array), w.name))
        onnx.save(graph, out)

    # A model that knows the answers, so that there is something to lose.
    options = {"max_tokens": 24, "epochs": 20.0, "batch": 6, "learning_rate": 2e-3, "precision": "fp32"}
    config = with_options("bi", {"base": str(tiny_base), **options})
    train(tiny_data, config, tmp_path / "run")
    source = str(tmp_path / "run" / "model")
    out = tmp_path / "b"
    export_bundle(source, "bi", out, Card("x", "x"), None, "int8", development=tiny_data)
    before = sha256(out / "model.onnx")
    monkeypatch.setattr(export, "to_int8", spoiled)
    with pytest.raises(AspectraError) as caught:
        export_bundle(source, "bi", out, Card("x", "x"), None, "int8", development=tiny_data)
    assert caught.value.message.startswith("int8 would lower R@1 from ")
    assert sha256(out / "model.onnx") == before
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".export")] == []


def test_a_context_that_is_given_wins_over_the_trained_one(tiny_base: Path, tmp_path: Path) -> None:
    source = trained(tiny_base, tmp_path / "model", context=("lead",))
    for given, read in ((None, ("lead",)), (("title", "lead"), ("title", "lead")), ((), ())):
        manifest = export_bundle(str(source), "bi", tmp_path / "b", Card("x", "x"), None, "fp32", context=given)
        assert manifest.context == read
