"""All that decides the result of a training run, in one typed object."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from encoders.models.architecture import Architecture, Shape, architecture, require_above_0
from encoders.models.scorer import Scorer
from encoders.models.trained import Trained
from search_stack.core.context import Part
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.wording import Wording

Arithmetic = Literal["fp32", "bf16", "fp16"]
Loss = Literal["both-ways", "listwise", "triplet", "margin", "kl", "margin-mse", "graded"]
DISTILLED = ("kl", "margin-mse")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Written to the run's folder; a run goes on only under the same options."""

    arch: str
    shape: Shape
    """The architecture's own options."""
    base: str = "minilm"
    layers: int = 0
    """Of the base the first so many, for a small student of a large teacher; 0: all."""
    max_tokens: int = 144
    """Longest input, of a passage with its context or, where they are read together, of query and passage."""

    context: tuple[Part, ...] = ("lead",)
    """What of its surroundings a passage is read with."""
    alone: float = 0.1
    """Share of the passages read without any, so that the model also serves collections that have none."""
    titled: float = 0.15
    """Share of the passages read with their document's title besides."""
    keywords: float = 0.25
    """Share of the queries worded as keywords instead of as asked."""
    queries: Wording = "asked"
    """How the others are worded, and those of the development data."""

    loss: Loss = "both-ways"
    margin: float = 0.5
    batch: int = 64
    """Queries in a batch."""
    together: int = 3
    """How many queries of a document meet in a batch, at most: their passages are each other's hard negatives."""
    teacher: str = ""
    """Run's model whose scores of each query's list the losses kl and margin-mse take for the truth."""
    negatives: int = 0
    """Hard negatives of each query besides; what reads query and passage together has no others."""
    miner: str = ""
    """Run's model whose rankings give every second hard negative; the others are BM25's."""
    answered: float = 0.0
    """What the miner scores above this share of a query's answer is taken for an answer that nobody marked, and is no
    hard negative; 0: nothing is."""
    refresh: int = 0
    """Steps after which the model in training gives every second hard negative itself, again and again; 0: never."""
    at_once: int = 0
    """Texts in memory at a time, by gradient caching; 0: the whole batch."""

    epochs: float = 2.0
    minutes: float = 0.0
    """Of training by the clock, whatever the epochs; the learning rate then follows the clock too. 0: by epochs."""
    learning_rate: float = 1e-4
    warmup: float = 0.1
    """Share of the run over which the learning rate rises; then it falls to 0 in a line."""
    weight_decay: float = 0.01
    seed: int = 13
    precision: Arithmetic = "bf16"
    """Of the arithmetic, by autocast; the weights stay fp32. In fp16 the loss is scaled lest gradients vanish."""
    checkpoint_every: int = 50
    patience: int = 0
    """Checkpoints without a better R@1 on the development data until training stops; 0: never."""

    def __post_init__(self) -> None:
        require_above_0(self, "batch", "together", "max_tokens", "checkpoint_every", "epochs", "learning_rate")
        for name in ("alone", "titled", "keywords", "warmup", "answered"):
            if not 0 <= getattr(self, name) <= 1:
                raise AspectraError(f"{name} is {getattr(self, name)}.", "It is a share, from 0 to 1.")
        if self.alone + self.titled > 1:
            raise AspectraError("alone and titled are above 1 together.", "Lower one of them.")
        for name, what in (("refresh", "steps"), ("layers", "layers"), ("minutes", "minutes")):
            if getattr(self, name) < 0:
                raise AspectraError(f"{name} is {getattr(self, name)}.", f"It is a number of {what}, or 0.")
        self._check_negatives()
        self.shape.check(self)

    def _check_negatives(self) -> None:
        """What gives or orders hard negatives needs some, and so does what learns from nothing else."""
        distilled = self.loss in DISTILLED
        if distilled != bool(self.teacher):
            raise AspectraError(
                f"The loss {self.loss} goes {'with a' if distilled else 'without'} teacher.",
                f"Set teacher to the model of a finished run with one of the losses {', '.join(DISTILLED)}.",
            )
        if self.graded and not self.negatives:
            raise AspectraError("graded reads each query's list, and negatives is 0.", "Set it to 1 or more.")
        if self.teacher and not self.negatives:
            raise AspectraError("A teacher orders hard negatives, and negatives is 0.", "Set it to 1 or more.")
        if self.answered and not self.miner:
            raise AspectraError("The miner tells what is answered, and there is none.", "Set miner, or leave it out.")
        if (self.miner or self.refresh) and not self.negatives:
            raise AspectraError("miner and refresh give hard negatives, and negatives is 0.", "Set it to 1 or more.")
        together = self.architecture.model.reads_together
        if self.refresh and (self.miner or together):
            raise AspectraError(
                "refresh is for a model that encodes passages, and instead of miner.", f"Set miner for {self.arch}."
            )
        if together and not self.negatives:
            raise AspectraError(
                f"{self.arch} reads query and passage together, and learns from hard negatives only.",
                "Set negatives to 1 or more.",
            )
        if together and self.at_once:
            raise AspectraError(f"{self.arch} encodes nothing whose gradients could be kept.", "Leave at_once at 0.")

    @property
    def architecture(self) -> Architecture:
        return architecture(self.arch)

    @property
    def graded(self) -> bool:
        """Whether it learns each query's whole list in order, and not a right passage against wrong ones."""
        return self.loss == "graded"

    @property
    def trained(self) -> Trained:
        """What is to be noted of the model."""
        return Trained(self.arch, self.max_tokens, self.context, self.shape)

    def build(self, base: str | None = None) -> Scorer:
        """The untrained model, of ``base`` where it is not the configured one.

        Raises:
            AspectraError: the base cannot be read.
        """
        return self.architecture.build(self.base if base is None else base, self.max_tokens, self.layers, self.shape)

    def flat(self) -> dict[str, Any]:
        """As it is written: the shape's options beside the run's."""
        run = asdict(self)
        shape: dict[str, Any] = run.pop("shape")
        return run | shape
