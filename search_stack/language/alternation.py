"""Regular expressions of many phrases, in which each beginning that several share is tried once."""

from __future__ import annotations

import re
from collections.abc import Iterable

SPACE = r"\s+"
_End = dict[str, "_End"]


def any_of(phrases: Iterable[str], space: str = SPACE, near: str = "") -> str:
    """The pattern of any of ``phrases``, the longest that is there, to be read whatever the case; without phrases of
    nothing.

    A plain alternation tries each of a thousand headings at each letter of a line; this one only those that begin so.

    Args:
        space: what a blank in a phrase stands for.
        near: signs that ``space`` takes too, so that a phrase written with one of them is the same.

    >>> any_of(["chest pain", "chest", "chest x-ray", "Cough"])
    'c(?:hest(?:\\\\s+(?:pain|x\\\\-ray))?|ough)'
    >>> any_of(["follow-up", "follow up plan"], r"[\\s-]+", near="-")
    'follow[\\\\s-]+up(?:[\\\\s-]+plan)?'
    """
    tree: _End = {}
    for phrase in phrases:
        node = tree
        for sign in phrase.lower():
            node = node.setdefault(" " if sign in near else sign, {})
        node[""] = {}
    return _written(tree, space) if tree else "(?!)"


def _written(node: _End, space: str) -> str:
    branches = []
    for sign, below in sorted(node.items()):
        if not sign:
            continue
        written = space if sign == " " else re.escape(sign)
        while len(below) == 1 and "" not in below:
            ((sign, below),) = below.items()
            written += space if sign == " " else re.escape(sign)
        branches.append(written + (_written(below, space) if below.keys() != {""} else ""))
    if not branches:
        return ""
    if len(branches) == 1 and "" not in node:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in node else "")
