"""The shipped encoder beside its own weights in fp32."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from encoders.peers.sentence_transformer import as_sentence_transformer
from search_stack.inference.bundle import load_bundle
from search_stack.inference.session import ModelSession

PAIRS = [
    ("fluid around the lung", "There is a small left pleural effusion with blunting of the costophrenic angle."),
    ("collapsed lung", "A right apical pneumothorax measures two centimetres; no mediastinal shift."),
    ("enlarged heart", "The cardiac silhouette is enlarged, in keeping with cardiomegaly."),
    ("broken rib", "Nondisplaced fracture of the left seventh rib."),
    ("high blood pressure treatment", "Lisinopril was raised to 20 mg daily for poorly controlled hypertension."),
    ("sugar in the blood", "Haemoglobin A1c was 9.1 per cent; metformin was started for type 2 diabetes."),
    ("trouble breathing at night", "She wakes short of breath and sleeps on three pillows."),
    ("kidney stones", "CT shows a 6 mm calculus in the distal right ureter with mild hydronephrosis."),
    ("stroke with weakness of the arm", "Sudden left arm weakness; MRI confirmed an acute infarct of the right MCA."),
    ("allergic to penicillin", "He developed hives after amoxicillin and carries an allergy bracelet."),
]
QUERIES, PASSAGES = [q for q, _ in PAIRS], [p for _, p in PAIRS]


@pytest.fixture(scope="module")
def int8() -> ModelSession:
    return ModelSession(load_bundle("minilm-bi-int8", "bi"), "cpu", threads=1)


@pytest.fixture(scope="module")
def fp32() -> npt.NDArray[np.float32]:
    """By sentence-transformers, with the same weights and nothing else in eight bits."""
    peer = as_sentence_transformer(load_bundle("minilm-bi-int8", "bi"))
    return np.asarray(peer.encode(QUERIES + PASSAGES, show_progress_bar=False))


def test_vectors_have_length_1_and_stay_near_those_of_fp32(int8: ModelSession, fp32: npt.NDArray[np.float32]) -> None:
    vectors = int8.run(QUERIES + PASSAGES)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(20), abs=1e-5)
    cosines = (vectors * fp32).sum(axis=1)
    assert cosines.min() >= 0.98


def test_what_comes_first_in_eight_bits_is_first_in_fp32_or_as_near(
    int8: ModelSession, fp32: npt.NDArray[np.float32]
) -> None:
    """Two passages may be equally near ("collapsed lung"): which is first is then chance."""
    vectors = int8.run(QUERIES + PASSAGES)
    ours, theirs = (v[:10] @ v[10:].T for v in (vectors, fp32))
    chosen = theirs[np.arange(10), ours.argmax(axis=1)]
    assert (theirs.max(axis=1) - chosen).max() < 0.02
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).sum() >= 9


def test_what_notes_say_in_other_words_is_found(int8: ModelSession) -> None:
    vectors = int8.run(QUERIES + PASSAGES)
    found = (vectors[:10] @ vectors[10:].T).argmax(axis=1)
    assert (found == np.arange(10)).sum() >= 8
