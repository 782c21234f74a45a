"""Small numbers as they are written out, as alternatives of a pattern. Eleven of anything are written in figures."""

from __future__ import annotations

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "", "twelve")


def _spelt(first: int, last: int) -> str:
    """From ``first`` to ``last``, as a pattern has them.

    >>> _spelt(2, 4)
    'two|three|four'
    """
    return "|".join(filter(None, _WORDS[first - 1 : last]))


ONE_TO_THREE = _spelt(1, 3)
ONE_TO_FIVE = _spelt(1, 5)
ONE_TO_SIX = _spelt(1, 6)
ONE_TO_TEN = _spelt(1, 10)
ONE_TO_TWELVE = _spelt(1, 12)
TWO_TO_THREE = _spelt(2, 3)
TWO_TO_FOUR = _spelt(2, 4)
TWO_TO_FIVE = _spelt(2, 5)
TWO_TO_SIX = _spelt(2, 6)
TWO_TO_TEN = _spelt(2, 10)
TWO_TO_TWELVE = _spelt(2, 12)
FOUR_TO_SIX = _spelt(4, 6)
