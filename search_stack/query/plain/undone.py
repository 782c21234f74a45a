"""What did not happen to a name: "nodule not followed up", "cancer not treated".

It is what a note would say, and nothing that is left out: no passage that holds the participle is excluded by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.language.assertion.scopes import Match
from search_stack.query.plain.stretch import Stretch

COPULA = frozenset(("is", "are", "was", "were", "be", "been", "not", "being", "got", "had", "has", "have", "never"))
PARTICLES = frozenset(("up", "out", "off", "down"))
"""Behind a participle they belong to it: "ruled out", "followed up"."""
_NEVER = frozenset(("not", "never"))
_OBJECTS = frozenset(("with", "by", "on", "for", "as"))
"""Behind a participle they begin what is spoken of."""
_GIVEN = frozenset(("given", "done", "seen", "taken", "sent", "performed", "found", "kept", "made"))
"""Participles that do not end in -ed."""


def is_told_of_name(s: Stretch, run: Sequence[int], excluding: Sequence[Match]) -> bool:
    """Whether what is denied did not happen to the name before it, and is nothing that is left out."""
    at = max(m.begin for m in excluding)
    return at + 1 == run[0] and did_not_happen(s, run[0])


def did_not_happen(s: Stretch, n: int) -> bool:
    """Whether a participle behind "not" tells of the name before both: "nodule not followed up", "cancer not treated";
    not "hepatitis C not treated with XYZ"."""
    if n < 2 or not (s.tokens[n].endswith("ed") or s.tokens[n] in _GIVEN):
        return False
    if s.line[slice(*s.shadow.span(s.starts[n - 1], s.ends[n - 1]))].lower() not in _NEVER:
        return False
    after = n + 1
    while after < len(s.tokens) and s.tokens[after] in PARTICLES:
        after += 1
    if after < len(s.tokens) and s.tokens[after] in _OBJECTS:
        return False
    before = n - 2
    while before >= 0 and s.tokens[before] in COPULA:
        before -= 1
    word = s.tokens[before] if before >= 0 else ""
    return before in s.covered or (word.isalnum() and word not in s.table.frames and word not in s.table.function)
