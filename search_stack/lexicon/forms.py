"""From a word as written to the words of the lexicon that it may be.

After the partial word matching of lexicon-based radiology retrieval, where two words match
that share a long enough beginning or end. A shared beginning alone takes pneumonitis for
pneumonia, so here the endings must belong together as well: `endings.toml` lists those that
do. Every form of every lexicon word is worked out beforehand; a word of a note then costs one
look-up, however large the lexicon is.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LONG = 8
"""Letters from which a word may be misspelt."""
REMEMBERED = 200_000


@dataclass(frozen=True, slots=True)
class Table:
    """``classes``: (shortest stem, endings); ``beginnings`` with the ``shortest`` word behind them."""

    classes: tuple[tuple[int, tuple[str, ...]], ...]
    beginnings: frozenset[str]
    shortest: int
    confusable: frozenset[tuple[str, str]]


@cache
def table() -> Table:
    raw = tomllib.loads((files("search_stack.lexicon") / "endings.toml").read_text(encoding="utf-8"))
    pairs = [tuple(p) for p in raw["confusable"]["pairs"]]
    return Table(
        tuple((c["stem"], tuple(c["endings"])) for c in raw["classes"]),
        frozenset(raw["combining"]["beginnings"]),
        raw["combining"]["shortest"],
        frozenset((a, b) for p in pairs for a, b in (p, p[::-1])),
    )


def plain(word: str) -> str:
    """Lower case without accents; offsets into it mean nothing.

    >>> plain("Œdème"), plain("Pneumothorax")
    ('œdeme', 'pneumothorax')
    """
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def forms(word: str) -> set[str]:
    """``word`` in every ending that may stand for its own.

    >>> {"atelectases", "atelectatic"} <= forms("atelectasis"), "pneumonitis" in forms("pneumonia")
    (True, False)
    """
    out = {word}
    if not word.isalpha():
        return out
    for stem, endings in table().classes:
        for ending in endings:
            beginning = word[: len(word) - len(ending)]
            if len(beginning) >= stem and word.endswith(ending):
                out.update(beginning + other for other in endings)
    return out


class Words:
    """The words of a lexicon's names, numbered, and the look-up of a written word among them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.number: Mapping[str, int] = {w: n for n, w in enumerate(dict.fromkeys(words))}
        self._forms: dict[str, list[int]] = {}
        for word, n in self.number.items():
            for form in forms(word):
                self._forms.setdefault(form, []).append(n)
        self._misspelt: dict[str, list[str]] | None = None
        self._seen: dict[str, tuple[int, ...]] = {}

    def find(self, written: str) -> tuple[int, ...]:
        """Numbers of the lexicon words that ``written`` may be: none, mostly."""
        found = self._seen.get(written)
        if found is None:
            if len(self._seen) >= REMEMBERED:
                self._seen.clear()
            found = self._seen[written] = tuple(self._find(plain(written)))
        return found

    def _find(self, word: str) -> list[int]:
        if found := self._forms.get(word):
            return found
        if not word.isalpha() or len(word) < LONG - 1:
            return []
        return self._behind(word) or self._near(word)

    def _behind(self, word: str) -> list[int]:
        """Words behind a combining form: the longest that there is."""
        rules = table()
        for cut in range(2, len(word) - rules.shortest + 1):
            if word[:cut] in rules.beginnings and (found := self._forms.get(word[cut:])):
                return found
        return []

    def _near(self, word: str) -> list[int]:
        """Words one letter away: left out, put in, exchanged, or swapped with its neighbour."""
        if self._misspelt is None:
            self._misspelt = {}
            for known in self.number:
                for form in (known, known + "s"):
                    if len(form) >= LONG and form.isalpha():
                        for shorter in _shortened(form):
                            self._misspelt.setdefault(shorter, []).append(form)
        near = {k for shorter in _shortened(word) for k in self._misspelt.get(shorter, ())}
        close = sorted(k for k in near if k[0] == word[0] and (word, k) not in table().confusable and one_edit(word, k))
        return sorted({n for k in close for n in self._forms.get(k, ())})


def _shortened(word: str) -> Iterator[str]:
    yield word
    for n in range(len(word)):
        yield word[:n] + word[n + 1 :]


def one_edit(a: str, b: str) -> bool:
    """Whether at most one insertion, deletion, substitution or swap of neighbours makes ``a`` into ``b``.

    >>> one_edit("efusion", "effusion"), one_edit("effusoin", "effusion"), one_edit("efusoin", "effusion")
    (True, True, False)
    """
    begin = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[begin:], b[begin:]
    return a == b or a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
