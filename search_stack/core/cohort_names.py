"""Names of kept cohorts, and of their versions: NAME, NAME@3."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from search_stack.core.errors import AspectraError, NotKept

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_REFERENCE = re.compile(r"(?P<name>[^@]+)@(?P<number>[1-9]\d{0,8})")


def checked_name(name: str) -> str:
    """
    Raises:
        AspectraError: it is no name of a cohort.
    """
    if not _NAME.fullmatch(name):
        raise AspectraError(
            "This is no name for a cohort.",
            "Take 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit.",
        )
    return name


def referred(text: str) -> tuple[str, int | None]:
    """Name and number of a version; no number where the newest is meant.

    >>> referred("copd@3"), referred("copd")
    (('copd', 3), ('copd', None))

    Raises:
        AspectraError: it is neither.
    """
    if "@" not in text:
        return checked_name(text), None
    found = _REFERENCE.fullmatch(text)
    if not found:
        raise AspectraError("A version is a name, @ and a number.", "Write it as NAME@3.")
    return checked_name(found["name"]), int(found["number"])


def is_reference(text: str, known: Sequence[str]) -> bool:
    """Whether ``text`` can only name a version: one of a kept cohort, or one with a number.

    >>> is_reference("COPD", ["copd"]), is_reference("copd@3", []), is_reference("copd", [])
    (True, True, False)
    """
    return text.casefold() in {name.casefold() for name in known} or _REFERENCE.fullmatch(text) is not None


def unknown_cohort(name: str, known: Sequence[str], kind: type[AspectraError] = NotKept) -> AspectraError:
    """The error, to be raised, of a cohort that is not there."""
    folded = {k.casefold(): k for k in known}
    near = [folded[n] for n in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
    if near:
        remedy = f"Did you mean {' or '.join(near)}?"
    elif known:
        remedy = f"There are: {', '.join(known[:8])}." if len(known) <= 8 else "List them: aspectra cohort list"
    else:
        remedy = "None is kept yet: aspectra cohort save NAME QUERY"
    return kind(f"There is no cohort {name}.", remedy)
