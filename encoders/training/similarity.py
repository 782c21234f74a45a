"""Training of models that tell how alike two sentences are: on pairs with a score, and on triples with an order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models import trained
from encoders.models.alike import alike
from encoders.models.architecture import architecture, require_above_0
from encoders.models.scorer import Pairwise, Scorer
from encoders.models.trained import Trained
from encoders.training.folder import TrainingFolder
from encoders.training.losses import cosent
from encoders.training.progress import loss_bar
from encoders.training.trainer import SMOOTHING, learning_rate_factor
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.minimal_pairs import KINDS, Triple

T = TypeVar("T")
MOST = 5.0
"""The highest score of a pair; the lowest is 0."""
SCALE = 20.0
"""What cosines are multiplied with in both losses, as the reference has it."""
WEIGHT_DECAY = 0.01
ARCHITECTURES = {"siamese": "bi", "regression": "cross", "hconv": "hconv"}


@dataclass(frozen=True, slots=True)
class SimilarityConfig:
    """Chosen on STS-B's development split."""

    model: Literal["siamese", "regression", "hconv"] = "siamese"
    """Two vectors and their cosine (Reimers & Gurevych, EMNLP 2019, section 3) under CoSENT's loss, or both sentences
    read together and the first token's state to a score under a sigmoid (Devlin et al., NAACL 2019, section 4.1), or
    that with convolutions over all tokens' states beside."""
    base: str = "minilm"
    seed: int = 13
    batch: int = 32
    """Pairs in a step."""
    triples: int = 16
    """In a step besides, where there are any."""
    weight: float = 2.0
    """Of the triples' loss, beside the pairs'."""
    linear: float = 10.0
    """Weight of the squared error of cosines, beside CoSENT's loss: that asks for their order alone, and Pearson's
    correlation for a line."""
    epochs: float = 1.0
    """Over the pairs."""
    learning_rate: float = 1e-4
    warmup: float = 0.1
    max_tokens: int = 128
    precision: Literal["fp32", "bf16"] = "bf16"
    """Of the arithmetic, by autocast; the weights stay fp32."""
    checkpoint_every: int = 100
    labeller: str = ""
    """OUT/model of a run that reads both sentences together, which scores pairs of the notes' sentences to learn from
    besides; none without."""
    candidates: int = 10_000
    """Pairs that it scores, at most."""
    each: int = 500
    """Of them, those taken from each point of scores below 3; of those above all are."""

    def __post_init__(self) -> None:
        above = "batch", "epochs", "learning_rate", "max_tokens", "checkpoint_every", "candidates", "each"
        require_above_0(self, *above)
        if self.triples < 0:
            raise AspectraError(f"triples is {self.triples}.", "It is a number of triples, or 0.")

    @property
    def trained(self) -> Trained:
        """What is to be noted of the model."""
        known = architecture(ARCHITECTURES[self.model])
        return Trained(known.name, self.max_tokens, (), known.shape())

    def build(self) -> Scorer:
        """The untrained model.

        Raises:
            AspectraError: the base cannot be read.
        """
        note = self.trained
        return architecture(note.arch).build(self.base, self.max_tokens, 0, note.shape)


def train(pairs: Sequence[SentencePair], triples: Sequence[Triple], config: SimilarityConfig, out: Path) -> Scorer:
    """Train on both in a run folder that can be resumed, and leave the model in ``out/model``.

    Args:
        pairs: with scores from 0 to `MOST`.
        triples: may be none.

    Raises:
        AspectraError: there is no such base, ``out`` holds another run, or the disk is full.
    """
    torch.manual_seed(config.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # Without dropout, which so few passes do not need, and with the word vectors as they are: most of the words of
    # notes stand in no pair.
    model = config.build().to(device).eval()
    for name, weights in model.named_parameters():
        if "word_embeddings" in name:
            weights.requires_grad_(False)
    folder = TrainingFolder(out, {**asdict(config), "pairs": len(pairs), "contrasts": len(triples)})
    open_weights = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(open_weights, lr=config.learning_rate, weight_decay=WEIGHT_DECAY)
    done, loss = 0, 0.0
    if state := folder.last(device):
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        done, loss = int(state["step"]), float(state["loss"])
    lessons = _Lessons(pairs, triples, config)
    with loss_bar() as progress:
        bar = progress.add_task(out.name, total=lessons.steps, completed=done, loss=loss)
        for step in range(done, lessons.steps):
            # Everything random about a step follows from its number, so a resumed run repeats nothing.
            torch.manual_seed(random.Random(f"{config.seed}/{step}").getrandbits(63))
            for group in optimiser.param_groups:
                group["lr"] = config.learning_rate * learning_rate_factor(step, lessons.steps, config.warmup)
            with torch.autocast(device.type, dtype=torch.bfloat16, enabled=config.precision == "bf16"):
                value = pair_loss(model, lessons.pairs(step), config.linear)
                if drawn := lessons.triples(step):
                    value = value + config.weight * triple_loss(model, drawn)
            value.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(open_weights, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            now = float(value.detach())
            done, loss = step + 1, SMOOTHING * loss + (1 - SMOOTHING) * now if loss else now
            progress.update(bar, completed=done, loss=loss)
            if done % config.checkpoint_every == 0 or done == lessons.steps:
                kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": done, "loss": loss}
                folder.save(kept, {"step": done, "steps": lessons.steps, "loss": loss})
    trained.save(model, config.trained, out / "model")
    return model


def pair_loss(model: Scorer, pairs: Sequence[SentencePair], linear: float = 0.0) -> Tensor:
    """Of ``pairs`` with scores from 0 to `MOST`: `cosent` of cosines, and ``linear`` times their squared error beside
    the score's share of `MOST`; binary cross-entropy with that share of what is read together."""
    told = alike(model, [p.one for p in pairs], [p.other for p in pairs])
    gold = torch.tensor([p.score for p in pairs], device=told.device)
    if isinstance(model, Pairwise):
        return functional.binary_cross_entropy_with_logits(told, gold / MOST)
    return cosent(told, gold, SCALE) + linear * functional.mse_loss(told, gold / MOST)


def triple_loss(model: Scorer, triples: Sequence[Triple]) -> Tensor:
    """log(1 + exp(far - near)), the mean over ``triples``: `cosent` of each for itself, whose order alone is known
    (Burges et al., ICML 2005, equation 3)."""
    anchors, others = [t.anchor for t in triples], [*(t.near for t in triples), *(t.far for t in triples)]
    near, far = alike(model, anchors, others).chunk(2)
    return functional.softplus((far - near) * (1.0 if isinstance(model, Pairwise) else SCALE)).mean()


class _Lessons:
    """Every pair once an epoch, and triples beside, in an order that follows from the seed."""

    def __init__(self, pairs: Sequence[SentencePair], triples: Sequence[Triple], config: SimilarityConfig) -> None:
        self._pairs, self._config = pairs, config
        self._kinds = [own for kind in KINDS if (own := [t for t in triples if t.kind == kind])]
        self._each = max(1, len(pairs) // config.batch)
        self.steps = max(1, round(self._each * config.epochs))

    def pairs(self, step: int) -> list[SentencePair]:
        """What is read together is read in either order."""
        found = _drawn(self._pairs, self._config.batch, step, f"{self._config.seed}/pairs")
        rng = random.Random(f"{self._config.seed}/{step}/order")
        return [SentencePair(p.other, p.one, p.score) if rng.random() < 0.5 else p for p in found]

    def triples(self, step: int) -> list[Triple]:
        """Kinds take turns, lest the rarest hardly be learnt; each triple once before one of its kind comes again."""
        size, kinds = self._config.triples, len(self._kinds)
        turns = (divmod(place, kinds) for place in range(step * size, (step + 1) * size) if kinds)
        return [t for turn, kind in turns for t in _drawn(self._kinds[kind], 1, turn, f"{self._config.seed}/triples")]


def _drawn(of: Sequence[T], size: int, step: int, seed: str) -> list[T]:
    """The batch of a step, each of ``of`` once an epoch but for those that do not fill one."""
    each = max(1, len(of) // size) if size else 1
    epoch, place = divmod(step, each)
    order = random.Random(f"{seed}/{epoch}").sample(range(len(of)), len(of))
    return [of[n] for n in order[place * size : (place + 1) * size]]
