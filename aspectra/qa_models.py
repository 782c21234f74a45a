"""Judge answers to questions: the models that are asked, and the regression fitted over what they say."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from aspectra.console import say, stage_bars
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors, write_whole
from search_stack.core.settings import Settings
from search_stack.evaluation.answers import MEASURES, Tally, shares
from search_stack.evaluation.datasets import mediqa
from search_stack.evaluation.stacking import FEATURES, all_features
from search_stack.inference.bundle import read_manifest
from search_stack.inference.models import Encoder, Reranker

FILE = "qa.json"
"""What `train_qa` writes into its folder."""


def need_bm25() -> None:
    """
    Raises:
        AspectraError: bm25s is not installed.
    """
    if find_spec("bm25s") is None:
        raise AspectraError("The baseline needs bm25s.", "Install it: pip install 'aspectra[train]'")


def qa_models(settings: Settings, model: str | None = None) -> tuple[Encoder, Reranker]:
    """The configured encoder and cross-encoder, one of them replaced by the bundle ``model``.

    Raises:
        AspectraError: there is no cross-encoder, or no such bundle.
    """
    if model:
        kind = read_manifest(model).kind
        fields = {"bi": "encoder_bundle", "cross": "reranker_bundle"}
        if kind not in fields:
            raise AspectraError(f"{model} is neither an encoder nor a cross-encoder.", "Name one: aspectra models list")
        settings = settings.model_copy(update={fields[kind]: model})
    reranker = Reranker.from_settings(settings)
    if reranker is None:
        raise AspectraError("No cross-encoder is set.", "Name one in ASPECTRA_RERANKER_BUNDLE.")
    return Encoder.from_settings(settings), reranker


def train_qa(data: Sequence[Path], dev: Path | None, out: Path, settings: Settings, seed: int | None) -> None:
    """Fit the stacked judgement to the questions of ``data``, tell what it is worth in folds and on ``dev``, and write
    it to ``out``.

    Raises:
        AspectraError: a file cannot be read; scikit-learn is missing.
    """
    try:
        from encoders.training.stacking import OUTER, Identities, fit, in_folds
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs scikit-learn.", "Install it: pip install 'aspectra[train]'") from e
    from search_stack.evaluation.answers import labelled, tally

    questions, kept = mediqa.load(data), mediqa.load([dev]) if dev else []
    if len(questions) < 2 * OUTER:
        raise AspectraError(f"{len(questions)} questions are too few to learn from.", f"Give at least {2 * OUTER}.")
    encoder, reranker = qa_models(settings)
    with stage_bars() as progress:
        features = all_features([*questions, *kept], encoder, reranker, progress)
    models = Identities(encoder.manifest.identity, reranker.manifest.identity)
    own, others = features[: len(questions)], features[len(questions) :]
    held = in_folds(questions, own, models, seed or 0)
    _say(f"{len(questions)} questions, each told by what was fitted without its fold", held)
    stacked = fit(questions, own, models, seed or 0)
    if kept:
        told = [
            tally(labelled(q, stacked.probabilities(f).tolist(), stacked.threshold))
            for q, f in zip(kept, others, strict=True)
        ]
        _say(f"{len(kept)} questions of {dev}", told)
    for name, weight in sorted(zip(FEATURES, stacked.weights, strict=True), key=lambda one: -abs(one[1]))[:6]:
        say(f"  {weight:+.2f} {name}")
    target = out / FILE
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
    write_whole(target, stacked.model_dump_json(indent=1) + "\n")
    say(f"{target}: threshold {stacked.threshold:.3f}. Measure it: aspectra evaluate qa --data FILE --weights {target}")


def _say(what: str, tallies: Sequence[Tally]) -> None:
    told = shares(tallies)
    say(f"{what}: " + "; ".join(f"{name} {told[name] or '–'}" for name in MEASURES))
