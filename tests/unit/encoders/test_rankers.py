from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from encoders import architectures
from encoders.config import TrainingConfig
from encoders.rankers import ModelRanker
from search_stack.errors import AspectraError

TEXTS = {
    "long": "gout arises from fever . the heart is clear . no pain . no effusion . the lung is clear",
    "short": "fever",
    "middle": "asthma is eased with fever .",
}
QUERY = "what are the causes of gout"
BYTES = {"bi": 4.0 * 64, "poly": 4.0 * 64, "cross": None, "cdv": 4.0 * 256 * (5 + 1 + 1) / 3}


@pytest.mark.parametrize("arch", BYTES)
def test_scores_are_those_of_the_model_in_the_order_asked(tiny_base: Path, tmp_path: Path, arch: str) -> None:
    config = replace(TrainingConfig(base=str(tiny_base), max_tokens=24, negatives=1), arch=arch)  # type: ignore[arg-type]
    architectures.save(architectures.build(config), config, tmp_path / "model")
    ranker = ModelRanker.load(tmp_path / "model")
    ranker.read(TEXTS)
    model, _ = architectures.load(tmp_path / "model")
    expected = dict(zip(TEXTS, model.score([QUERY], list(TEXTS.values()))[0].tolist(), strict=True))
    for ids in (["short", "long"], ["middle", "short", "long"]):
        assert ranker.score(QUERY, ids) == pytest.approx([expected[i] for i in ids], abs=1e-4)
    assert ranker.bytes_per_passage == BYTES[arch]


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(AspectraError):
        ModelRanker.load(tmp_path)
