"""Names by another name of what they begin with: "SLE flare" is what the lexicon calls a lupus flare."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.stretch import Stretch

_NEXT = re.compile(r"\s+(?P<word>[^\W\d_]{4,})(?![\w'-])")


def called_otherwise(s: Stretch) -> None:
    mentions = s.mentions()
    found = next((one for m in mentions if (one := _otherwise(s, m, mentions))), None)
    if found:
        typed, begin, name = found
        whole = re.compile(re.escape(typed))
        s.shadow = s.shadow.written(whole, lambda m: name if m.start() == begin else m[0])


def _otherwise(s: Stretch, mention: Mention, mentions: Sequence[Mention]) -> tuple[str, int, str] | None:
    """The name as it is typed, where it begins, and the one that goes together with the word behind it."""
    text, lexicon = s.shadow.text, s.known.lexicon
    behind = _NEXT.match(text, mention.end)
    if not behind or len(mention.parts) > 1 or lexicon.find(text[mention.begin : behind.end()]):
        return None
    if any(m.begin <= mention.begin and m.end >= behind.end() for m in mentions):
        return None
    concept = lexicon.concepts[mention.concept]
    for name in concept.names:
        whole = f"{name} {behind['word']}"
        narrower = lexicon.find(whole)
        if narrower is not None and folded(narrower.name) == folded(whole):
            return text[mention.begin : mention.end], mention.begin, name
    return None
