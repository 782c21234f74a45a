from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from encoders.training.batches import epoch_batches

KEYS = [(n // 4, (n // 4, n % 4)) for n in range(64)]


def test_every_example_comes_once_where_batches_are_full() -> None:
    batches = epoch_batches(KEYS, 8, 2, seed=1, epoch=0)
    assert Counter(n for batch in batches for n in batch) == Counter(range(64))
    assert {len(b) for b in batches} == {8}


def test_epochs_and_seeds_differ_and_repeat() -> None:
    first = epoch_batches(KEYS, 8, 2, seed=1, epoch=0)
    assert first == epoch_batches(KEYS, 8, 2, seed=1, epoch=0)
    assert first != epoch_batches(KEYS, 8, 2, seed=1, epoch=1)
    assert first != epoch_batches(KEYS, 8, 2, seed=2, epoch=0)


def test_examples_of_a_document_stand_together() -> None:
    def neighbours(together: int) -> int:
        batches = epoch_batches(KEYS, 8, together, seed=1, epoch=0)
        return sum(KEYS[a][0] == KEYS[b][0] for batch in batches for a, b in pairwise(batch))

    assert neighbours(4) == 48
    assert neighbours(2) >= 32
    assert neighbours(1) < 16


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=60), st.integers(1, 8), st.integers(1, 4))
def test_what_asks_for_the_same_never_meets(keys: list[tuple[int, int]], size: int, together: int) -> None:
    for batch in epoch_batches(keys, size, together, seed=1, epoch=0):
        assert len({keys[n][1] for n in batch}) == len(batch) == size
