"""A word that is left alone, with the head of the name that it tells a kind of: "stroke, not hemorrhagic"."""

from __future__ import annotations

import re

from search_stack.language.lexicon.forms import american
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_DENIED_LIST = re.compile(
    r"(?P<sign>(?<!\w)(?:den(?:ies|ied|ying)|no|without|but\s+no)\s+(?:an?\s+|any\s+|active\s+)?)"
    r"(?P<first>[^\W\d_]{3,})(?P<more>(?:(?:\s*[,/]\s*|\s+n?or\s+)[^\W\d_]{3,})*)\s*[.?!]?\s*$",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
_LINKING = re.compile(r"\b(?:but|and|with|without|now|currently|who|patients?|he|she|they)\b", re.IGNORECASE)
_ADJECTIVE = re.compile(r"(?:ic|al|ar|ous|ive|ed|ary|oid|ile)$", re.IGNORECASE)
_BARE = re.compile(
    r"(?P<sign>(?:(?:but|and)\s+)?(?:not|without|excluding|except)\s+(?:(?:to|in|on|of)\s+)?(?:an?\s+|the\s+)?)?(?P<word>[^\W\d_][\w-]{2,})\s*[.?!]?\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"(?:\s+(?:on|of|in|the|left|right|both|bilateral|sided?|upper|lower))*")
"""Words about a name that may stand behind it."""
_ENDS_IN_SIGN = re.compile(r"(?:\b(?:not|without|excluding|except|but)|-)\s*$", re.IGNORECASE)


def kinds_denied(s: Stretch, shadow: Shadow) -> Shadow:
    """What is denied of a name by the one word that makes a narrower one of it: "suicidal ideation but denies plan"."""
    found = _DENIED_LIST.search(shadow.text)
    if not found:
        return shadow
    before = shadow.text[: found.start()]
    named = max(s.known.named(before), key=lambda m: m.end, default=None)
    if named is None or re.search(r"[^\W\d_]{4,}", _LINKING.sub(" ", before[named.end :])):
        return shadow
    head = before[named.begin : named.end].split()[0]
    below = s.known.lexicon.descendants(named.concept)

    def make(one: re.Match[str]) -> str:
        narrower = None if s.known.lexicon.find(one[0]) else s.known.lexicon.find(f"{head} {one[0]}")
        return f"{head} {one[0]}" if narrower and narrower.id in below else one[0]

    return shadow.written(_LONG_WORD, lambda m: make(m) if m.start() >= found.start("first") else m[0])


def headed(s: Stretch, shadow: Shadow) -> Shadow:
    """An adjective that is left alone behind a sign given the head of the name before it: "stroke, not hemorrhagic"."""
    found = _BARE.search(shadow.text)
    if not found:
        return shadow
    begin = shadow.span(*found.span("word"))[0]
    apart = not shadow.text[: found.start("word")].strip()
    if not (found["sign"] or (apart and _ENDS_IN_SIGN.search(s.line[:begin]))):
        return shadow
    word = found["word"]
    concept = s.known.lexicon.find(word)
    if concept is not None and concept.kind != "anatomy" and not _ADJECTIVE.search(word):
        return shadow
    before = _ENDS_IN_SIGN.sub("", shadow.text[: found.start()]) or _ENDS_IN_SIGN.sub("", s.line[:begin])
    head = _head(s, before.rstrip(" ,;("), word)
    if not head:
        return shadow
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?=\s*[.?!]?\s*$)")
    return shadow.written(pattern, lambda m: f"{m[0]} {head}")


def _head(s: Stretch, before: str, word: str) -> str:
    """The last word of the name that ``before`` ends with, or that words about it follow, where ``word`` is one of its
    kinds: "hernia left side, not recurrent", or a place: "metastases to liver but not to bone"; else empty."""
    named = [m for m in s.known.named(before) if not s.known.is_of(m, "anatomy")]
    if not named:
        return ""
    last = max(named, key=lambda m: m.end)
    if not _ABOUT.fullmatch(before, last.end):
        return ""
    typed = re.search(r"[^\W\d_][\w'-]*$", before[: last.end])
    for head in (typed[0] if typed else "", s.known.name_of(last.concept).split()[-1]):
        found = s.known.lexicon.find(f"{american(word.lower())} {american(head.lower())}")
        if found and found.kind != "anatomy":
            return head
    return ""
