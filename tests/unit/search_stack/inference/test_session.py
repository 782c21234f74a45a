from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from encoders.export.bundle import Card, export_bundle
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.inference.bundle import Bundle, load_bundle
from search_stack.inference.models import Encoder, Reranker
from search_stack.inference.session import CPU_TOKENS, ModelSession, providers

TEXTS = [
    "Small left pleural effusion.",
    "No acute disease.",
    "The patient was given furosemide 40 mg twice a day for congestive heart failure and improved over three days.",
    "Fever.",
    "Degenerative changes of the thoracic spine; the heart is normal in size and the lungs are clear.",
    "",
    "Follow up in two weeks.",
    "Déjà vu — 38,5 °C 😀",
    "Status post pacemaker placement, leads in the right atrium and ventricle, no pneumothorax.",
    "Right",
    "Asthma is a disease of the airways.",
]
INT8_DRIFT = 0.94
"""int8 scales activations over the batch, so a text's neighbours move its vector: the least cosine of both."""
NO_CUDA = "CUDAExecutionProvider" not in onnxruntime.get_available_providers()


@pytest.fixture(scope="module")
def session() -> ModelSession:
    return ModelSession(load_bundle("minilm-bi-int8", "bi"), "cpu", threads=1)


@pytest.fixture(scope="module")
def encoder(session: ModelSession) -> Encoder:
    return Encoder(session)


def test_vectors_have_the_manifests_dimensions_and_length_1(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimensions) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_more_texts_than_a_batch_holds_come_back_in_order(
    encoder: Encoder, session: ModelSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "tokens_at_once", 24)
    assert sum(encoder.count_tokens(list(TEXTS))) > 2 * 24
    alone = np.concatenate([encoder.encode([t]) for t in TEXTS])
    together = encoder.encode(TEXTS)
    similar = together @ alone.T
    assert similar.argmax(axis=1).tolist() == list(range(len(TEXTS)))
    assert np.diag(similar).min() > INT8_DRIFT
    assert np.diag(similar).mean() > 0.97


def test_order_and_neighbours_do_not_matter(encoder: Encoder) -> None:
    order = [7, 0, 10, 3, 9, 1, 8, 2, 6, 4, 5]
    forward, shuffled = encoder.encode(TEXTS), encoder.encode([TEXTS[n] for n in order])
    assert (forward[order] * shuffled).sum(axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1 - INT8_DRIFT)


def test_no_texts_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.count_tokens([]) == []


def test_what_lies_beyond_the_longest_input_is_not_read(encoder: Encoder) -> None:
    word = "effusion "
    read = word * (encoder.max_tokens - 2)
    assert encoder.encode([read + "fracture " * 50]) == pytest.approx(encoder.encode([read]))
    assert encoder.encode([word * 20 + "fracture"]) != pytest.approx(encoder.encode([word * 20]), abs=1e-3)


def test_tokens_are_counted_whole_and_without_the_marks(encoder: Encoder, session: ModelSession) -> None:
    long = "fever " * 1000
    assert encoder.count_tokens(["", "fever", "fever cough", long]) == [0, 1, 2, 1000]
    assert len(session.tokenizer.encode(long).ids) == encoder.max_tokens


def test_the_encoder_of_the_settings() -> None:
    settings = Settings(onnx_provider="cpu", onnx_threads=1)
    assert Encoder.from_settings(settings).encode(["fever"]).shape == (1, 384)


def test_no_reranker_where_none_is_set() -> None:
    assert Reranker.from_settings(Settings(reranker_bundle="")) is None


def test_the_device_is_told(session: ModelSession) -> None:
    assert session.device == "cpu"
    assert session.tokens_at_once == CPU_TOKENS


def test_the_processor_can_always_be_asked_for() -> None:
    assert providers("cpu") == ["CPUExecutionProvider"]
    assert providers("auto")[-1] == "CPUExecutionProvider"


def test_left_to_itself_only_what_is_no_int8_runs_on_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: cuda)
    assert [providers("auto", precision) for precision in ("fp32", "fp16")] == [cuda, cuda]
    assert [providers("auto", precision) for precision in ("int8", "int8-static")] == [cuda[1:], cuda[1:]]
    assert providers("cuda", "int8") == cuda


@pytest.mark.skipif(not NO_CUDA, reason="this ONNX Runtime has CUDA")
def test_cuda_asked_for_and_absent() -> None:
    with pytest.raises(AspectraError) as caught:
        ModelSession(load_bundle("minilm-bi-int8", "bi"), "cuda")
    assert caught.value.message == "ASPECTRA_ONNX_PROVIDER is cuda, but this ONNX Runtime has no CUDA."
    assert "aspectra[gpu]" in caught.value.remedy
    assert providers("auto") == ["CPUExecutionProvider"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The base in fp32."""
    folder = tmp_path_factory.mktemp("whole")
    export_bundle("minilm", "bi", folder / "fp32", Card("fp32", "minilm"), 64, "fp32")
    return load_bundle(str(folder / "fp32"), "bi")


def test_openvino_gives_nearly_the_vectors_of_onnx_runtime(whole: Bundle) -> None:
    ours, theirs = (Encoder(ModelSession(whole, p, threads=1)) for p in ("cpu", "openvino"))
    assert theirs._session.device == "openvino"
    a, b = ours.encode(TEXTS), theirs.encode(TEXTS)
    assert (a * b).sum(axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-3)


def test_openvino_refuses_an_int8_bundle_by_name() -> None:
    with pytest.raises(AspectraError) as caught:
        ModelSession(load_bundle("minilm-bi-int8", "bi"), "openvino", threads=1)
    assert "not a model that OpenVINO can run" in caught.value.message
    assert "fp32" in caught.value.remedy


def test_without_openvino_the_setting_is_explained(whole: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(AspectraError, match="OpenVINO is not installed"):
        ModelSession(whole, "openvino", threads=1)


def test_sum_and_normalisation_stay_apart_on_the_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept(onnxruntime.SessionOptions):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.optimized_model_filepath = str(tmp_path / "served.onnx")

    monkeypatch.setattr(onnxruntime, "SessionOptions", Kept)
    ModelSession(load_bundle("minilm-mention-int8", "mention"), "cpu", threads=1)
    kinds = {node.op_type for node in onnx.load(tmp_path / "served.onnx").graph.node}
    assert "LayerNormalization" in kinds
    assert "SkipLayerNormalization" not in kinds
