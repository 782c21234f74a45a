"""From a rendered template to the look of a note: headings, lists, line breaks.

In a template ``## Heading`` starts a section (``##`` alone ends one), ``- item`` is an item
of a list, `` // `` a line break; other lines of a paragraph are joined.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Style:
    """How one note is set."""

    upper: bool
    colon: bool
    inline: bool
    """The section's text follows its heading on the same line."""
    item: Literal["1.", "1)", "-", "•"] = "1."
    spaced: bool = True
    """A blank line stands between sections."""
    width: int = 0
    """Hard line breaks at this column; 0 for none, -1 for a note without any line break."""


STYLES = {
    "classic": Style(upper=True, colon=True, inline=False),
    "inline": Style(upper=True, colon=True, inline=True),
    "bare": Style(upper=True, colon=False, inline=False, item="-"),
    "title": Style(upper=False, colon=False, inline=False, item="•"),
    "quiet": Style(upper=False, colon=True, inline=True, item="1)"),
    "dense": Style(upper=True, colon=True, inline=True, item="1)", spaced=False),
    "colon": Style(upper=False, colon=True, inline=False, item="-", spaced=False),
    "terminal": Style(upper=True, colon=True, inline=True, width=76),
    "flat": Style(upper=True, colon=True, inline=True, width=-1),
}
STYLES_OF_TYPE = {
    "radiology report": ("classic", "inline", "inline", "bare", "quiet", "dense", "terminal", "flat", "colon"),
    "discharge summary": ("classic", "title", "colon", "terminal", "bare", "quiet"),
    "clinic letter": ("title", "quiet", "colon", "classic"),
    "progress note": ("inline", "dense", "colon", "classic", "quiet", "flat", "title"),
    "operative note": ("classic", "inline", "terminal", "bare", "quiet"),
    "emergency department note": ("inline", "classic", "dense", "colon", "bare", "terminal"),
}


def lay_out(text: str, style: Style) -> str:
    """The note as its reader sees it."""
    blocks = [_block(head, body, style) for head, body in _sections(text)]
    if style.width < 0:
        return " ".join(" ".join(blocks).split())
    joined = ("\n\n" if style.spaced else "\n").join(block for block in blocks if block)
    if style.width:
        joined = "\n".join(
            textwrap.fill(line, style.width, break_long_words=False, break_on_hyphens=False)
            for line in joined.split("\n")
        )
    return joined


def _sections(text: str) -> list[tuple[str, str]]:
    # An empty slot between two items leaves a blank line, which must not restart the count.
    text = re.sub(r"\n\s*\n(?=- )", "\n", text.strip())
    parts = re.split(r"^##[ ]?(.*)$", text, flags=re.MULTILINE)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]


def _block(heading: str, body: str, style: Style) -> str:
    paragraphs = [_paragraph(p, style) for p in re.split(r"\n\s*\n", body.strip())]
    filled = "\n\n".join(p[0].upper() + p[1:] for p in paragraphs if p)
    if not heading.strip():
        return filled
    title = heading.strip().upper() if style.upper else heading.strip()
    if style.inline and not filled.startswith(("1", "-", "•")):
        return f"{title}: {filled}"
    return f"{title}{':' if style.colon else ''}\n{filled}"


def _paragraph(text: str, style: Style) -> str:
    lines: list[str] = []
    items = 0
    for raw in text.strip().split("\n"):
        line = " ".join(raw.split())
        if line.startswith("- "):
            items += 1
            mark = style.item.replace("1", str(items))
            lines.append(f"{mark} {line[2:3].upper()}{line[3:]}")
        elif line:
            lines[-1:] = [f"{lines[-1]} {line}"] if lines else [line]
    text = re.sub(r" +([.,;])", r"\1", "\n".join(lines))
    text = re.sub(r"\b([Aa]) (?=(8\d?|11|18)\b)", r"\1n ", text)  # "an 11 mm nodule"
    return text.replace(" // ", "\n").strip()
