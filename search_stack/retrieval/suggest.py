"""Did you mean …?"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from search_stack.core.errors import AspectraError

_NAMES = {"type": "note type"}


def unknown_value(field: str, name: str, known: Sequence[str]) -> AspectraError | None:
    """The error for a filter value that no note has; None where it is known.

    >>> print(unknown_value("section", "impresion", ["findings", "impression"]))
    There is no section called "impresion". Did you mean "impression"?
    """
    folded = {k.casefold(): k for k in known}
    if name.casefold() in folded:
        return None
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    message = f'There is no {_NAMES.get(field, field)} called "{name}".'
    if near:
        meant = folded[near[0]]
        return AspectraError(message, f'Did you mean "{meant}"?', (field, name, meant))
    return AspectraError(message, f"There are: {', '.join(known[:8])}." if known else "No note has one.")
