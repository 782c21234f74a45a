"""Which structured facts a filter of several fields leaves, as ages from 18 to 40 or a letter before 2021.

A fact has a day and a patient, and nothing that only a note has, a type or a section. What cannot be told of a fact
leaves it in, under NOT as well: so each filter is worked out as what may hold and what surely holds (Kleene's three
values).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Node, Not

Mask: TypeAlias = NDArray[np.bool_]


def may_hold(node: Node, number: int, told: Callable[[FieldIs], Mask | None]) -> Mask:
    """(N,): whether the filter ``node`` may hold for each of ``number`` facts.

    Args:
        told: (N,) of one field, whether its value holds; None where facts cannot tell.
    """
    return _held(node, number, told)[0]


def _held(node: Node, number: int, told: Callable[[FieldIs], Mask | None]) -> tuple[Mask, Mask]:
    """What may hold, and what surely holds."""
    if isinstance(node, Not):
        may, must = _held(node.child, number, told)
        return ~must, ~may
    if isinstance(node, AllOf | AnyOf):
        join = np.logical_and if isinstance(node, AllOf) else np.logical_or
        each = [_held(child, number, told) for child in node.children]
        may, must = (reduce(join, some) for some in zip(*each, strict=True))
        return may, must
    known = told(node) if isinstance(node, FieldIs) else None
    return (np.ones(number, dtype=bool), np.zeros(number, dtype=bool)) if known is None else (known, known)
