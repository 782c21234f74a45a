"""The forms in which one word is written.

After the partial word matching of lexicon-based radiology retrieval, where two words match
that share a long enough beginning or end. A shared beginning alone takes pneumonitis for
pneumonia, so here the endings must belong together as well: `endings.toml` lists those that
do.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """``classes``, by each of their endings: shortest stem, all endings, letters that the empty one never follows."""

    classes: dict[str, list[tuple[int, tuple[str, ...], str]]]
    longest: int
    families: dict[str, tuple[str, ...]]
    british: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], int]
    apart: dict[str, frozenset[str]]


@cache
def rules() -> dict[str, Any]:
    """`endings.toml` as it stands."""
    return tomllib.loads((files("search_stack.language.lexicon") / "endings.toml").read_text(encoding="utf-8"))


@cache
def table() -> Table:
    raw = rules()
    families = [tuple(f.split()) for f in raw["irregular"]["families"]]
    british = raw["british"]
    pairs = [(a, b) for p in raw["apart"]["pairs"] for a, b in (p, p[::-1])]
    classes: dict[str, list[tuple[int, tuple[str, ...], str]]] = {}
    for c in raw["classes"]:
        for ending in c["endings"]:
            classes.setdefault(ending, []).append((c["stem"], tuple(c["endings"]), c.get("not_after", "")))
    return Table(
        classes,
        max(map(len, classes)),
        {word: family for family in families for word in family},
        (_pairs(british["inside"]), _pairs(british["at_end"]), british["shortest"]),
        {a: frozenset(b for x, b in pairs if x == a) for a, _ in pairs},
    )


def plain(word: str) -> str:
    """Lower case without accents; offsets into it mean nothing.

    >>> plain("Œdème"), plain("Pneumothorax")
    ('œdeme', 'pneumothorax')
    """
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    # Styled capitals only become capitals when they are decomposed.
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def american(word: str) -> str:
    """``word``, plain, in the one spelling that its British and its American one share.

    >>> american("haemorrhage"), american("tumour"), american("edema")
    ('hemorrhage', 'tumor', 'edema')
    """
    inside, at_end, shortest = table().british
    if len(word) < shortest or not _maybe_british().search(word):
        return word
    # The last letter stays out of it: a canoe is no cane.
    body, last = word[:-1], word[-1]
    for a, b in inside:
        body = body.replace(a, b)
    word = body + last
    for a, b in at_end:
        if word.endswith(a):
            return word[: -len(a)] + b
    return word


def all_american(words: set[str]) -> set[str]:
    """`american` of each, by one search where none is British.

    >>> sorted(all_american({"oedema", "fever"}))
    ['edema', 'fever']
    """
    british = _maybe_british().search
    return {american(w) if british(w) else w for w in words} if british("\n".join(words)) else words


@cache
def _maybe_british() -> re.Pattern[str]:
    """What any British spelling holds, of a word or of one in a line: one search spares most all replacements."""
    inside, at_end, _ = table().british
    parts = [*(re.escape(a) for a, _ in inside), *(f"{re.escape(a)}$" for a, _ in at_end)]
    return re.compile("|".join(parts), re.MULTILINE)


def forms(word: str) -> set[str]:
    """``word``, plain, in every ending that may stand for its own.

    >>> {"atelectases", "atelectatic"} <= forms("atelectasis"), "pneumonitis" in forms("pneumonia")
    (True, False)
    """
    if not word.isalpha():
        return {word}
    known = table()
    out = {word}
    for base in _singulars(word):
        out.add(base)
        out.update(known.families.get(base, ()))
        for cut in range(max(0, len(base) - known.longest), len(base) + 1):
            for stem, endings, not_after in known.classes.get(base[cut:], ()):
                if cut < stem:
                    continue
                beginning = base[:cut]
                bare = not not_after or beginning[-1] not in not_after
                if bare or cut < len(base):
                    out.update([beginning + e for e in endings if e or bare])
    if not any(stem in known.apart for stem in _stems(word)):
        return out
    return {f for f in out if f == word or not apart(word, f)}


def apart(a: str, b: str) -> bool:
    """Whether the two, or what they are the plurals of, are listed as different words.

    >>> apart("masses", "massive"), apart("mass", "masses")
    (True, False)
    """
    pairs = table().apart
    return any(y in pairs.get(x, ()) for x in _stems(a) for y in _stems(b))


def _singulars(word: str) -> Iterator[str]:
    """``word``, and what it may be the plural of."""
    yield word
    if len(word) > 4 and word[-1] == "s" and word[-2] not in "sui":
        yield word[:-1]
        if word.endswith(("sses", "xes", "ches", "shes")):
            yield word[:-2]


def _stems(word: str) -> tuple[str, ...]:
    return (word, word[:-1], word[:-2]) if word[-1:] == "s" else (word,)


def _pairs(raw: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((a, b) for a, b in raw)
