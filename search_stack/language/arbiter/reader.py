"""The reader of mentions: a small transformer that is asked where the arbiter is not sure."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import MODEL, load_bundle, read_manifest
from search_stack.inference.session import ModelSession
from search_stack.language.arbiter.window import Window, marked

SHIPPED = "minilm-mention-int8"
FOLDER = "reader"
"""Of a site's own, in the lexicon's folder."""


class Reader:
    """Reads one mention at a time: a batch would change the scales of int8, and so the answers.

    The model is loaded when it is first asked, so after a fork.

    Raises:
        AspectraError: there is no such bundle.
    """

    def __init__(self, bundle: str) -> None:
        self.bundle = bundle
        manifest = read_manifest(bundle)
        if manifest.kind != "mention":
            raise AspectraError(f"{bundle} is a bundle of kind {manifest.kind!r}, not 'mention'.")
        self.answers = manifest.answers
        self.digest = manifest.sha256[MODEL][:16]
        self._session: ModelSession | None = None

    def shares(self, read: Window) -> dict[str, float]:
        """The probability of each answer."""
        scores = self.scores(read)
        odds = np.exp(scores - scores.max())
        return dict(zip(self.answers, (odds / odds.sum()).tolist(), strict=True))

    def scores(self, read: Window) -> NDArray[np.float32]:
        """(A,): of each answer, unbounded."""
        if self._session is None:
            self._session = ModelSession(load_bundle(self.bundle, "mention"), "cpu", threads=1)
        scores: NDArray[np.float32] = self._session.run_encoded(marked([read], self._session.tokenizer))[0]
        return scores


@cache
def shipped_reader() -> Reader:
    return Reader(SHIPPED)


def reader_of(folder: Path | None) -> Reader:
    """The site's own one in the lexicon's folder, else the shipped one.

    Raises:
        AspectraError: its own is no such bundle.
    """
    return Reader(str(folder / FOLDER)) if folder is not None and (folder / FOLDER).is_dir() else shipped_reader()
