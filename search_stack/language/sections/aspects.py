"""What a heading is about: the data table ``aspects.toml`` and how a heading is looked up in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_NUMBERING = re.compile(r"(?:\d{1,2}|[IVX]{1,4}|[A-Z])[.)]\s+")
_OPTIONAL_ENDING = re.compile(r"\s*\((?:s|es)\)", re.IGNORECASE)
_NOT_WORD = re.compile(r"[\W_]+")
_MARKS = " \t\r\n#*_=:-–—."


@dataclass(frozen=True, slots=True)
class AspectTable:
    """``aspects``: key of a heading -> aspect. ``parts``: keys of labels that are no headings
    inside a section whose aspect is in ``holders``. ``endings``: last words of headings."""

    aspects: Mapping[str, str]
    parts: frozenset[str]
    holders: frozenset[str]
    endings: frozenset[str]
    first_words: frozenset[str]
    last_words: frozenset[str]
    """Words that keys of ``aspects`` begin and end with."""


def tidy(heading: str) -> str:
    """The heading for display: no marks, numbering or colon, single spaces."""
    plain = " ".join(heading.split()).lstrip(_MARKS).rstrip(_MARKS)
    return _NUMBERING.sub("", plain, count=1) if _NUMBERING.match(plain) else plain


def key(heading: str) -> str:
    """The form that two spellings of one heading share: lower case, words only."""
    plain = _OPTIONAL_ENDING.sub("", tidy(heading)).lower().replace("&", " and ").replace("'", "").replace("’", "")
    return _NOT_WORD.sub(" ", plain).strip()


def aspect_of(heading: str) -> str:
    """The aspect of a heading as written; an unknown heading is its own aspect, lower-cased."""
    return aspect_table().aspects.get(key(heading)) or tidy(heading).lower()


@cache
def aspect_table() -> AspectTable:
    """The table that ships with the package, read once."""
    data = tomllib.loads(files("search_stack.language.sections").joinpath("aspects.toml").read_text("utf-8"))
    aspects = {key(name): name for name in data["aspects"]}
    for name, synonyms in data["aspects"].items():
        aspects.update({key(synonym): name for synonym in synonyms})
    return AspectTable(
        aspects=aspects,
        parts=frozenset(key(label) for label in data["parts"]["labels"]),
        holders=frozenset(data["parts"]["inside"]),
        endings=frozenset(data["headings"]["last_words"]),
        first_words=frozenset(words.partition(" ")[0] for words in aspects),
        last_words=frozenset(words.rpartition(" ")[2] for words in aspects),
    )
