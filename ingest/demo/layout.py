"""From a rendered template to the look of a note: headings, lists, line breaks.

In a template ``## Heading`` starts a section (``##`` alone ends one), ``- item`` is an item
of a list, `` // `` a line break; other lines of a paragraph are joined.
"""

from __future__ import annotations

import re
import textwrap

from ingest.demo.schema import Style


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
