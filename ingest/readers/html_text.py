"""HTML as the lines of text that a reader of the page sees.

Paragraphs, list items, headings and rows of tables become lines; the cells of a row stand on one line, with
tabs between them, unless one of them holds several lines: then it lays out the page and is no table of
values. Scripts, styles and the title are left out, and so is text that is struck out: who wrote it has
taken it back.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

_DROPPED = frozenset({"script", "style", "title", "template", "svg", "del", "s", "strike"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPHS = _HEADINGS | {"p", "table", "ul", "ol", "dl", "blockquote", "pre"}
_LINES = _PARAGRAPHS | {"address", "article", "aside", "body", "caption", "dd", "div", "dt", "fieldset", "figure"}
_LINES |= {"footer", "form", "header", "hr", "li", "main", "nav", "section"}
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_CLOSED = re.compile(rf"</({'|'.join(sorted(_DROPPED))})\b", re.IGNORECASE)
_SECTION = re.compile(r"<!\[(?:CDATA\[|[^<>]*>?)|\]\]>")
_TAG = re.compile(r"<[^<>]*>")


def html_text(html: str) -> str:
    """The text of ``html``, a page or a piece of one. Nothing is lost where tags are not closed.

    >>> html_text("<h2>Impression</h2><p>No <b>effusion</b>.<script>x</script></p><ul><li>cough</li></ul>")
    'Impression:\\n\\nNo effusion.\\n\\n- cough'
    """
    html = _SECTION.sub("", html)  # the parser does not take all of them
    page = _Page(Counter(tag.lower() for tag in _CLOSED.findall(html)))
    page.feed(html)
    return page.text()


class _Lines:
    """Lines of the page or of a cell, the last of which is open."""

    def __init__(self) -> None:
        self.whole: list[str] = []
        self._pieces: list[str] = []

    @property
    def open(self) -> str:
        line = "".join(self._pieces)
        self._pieces = [line] if line else []
        return line

    @open.setter
    def open(self, line: str) -> None:
        self._pieces = [line]

    def add(self, words: str) -> None:
        """Blanks at the start of a line, and after another blank, go."""
        at_blank = not self._pieces or self._pieces[-1].endswith(" ")
        if words := words.lstrip(" ") if at_blank else words:
            self._pieces.append(words)

    def add_as_is(self, text: str) -> None:
        first, *others = text.split("\n")
        self._pieces.append(first)
        for line in others:
            self.end()
            self._pieces.append(line)

    def end(self) -> None:
        self.whole.append(self.open)
        self._pieces = []

    def tidy(self) -> list[str]:
        """Without blanks at the ends of lines, blank lines at either end, and more than one of them in a row."""
        text = "\n".join(line.rstrip() for line in (*self.whole, self.open))
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n").split("\n")


@dataclass(slots=True)
class _Table:
    cells: list[list[str]] = field(default_factory=list)
    """Lines of each, in the row that is open."""
    in_cell: bool = False


class _Page(HTMLParser):
    def __init__(self, closings: Counter[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._closings = closings
        """End tags to come: an element that is never closed is not left out, for the rest would go with it."""
        self._dropped = ""
        self._depth = 0
        self._blocks = [_Lines()]
        """The page, and of each cell that is open."""
        self._tables: list[_Table] = []
        self._preformatted = 0

    def text(self) -> str:
        # The parser's own end takes time that grows with the square of what is not closed.
        rest, self.rawdata = self.rawdata, ""
        self.handle_data(unescape(_TAG.sub(" ", rest)))
        while self._tables:
            self._end_table()
        return "\n".join(self._blocks[0].tidy())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped:
            self._depth += tag == self._dropped
        elif tag in _DROPPED:
            if self._closings[tag]:
                self._dropped, self._depth = tag, 1
        elif tag == "br":
            self._blocks[-1].end()
        elif tag == "table":
            self._break(tag)
            self._tables.append(_Table())
        elif tag in ("tr", "td", "th") and self._tables:
            self._end_cell() if tag != "tr" else self._end_row()
            if tag != "tr":
                self._tables[-1].in_cell = True
                self._blocks.append(_Lines())
        else:
            self._break(tag)
            if tag == "li":
                self._blocks[-1].open = "- "
            self._preformatted += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._closings[tag] -= 1
        if self._dropped:
            self._depth -= tag == self._dropped
            if not self._depth:
                self._dropped = ""
        elif tag in ("td", "th", "tr", "table") and self._tables:
            {"tr": self._end_row, "table": self._end_table}.get(tag, self._end_cell)()
        else:
            block = self._blocks[-1]
            if tag in _HEADINGS and (line := block.open.rstrip()) and not line.endswith((":", ".", "?")):
                block.open = f"{line}:"  # so that a section begins here
            self._break(tag)
            self._preformatted -= tag == "pre" and self._preformatted > 0

    def handle_data(self, data: str) -> None:
        if self._dropped:
            return
        if self._preformatted:
            self._blocks[-1].add_as_is(data.replace("\r\n", "\n"))
        else:
            self._blocks[-1].add(_BLANKS.sub(" ", data))

    def _break(self, tag: str) -> None:
        """End the line that is open, before or after an element that has lines of its own."""
        block = self._blocks[-1]
        if tag in _LINES and block.open.strip() not in ("", "-"):
            block.end()
        if tag in _PARAGRAPHS and block.whole and block.whole[-1].strip() and not block.open.strip():
            block.end()

    def _end_cell(self) -> None:
        table = self._tables[-1]
        if table.in_cell:
            table.cells.append(self._blocks.pop().tidy())
            table.in_cell = False

    def _end_row(self) -> None:
        self._end_cell()
        cells, self._tables[-1].cells = self._tables[-1].cells, []
        if all(len(cell) == 1 for cell in cells):
            row = ["\t".join(cell[0] for cell in cells).strip()]
        else:
            row = [line for cell in cells for line in cell]
        if any(row):
            self._break("div")
            self._blocks[-1].whole.extend(row)

    def _end_table(self) -> None:
        self._end_row()
        self._tables.pop()
        self._break("table")
