"""Models over a transformer take steps on real lines of the data, are kept, and rank them; those of words alone are
held to the same in `interaction/test_trained.py`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from encoders.peers.rankers import ModelRanker
from encoders.training.loop import train
from encoders.training.options import with_options
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

EACH: list[tuple[str, dict[str, Any]]] = [
    ("bi", {}),
    ("poly", {"attention": "original"}),
    ("poly", {"attention": "relu"}),
    ("poly", {"attention": "capr"}),
    ("cdv", {}),
]


@pytest.mark.parametrize(("name", "options"), EACH, ids=[" ".join([n, *map(str, o.values())]) for n, o in EACH])
def test_two_steps_and_an_evaluation(
    name: str, options: dict[str, Any], real: EntityAspectData, tiny_base: Path, tmp_path: Path
) -> None:
    few = replace(real, queries=real.queries[:8])
    short = {"base": str(tiny_base), "batch": 4, "max_tokens": 40, "sentence_tokens": 40, "epochs": 1.0}
    known = {k: v for k, v in short.items() if k != "sentence_tokens" or name == "cdv"}
    config = with_options(name, known | {"precision": "fp32", "learning_rate": 1e-3} | options)
    torch.manual_seed(config.seed)
    began = {part: w.clone() for part, w in config.build().state_dict().items()}
    model = train(few, config, tmp_path, development=real)
    (line,) = [json.loads(text) for text in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert line["step"] == 2
    assert 0 <= line["dev_r_at_1"] <= 1
    now = model.state_dict()
    same = {part for part, w in began.items() if w.is_floating_point() and torch.equal(w, now[part].cpu())}
    # A transformer's pooler is not read.
    assert not {part for part in same if ".pooler." not in part}
    ranker = ModelRanker.load(tmp_path / "model")
    ranker.read({p.id: p.text for p in real.passages})
    scores = ranker.score(real.queries[0].text, [p.id for p in real.passages])
    assert len(set(scores)) > 1
