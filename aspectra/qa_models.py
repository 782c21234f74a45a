"""Judge answers to questions: the models that are asked, and the regression fitted over what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_type_hints

from aspectra.console import need_torch, say, stage_bars
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors, write_whole
from search_stack.core.settings import Settings
from search_stack.evaluation.answers import MEASURES, Tally, shares
from search_stack.evaluation.datasets import mediqa
from search_stack.evaluation.datasets.mediqa import Question
from search_stack.evaluation.stacking import FEATURES, all_features
from search_stack.inference.bundle import read_manifest
from search_stack.inference.models import Encoder, Reranker

FILE, MODEL = "qa.json", "model"
"""What `train_qa` and `train_qa_head` write into their folders."""
HEAD = "qa_head.json"
"""What a folder of `train_qa_head`'s model is known by, without loading PyTorch."""
OTHER = 0.52
"""The share of correct answers in MEDIQA's own test set, unlike any of the sets to learn from: what is worth there
must not be of their shares alone."""


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
        from encoders.training.stacking import OUTER, Identities, across_sets, fit, in_folds
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs scikit-learn.", "Install it: pip install 'aspectra[train]'") from e
    from search_stack.evaluation.answers import labelled, tally, tilted

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
    if weights := tilted(questions, OTHER):
        _say(f"the same, weighted so that {OTHER} of their answers are correct", held, weights)
    sets = [q.id.rpartition(":")[0] for q in questions]
    if len({*sets}) > 1:
        _say("each told by what was fitted without its file", across_sets(questions, own, sets, models, seed or 0))
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


def train_qa_head(
    data: Sequence[Path], more: Sequence[Path], dev: Path | None, out: Path, options: Sequence[str], **changes: Any
) -> None:
    """Train the published judge of answers on the questions of ``data``, tell what it is worth in folds and on
    ``dev``, and write it to the folder `MODEL` of ``out``.

    Args:
        more: documents in the entity/aspect format, of which pairs are taken too, as the option ``augment`` says.
        options: of `encoders.training.qa_head.QaHeadConfig` as name=value; ``changes`` likewise, None for its own.

    Raises:
        AspectraError: a file cannot be read; there is no such option or base; PyTorch is missing.
    """
    need_torch("Training")
    from encoders.training.options import read_options
    from encoders.training.qa_head import (
        QaHeadConfig,
        encoded,
        in_folds,
        of_documents,
        of_questions,
        probabilities,
        train,
    )
    from search_stack.evaluation.answers import by_half, tally
    from search_stack.evaluation.datasets import entity_aspect

    config = QaHeadConfig(**read_options(options, get_type_hints(QaHeadConfig), **changes))
    config.check()
    if bool(more) != bool(config.augment):
        raise AspectraError("--more and augment go together.", "Name a file, and how many pairs: --set augment=2000.")
    questions, kept = mediqa.load(data), mediqa.load([dev]) if dev else []
    if len(questions) < max(2, config.folds):
        raise AspectraError(f"{len(questions)} questions are too few for {config.folds} folds.", "Set folds=0.")
    drawn = [j for file in more for j in of_documents(entity_aspect.load(file), config.augment, config.seed)]
    judged = [*of_questions(questions), *drawn]
    known = encoded(judged, config)
    if config.folds:
        held = in_folds(questions, drawn, config, known)
        _say(f"{len(questions)} questions, each told by what learnt without its fold", held)
    model = train(judged, config, known)
    if kept:
        told = probabilities(model, kept)
        _say(f"{len(kept)} questions of {dev}", [tally(by_half(q, p)) for q, p in zip(kept, told, strict=True)])
    folder = out / MODEL
    with disk_errors(out):
        folder.mkdir(parents=True, exist_ok=True)
        model.save(folder)
    also = f", {len(drawn)} pairs of documents" if drawn else ""
    say(f"{folder}: learnt from {len(questions)} questions{also}.")
    say(f"Measure it: aspectra evaluate qa --data FILE --model {folder}")


def judge_of(folder: str) -> Callable[[Sequence[Question]], list[list[float]]] | None:
    """What `train_qa_head` wrote to ``folder``, as a function of questions to their answers' probabilities; None where
    it is something else.

    Raises:
        AspectraError: it cannot be read; PyTorch is missing.
    """
    if not (Path(folder) / HEAD).is_file():
        return None
    need_torch("Evaluating a model that is not exported")
    from encoders.models.qa_head import QaHead
    from encoders.training.qa_head import probabilities

    return partial(probabilities, QaHead.load(Path(folder)))


def run_name(folder: str) -> str:
    """What the model in ``folder`` is called in a report: the run's folder, of which it is the part `MODEL`."""
    path = Path(folder).resolve()
    return path.parent.name if path.name == MODEL else path.name


def _say(what: str, tallies: Sequence[Tally], weights: Sequence[float] | None = None) -> None:
    told = shares(tallies, weights)
    say(f"{what}: " + "; ".join(f"{name} {told[name] or '–'}" for name in MEASURES))
