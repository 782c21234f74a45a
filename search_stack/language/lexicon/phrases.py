"""Names that are matched word for word: those of large vocabularies, where anything looser finds what nobody means.

In "the mouth was held open" nobody has an open mouth, and "covered" is no form of Covera. The time is that
of the sentence, however many phrases there are: a look-up for each token, and for each that goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.forms import american, plain
from search_stack.language.lexicon.overlap import DENIAL, NAME, Found, Name

_DROPPED = frozenset(("the", "s"))
"""Words that do not count in a phrase."""
_PASSED = _DROPPED | {"a", "an", "his", "her", "him", "them", "their", "my", "your", "our"}
"""Words that may stand between those of a phrase. In a name "a" is none of them: vitamin A."""
_SMALL = frozenset(("of", "in", ":", "/"))
"""Words of a phrase without which it is the same name in another order, and the marks of an answer and of a pair."""
_SHORT = {"f/u": "followup", "fu": "followup"}
"""What stands for another word, wherever it is written."""
_OF = " of "
_ANSWERED = ": "
"""Between a heading and the answer that names something with it: "anesthesia: general"."""
REMEMBERED = 200_000
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f][^\W_]*)*")
_PART = re.compile(rf"{_WORD.pattern}|/")


@lru_cache(maxsize=REMEMBERED)
def spelling(word: str) -> str:
    """What a word, its plural and its British spelling share.

    >>> spelling("Tumours"), spelling("pus"), spelling("biopsies"), spelling("biopsy"), spelling("F/U")
    ('tumor', 'pus', 'biopsy', 'biopsy', 'followup')
    """
    word = american(plain(word))
    word = _SHORT.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    plural = len(word) > 4 and word.endswith("s") and word[-2] not in "sui"
    return word[:-1] if plural else word


def phrase_words(name: str) -> tuple[str, ...]:
    """The words of a phrase that count, as `spelling` has them.

    >>> phrase_words("Tumours of the Skin"), phrase_words("vitamin A")
    (('tumor', 'of', 'skin'), ('vitamin', 'a'))
    """
    words = [spelling(w) for w in _PART.findall(name)]
    return tuple(w for w in words if w not in _DROPPED) or tuple(words)


def in_any_order(words: Sequence[str]) -> tuple[str, ...]:
    """What `phrase_words` of one name have in common, in whatever order they stand."""
    return tuple(sorted(w for w in words if w not in _SMALL) or words)


def written(phrase: str) -> Iterator[tuple[str, ...]]:
    """The words of a phrase, and of its other order: not the other way round, the back of the knee is no back knee.

    >>> list(written("stenosis of the urethra"))
    [('stenosis', 'of', 'urethra'), ('urethra', 'stenosis')]
    >>> list(written("anesthesia: general"))
    [('anesthesia', ':', 'general')]
    >>> list(written("heme/onc referral"))
    [('heme', '/', 'onc', 'referral'), ('heme', 'onc', 'referral')]
    """
    heading, colon, answer = phrase.partition(_ANSWERED)
    if colon:
        yield (*phrase_words(heading), ":", *phrase_words(answer))
        return
    words = phrase_words(phrase)
    yield words
    if "/" in words:
        yield tuple(w for w in words if w != "/")
    head, of, rest = phrase.partition(_OF)
    if of and _OF not in rest:
        yield (*phrase_words(rest), *phrase_words(head))


def is_answered(phrase: str) -> bool:
    """Whether it is a heading and the answer that names something with it, or denies it: "allergies: none"."""
    return _ANSWERED in phrase


class _Node(dict[str, "_Node"]):
    """What may come next, by word, and the concepts of the phrases that end here, each with the phrase's role."""

    __slots__ = ("concepts",)

    def __init__(self) -> None:
        super().__init__()
        self.concepts: tuple[tuple[str, int], ...] = ()


class Phrases:
    """The phrases of all concepts, as a tree of their words."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._root = _Node()
        self.words: set[str] = set()
        self.headings: set[str] = set()
        """Those of phrases with an answer, in small letters."""
        for c in concepts:
            answers = [(d, DENIAL) for d in c.denials if is_answered(d)]
            for phrase, role in (*((p, NAME) for p in c.phrases), *answers):
                if is_answered(phrase):
                    self.headings.add(phrase.partition(_ANSWERED)[0].lower())
                for words in written(phrase):
                    self._put(words, (c.id, role))

    def _put(self, words: Sequence[str], concept: tuple[str, int]) -> None:
        node = self._root
        for word in words:
            node = node.setdefault(word, _Node()) if word not in node else node[word]
            self.words.add(word)
        if words and concept not in node.concepts:
            node.concepts += (concept,)

    def holds(self, word: str) -> bool:
        """Whether it is a word of a phrase."""
        return spelling(word) in self.words

    def find(self, tokens: Sequence[str]) -> Iterator[Found]:
        """The phrases among ``tokens``, words and marks of a sentence; small words may stand between theirs."""
        root = self._root
        if not root:
            return
        spelt = list(map(spelling, tokens))
        for first, word in enumerate(spelt):
            node = root.get(word)
            if node is None:
                continue
            at = [first]
            place = first + 1
            while True:
                if node.concepts:
                    name = (" ".join(in_any_order([spelt[n] for n in at])),)
                    # "Food allergies: none" leaves others open.
                    whole = not first or not tokens[first - 1][0].isalnum()
                    told = [(c, role) for c, role in node.concepts if role == NAME or whole]
                    yield from (Found(Name(c, (), role), tuple(at), names=name) for c, role in told)
                while place < len(spelt) and spelt[place] not in node and spelt[place] in _PASSED:
                    place += 1
                following = node.get(spelt[place]) if place < len(spelt) else None
                if following is None:
                    break
                node = following
                at.append(place)
                place += 1
