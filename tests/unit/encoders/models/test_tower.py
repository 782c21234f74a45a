"""What of a long text is read, and what becomes its vector."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from transformers import LongformerConfig, LongformerModel

from encoders.models import trained
from encoders.models.bi import BiEncoder
from encoders.models.tower import AtOnce, Tokens, Tower, pooled
from encoders.training.options import configured, with_options
from search_stack.core.context import FOLLOWS, JOINT
from search_stack.core.errors import AspectraError

OWN = "gout arises from fever ."
CONTEXT = "asthma ; the heart is clear . the lung is clear . no effusion . no pain ."


@pytest.fixture(scope="module")
def longformer(tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights, windows of 4 tokens."""
    folder = tmp_path_factory.mktemp("longformer")
    torch.manual_seed(0)
    config = LongformerConfig(
        vocab_size=Tokenizer.from_file(str(tiny_base / "tokenizer.json")).get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=130,
        attention_window=[4, 4],
        pad_token_id=0,
    )
    LongformerModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((tiny_base / "tokenizer.json").read_bytes())
    return folder


def test_a_text_without_context_is_all_its_own(tiny_base: Path) -> None:
    tower = Tower.from_base(tiny_base, 24)
    assert tower.own_tokens([OWN]) == tower.tokens([OWN])


def test_too_long_a_context_is_cut_and_not_the_passage(tiny_base: Path) -> None:
    tower = Tower.from_base(tiny_base, 16)
    own = tower.tokens([OWN])[0].ids
    (row,) = tower.own_tokens([CONTEXT + JOINT + OWN])
    assert len(row.ids) == 16
    assert row.ids[row.own :] == own[1:]
    assert row.ids[1 : row.own] == tower.tokens([CONTEXT])[0].ids[1 : row.own]


def test_the_document_stands_around_the_passage_and_loses_its_end_first(tiny_base: Path) -> None:
    read = f"asthma{JOINT}{OWN}{FOLLOWS}no pain . no fever ."
    (whole,) = Tower.from_base(tiny_base, 24).own_tokens([read])
    own = Tower.from_base(tiny_base, 24).tokens([OWN])[0].ids
    assert whole.ids[whole.own : whole.end] == own[1:-1]
    assert len(whole.ids) > whole.end + 6
    (cut,) = Tower.from_base(tiny_base, 12).own_tokens([read])
    assert (cut.own, cut.end, len(cut.ids)) == (whole.own, whole.end, 12)
    assert cut.ids[:-1] == whole.ids[:11]


def test_a_passage_that_is_too_long_itself_is_read_without_context(tiny_base: Path) -> None:
    tower = Tower.from_base(tiny_base, 6)
    (row,) = tower.own_tokens([CONTEXT + JOINT + OWN])
    assert (len(row.ids), row.own) == (6, 1)


def test_the_mean_is_over_its_own_tokens() -> None:
    states = torch.arange(8.0).view(1, 4, 2)
    mask = torch.tensor([[True, True, True, False]])
    assert pooled(states, mask, "own", [(2, 4)]).tolist() == [[4.0, 5.0]]
    assert pooled(states, mask, "own", [(0, 2)]).tolist() == [[1.0, 2.0]]
    assert pooled(states, mask, "mean", [(2, 4)]).tolist() == [[2.0, 3.0]]


@torch.inference_mode()
def test_the_same_passage_differs_by_its_document(longformer: Path) -> None:
    tower = Tower.from_base(longformer, 64).eval()
    alone, here, there = tower.vectors([OWN, CONTEXT + JOINT + OWN, "angina" + JOINT + OWN], "own")
    assert not torch.allclose(alone, here, atol=1e-3)
    assert not torch.allclose(here, there, atol=1e-3)


@torch.inference_mode()
def test_a_longformer_looks_from_both_starts_at_everything(longformer: Path) -> None:
    """A change at the far end reaches the passage's first token only by global attention: windows are narrow."""
    tower = Tower.from_base(longformer, 128).eval()
    far = " fever" * 60
    texts = [f"{word}{far}{JOINT}gout" for word in ("asthma", "angina")]
    rows = tower.own_tokens(texts)
    assert all(len(r.ids) > 60 for r in rows)
    states, _ = tower.states(rows)
    first = torch.stack([states[n, r.own] for n, r in enumerate(rows)])
    assert not torch.allclose(first[0], first[1], atol=1e-5)
    local, _ = tower.states([Tokens(r.ids, len(r.ids) - 2, len(r.ids)) for r in rows])
    middle = [s[n, 40] for n, s in ((0, local), (1, local))]
    assert torch.isfinite(torch.stack(middle)).all()


def test_the_long_variant_trains_its_starts_and_comes_back(longformer: Path, tmp_path: Path) -> None:
    config = configured("long", [f"base={longformer}", "max_tokens=64", "precision=fp32"])
    assert config.context == ("title", "document")
    model = config.build().eval()
    assert isinstance(model, BiEncoder)
    assert model.shape.pooling == "own"
    trained.save(model, config.trained, tmp_path / "model")
    again, shape = trained.load(tmp_path / "model")
    assert shape.arch == "long"
    with torch.inference_mode():
        expected = model.score([OWN], [CONTEXT + JOINT + OWN, OWN])
        assert again.score([OWN], [CONTEXT + JOINT + OWN, OWN]) == pytest.approx(expected, abs=1e-5)


def test_a_base_that_reads_too_little_for_documents_is_named() -> None:
    with pytest.raises(AspectraError) as caught:
        with_options("long", {}).build()
    assert "reads 512 tokens at most" in caught.value.message


def test_a_gpu_reads_more_at_a_time() -> None:
    at_once = AtOnce(processor=2, gpu=64)
    assert (at_once.on(torch.device("cpu")), at_once.on(torch.device("cuda", 0))) == (2, 64)
