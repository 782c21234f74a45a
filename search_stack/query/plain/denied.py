"""Whether a denial, or what leaves somebody out, stands before a place of a line, in the same statement."""

from __future__ import annotations

import re

_DENIES = (
    r"(?:no|not|never|none|nobody|without|w/o|hardly|rarely|neither|nor|lacks?|den(?:y|ies|ied|ying)"
    r"|absence\s+of|free\s+of|negative\s+for)(?!\w)"
)
_SHUTS = r"(?:exclud\w+|except|unless|other\s+than)(?!\w)"
_RESULT = r"neg(?:ative)?(?!\w)"
_DENIED = re.compile(rf"(?<!\w){_DENIES}[^,;.]*$", re.IGNORECASE)
_DENIED_OR_NEGATIVE = re.compile(rf"(?:(?<!\w)(?:{_DENIES}|{_SHUTS}|{_RESULT})|n['’]t\s)[^,;.]*$", re.IGNORECASE)
_SHUT = re.compile(rf"(?:(?<!\w)(?:{_DENIES}|{_SHUTS})|n['’]t\s)[^;.]*$", re.IGNORECASE)
_LEFT_OUT = re.compile(rf"(?<!\w)(?:(?:without|w/o)(?!\w)|{_SHUTS})[^,;.]*$", re.IGNORECASE)


def denies(text: str, at: int) -> bool:
    """Whether words that deny what is named behind stand before ``at``.

    >>> denies("no fever", 3), denies("HIV negative gout", 13), denies("dengue rash", 7)
    (True, False, False)
    """
    return _DENIED.search(text, 0, at) is not None


def is_denied(text: str, at: int) -> bool:
    """Likewise, or words that leave somebody out, or a negative result.

    >>> is_denied("HIV negative gout", 13), is_denied("doesn't have gout", 13), is_denied("no rash, gout", 9)
    (True, True, False)
    """
    return _DENIED_OR_NEGATIVE.search(text, 0, at) is not None


def is_shut(text: str, at: int) -> bool:
    """Whether it is denied or left out, be it in a list.

    >>> is_shut("no rash, gout", 9), is_shut("no rash; gout", 9)
    (True, False)
    """
    return _SHUT.search(text, 0, at) is not None


def is_left_out(text: str, at: int) -> bool:
    """Whether words that say what must not be there stand before ``at``, and no denial that a note may have.

    >>> is_left_out("excluding stroke", 10), is_left_out("no stroke", 3)
    (True, False)
    """
    return _LEFT_OUT.search(text, 0, at) is not None
