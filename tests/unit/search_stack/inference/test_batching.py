from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from search_stack.inference.batching import length_sorted_batches, token_batches

LENGTHS = st.lists(st.integers(0, 300), max_size=60)


@given(LENGTHS, st.integers(1, 9))
def test_every_position_is_in_one_batch_of_at_most_the_size(lengths: list[int], size: int) -> None:
    batches = list(length_sorted_batches(lengths, size))
    assert sorted(n for b in batches for n in b) == list(range(len(lengths)))
    assert all(len(b) == size for b in batches[:-1])
    assert all(1 <= len(b) <= size for b in batches)


@given(LENGTHS, st.integers(1, 9))
def test_lengths_never_rise(lengths: list[int], size: int) -> None:
    in_order = [lengths[n] for b in length_sorted_batches(lengths, size) for n in b]
    assert in_order == sorted(lengths, reverse=True)


def test_padding_is_less_than_in_a_mixed_order() -> None:
    lengths = [200, 10, 190, 12, 180, 8, 170, 9]

    def padded(batches: list[list[int]]) -> int:
        return sum(len(b) * max(lengths[n] for n in b) for b in batches)

    assert padded(list(length_sorted_batches(lengths, 4))) == 4 * 200 + 4 * 12
    assert padded([[0, 1, 2, 3], [4, 5, 6, 7]]) == 4 * 200 + 4 * 180


def test_no_lengths_no_batches() -> None:
    assert list(length_sorted_batches([], 4)) == []
    assert list(token_batches([], 4)) == []


@given(LENGTHS, st.integers(1, 400))
def test_a_batch_holds_as_many_as_its_tokens_allow(lengths: list[int], budget: int) -> None:
    batches = list(token_batches(lengths, budget))
    assert [lengths[n] for b in batches for n in b] == sorted(lengths, reverse=True)
    assert sorted(n for b in batches for n in b) == list(range(len(lengths)))
    assert all(len(b) == 1 or len(b) * lengths[b[0]] <= budget for b in batches)
    assert all((len(b) + 1) * lengths[b[0]] > budget for b in batches[:-1])
