"""Packed columns come back as they were, and nothing else is taken for them."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.cohorts.packed import packed, unpacked

NUMBER = st.integers(-(2**62), 2**62)
TABLE = st.integers(0, 20).flatmap(
    lambda length: st.lists(st.lists(NUMBER, min_size=length, max_size=length), min_size=1, max_size=4)
)


@given(TABLE)
def test_columns_come_back(table: list[list[int]]) -> None:
    columns = [np.array(column, dtype=np.int64) for column in table]
    assert [c.tolist() for c in unpacked(packed(columns))] == table


def test_a_row_of_evidence_takes_a_few_bytes() -> None:
    random = np.random.default_rng(7)
    patient = np.sort(random.integers(1, 100_000, 200_000))
    day, note = random.integers(10_000, 20_000, 200_000), random.integers(1, 2_000_000, 200_000)
    assert len(packed([patient, day, note])) < 7 * 200_000


@pytest.mark.parametrize("data", [b"", b"ACC1", zlib.compress(b"ACC1"), zlib.compress(b"ACC1" + bytes(11) + b"\x01")])
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not packed columns"):
        unpacked(data)
