"""All that decides the result of a training run, in one typed object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from encoders.cdv import Sentences
from encoders.poly import Attention
from encoders.tower import Pooling
from encoders.two_towers import Similarity
from search_stack.context import Part
from search_stack.errors import AspectraError

Arch = Literal["bi", "poly", "cross", "cdv", "long"]
ARCHITECTURES: tuple[Arch, ...] = get_args(Arch)
Precision = Literal["fp32", "bf16", "fp16"]
Loss = Literal["both-ways", "listwise", "triplet", "margin", "kl", "margin-mse"]


DISTILLED = ("kl", "margin-mse")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Written to the run folder; a run goes on only under the same settings."""

    arch: Arch = "bi"
    base: str = "minilm"
    layers: int = 0
    """Of the base the first so many, for a small student of a large teacher; 0: all."""
    max_tokens: int = 144
    """Longest input, of a passage with its context or, for a cross-encoder, of query and passage together."""

    context: tuple[Part, ...] = ("lead",)
    """What of its surroundings a passage is read with."""
    alone: float = 0.1
    """Share of the passages read without any, so that the model also serves collections that have none."""
    titled: float = 0.15
    """Share of the passages read with their document's title besides."""
    keywords: float = 0.25
    """Share of the queries worded as keywords instead of as asked."""

    loss: Loss = "both-ways"
    margin: float = 0.5
    batch: int = 64
    """Queries in a batch."""
    together: int = 3
    """How many queries of a document meet in a batch, at most: their passages are each other's hard negatives."""
    teacher: str = ""
    """Run's model whose scores of each query's list the losses kl and margin-mse take for the truth."""
    negatives: int = 0
    """Hard negatives of each query besides; a cross-encoder has no others."""
    miner: str = ""
    """Run's model whose rankings give every second hard negative; the others are BM25's."""
    refresh: int = 0
    """Steps after which the model in training gives every second hard negative itself, again and again; 0: never."""
    at_once: int = 0
    """Texts in memory at a time, by gradient caching; 0: the whole batch."""

    shared: bool = True
    pooling: Pooling = "mean"
    similarity: Similarity = "cosine"
    markers: bool = False
    scale: float = 20.0
    codes: int = 16
    """Codes of a poly-encoder."""
    attention: Attention = "original"
    """How a poly-encoder's codes meet a passage."""
    sentences: Sentences = "words"
    """What gives contextual discourse vectors the vector of a sentence."""
    labels: float = 1.0
    """Weight of the loss on entity and aspect labels, which only contextual discourse vectors have."""

    epochs: float = 2.0
    learning_rate: float = 1e-4
    warmup: float = 0.1
    """Share of the steps over which the learning rate rises; then it falls to 0 in a line."""
    weight_decay: float = 0.01
    seed: int = 13
    precision: Precision = "bf16"
    """Of the arithmetic, by autocast; the weights stay fp32. In fp16 the loss is scaled lest gradients vanish."""
    checkpoint_every: int = 50
    patience: int = 0
    """Checkpoints without a better R@1 on the development data until training stops; 0: never."""

    def __post_init__(self) -> None:
        for name in ("batch", "together", "max_tokens", "codes", "checkpoint_every", "epochs", "learning_rate"):
            if getattr(self, name) <= 0:
                raise AspectraError(f"{name} is {getattr(self, name)}.", "It must be above 0.")
        for name in ("alone", "titled", "keywords", "warmup"):
            if not 0 <= getattr(self, name) <= 1:
                raise AspectraError(f"{name} is {getattr(self, name)}.", "It is a share, from 0 to 1.")
        if self.alone + self.titled > 1:
            raise AspectraError("alone and titled are above 1 together.", "Lower one of them.")
        if (self.loss in DISTILLED) != bool(self.teacher):
            raise AspectraError(
                f"The loss {self.loss} goes {'with a' if self.loss in DISTILLED else 'without'} teacher.",
                f"Set teacher to the model of a finished run with one of the losses {', '.join(DISTILLED)}.",
            )
        if self.teacher and not self.negatives:
            raise AspectraError("A teacher orders hard negatives, and negatives is 0.", "Set it to 1 or more.")
        if (self.miner or self.refresh) and not self.negatives:
            raise AspectraError("miner and refresh give hard negatives, and negatives is 0.", "Set it to 1 or more.")
        if self.refresh and (self.miner or self.arch == "cross"):
            raise AspectraError(
                "refresh is for a model that encodes passages, and instead of miner.", "Set miner for a cross-encoder."
            )
        for name, what in (("refresh", "steps"), ("layers", "layers")):
            if getattr(self, name) < 0:
                raise AspectraError(f"{name} is {getattr(self, name)}.", f"It is a number of {what}, or 0.")
        if self.arch == "cross" and not self.negatives:
            raise AspectraError("A cross-encoder learns from hard negatives only.", "Set negatives to 1 or more.")
        if self.arch == "cdv" and self.at_once:
            raise AspectraError("Contextual discourse vectors take no gradient caching.", "Leave at_once at 0.")
        if self.arch == "cdv" and self.precision == "fp16":
            raise AspectraError(
                "Contextual discourse vectors have no fp16: few processors do.", "Set precision to bf16."
            )
        if self.loss in ("triplet", "margin") and self.arch == "bi" and self.similarity != "cosine":
            raise AspectraError(f"The loss {self.loss} compares cosines.", "Set similarity to cosine.")


DEFAULTS: dict[Arch, dict[str, Any]] = {
    "bi": {},
    "poly": {},
    "cross": {"loss": "listwise", "batch": 8, "negatives": 6, "epochs": 0.6, "learning_rate": 8e-5, "warmup": 0.08},
    "long": {"pooling": "own", "context": ("title", "document"), "max_tokens": 4096, "batch": 8, "at_once": 2},
    "cdv": {"sentences": "transformer", "learning_rate": 3e-4, "max_tokens": 512},
}
"""What differs from the defaults of `TrainingConfig`."""


def configured(arch: Arch, given: Sequence[str], **changes: Any) -> TrainingConfig:
    """The defaults of ``arch``, then ``changes`` that are not None, then ``given`` as name=value.

    Raises:
        AspectraError: a name or a value that no option has.
    """
    hints = get_type_hints(TrainingConfig)
    values = {**DEFAULTS[arch], **{k: v for k, v in changes.items() if v is not None}}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or name not in hints or name == "arch":
            options = ", ".join(f.name for f in fields(TrainingConfig) if f.name != "arch")
            raise AspectraError(f"--set {one}: no such option.", f"Write name=value, one of: {options}.")
        values[name] = _read(name, value, hints[name])
    return replace(TrainingConfig(arch=arch, negatives=1), **{"negatives": 0, **values})


def _read(name: str, value: str, kind: Any) -> Any:
    wrong = AspectraError(f"--set {name}={value}: that is no value for it.", f"It takes: {_described(kind)}.")
    if get_origin(kind) is tuple:
        parts = tuple(part for part in value.split(",") if part)
        if not set(parts) <= set(get_args(get_args(kind)[0])):
            raise wrong
        return parts
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise wrong
        return value
    if kind is bool:
        if value not in ("true", "false"):
            raise wrong
        return value == "true"
    try:
        return kind(value)
    except ValueError:
        raise wrong from None


def _described(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"any of {', '.join(get_args(get_args(kind)[0]))}, with commas between, or nothing"
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "a name or a path")
