"""Train what tells how alike two sentences are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_type_hints

from aspectra.console import need_torch, say, settings
from aspectra.note_texts import note_texts
from aspectra.pseudo_labels import pseudo_labelled
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import sentence_pairs
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.load import load_lexicon

TRIPLES = 2500
"""Of a kind, at most."""


def train_sts(
    data: Sequence[Path], notes: Sequence[Path], dev: Path | None, out: Path, options: Sequence[str], **changes: Any
) -> None:
    """Train on the pairs of ``data``, on pairs of ``notes`` that a model has scored where ``options`` name one, and on
    minimal pairs of ``notes``; tell what it is worth on ``dev``.

    Args:
        notes: folders of the shared data, or files of a site's notes; their train part gives triples.
        options: of `encoders.training.similarity.SimilarityConfig` as name=value; ``changes`` likewise, None for its
            own.

    Raises:
        AspectraError: a file cannot be read, a pair stands in ``dev`` too, there is no such option or base, or ``out``
            holds another run.
    """
    need_torch("Training")
    from encoders.models.architecture import architecture
    from encoders.peers.similarity import ModelSimilarity
    from encoders.training.options import read_options
    from encoders.training.similarity import MOST, SimilarityConfig, train
    from search_stack.evaluation.minimal_pairs import training
    from search_stack.evaluation.tasks.sts import MEASURES, Floats

    config = SimilarityConfig(**read_options(options, get_type_hints(SimilarityConfig), **changes))
    held = sentence_pairs.load(dev).pairs if dev else []
    known = {frozenset((p.one.casefold(), p.other.casefold())) for p in held}
    read = [p for file in data for p in sentence_pairs.load(file, highest=MOST).pairs]
    pairs = [p for p in read if frozenset((p.one.casefold(), p.other.casefold())) not in known]
    if not pairs:
        raise AspectraError("--data holds no pair that --dev has not too.", "Give other data to learn from.")
    texts = {name: text for folder in notes for name, text in note_texts(folder).items()}
    if config.labeller:
        pairs += pseudo_labelled(texts, config, out)
    rules = Labeller(load_lexicon(settings().lexicon_folder), None)
    triples = training(texts, rules, TRIPLES, config.seed) if texts and config.triples else []
    say(f"{len(pairs):,} pairs, {len(triples):,} triples of {len({t.note for t in triples}):,} notes.")
    model = train(pairs, triples, config, out)
    if held:
        import numpy as np

        told: Floats = ModelSimilarity(model)(held)
        gold = np.array([p.score for p in held])
        figures = "; ".join(f"{name} {measure(told, gold):.3f}" for name, measure in MEASURES.items())
        say(f"{len(held):,} pairs of {dev}: {figures}.")
    say(f"Trained. Measure it: aspectra evaluate sts --data FILE --model {out / 'model'}")
    if served := architecture(config.trained.arch).served:
        say(f"Export it: aspectra export BUNDLE --source {out / 'model'} --kind {served.kind}")
