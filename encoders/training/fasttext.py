"""Word vectors of the training text, by fastText (Bojanowski et al., TACL 2017) as gensim trains it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from encoders.models.architecture import OWN_WORDS
from encoders.models.interaction.subwords import LONGEST, SHORTEST
from encoders.models.interaction.words import VECTORS, WORDS, tokens
from encoders.training.arrays import save
from encoders.training.config import TrainingConfig
from search_stack.core.errors import AspectraError
from search_stack.core.files import replacing
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

DIMENSIONS = 128
"""As Arnold et al. (WWW 2020) have them."""
BUCKETS = 50_000
"""Of n-grams: of two million, fastText's default, a text of this size would leave most empty."""
FEWEST = 2
"""Times that a word must be there."""
EPOCHS = 5


def base_of(data: EntityAspectData, config: TrainingConfig, out: Path) -> str:
    """The base of a run: as configured, or the word vectors of ``data``, trained into ``out/words`` unless there."""
    if not (config.architecture.words and config.base == OWN_WORDS):
        return config.base
    folder = out / "words"
    if not (folder / WORDS).is_file():
        train_words([*(p.text for p in data.passages), *(q.text for q in data.queries)], folder, config.seed)
    return str(folder)


def train_words(
    texts: Sequence[str], folder: Path, seed: int, dimensions: int = DIMENSIONS, buckets: int = BUCKETS
) -> None:
    """Skip-gram vectors with n-grams of ``texts``, in a thread, so that the same texts and seed give the same vectors.

    Raises:
        AspectraError: gensim is not installed, or no word is there often enough.
    """
    try:
        from gensim.models import FastText
    except ModuleNotFoundError as e:
        raise AspectraError("Word vectors need gensim.", "Install it: pip install 'aspectra[train]'") from e
    read = [tokens(t) for t in texts]
    seen = Counter(word for words in read for word in set(words))
    if not any(times >= FEWEST for times in Counter(w for words in read for w in words).values()):
        raise AspectraError(f"No word stands {FEWEST} times in the training text.", "Give more to learn from.")
    vectors = FastText(
        read,
        vector_size=dimensions,
        sg=1,
        min_count=FEWEST,
        min_n=SHORTEST,
        max_n=LONGEST,
        bucket=buckets,
        epochs=EPOCHS,
        workers=1,
        seed=seed,
    ).wv
    idf = [np.log(len(read) / seen[word]) for word in vectors.index_to_key]
    arrays = {"vectors": vectors.vectors, "buckets": vectors.vectors_ngrams, "idf": np.array(idf)}
    save({name: array.astype(np.float32) for name, array in arrays.items()}, folder / VECTORS)
    # Last, since it says that the folder is whole.
    with replacing(folder / WORDS) as file:
        file.write("\n".join(vectors.index_to_key).encode())
