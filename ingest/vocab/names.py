"""From a vocabulary's way to write a name to the way in which notes do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.files import LONGEST_NAME, SEPARATOR

DATA = tomllib.loads((files("ingest.vocab") / "vocab.toml").read_text(encoding="utf-8"))
LONGEST_ABBREVIATION = 8
_TAGS, _FIXED, _WORDS, _GENERIC, _REST, _HANGING = (
    frozenset(DATA[kind]) for kind in ("tags", "fixed", "words", "generic", "rest", "hanging")
)
_ENDINGS = tuple(DATA["endings"])
_MARK = re.compile(r"\[[A-Z]{1,3}\]\s*")
_INNER = re.compile(r" \(([A-Z][A-Z0-9-]{1,7})\)")
_SHORT = re.compile(r"[A-Z0-9][A-Z0-9-]{2,7}")
MOVED_WORDS = 3
"""A part behind a comma of more words than this stays where it is."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one concept; ``name`` is empty where none can be used."""

    name: str
    synonyms: tuple[str, ...]
    abbreviations: tuple[str, ...]


def tidied(raw: Iterable[str]) -> Names:
    """``raw``, the preferred one first, each once: words in another order are the same name."""
    full: dict[tuple[str, ...], str] = {}
    short: dict[str, None] = {}
    for written in raw:
        name = cleaned(written)
        for inner in _INNER.findall(name):
            if is_abbreviation(inner):
                short.setdefault(inner)
        name = _INNER.sub("", name)
        if is_abbreviation(name):
            short.setdefault(name)
        elif is_usable(name):
            full.setdefault(tuple(sorted(folded(name).split())), _lowered(name))
    for name in full.values():
        short.pop(name.upper(), None)
    names = list(full.values()) or list(short)
    return Names(names[0] if names else "", tuple(names[1:]) if full else (), tuple(short) if full else ())


def cleaned(name: str) -> str:
    """Without the tags and endings of `vocab.toml`, and in reading order.

    >>> cleaned("Carcinoma, renal cell (disorder)"), cleaned("Pneumonia, unspecified"), cleaned("[X]Asthma NOS")
    ('renal cell Carcinoma', 'Pneumonia', 'Asthma')
    """
    name = _MARK.sub("", " ".join(name.replace(SEPARATOR, ",").split()))
    before = ""
    while name != before:
        before = name
        name = _without_ending(_without_tag(name))
    return _in_reading_order(name)


def _without_tag(name: str) -> str:
    if not name.endswith((")", "]")):
        return name
    begin = max(name.rfind("("), name.rfind("["))
    return name[:begin].rstrip() if begin > 0 and name[begin + 1 : -1].strip().lower() in _TAGS else name


def _without_ending(name: str) -> str:
    lower = name.lower()
    for ending in _ENDINGS:
        if len(lower) == len(name) and lower.endswith((f" {ending}", f",{ending}")):
            return _not_hanging(name[: -len(ending)].rstrip(" ,-"))
    return name


def _not_hanging(name: str) -> str:
    """Without the small words at the end that nothing follows any more: "Aneurysm of unspecified site"."""
    words = name.split()
    while len(words) > 1 and words[-1].lower() in _HANGING:
        words.pop()
    return " ".join(words)


def _in_reading_order(name: str) -> str:
    """ "Leukemia, Myeloid, Acute" is acute myeloid leukemia; a list, or a long remark, stays as it is."""
    head, *rest = name.split(", ")
    small = all(len(part.split()) <= MOVED_WORDS and _FIXED.isdisjoint(part.lower().split()) for part in rest)
    return " ".join([*reversed(rest), head]) if rest and len(rest) <= MOVED_WORDS and small else name


def is_abbreviation(name: str) -> bool:
    """Capitals that a note writes just so: "SLE", "ACHM3"; a word in capitals is none.

    >>> is_abbreviation("SLE"), is_abbreviation("ASTHMA"), is_abbreviation("PAIN"), is_abbreviation("MS")
    (True, False, False, False)
    """
    letters = sum(c.isalpha() for c in name)
    return (
        bool(_SHORT.fullmatch(name))
        and letters >= 2
        and (letters <= 5 or letters < len(name))
        and name not in _WORDS
        and len(name) <= LONGEST_ABBREVIATION
    )


def is_rest(name: str) -> bool:
    """Whether it is the name of a code, for all that has no code of its own: "Other gout", "Gout, unspecified foot".

    >>> is_rest("Other gout"), is_rest("Gout, unspecified foot"), is_rest("Gout")
    (True, True, False)
    """
    return not _REST.isdisjoint(folded(name).split())


def is_usable(name: str) -> bool:
    """Whether it may be matched in any spelling: no short word in capitals, and nothing that every note holds."""
    letters = sum(c.isalpha() for c in name)
    short = letters < 3 or (name.isupper() and len(name) <= 3)
    return not short and len(name) <= LONGEST_NAME and folded(name) not in _GENERIC


def _lowered(name: str) -> str:
    return name.lower() if name.isupper() else name
