"""Pairs of the notes' sentences that a trained model has scored, to train another one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from aspectra.console import counting_bar, say, settings
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.evaluation.datasets import sentence_pairs
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.inference.models import Encoder

if TYPE_CHECKING:
    from encoders.training.similarity import SimilarityConfig

FOLDER, PAIRS = "pseudo", "pairs.tsv"
HEAD = "score\tsentence1\tsentence2"


def pseudo_labelled(texts: Mapping[str, str], config: SimilarityConfig, out: Path) -> list[SentencePair]:
    """By ``config.labeller``, from 0 to 5; kept in ``out``, where a run that goes on finds them again, and another one
    may: they are a file of pairs like any other.

    Raises:
        AspectraError: there are no notes, the labeller reads sentences apart, or ``out`` holds another run's.
    """
    from encoders.models.scorer import Pairwise
    from encoders.models.trained import load
    from encoders.peers.similarity import AT_ONCE, ModelSimilarity
    from encoders.training.folder import TrainingFolder
    from encoders.training.pseudo_labels import balanced, bands, candidates, sentences_by_aspect
    from encoders.training.similarity import MOST

    if not texts:
        raise AspectraError("labeller needs sentences of notes to score.", "Name the notes: --more.")
    model, _ = load(Path(config.labeller))
    if not isinstance(model, Pairwise):
        raise AspectraError(
            f"{config.labeller} compares vectors, and its cosines are no scores.",
            "Name a run with model=regression or model=hconv.",
        )
    encoder = Encoder.from_settings(settings())
    made = {"labeller": config.labeller, "candidates": config.candidates, "each": config.each, "seed": config.seed}
    folder = TrainingFolder(out / FOLDER, {**made, "encoder": encoder.manifest.name})
    file = folder.path / PAIRS
    if not file.exists():
        sentences = sentences_by_aspect(texts, config.seed)
        drawn = candidates(sentences, encoder.encode, config.candidates, config.seed)
        asked = [SentencePair(one, other, 0) for one, other in drawn]
        score, scored = ModelSimilarity(model), []
        with counting_bar() as progress:
            bar = progress.add_task("pairs scored", total=len(asked))
            for at in range(0, len(asked), AT_ONCE):
                part = asked[at : at + AT_ONCE]
                told = (MOST * score(part)).tolist()
                scored += [SentencePair(p.one, p.other, points) for p, points in zip(part, told, strict=True)]
                progress.advance(bar, len(part))
        banded = bands(scored)
        found = balanced(banded, config.each, config.seed)
        if not found:
            raise AspectraError("The notes give no two sentences under one aspect.", "Give --more notes.")
        say(
            f"{len(drawn):,} pairs of {sum(map(len, sentences.values())):,} sentences scored: "
            + ", ".join(f"{len(band):,} from {n} to {n + 1}" for n, band in enumerate(banded))
            + f"; {len(found):,} taken."
        )
        rows = [HEAD, *(f"{p.score:.3f}\t{p.one}\t{p.other}" for p in found)]
        # The notes' text.
        write_whole(file, "\n".join(rows) + "\n", "Choose another --out.", private=True)
    return sentence_pairs.load(file, highest=MOST).pairs
