"""What a concept is called in a text: its names, told apart as far as a text tells them apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from search_stack.language.lexicon.ambiguous import ambiguous
from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.phrases import in_any_order, phrase_words

REMEMBERED = 100_000


@lru_cache(maxsize=REMEMBERED)
def name_key(name: str) -> tuple[str, ...]:
    """What two spellings of one name share, in whatever order its words stand.

    >>> name_key("Hernia, inguinal") == name_key("inguinal hernias"), name_key("Tumour of the Oesophagus")
    (True, ('esophagus', 'tumor'))
    """
    return in_any_order(phrase_words(name))


def common_form(name: str) -> str:
    """`name_key` in one string: what the index holds of the name of a mention.

    >>> common_form("fluid in the chest"), common_form("PE")
    ('chest fluid', 'pe')
    """
    return " ".join(name_key(name))


def other_names(concept: Concept) -> tuple[str, ...]:
    """What it is called besides its name: synonyms, abbreviations, those last that a note must tell apart; of several
    spellings of one name the first."""
    told_apart = _told_apart().get(concept.id, ())
    first: dict[str, str] = {}
    for name in (*concept.names, *concept.abbreviations, *told_apart):
        first.setdefault(common_form(name), name)
    return tuple(first.values())[1:]


@cache
def _told_apart() -> Mapping[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for short, senses in ambiguous().items():
        for sense in senses:
            out[sense.concept] = (*out.get(sense.concept, ()), short)
    return out
