"""The two models of the product: one encodes texts, one scores query and passage together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from search_stack.core.context import Surroundings, contextual
from search_stack.core.settings import Settings
from search_stack.inference.bundle import Manifest, load_bundle
from search_stack.inference.session import ModelSession


class Encoder:
    """Texts to vectors of length 1, so that the dot product is the cosine."""

    def __init__(self, session: ModelSession) -> None:
        self._session = session
        self.dimensions = session.manifest.dimensions or 0
        self.max_tokens = session.manifest.max_tokens
        self._counter = type(session.tokenizer).from_str(session.tokenizer.to_str())
        self._counter.no_truncation()

    @classmethod
    def from_settings(cls, settings: Settings, threads: int | None = None) -> Encoder:
        bundle = load_bundle(settings.encoder_bundle, "bi")
        return cls(ModelSession(bundle, settings.onnx_provider, settings.onnx_threads if threads is None else threads))

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Vectors (N, H) of ``texts`` (N); what lies beyond ``max_tokens`` is not read."""
        return self._session.run(texts)

    @property
    def manifest(self) -> Manifest:
        return self._session.manifest

    def readable(self, text: str, around: Surroundings) -> str:
        """A passage with what the model wants of its surroundings."""
        return contextual(text, around, self._session.manifest.context)

    def encode_passages(self, passages: Sequence[tuple[str, Surroundings]]) -> npt.NDArray[np.float32]:
        """Vectors (N, H) of ``passages`` (N), each read with what the model wants of its surroundings."""
        whole = self._counter.encode_batch_fast([self.readable(text, around) for text, around in passages])
        # The passage itself must be read to its end, whatever stands around it.
        alone = [text for (text, _), e in zip(passages, whole, strict=True) if len(e.ids) > self.max_tokens]
        cut = iter(self._session.tokenizer.encode_batch_fast(alone))
        return self._session.run_encoded([e if len(e.ids) <= self.max_tokens else next(cut) for e in whole])

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each text, without the two that mark begin and end."""
        return [len(e.ids) for e in self._counter.encode_batch_fast(texts, add_special_tokens=False)]


class Reranker:
    """Query and passage to one score; the larger the better."""

    def __init__(self, session: ModelSession) -> None:
        self._session = session

    @classmethod
    def from_settings(cls, settings: Settings) -> Reranker | None:
        """The configured cross-encoder; None where the setting is empty."""
        if not settings.reranker_bundle:
            return None
        bundle = load_bundle(settings.reranker_bundle, "cross")
        return cls(ModelSession(bundle, settings.onnx_provider, settings.onnx_threads))

    @property
    def manifest(self) -> Manifest:
        return self._session.manifest

    def readable(self, text: str, around: Surroundings) -> str:
        """A passage with what the model wants of its surroundings, as `score` takes it."""
        return contextual(text, around, self._session.manifest.context)

    def score(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Scores (P,) of ``passages`` (P) for ``query``."""
        return self._session.run([(query, p) for p in passages])

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        """Scores (N,) of ``pairs`` (N) of a query and a passage."""
        return self._session.run(list(pairs))
