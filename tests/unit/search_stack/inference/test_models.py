from __future__ import annotations

import numpy as np
import pytest

from search_stack.core.context import JOINT, NOTHING, Surroundings
from search_stack.inference.bundle import Bundle, load_bundle
from search_stack.inference.models import Encoder
from search_stack.inference.session import ModelSession

AROUND = Surroundings(title="Chest radiograph", lead="The heart is normal in size.")
TEXT = "No pleural effusion."


@pytest.fixture(scope="module")
def reading_lead() -> Encoder:
    shipped = load_bundle("minilm-bi-int8", "bi")
    manifest = shipped.manifest.model_copy(update={"context": ("lead",), "max_tokens": 32})
    return Encoder(ModelSession(Bundle(folder=shipped.folder, manifest=manifest), "cpu", threads=1))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b)


def test_a_passage_is_read_with_what_the_manifest_names(reading_lead: Encoder) -> None:
    assert reading_lead.readable(TEXT, AROUND) == f"The heart is normal in size.{JOINT}{TEXT}"
    assert reading_lead.readable(TEXT, NOTHING) == TEXT
    alone = reading_lead.encode_passages([(TEXT, NOTHING)])[0]
    with_lead = reading_lead.encode_passages([(TEXT, AROUND)])[0]
    assert cosine(alone, reading_lead.encode([TEXT])[0]) > 0.999
    assert cosine(with_lead, reading_lead.encode([reading_lead.readable(TEXT, AROUND)])[0]) > 0.999
    assert cosine(alone, with_lead) < 0.99


def test_a_passage_that_does_not_fit_with_its_surroundings_is_read_alone(reading_lead: Encoder) -> None:
    long = " ".join(["effusion"] * 10)
    assert 20 < reading_lead.count_tokens([long])[0] <= 30
    read = reading_lead.encode_passages([(long, AROUND)])[0]
    assert cosine(read, reading_lead.encode([long])[0]) > 0.999
