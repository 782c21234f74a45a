"""Columns of whole numbers as few bytes, and back."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from search_stack.cohorts.rows import Ints

_MARK = b"ACC1"
_LITTLE = np.dtype("<i8")


def packed(columns: Sequence[Ints]) -> bytes:
    """Columns of equal length: what each number adds to the one before it, like bytes side by side, deflated.

    Sorted columns take a byte or two a number.
    """
    parts = [_MARK, len(columns).to_bytes(4, "little"), len(columns[0]).to_bytes(8, "little")]
    for column in columns:
        steps = np.diff(column, prepend=np.int64(0)).astype(_LITTLE)
        parts.append(steps.view(np.uint8).reshape(-1, 8).T.tobytes())
    return zlib.compress(b"".join(parts))


def unpacked(data: bytes) -> list[Ints]:
    """
    Raises:
        ValueError: ``data`` is not what `packed` gives.
    """
    try:
        whole = zlib.decompress(data)
    except zlib.error as e:
        raise ValueError("not packed columns") from e
    count, length = int.from_bytes(whole[4:8], "little"), int.from_bytes(whole[8:16], "little")
    if whole[:4] != _MARK or not count or len(whole) != 16 + count * length * 8:
        raise ValueError("not packed columns")
    table = np.frombuffer(whole, np.uint8, offset=16).reshape(count, 8, length)
    return [np.cumsum(np.ascontiguousarray(one.T).view(_LITTLE).reshape(-1).astype(np.int64)) for one in table]
