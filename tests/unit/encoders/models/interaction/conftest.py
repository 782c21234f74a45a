"""Word vectors of a few words, drawn at random, and texts as vectors that a test writes down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from encoders.models.interaction.words import VECTORS, WORDS, Words, WordTable

KNOWN = ("asthma", "gout", "fever", "chest", "pain", "causes", "symptoms", "treatment", "of", "the", "is", "eased")
WIDTH = 8


@pytest.fixture(scope="session")
def word_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of word vectors, as training makes it."""
    folder = tmp_path_factory.mktemp("words")
    rng = np.random.default_rng(0)
    arrays = {"vectors": (len(KNOWN), WIDTH), "buckets": (50, WIDTH)}
    drawn = {name: rng.standard_normal(size).astype(np.float32) for name, size in arrays.items()}
    np.savez(folder / VECTORS, **drawn, idf=np.linspace(0.5, 3, len(KNOWN), dtype=np.float32))
    (folder / WORDS).write_text("\n".join(KNOWN))
    return folder


@pytest.fixture
def table(word_base: Path) -> WordTable:
    return WordTable.from_base(word_base)


@pytest.fixture
def text() -> Callable[..., Words]:
    """One text of the vectors given, with numbers for its words and their idf where they matter."""

    def made(
        vectors: Sequence[Sequence[float]], ids: Sequence[int] | None = None, idf: Sequence[float] | None = None
    ) -> Words:
        values = torch.tensor([vectors], dtype=torch.float32)
        size = values.shape[:2]
        numbers = torch.arange(1, size[1] + 1)[None] if ids is None else torch.tensor([ids])
        return Words(
            values,
            torch.ones(size, dtype=torch.bool),
            numbers,
            torch.ones(size) if idf is None else torch.tensor([idf]),
        )

    return made
