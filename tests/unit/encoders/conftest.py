"""A base so small that it trains and exports in a moment: random weights, a vocabulary of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query, load

ENTITIES = ("asthma", "gout", "anaemia", "angina", "eczema", "sepsis")
ASPECTS = {"causes": "arises from", "symptoms": "shows itself as", "treatment": "is eased with"}
OTHER = "how what are the of ; , . small left right effusion no fever pain chest heart lung clear"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer() -> Tokenizer:
    words = dict.fromkeys([*SPECIAL, *ENTITIES, *ASPECTS, *" ".join([*ASPECTS.values(), OTHER]).split()])
    tok = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="[UNK]"))
    tok.normalizer = normalizers.Lowercase()
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    tok.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tok


def _write_base(folder: Path, **changes: Any) -> Path:
    shape: dict[str, Any] = {
        "vocab_size": tokenizer().get_vocab_size(),
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 128,
        "max_position_embeddings": 64,
        "num_labels": 1,
    }
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(**(shape | changes)))
    with torch.no_grad():
        for parameter in model.parameters():  # far from the usual start, so that every weight matters
            parameter.add_(torch.randn_like(parameter) * 0.05)
    model.save_pretrained(folder)
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def write_base() -> Callable[..., Path]:
    """Writes a tiny base to a folder; keywords change its configuration."""
    return _write_base


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write_base(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def tiny_data() -> EntityAspectData:
    pairs = list(product(ENTITIES, ASPECTS))
    passages = tuple(Passage(f"p{n}", e, e, e, a, f"{e} {ASPECTS[a]} fever .") for n, (e, a) in enumerate(pairs))
    queries = tuple(Query(f"q{n}", f"what are the {a} of {e}", e, a, a, (f"p{n}",)) for n, (e, a) in enumerate(pairs))
    return EntityAspectData("tiny", passages, queries)


@pytest.fixture(scope="session")
def real(data_dir: Path) -> EntityAspectData:
    """The first of MedQuAD's development documents, with their queries."""
    whole = load(data_dir / "entity_aspect" / "medquad_dev.json")
    passages = whole.passages[:24]
    known = {p.id for p in passages}
    return replace(whole, passages=passages, queries=tuple(q for q in whole.queries if known.issuperset(q.relevant)))
