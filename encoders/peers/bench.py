"""Our inference beside sentence-transformers', with the same weights, in one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from encoders.peers.sentence_transformer import as_cross_encoder, as_sentence_transformer
from search_stack.core.settings import Settings
from search_stack.core.timing import paired
from search_stack.inference.bundle import load_bundle
from search_stack.inference.models import Encoder, Reranker
from search_stack.inference.session import ModelSession

PEER_BATCH = 32
"""sentence-transformers' default."""


def bench_rerank(settings: Settings, query: str, passages: Sequence[str], runs: int) -> dict[str, Any]:
    """Time ``passages`` (P) reranked for ``query``; figures, and how well both agree.

    Ours is what a search does: the cross-encoder reads the first `Settings.rerank_cut` by cosine, which the
    engine has given by then. The figures with ``_all`` are those of reading every passage, as the peer does.
    """
    bundle = load_bundle(settings.reranker_bundle, "cross")
    session = ModelSession(bundle, settings.onnx_provider, settings.onnx_threads)
    ours = Reranker(session)
    peer = as_cross_encoder(bundle)
    pairs = [(query, p) for p in passages]

    def run_peer() -> Any:
        return peer.predict(pairs, batch_size=PEER_BATCH, show_progress_bar=False)

    near = _nearest(settings, query, passages)
    timed = paired(lambda: ours.score(query, near), run_peer, runs)
    whole = paired(lambda: ours.score(query, passages), run_peer, runs).json()
    mine, theirs = ours.score(query, passages), np.asarray(run_peer())
    return {
        **timed.json(),
        "peer": "sentence-transformers CrossEncoder, same weights, fp32",
        "passages": len(passages),
        "read": len(near),
        "speedup_all": whole["speedup"],
        "ours_ms_all": whole["ours_ms"],
        "tokens_median": _median_tokens(session, pairs),
        "torch_threads": torch.get_num_threads(),
        "correlation": round(float(np.corrcoef(mine, theirs)[0, 1]), 5),
        "same_first": bool(mine.argmax() == theirs.argmax()),
    }


def _nearest(settings: Settings, query: str, passages: Sequence[str]) -> list[str]:
    if not settings.rerank_cut:
        return list(passages)
    vectors = Encoder.from_settings(settings).encode([query, *passages])
    best = (-(vectors[1:] @ vectors[0])).argsort(kind="stable")[: settings.rerank_cut]
    return [passages[n] for n in best]


def bench_encode(settings: Settings, passages: Sequence[str], runs: int) -> dict[str, Any]:
    """Time ``passages`` (P) encoded; figures, and the cosine of both vectors of each."""
    bundle = load_bundle(settings.encoder_bundle, "bi")
    session = ModelSession(bundle, settings.onnx_provider, settings.onnx_threads)
    ours = Encoder(session)
    peer = as_sentence_transformer(bundle)

    def run_peer() -> Any:
        return peer.encode(list(passages), batch_size=PEER_BATCH, show_progress_bar=False)

    timed = paired(lambda: ours.encode(passages), run_peer, runs)
    cosine = (ours.encode(passages) * np.asarray(run_peer())).sum(axis=1)
    return {
        **timed.json(),
        "peer": "sentence-transformers SentenceTransformer, same weights, fp32",
        "passages": len(passages),
        "tokens_median": _median_tokens(session, list(passages)),
        "torch_threads": torch.get_num_threads(),
        "cosine_mean": round(float(cosine.mean()), 5),
        "cosine_min": round(float(cosine.min()), 5),
    }


def _median_tokens(session: ModelSession, texts: Any) -> float:
    return float(np.median([len(e.ids) for e in session.tokenizer.encode_batch(texts)]))
