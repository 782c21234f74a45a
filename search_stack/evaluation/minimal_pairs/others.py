"""Something else, by a word or two."""

from __future__ import annotations

import random
import re
from collections import defaultdict

from search_stack.evaluation.minimal_pairs.reading import Said, meant
from search_stack.evaluation.minimal_pairs.same import Same, new_words, put
from search_stack.evaluation.minimal_pairs.wordings import Changed, wordings
from search_stack.language.lexicon.concepts import Lexicon

OPPOSITE = {"present": "absent", "absent": "present"}
DENIED = frozenset(("finding", "disorder", "symptom"))
"""Kinds of concepts that a sentence affirms or denies; of others it says what was done or given."""
_SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)
_NO_SIDE = re.compile(
    r"\b(?:both|bilateral\w*|midline|all right|right (?:now|away|after|before|then|at|to the)|(?:right|left)-handed"
    r"|(?:has|have|had|was|were|is|are|be|being|he|she|they|who|we|patient) left"
    r"|left (?:the|in|to|open|against|for|without|at|with|alone|on|him|her|over))\b",
    re.IGNORECASE,
)
"""Of both sides, or of no side at all: a verb, what is correct."""
_SWAPPED = {"left": "right", "right": "left"}
_DOSE = re.compile(
    r"(?<![\d.,/-])\d{1,4}(?:\.\d{1,2})?(?=[\s-]?(?:mg|mcg|milligrams?|mgs|micrograms?|ug|units?|meq|ml|g)\b)",
    re.IGNORECASE,
)
_FACTORS = (0.1, 10.0, 2.0, 5.0, 0.5)
RELATIVES = frozenset(
    ("mother", "father", "sister", "brother", "son", "daughter", "aunt", "uncle", "grandmother", "grandfather")
)


class Pool:
    """Concepts that notes mention, by kind, to take another one from."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._seen: dict[str, dict[str, None]] = defaultdict(dict)

    def see(self, said: Said) -> None:
        for mention, finding in said:
            if not mention.denial:
                self._seen[finding.kind][finding.concept] = None

    def other(self, concept: str, rng: random.Random) -> str | None:
        """Name of another concept of the kind, neither above nor below this one."""
        lexicon = self.lexicon
        known = list(self._seen[lexicon.concepts[concept].kind])
        near = lexicon.ancestors(concept) | lexicon.descendants(concept) | {concept}
        for id in rng.sample(known, min(len(known), 8)):
            if id not in near and not near & lexicon.ancestors(id):
                return lexicon.concepts[id].name
        return None


def concept(words: str, said: Said, same: Same, pool: Pool, rng: random.Random) -> tuple[Changed, Changed] | None:
    """A synonym in the place of a concept, and another concept there."""
    found = same.renamed(words, said, rng)
    if found is None:
        return None
    near, mention = found
    name = pool.other(mention.concept, rng)
    if name is None or not new_words(name, words[mention.begin : mention.end]):
        return None
    return near, Changed(put(words, mention, name))


def denial(words: str, said: Said, same: Same, rng: random.Random) -> Changed | None:
    """Affirmed where ``words`` deny, denied where they affirm, of every finding."""
    plain = [(f.concept, f.assertion) for m, f in said]
    if not said or any(m.denial for m, _ in said) or {a for _, a in plain} - OPPOSITE.keys():
        return None
    if any(f.kind not in DENIED or f.temporality != "recent" or f.experiencer != "patient" for _, f in said):
        return None
    wanted = sorted((f.concept, OPPOSITE[f.assertion], "patient") for _, f in said)
    for wording in rng.sample(wordings("reversed"), len(wordings("reversed"))):
        for one in wording.changes(words, rng, same.apart):
            if meant(same.reading.said(one.text)) == wanted:
                return one
    return None


def side(words: str, said: Said, same: Same, rng: random.Random) -> Changed | None:
    """The other side of the body."""
    sides = {s.casefold() for s in _SIDE.findall(words)}
    if len(sides) != 1 or _NO_SIDE.search(words):
        return None
    return Changed(_SIDE.sub(_swap, words))


def dose(words: str, said: Said, same: Same, rng: random.Random) -> Changed | None:
    """Ten times as much, a tenth, or another amount."""
    found = _DOSE.search(words)
    if found is None or float(found[0]) == 0:
        return None
    value = float(found[0]) * rng.choice(_FACTORS)
    return Changed(f"{words[: found.start()]}{value:g}{words[found.end() :]}")


def person(words: str, said: Said, same: Same, rng: random.Random) -> Changed | None:
    """A relative's instead of the patient's, or the other way round."""
    relatives = RELATIVES & {w.strip(".,;()").removesuffix("'s") for w in words.casefold().split()}
    if len(relatives) > 1 or not said:
        return None
    for wording in wordings("person")[2:] if not relatives else wordings("person")[:2]:
        for one in wording.changes(words, rng, same.apart):
            now = same.reading.said(one.text)
            if {f.concept for _, f in now} == {f.concept for _, f in said}:
                return one
    return None


def _swap(found: re.Match[str]) -> str:
    other = _SWAPPED[found[0].casefold()]
    return other.upper() if found[0].isupper() else other.capitalize() if found[0][0].isupper() else other
