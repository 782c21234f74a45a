"""Names by another name of a part of them: "SLE flare" is what the lexicon calls a lupus flare."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.stretch import Stretch

_NEXT = re.compile(r"\s+(?P<word>[^\W\d_]{4,})(?![\w'-])")
_BEFORE = re.compile(r"(?<![\w'-])(?P<word>[^\W\d_]{4,})\s+$")


def called_otherwise(s: Stretch) -> None:
    """What goes together with the word beside it by another of its names, and is called by both: that name of it."""
    mentions = s.mentions()
    found = next((one for m in mentions if (one := _otherwise(s, m, mentions))), None)
    if found:
        mention, name = found
        whole = re.compile(re.escape(s.shadow.text[mention.begin : mention.end]))
        s.shadow = s.shadow.written(whole, lambda m: name if m.start() == mention.begin else m[0])


def _otherwise(s: Stretch, mention: Mention, mentions: Sequence[Mention]) -> tuple[Mention, str] | None:
    text = s.shadow.text
    if len(mention.parts) > 1 or mention.denial:  # "Afebrile neutropenia" is no febrile one.
        return None
    beside: list[tuple[int, int, str, str]] = []
    if (behind := _NEXT.match(text, mention.end)) and folded(behind["word"]) in s.known.last_words:
        beside.append((mention.begin, behind.end(), "", f" {behind['word']}"))
    if (before := _BEFORE.search(text[: mention.begin])) and folded(before["word"]) in s.known.first_words:
        beside.append((before.start(), mention.end, f"{before['word']} ", ""))
    for begin, end, first, last in beside:
        if not _is_named(s, begin, end, mentions):
            for name in s.known.lexicon.concepts[mention.concept].names:
                if _is_a_name(s, f"{first}{name}{last}"):
                    return mention, name
    return None


def _is_named(s: Stretch, begin: int, end: int, mentions: Sequence[Mention]) -> bool:
    """Whether that is a name as it stands, or part of one."""
    return s.known.lexicon.find(s.shadow.text[begin:end]) is not None or any(
        m.begin <= begin and m.end >= end for m in mentions
    )


def _is_a_name(s: Stretch, text: str) -> bool:
    concept = s.known.lexicon.find(text)
    return concept is not None and folded(concept.name) == folded(text)
