"""What every measure is, and what a relevant passage is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from search_stack.core.errors import AspectraError


class Measure(Protocol):
    """A value: equal where its name is equal, and usable as a key."""

    @property
    def name(self) -> str:
        """How it is written in reports and read by ``parse``: ``nDCG@10``."""

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        """The value of one query, 0 (worst) to 1 (best).

        ``ranking`` holds passage ids, best first, each once; it may be empty. ``relevant``
        holds the judged passages' relevance: above 0 is relevant; a passage that is not
        judged is not relevant.

        Raises:
            AspectraError: no passage is relevant, so there is nothing to measure.
        """

    def __hash__(self) -> int: ...


def gains(relevant: Mapping[str, int]) -> dict[str, int]:
    """The passages with a relevance above 0, as trec_eval counts them.

    Raises:
        AspectraError: there are none.
    """
    found = {passage: relevance for passage, relevance in relevant.items() if relevance > 0}
    if not found:
        raise AspectraError(
            "No passage is judged relevant.", "Leave the query out of the qrels, or judge one passage above 0."
        )
    return found


def graded_name(kind: str, least: int, k: int) -> str:
    """How a measure is written that counts a passage from the relevance ``least`` on.

    >>> graded_name("P", 1, 10), graded_name("P", 2, 10)
    ('P@10', 'P(rel=2)@10')
    """
    return f"{kind}(rel={least})@{k}" if least > 1 else f"{kind}@{k}"


def check_cutoff(name: str, k: int) -> None:
    """Raise AspectraError where ``k`` is not a rank; ranks start at 1."""
    if k < 1:
        raise AspectraError(f"Measure {name}: the cutoff must be 1 or more.", "Write it as in R@5.")
