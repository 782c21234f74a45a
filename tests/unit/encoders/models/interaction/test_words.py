from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from encoders.models.interaction.subwords import buckets_of
from encoders.models.interaction.trigrams import LetterTrigrams
from encoders.models.interaction.words import VECTORS, WORDS, WordTable
from encoders.training import fasttext
from search_stack.core.errors import AspectraError


def weights(layer: nn.Module) -> Tensor:
    found = layer.weight
    assert isinstance(found, Tensor)
    return found.data


def test_texts_are_padded_and_cut(table: WordTable) -> None:
    read = table(["Gout, of the chest", "asthma?", ""], 3)
    assert read.values.shape == (3, 3, 8)
    assert read.mask.tolist() == [[True] * 3, [True, False, False], [True, False, False]]
    assert read.ids[0].tolist() == [2, 9, 10]
    assert torch.equal(read.values[1, 0], weights(table.known)[1])
    assert not read.values[~read.mask].any()
    assert not read.values[2].any()  # a text without words is one word that means nothing
    assert read.idf[1].tolist() == [0.5, 0.0, 0.0]


def test_a_word_that_training_never_saw_is_the_mean_of_its_n_grams(table: WordTable) -> None:
    read = table(["gout arthralgia", "arthralgia arthralgias"], 9)
    expected = table.buckets[torch.tensor(buckets_of("arthralgia", 50))].mean(dim=0)
    assert torch.allclose(read.values[0, 1], expected)
    assert read.ids[0, 1] == read.ids[1, 0] != read.ids[1, 1]
    assert float(read.idf[0, 1]) == 3.0  # as rare as the rarest known
    assert torch.equal(table(["arthralgia"], 9).values[0, 0], read.values[0, 1])


def test_only_learnt_vectors_are_changed(word_base: Path) -> None:
    for learnt in (False, True):
        table = WordTable.from_base(word_base, learnt)
        assert [name for name, p in table.named_parameters() if p.requires_grad] == ["known.weight"] * learnt


def test_a_folder_without_vectors_is_told(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="holds no word vectors"):
        WordTable.from_base(tmp_path)
    (tmp_path / WORDS).write_text("gout")
    for damaged in (b"torn", b"PK\x03\x04torn"):
        with pytest.raises(AspectraError, match=VECTORS):
            WordTable.from_base(tmp_path)
        (tmp_path / VECTORS).write_bytes(damaged)
    with pytest.raises(AspectraError, match=VECTORS):
        WordTable.from_base(tmp_path)


def test_vectors_are_those_of_fasttext_for_known_words_and_others(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models")
    texts = ["Ménière fever of gout", "gout is eased with fever", "ménière of gout"] * 3
    fasttext.train_words(texts, tmp_path, seed=1, dimensions=8, buckets=100)
    table = WordTable.from_base(tmp_path)
    own = gensim.FastText(
        [t.lower().split() for t in texts], vector_size=8, sg=1, min_count=2, min_n=3, max_n=6, bucket=100, epochs=5,
        workers=1, seed=1,
    ).wv  # fmt: skip
    words = ["gout", "ménière", "gouty", "fièvre"]
    read = table([" ".join(words)], 9)
    assert [w in table.words for w in words] == [True, True, False, False]
    for word, vector in zip(words, read.values[0], strict=True):
        assert torch.allclose(vector, torch.from_numpy(own[word].copy()), atol=1e-6), word
    # "gout" stands in every text, "fever" in two of three.
    assert read.idf[0, 0] == 0
    assert float(table(["fever"], 1).idf) == pytest.approx(0.405465)


def test_words_are_hashed_to_the_trigrams_that_training_saw() -> None:
    hashed = LetterTrigrams(["gout"], 2)
    assert list(hashed.places) == ["#go", "gou", "out", "ut#"]
    weights(hashed.weights).copy_(torch.tensor([[1.0, 0], [2, 0], [4, 0], [0, 8]]))
    read, mask = hashed(["gout goo", "rout", "xyz"], 5)
    assert read.tolist() == [[[7, 8], [1, 0]], [[4, 8], [0, 0]], [[0, 0], [0, 0]]]
    assert mask.tolist() == [[True, True], [True, False], [True, False]]
