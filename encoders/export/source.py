"""The weights that an export reads, checked to be what a bundle of their kind needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transformers import AutoConfig, BertConfig, PreTrainedModel

from encoders.models.architecture import Served, architecture
from encoders.models.bases import resolve_base
from encoders.models.trained import Trained, noted
from search_stack.core.context import Part
from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import Kind

UNKNOWN_TOKENS = 256
"""Longest input of weights that do not tell theirs."""


@dataclass(frozen=True, slots=True)
class Source:
    folder: Path
    model: PreTrainedModel
    served: Served
    reads_together: bool
    """Whether it reads query and passage together."""
    max_tokens: int
    context: tuple[Part, ...]


def read_source(source: str, kind: Kind, max_tokens: int | None, context: Sequence[Part] | None) -> Source:
    """
    Raises:
        AspectraError: ``source`` has no weights of this kind, or is no BERT that we can export.
    """
    trained = noted(Path(source))
    known = architecture(trained.arch if trained else kind)
    served = known.served
    if trained and (served is None or served.kind != kind):
        raise _refused(source, "arch", trained.arch, kind, kind)
    assert served is not None, kind  # noqa: S101 # every kind is that of the architecture of its name
    if trained:
        _check_shape(source, trained, served)
    folder = resolve_base(source)
    longest = max_tokens or (trained.max_tokens if trained else UNKNOWN_TOKENS)
    parts = (trained.context if trained else ()) if context is None else tuple(context)
    together = known.model.reads_together
    return Source(folder, _model(folder, served, together, longest), served, together, longest, parts)


def average(source: Source, others: Sequence[Source]) -> None:
    """Give ``source`` the mean of its weights and those of ``others``, runs from the same base: often better than each
    (Wortsman et al., Model soups, ICML 2022, uniform soup).

    Raises:
        AspectraError: the weights of one have other names or shapes.
    """
    kept = {n: w.clone() for n, w in source.model.state_dict().items() if not n.startswith(source.served.unused)}
    for other in others:
        weights = other.model.state_dict()
        for name, sum_ in kept.items():
            if name not in weights or weights[name].shape != sum_.shape:
                raise AspectraError(
                    f"{other.folder}: {name} is not there, or of another shape.", "Average runs from the same base."
                )
            sum_ += weights[name]
    count = 1 + len(others)
    source.model.load_state_dict({n: w / count for n, w in kept.items() if w.is_floating_point()}, strict=False)


def _check_shape(source: str, trained: Trained, served: Served) -> None:
    """Refuse what a bundle cannot say, so that nothing is served otherwise than it was trained."""
    if found := served.unfit(trained.shape):
        name, own, value = found
        raise _refused(source, name, own, served.kind, value)


def _refused(source: str, name: str, own: object, kind: Kind, wanted: object) -> AspectraError:
    return AspectraError(f"{source}: was trained with {name} {own}.", f"A bundle of kind {kind} needs {name} {wanted}.")


def _model(folder: Path, served: Served, together: bool, max_tokens: int) -> PreTrainedModel:
    """The BERT in ``folder``, checked to be what the bundle needs."""
    kind = served.kind
    try:
        config = AutoConfig.from_pretrained(folder)
        if not isinstance(config, BertConfig):
            raise AspectraError(f"{folder}: its architecture is {config.model_type}.", "Export knows BERT only.")
        model, read = served.weights.from_pretrained(folder, output_loading_info=True)
    except (OSError, ValueError, RuntimeError) as e:
        first = (str(e).splitlines() or [type(e).__name__])[0]
        raise AspectraError(f"{folder}: no weights of kind {kind!r} can be read there.", first) from e
    # Any weight that is missing and has a part would be random.
    missing = sorted(n for n in read["missing_keys"] if not n.startswith(served.unused))
    if missing:
        raise AspectraError(
            f"{folder}: no weights of kind {kind!r}: {missing[0]} is missing.", "Train the model first."
        )
    if together and config.num_labels != 1:
        raise AspectraError(f"{folder}: gives {config.num_labels} scores for a pair.", "Export reads one score.")
    if config.max_position_embeddings < max_tokens:
        raise AspectraError(f"{folder} reads {config.max_position_embeddings} tokens.", "Lower --max-tokens to that.")
    found: PreTrainedModel = model
    return found
