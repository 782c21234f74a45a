"""From a word as written to the words of the lexicon that it may be.

Every form of every lexicon word is worked out beforehand; a word of a note then costs one
look-up, and an unknown long one as many as it has letters, however large the lexicon is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from search_stack.core.uncollected import uncollected
from search_stack.language.lexicon.forms import all_american, american, apart, forms, plain, rules

REMEMBERED = 200_000
LONGEST = 60
"""Letters beyond which nothing is a word."""


@dataclass(frozen=True, slots=True)
class _Guards:
    """What keeps a right word from being taken for a misspelt one, and a whole one from being cut."""

    beginnings: frozenset[str]
    shortest_behind: int
    shortest: int
    endings: tuple[str, ...]
    shortest_with_ending: int
    different: tuple[tuple[str, str], ...]
    words: frozenset[str]


@cache
def _guards() -> _Guards:
    combining, slip = rules()["combining"], rules()["misspelling"]
    return _Guards(
        frozenset(combining["beginnings"]),
        combining["shortest"],
        slip["shortest"],
        tuple(slip["endings"]),
        slip["shortest_with_ending"],
        tuple((a, b) for p in slip["different"] for a, b in (p, p[::-1])),
        frozenset(slip["words"].split()),
    )


class Words:
    """The words of a lexicon's names, numbered, and the look-up of a written word among them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.number: Mapping[str, int] = {w: n for n, w in enumerate(dict.fromkeys(words))}
        self.spelt: Sequence[str] = list(self.number)
        self._forms: dict[str, tuple[int, ...]] = {}
        for word, n in self.number.items():
            own = (n,)  # of hundreds of thousands of forms, most are of one word
            for form in all_american(forms(word)):
                held = self._forms.setdefault(form, own)
                if held is not own:
                    self._forms[form] = held + own
        self._misspelt: dict[str, list[str]] | None = None
        self._seen: dict[str, tuple[int, ...]] = {}

    def find(self, written: str) -> tuple[int, ...]:
        """Numbers of the lexicon words that ``written`` may be: none, mostly."""
        found = self._seen.get(written)
        if found is None:
            if len(written) > LONGEST:
                return ()
            if len(self._seen) >= REMEMBERED:
                self._seen.clear()
            found = self._seen[written] = self._find(american(plain(written)))
        return found

    def right(self, written: str) -> bool:
        """Whether ``written`` is spelt as a form of a lexicon word, be it behind a combining form."""
        word = american(plain(written))
        return word in self._forms or bool(word.isalpha() and self._behind(word))

    def _find(self, word: str) -> tuple[int, ...]:
        if found := self._forms.get(word):
            return found
        if not word.isalpha():
            return ()
        return self._behind(word) or self._near(word)

    def _behind(self, word: str) -> tuple[int, ...]:
        """Words behind a combining form: the longest that there is."""
        guards = _guards()
        for cut in range(2, len(word) - guards.shortest_behind + 1):
            rest = word[cut:]
            if word[:cut] in guards.beginnings and rest in self._forms and not apart(word, rest):
                return self._forms[rest]
        return ()

    def _near(self, word: str) -> tuple[int, ...]:
        """Words one letter away: left out, put in, exchanged, or swapped with its neighbour."""
        guards = _guards()
        if len(word) < guards.shortest - 1 or not guards.words.isdisjoint((word, word.removesuffix("s"))):
            return ()
        if self._misspelt is None:
            self._misspelt = self._shortened_words(guards.shortest)
        near = {k for shorter in _shortened(word) for k in self._misspelt.get(shorter, ())}
        close = sorted(k for k in near if _may_be_meant(word, k, guards))
        return tuple(sorted({n for k in close for n in self._forms.get(k, ())}))

    @uncollected()
    def _shortened_words(self, shortest: int) -> dict[str, list[str]]:
        out: dict[str, list[str]] = {}
        for known in self.number:
            for form in {american(known), american(known + "s")} & self._forms.keys():
                if shortest <= len(form) <= LONGEST and form.isalpha():
                    for shorter in set(_shortened(form)):
                        out.setdefault(shorter, []).append(form)
        return out


def one_edit(a: str, b: str) -> bool:
    """Whether at most one insertion, deletion, substitution or swap of neighbours makes ``a`` into ``b``.

    >>> one_edit("efusion", "effusion"), one_edit("effusoin", "effusion"), one_edit("efusoin", "effusion")
    (True, True, False)
    """
    begin = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[begin:], b[begin:]
    return a == b or a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def _may_be_meant(word: str, known: str, guards: _Guards) -> bool:
    """Whether ``word`` looks like ``known`` with one slip, neither in its first letter nor in its ending."""
    if word[0] != known[0] or not one_edit(word, known) or apart(word, known):
        return False
    # Endings differ by right: colonoscope, colonoscopy; computer, computed.
    if word[-1] != known[-1] and sorted(word[-2:]) != sorted(known[-2:]):
        return False
    if word[:-1] == known or known[:-1] == word:
        return False
    doubled = _single_for_double(word, known) or (len(word) > guards.shortest and _single_for_double(known, word))
    if len(word) < guards.shortest_with_ending and word.endswith(guards.endings):
        return doubled and max(len(word), len(known)) > guards.shortest
    if len(word) < guards.shortest and not doubled:
        return False
    return not any(a in word and word.replace(a, b) == known for a, b in guards.different)


def _single_for_double(word: str, known: str) -> bool:
    """Whether ``word`` has one letter where ``known`` has it twice: efusion."""
    return any(
        known[n] == known[n + 1] and known[:n] + known[n + 1 :] == word for n in range(min(len(known) - 1, len(word)))
    )


def _shortened(word: str) -> Iterator[str]:
    yield word
    for n in range(len(word)):
        yield word[:n] + word[n + 1 :]
