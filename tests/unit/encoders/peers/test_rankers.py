from __future__ import annotations

from pathlib import Path

import pytest

from encoders.models import trained
from encoders.peers.rankers import ModelRanker
from encoders.training.options import with_options
from search_stack.core.errors import AspectraError

TEXTS = {
    "long": "gout arises from fever . the heart is clear . no pain . no effusion . the lung is clear",
    "short": "fever",
    "middle": "asthma is eased with fever .",
}
QUERY = "what are the causes of gout"
BYTES = {"bi": 4.0 * 64, "poly": 4.0 * 64, "cross": None, "cdv": 4.0 * 256 * (5 + 1 + 1) / 3}


@pytest.mark.parametrize("arch", BYTES)
def test_scores_are_those_of_the_model_in_the_order_asked(tiny_base: Path, tmp_path: Path, arch: str) -> None:
    options = {"sentences": "words"} if arch == "cdv" else {}
    config = with_options(arch, {"base": str(tiny_base), "max_tokens": 24, **options})
    trained.save(config.build(), config.trained, tmp_path / "model")
    ranker = ModelRanker.load(tmp_path / "model")
    ranker.read(TEXTS)
    model, _ = trained.load(tmp_path / "model")
    expected = dict(zip(TEXTS, model.score([QUERY], list(TEXTS.values()))[0].tolist(), strict=True))
    for ids in (["short", "long"], ["middle", "short", "long"]):
        assert ranker.score(QUERY, ids) == pytest.approx([expected[i] for i in ids], abs=1e-4)
    assert ranker.bytes_per_passage == BYTES[arch]


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(AspectraError):
        ModelRanker.load(tmp_path)
