"""What a spaCy pipeline with our component takes, beside the labeller alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy

from aspectra.spacy_component import SpacyComponent
from search_stack.core.timing import paired


def bench_spacy(texts: Sequence[str], lexicon: Path | None, runs: int) -> dict[str, Any]:
    """Tokenise and label ``texts`` in a blank English pipeline of one process; the peer labels them as plain text."""
    nlp = spacy.blank("en")
    component = nlp.add_pipe("aspectra", config={"lexicon": str(lexicon) if lexicon else None})
    assert isinstance(component, SpacyComponent)  # noqa: S101 (for the type)
    nlp.max_length = max(map(len, texts))

    def ours() -> None:
        for _ in nlp.pipe(texts):
            pass

    def peer() -> None:
        for text in texts:
            component.labeller.label(text)

    def tokenizer() -> None:
        for text in texts:
            nlp.make_doc(text)

    figures = paired(ours, peer, runs).json()
    tokenized = paired(tokenizer, peer, runs).json()
    return {
        **figures,
        "peer": "the labeller alone",
        "notes": len(texts),
        "tokenizer_ms": tokenized["ours_ms"],
        "characters": sum(map(len, texts)),
        "notes_per_minute": round(len(texts) / figures["ours_ms"] * 60_000),
        "peer_notes_per_minute": round(len(texts) / figures["peer_ms"] * 60_000),
    }
