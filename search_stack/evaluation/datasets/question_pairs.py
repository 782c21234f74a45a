"""Pairs of a long question and a short one that it entails or not: the files of RQE.

Ben Abacha and Demner-Fushman, Recognizing Question Entailment for Medical Question Answering, AMIA 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.xml_lines import Placed, parse

VALUES = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class QuestionPair:
    long: str
    """As somebody asked it, often with a history before."""
    short: str
    entailed: bool
    """Whether whatever answers the short one answers the long one, in full or in part."""


def load(file: Path, whole: bool = True) -> list[QuestionPair]:
    """The pairs of ``file``, in its order.

    Args:
        whole: every pair must have both sides. Else those with one are left out: RQE's published training file has
            such a pair.

    Raises:
        AspectraError: it cannot be read, holds no pair, or a pair lacks its value, or a side; the message names the
            line.
    """
    placed = parse(file, "RQE: pair, chq, faq")
    nodes = [(node, _sides(node)) for node in placed.root.iter("pair")]
    found = [_pair(placed, node, sides) for node, sides in nodes if whole or all(sides.values())]
    if not found:
        raise AspectraError(f"{file}: holds no pair of questions.", "Each pair needs chq, faq and value.")
    return found


def _sides(node: Element) -> dict[str, str]:
    return {tag: " ".join((node.findtext(tag) or "").split()) for tag in ("chq", "faq")}


def _pair(placed: Placed, node: Element, sides: Mapping[str, str]) -> QuestionPair:
    if missing := next((tag for tag, text in sides.items() if not text), None):
        raise AspectraError(f"{placed.place(node)}: the pair has no {missing}.", "Add it, or leave the pair out.")
    if (value := node.get("value", "")) not in VALUES:
        raise AspectraError(f"{placed.place(node)}: the pair's value is neither true nor false.", "Say which.")
    return QuestionPair(sides["chq"], sides["faq"], VALUES[value])
