"""Text with spans marked, safe to put into a page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

Span = tuple[int, int]


def marked(text: str, spans: Sequence[Span], offset: int = 0) -> Markup:
    """``text`` escaped, what lies in ``spans`` inside ``<mark>``.

    Args:
        spans: half-open; where they overlap or reach beyond the text they are cut.
        offset: where ``text`` begins in the text that the spans count in.

    >>> marked("no <1 cm nodule", [(9, 15)])
    Markup('no &lt;1 cm <mark>nodule</mark>')
    """
    out = Markup()
    position = 0
    for span in sorted(spans):
        begin, end = (min(max(edge - offset, position), len(text)) for edge in span)
        if begin < end:
            out += escape(text[position:begin]) + Markup("<mark>{}</mark>").format(text[begin:end])
            position = end
    return out + escape(text[position:])
