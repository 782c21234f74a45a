"""Headings that a line names as the place to look in: "in the impression", "not in the indication"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from search_stack.language.alternation import any_of

_SIGNS = r"[\s,&-]+"
"""What may stand between the words of a heading."""
_CLEAR, _HISTORY, _OTHER = "\ue000", "\ue001", "\ue002"
"""Each letter of a heading is one of these while the words around it are looked at: one pattern with all headings in
each of ten places took longest of all to make ready. Signs of the private use area, which no line has."""
_PRIVATE = re.compile("[\ue000-\ue002]")


@dataclass(frozen=True, slots=True)
class Named:
    """Headings that are named at ``begin`` to ``end`` of the text, as they are written there."""

    begin: int
    end: int
    headings: str
    excluded: bool
    other: bool
    """Whether it excludes another heading than one named before: "but not in the indication"."""


class Headings:
    """What names one of ``known``: "in the findings or impression", "impression section", "whose assessment says".

    A heading of one word counts without "section" where it is among ``single``: "in the urine" is no section.
    """

    def __init__(self, known: Iterable[str], single: frozenset[str]) -> None:
        self._single = single
        self._name = re.compile(rf"(?<!\w)(?:{any_of(known, _SIGNS, near='-')})(?!\w)", re.IGNORECASE)
        self._around = _around()

    def knows(self, text: str) -> bool:
        """Whether it is a heading as a whole."""
        return self._name.fullmatch(text) is not None

    def named(self, text: str) -> Iterator[Named]:
        """From left to right."""
        masked = self._name.sub(self._masked, _PRIVATE.sub(" ", text))
        for found in self._around.finditer(masked):
            kind = found.lastgroup or ""
            yield Named(
                *found.span(), text[slice(*found.span(kind))], bool(found["not"] or found["but_not"]), kind == "other"
            )

    def _masked(self, found: re.Match[str]) -> str:
        name = found[0].lower()
        clear = name in self._single or any(not sign.isalnum() for sign in name)
        return (_CLEAR if clear else _HISTORY if name == "history" else _OTHER) * len(name)


def _around() -> re.Pattern[str]:
    name, clear, other = f"[{_CLEAR}{_HISTORY}{_OTHER}]+", f"{_CLEAR}+", f"[{_CLEAR}{_HISTORY}]+"
    part = r"(?:section|heading|part)"
    one = rf"(?:the\s+|their\s+)?(?:{clear}(?!\s+{part}\b)|{name}\s+{part})"
    further = rf"(?:{one}|(?:the|their)\s+{name})"
    says = r"(?:says?|reads?|mentions?|states?|shows?|lists?|contains?|includes?|suggests?)"
    before = (
        r"(?:(?P<not>(?:but\s+)?not\s+|without\s+|except\s+|excluding\s+)?(?:in|under|from|within)\s+(?:either\s+)?)"
    )
    listed = rf"(?P<names>{one}(?:\s*(?:,|\bor\b|\band\b|\bnor\b)\s+{further})*)"
    behind = rf"(?P<alone>{name})\s+section|section\s+(?P<below>{name})(?=\s*:)"
    said = rf"(?:(?:whose|where|that|the)\s+)+(?P<said>{clear})(?:\s+{says}(?:\s+that)?|\s{{6,}})"
    first = rf"(?<![\w,;])(?<!\S\s)(?P<first>{clear})(?:\s+(?:says?|lists?)(?:\s+that)?|\s{{8,}})"
    as_is = rf"as\s+(?:a|the|their)\s+(?P<as>{clear})"
    but_not = rf"(?P<but_not>(?:(?:but|and)\s+not|without)(?:\s+the)?|not\s+the)\s+(?P<other>{other})"
    return re.compile(
        rf"(?<![\w{_CLEAR}-{_OTHER}])(?:{before}{listed}|{behind}|{said}|{first}|{as_is}|{but_not})"
        rf"(?![\w{_CLEAR}-{_OTHER}])",
        re.IGNORECASE,
    )
