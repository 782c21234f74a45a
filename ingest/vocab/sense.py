"""Names that a note mostly holds in another sense: everyday words, and short forms."""

from __future__ import annotations

import re
from functools import cache

from ingest.vocab.names import DATA
from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.forms import american, forms, plain

SHORTEST = 4
"""Letters below which nothing is taken, name or abbreviation, unless `vocab.toml` says that it is meant."""
_SENSE = DATA["sense"]
MEANT = frozenset(map(folded, _SENSE["meant"]))
NEVER = frozenset(map(folded, _SENSE["never"]))
_ENDS = tuple(_SENSE["ends"].split())
_SHORT_FORM = re.compile(r"(?=(?:\w*[A-Z]){2})[\w-]*[a-z0-9][\w-]*")
"""One word with several capitals, and more: "PACs", "pCO2"."""
EVERYDAY: int = _SENSE["everyday"]
"""Ranks in English up to which a word alone is an everyday word."""


def is_sure(name: str) -> bool:
    """Whether a note that holds ``name`` means it.

    >>> is_sure("cholangiocarcinoma"), is_sure("Balance"), is_sure("double vision"), is_sure("CF")
    (True, False, True, False)
    """
    words = folded(name).split()
    if folded(name) in NEVER or not words or _SHORT_FORM.fullmatch(name):
        return False
    if folded(name) in MEANT:
        return True
    if len(words) > 1:
        # Side by side and in one order, everyday words mean what they say: "double vision".
        return any(len(w) >= SHORTEST for w in words)
    return len(words[0]) >= SHORTEST and words[0].isalpha() and not _is_common(words[0])


def is_sure_short(name: str) -> bool:
    """Whether an abbreviation in capitals has but one meaning, as far as its length tells."""
    return folded(name) in MEANT or (
        len(name) >= SHORTEST and folded(name) not in NEVER and name.lower() not in english()
    )


@cache
def _is_common(word: str) -> bool:
    word = plain(word)
    if word.endswith(_ENDS):
        return False
    return any(english().get(form, EVERYDAY) < EVERYDAY for form in {word, american(word), *forms(word)})
