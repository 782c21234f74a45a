"""Bloom-filter codes of labels: an open set of names on a fixed number of bits (Bloom, CACM 1970)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor

BITS = 1024
HASHES = 5


def positions(name: str, bits: int = BITS, hashes: int = HASHES) -> list[int]:
    """The bits that ``name`` sets, ``hashes`` of them, some perhaps the same; the same on every machine."""
    digest = hashlib.blake2b(" ".join(name.lower().split()).encode(), digest_size=4 * hashes).digest()
    return [int.from_bytes(digest[n : n + 4], "big") % bits for n in range(0, 4 * hashes, 4)]


def multi_hot(names: Sequence[str], bits: int = BITS, hashes: int = HASHES) -> Tensor:
    """``names`` (N) as (N, bits) float32 of 0 and 1; of an empty name all 0."""
    out = torch.zeros(len(names), bits)
    for row, name in enumerate(names):
        if name.strip():
            out[row, positions(name, bits, hashes)] = 1
    return out
