"""Encoders of labels, trained before the model that aims at their vectors (Arnold et al., WWW 2020, equations 1 to 6).

The paper could not be had; what is here follows the authors' code (github.com/sebastianarnold/CDV and TeXoo), which
trains them on sentences under a label: a BLSTM over word vectors, the last state of each direction, a layer with tanh,
which is the vector, and a layer to the Bloom bits of the label, under BPMLL. A label's vector is the mean over its
sentences, and one without any is encoded from its name. Ours: a label's name counts as one of its sentences, since most
queries ask for entities that training never saw; BPMLL is of logits and its logarithm is lowered (see
`encoders.models.label_losses.bpmll`); vectors are centred on the mean of all labels and have length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.bloom import BITS
from encoders.models.interaction.recurrent import read_both_ways
from encoders.models.interaction.words import Words

AT_ONCE = 256


class LabelEncoder(nn.Module):
    """Vectors (N, V) of labels and sentences.

    Args:
        reads: texts as words with vectors.
        width: of a word's vector.
        hidden: of each direction of the BLSTM.
        vector: V.
    """

    def __init__(self, reads: Callable[[Sequence[str]], Words], width: int, hidden: int, vector: int) -> None:
        super().__init__()
        self._reads, self._hidden = reads, hidden
        self.read = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.embed = nn.Linear(2 * hidden, vector)
        self.bits = nn.Linear(vector, BITS)
        self.centre: Tensor
        """(V,), the mean of all labels' embeddings."""
        self.known: Tensor
        """(L, V), a vector of length 1 for each label that training knew."""
        self.register_buffer("centre", torch.zeros(vector))
        self.register_buffer("known", torch.zeros(0, vector))
        self._places: dict[str, int] = {}

    def forward(self, texts: Sequence[str]) -> Tensor:
        """Embeddings (N, V) of ``texts`` (N), neither centred nor of length 1."""
        words = self._reads(texts)
        states = read_both_ways(self.read, words.values, words.mask)
        last = words.mask.sum(dim=1) - 1
        forth = states[torch.arange(len(last), device=last.device), last, : self._hidden]
        out: Tensor = self.embed(torch.cat([forth, states[:, 0, self._hidden :]], dim=1)).tanh()
        return out

    @torch.no_grad()
    def hold(self, names: Sequence[str], sentences: Sequence[Sequence[str]]) -> None:
        """Know each of ``names`` (L) as the mean of its ``sentences`` (L, one or more each)."""
        flat = self._all([s for own in sentences for s in own])
        means = torch.stack([own.mean(dim=0) for own in torch.split(flat, [len(own) for own in sentences])])
        self.centre = means.mean(dim=0)
        self.known = self._unit(means)
        self._places = {tidy(name): n for n, name in enumerate(names)}

    def _unit(self, embeddings: Tensor) -> Tensor:
        return functional.normalize(embeddings - self.centre, dim=-1)

    @torch.no_grad()
    def encoded(self, texts: Sequence[str]) -> Tensor:
        """Vectors (N, V) of ``texts`` (N) by their words, around the centre, of length 1."""
        return self._unit(self._all(texts))

    def _all(self, texts: Sequence[str]) -> Tensor:
        parts = [self(texts[at : at + AT_ONCE]).float() for at in range(0, len(texts), AT_ONCE)]
        return torch.cat(parts) if parts else self.known.new_zeros(0, len(self.centre))

    @torch.no_grad()
    def vectors(self, labels: Sequence[str]) -> Tensor:
        """Vectors (N, V) of ``labels`` (N), of length 1: as they are known, or else by their words."""
        places = [self._places.get(tidy(label), -1) for label in labels]
        out = self.known.new_zeros(len(labels), len(self.centre))
        there = [n for n, place in enumerate(places) if place >= 0]
        new = [n for n, place in enumerate(places) if place < 0]
        out[there] = self.known[[places[n] for n in there]]
        out[new] = self.encoded([labels[n] for n in new])
        return out

    def get_extra_state(self) -> Tensor:
        """The names of the labels, as UTF-8: what keeps weights keeps tensors only."""
        return torch.tensor(list("\n".join(self._places).encode()), dtype=torch.uint8)

    def set_extra_state(self, state: Tensor) -> None:
        names = bytes(state.tolist()).decode()
        self._places = {name: n for n, name in enumerate(names.split("\n"))} if names else {}

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        self.known = self.known.new_zeros(state_dict[f"{prefix}known"].shape)
        super()._load_from_state_dict(state_dict, prefix, *rest)


def tidy(name: str) -> str:
    """
    >>> tidy("  Gouty  Arthritis")
    'gouty arthritis'
    """
    return " ".join(name.lower().split())
