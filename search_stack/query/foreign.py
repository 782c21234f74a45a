"""What stands before a colon and is no field of ours."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from search_stack.query.tree import QueryError

_ELSEWHERE = frozenset(
    "title text date year gender mrn icd icd10 code drug lab author doctor department from to since until "  # noqa: SIM905
    "note_type notetype doctype doc_type document_type "
    "assertion concept heading name id intitle site filetype diagnosis procedure medication".split()
)
"""Fields that people know from elsewhere."""
_INSTEAD = {
    "year": "Write it as after:2019 before:2020.",
    "since": "Write it as after:2019.",
    "date": "Write it as after:2019-03.",
    "until": "Write it as before:2019.",
    **dict.fromkeys(
        ("note_type", "notetype", "doctype", "doc_type", "document_type"), 'Write it as type:"discharge summary".'
    ),
    "gender": "Write it as sex:female.",
}


def unknown_field(key: str, shown: str, examples: dict[str, str]) -> QueryError | None:
    """What to say of ``key``, which is not among ``examples``; nothing where it is but a word before a colon.

    ``shown`` is the key as an error may repeat it.
    """
    if key in _ELSEWHERE:
        return QueryError(f"There is no field {key}.", _INSTEAD.get(key, f"There are: {_listed(examples)}."))
    near = difflib.get_close_matches(key, examples, n=1, cutoff=0.75)
    return QueryError(f"There is no field {shown}.", f"Did you mean {examples[near[0]]}?") if near else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
