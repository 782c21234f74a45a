"""Passages with what shows each criterion lit in the criterion's colour."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from search_stack.retrieval.evidence import Criterion, Shown, Span, mentions

HUES = 6
"""Colours of criteria; a seventh has the first one's again."""


def lit(shown: Shown, criteria: Sequence[Criterion], own: Sequence[Span] = ()) -> Markup:
    """The passage, what shows a criterion marked in its colour; where two meet, in that of the first.

    Args:
        own: offsets into the passage of words that it has besides one that it repeats, in order; marked too.
    """
    spans = [(b - shown.hit.begin, e - shown.hit.begin, hue) for b, e, hue in hued(shown, criteria)]
    out, at, text = Markup(), 0, shown.hit.text
    for begin, end, hue in sorted(spans):
        if begin >= at:
            out += _plain(text, at, begin, own) + Markup('<mark class="hue-{}">{}</mark>').format(hue, text[begin:end])
            at = end
    return out + _plain(text, at, len(text), own)


def hued(shown: Shown, criteria: Sequence[Criterion]) -> list[tuple[int, int, int]]:
    """Offsets into the note of what shows each criterion, and the colour: of several, that of the first."""
    number = {criterion.said: n % HUES for n, criterion in enumerate(criteria)}
    found = []
    for mention in mentions(shown, criteria):
        hue = min(number[said] for said in mention.criteria)
        places = mention.spans if mention.finding is None else ((mention.begin, mention.end),)
        found += [(begin, end, hue) for begin, end in places]
    return found


def _plain(text: str, begin: int, end: int, own: Sequence[Span]) -> Markup:
    out, at = Markup(), begin
    for left, right in own:
        left, right = max(left, at), min(right, end)
        if left < right:
            out += escape(text[at:left]) + Markup("<ins>{}</ins>").format(text[left:right])
            at = right
    return out + escape(text[at:end])
