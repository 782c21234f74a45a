"""What is answered of a mention, by which key, and the file that holds it."""

from __future__ import annotations

from collections.abc import Mapping

from aspectra.annotation.answers import Book
from search_stack.core.schema import STATUSES_OF
from search_stack.evaluation.datasets.gold import COLUMNS, read, row_of

BOOK = Book("judged mentions", COLUMNS, read, row_of)
NOT_MEANT = "not meant"
ASSERTION_KEYS: Mapping[str, str] = {
    "p": "present",
    "a": "absent",
    "q": "possible",
    "h": "hypothetical",
    "s": "historical",
    "f": "family",
    "n": NOT_MEANT,
}


def status_keys(kind: str) -> dict[str, str]:
    """What each key says of a concept of ``kind``; none where it has no status.

    >>> status_keys("device")
    {'1': 'done', '2': 'planned', '3': 'past', '4': 'not done', '0': '?'}
    """
    known = STATUSES_OF.get(kind, ())
    return {**{str(n): status for n, status in enumerate(known, 1)}, "0": "?"} if known else {}
