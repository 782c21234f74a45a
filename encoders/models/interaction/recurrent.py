"""Recurrent layers over texts of unlike lengths."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def read_both_ways(layer: nn.LSTM | nn.GRU, values: Tensor, mask: Tensor) -> Tensor:
    """States (N, T, H) of ``layer`` over ``values`` (N, T, W), each text as far as ``mask`` (N, T) goes; 0 beyond."""
    packed = pack_padded_sequence(values, mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
    states: Tensor = pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=values.shape[1])[0]
    return states
