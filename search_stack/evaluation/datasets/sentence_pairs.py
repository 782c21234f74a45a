"""Pairs of sentences with how alike people found them: the form of STS-B, or two sentences and a score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import cells, first

STSB = 7
"""Columns of STS-B, at least: genre, file, year, number, score, sentence, sentence."""
SCORES, SENTENCES = ("score", "similarity", "label", "gold"), ("sentence", "text", "s")
"""Names of columns, the latter with 1 and 2 behind."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    one: str
    other: str
    score: float


@dataclass(frozen=True, slots=True)
class SentencePairs:
    pairs: list[SentencePair]
    form: str
    """Which form was read, in words."""


def load(file: Path, limit: int | None = None, highest: float | None = None) -> SentencePairs:
    """The pairs of ``file``: seven columns and more as STS-B, else a score and two sentences, told by the names in the
    first row or, without any, by which of the first and the third is a number.

    Args:
        highest: a score above it or below 0 is refused; None: any is taken.

    Raises:
        AspectraError: it cannot be read, a row lacks a cell, or a score is no number or out of range; the message names
            the line.
    """
    table = cells(file, "sentence pairs")
    try:
        place, head = next(table)
    except StopIteration:
        raise AspectraError(f"{file}: holds no pair.", "Name a file of sentence pairs.") from None
    columns, form = _columns(place, head)
    named = _number(head[columns[0]]) is None
    rows = table if named else chain([(place, head)], table)
    pairs = (_pair(where, row, columns, highest) for where, row in rows)
    return SentencePairs(first(pairs, limit, f"{file}: holds no pair.", "sentence pairs"), form)


def _columns(place: str, head: list[str]) -> tuple[tuple[int, int, int], str]:
    """Where the score and the sentences stand, and in words."""
    names = [cell.strip().casefold().replace("_", "").replace(" ", "") for cell in head]
    score = next((names.index(s) for s in SCORES if s in names), None)
    both = ((f"{s}1", f"{s}2") for s in SENTENCES)
    found = next(((names.index(a), names.index(b)) for a, b in both if {a, b} <= {*names}), None)
    if score is not None and found:
        return (score, *found), "columns by their names"
    if len(head) >= STSB:
        return (4, 5, 6), "STS-B: the score in column 5, the sentences in 6 and 7"
    if len(head) >= 3 and _number(head[2]) is not None:
        return (2, 0, 1), "two sentences and a score"
    if len(head) >= 3 and _number(head[0]) is not None:
        return (0, 1, 2), "a score and two sentences"
    raise AspectraError(
        f"{place}: neither STS-B's seven columns nor two sentences and a score.",
        "Name the columns sentence1, sentence2 and score in the first row.",
    )


def _pair(where: str, row: list[str], columns: tuple[int, int, int], highest: float | None) -> SentencePair:
    if len(row) <= max(columns):
        raise AspectraError(f"{where}: {len(row)} columns, {max(columns) + 1} are needed.", "Add what is missing.")
    score, one, other = (row[n].strip() for n in columns)
    value = _number(score)
    if value is None:
        raise AspectraError(f"{where}: score: this is no number.", "Write it as 3.5.")
    if highest is not None and not 0 <= value <= highest:
        raise AspectraError(f"{where}: score: {value:g} is not from 0 to {highest:g}.", "Scale the scores.")
    if not one or not other:
        raise AspectraError(f"{where}: a sentence is empty.", "Add it, or leave the row out.")
    return SentencePair(one, other, value)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
