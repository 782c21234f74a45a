"""Training of label encoders, before the model that aims at their vectors."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from encoders.models.bloom import multi_hot
from encoders.models.discourse import Sentences
from encoders.models.label_encoder import LabelEncoder, tidy
from encoders.models.label_losses import bpmll
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

BATCH = 64
FOR_A_LABEL = 8
"""Sentences of a label, besides its name, whose mean is its vector: drawn once, where it has more."""


def labels_of(data: EntityAspectData) -> dict[str, dict[str, list[str]]]:
    """The "entities" and "aspects" that the queries ask for, as they word them, each with the sentences of what answers
    them; labels without any letters are left out."""
    by_id = data.passage_by_id()
    found: dict[str, dict[str, list[str]]] = {"entities": {}, "aspects": {}}
    for query in data.queries:
        said = [s for i in query.relevant for s in Sentences.of(by_id[i].text).texts]
        for kind, name in (("entities", query.entity), ("aspects", query.aspect_heading or query.aspect)):
            if tidy(name):
                found[kind].setdefault(tidy(name), []).extend(said)
    return found


def bits_of(kind: str, names: Sequence[str]) -> Tensor:
    """Bloom bits (N, BITS) of ``names`` (N): of an entity its name's, of an aspect those of each of its words."""
    if kind == "entities":
        return multi_hot(names)
    return torch.stack([multi_hot(name.split()).amax(dim=0) for name in names])


def learn_labels(
    encoders: Mapping[str, LabelEncoder],
    data: EntityAspectData,
    passes: int,
    sentences: int,
    rate: float,
    seed: int,
    tick: Callable[[], object] = int,
) -> dict[str, dict[str, float]]:
    """Train each of ``encoders`` on the labels of ``data`` and have it know their vectors.

    Args:
        passes: over all labels; the fewer ones, aspects, come again and again in a pass.
        sentences: beside each name in a pass.
        tick: is called after each pass of each encoder.

    Returns:
        Of each encoder how many ``labels`` it knows, the share of them that are ``own_nearest`` (the vector of the
        name, read by its words, has the label's own among all labels' as its nearest), and the ``mean_cosine`` of two
        labels.

    Raises:
        AspectraError: no query names an entity, or none an aspect.
    """
    told = {}
    found = labels_of(data)
    most = max(map(len, found.values()))
    if not all(found.values()):
        raise AspectraError(f"{data.name}: no query names an entity and an aspect.", "Give labelled queries.")
    for kind, labels in found.items():
        rng = random.Random(f"{seed}/{kind}")
        times = most // len(labels)
        _learn(encoders[kind], bits_of(kind, list(labels)), labels, passes, times, sentences, rate, rng, tick)
        drawn = [[name, *rng.sample(own, min(FOR_A_LABEL, len(own)))] for name, own in labels.items()]
        encoders[kind].hold(list(labels), drawn)
        told[kind] = measured(encoders[kind], list(labels))
    return told


def _learn(
    encoder: LabelEncoder,
    bits: Tensor,
    labels: Mapping[str, Sequence[str]],
    passes: int,
    times: int,
    sentences: int,
    rate: float,
    rng: random.Random,
    tick: Callable[[], object],
) -> None:
    optimiser = torch.optim.Adam(encoder.parameters(), lr=rate)
    bits = bits.to(encoder.centre.device)
    for _ in range(passes):
        given = [(name, n) for n, name in enumerate(labels)] * times
        given += [(s, n) for n, own in enumerate(labels.values()) for s in rng.choices(own, k=times * sentences)]
        rng.shuffle(given)
        for at in range(0, len(given), BATCH):
            texts, numbers = zip(*given[at : at + BATCH], strict=True)
            loss = bpmll(encoder.bits(encoder(texts)), bits[list(numbers)])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        tick()
    encoder.zero_grad()


@torch.no_grad()
def measured(encoder: LabelEncoder, labels: Sequence[str]) -> dict[str, float]:
    """See `learn_labels`."""
    count = len(labels)
    known = encoder.vectors(labels)
    nearest = (encoder.encoded(labels) @ known.T).argmax(dim=1).cpu()
    total = known.sum(dim=0).square().sum().item() - known.square().sum().item()
    return {
        "labels": count,
        "own_nearest": (nearest == torch.arange(count)).float().mean().item(),
        "mean_cosine": total / max(1, count * (count - 1)),
    }
