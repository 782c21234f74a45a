"""Passages with what shows each criterion lit in the criterion's colour."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from search_stack.core.schema import Finding, Hit
from search_stack.query.nodes import Near, Node, Not, Phrase, Words
from search_stack.query.tree import NodePath, at, paths
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


@dataclass(frozen=True, slots=True)
class Lights:
    """What is marked in the passages of an answer: mentions that count with what it asks for, and the criteria."""

    named: Container[Finding] = ()
    criteria: Sequence[Criterion] = ()

    def of(self, finding: Finding) -> int | None:
        """The colour of the first criterion that a mention shows; None where it shows none."""
        return next((n % HUES for n, one in enumerate(self.criteria) if one.is_shown_by(finding)), None)

    def on(self, hit: Hit) -> list[tuple[int, int, int]]:
        """Offsets into the note of what shows a criterion in the hit, and the colour; words that may be of one or the
        other have none."""
        told = [(f, self.of(f)) for f in hit.findings if f in self.named]
        hues = [(f.begin, f.end, hue) for f, hue in told if hue is not None]
        for begin, end in ((b + hit.begin, e + hit.begin) for b, e in hit.highlights):
            hue = self._of_words(hit.text[begin - hit.begin : end - hit.begin])
            if hue is not None and not any(f.begin < end and begin < f.end for f, _ in told):
                hues.append((begin, end, hue))
        return hues

    def _of_words(self, found: str) -> int | None:
        by_words = [(n, one.leaf.text) for n, one in enumerate(self.criteria) if isinstance(one.leaf, Words | Phrase)]
        if len(by_words) > 1:
            by_words = [(n, text) for n, text in by_words if found.casefold() in text.casefold().split()]
        return by_words[0][0] % HUES if len(by_words) == 1 else None


def places(query: Node, criteria: Sequence[Criterion]) -> Mapping[NodePath, int]:
    """Where in the query each criterion stands that passages show, and its colour."""
    hues = {criterion.leaf: n % HUES for n, criterion in enumerate(criteria)}
    return {path: hues[leaf] for path, leaf in paths(query) if leaf in hues and _is_shown(query, path)}


def _is_shown(query: Node, path: NodePath) -> bool:
    """Not what is left out, or what others are only near to."""
    above = ((at(query, path[:n]), path[n]) for n in range(len(path)))
    return not any(isinstance(node, Not) or (isinstance(node, Near) and number) for node, number in above)


def _plain(text: str, begin: int, end: int, own: Sequence[Span]) -> Markup:
    out, at = Markup(), begin
    for left, right in own:
        left, right = max(left, at), min(right, end)
        if left < right:
            out += escape(text[at:left]) + Markup("<ins>{}</ins>").format(text[left:right])
            at = right
    return out + escape(text[at:end])
