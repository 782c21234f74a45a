"""Text of others on a terminal, and in JSON: nothing in it is obeyed."""

from __future__ import annotations

import json
import re

from rich.table import Table
from rich.text import Text

_OTHERS = re.compile("[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""C1 controls, marks that turn the direction of writing, line ends that only some know, half characters."""
_PICTURES = {c: 0x2400 + c for c in range(32) if chr(c) not in "\t\n"} | {0x7F: 0x2421}
_IN_JSON = re.compile(f"[\x7f]|{_OTHERS.pattern}")


def plain(text: str) -> str:
    """``text`` with each control character replaced by one that shows it, so that offsets stay.
    Line ends and tabs are kept.

    >>> plain("red: \\x1b[31m")
    'red: ␛[31m'
    """
    return _OTHERS.sub("\ufffd", text.replace("\r\n", " \n").translate(_PICTURES))


def line(text: str) -> str:
    """``plain``, on one line: for ids, titles and names.

    >>> line("a\\nb")
    'a␊b'
    """
    return plain(text).replace("\n", "␊").replace("\t", "␉")


def add_row(table: Table, *cells: str) -> None:
    """A row of ``table`` whose cells are shown as they are: brackets in them are no markup."""
    table.add_row(*(Text(line(cell)) for cell in cells))


def json_line(value: object) -> str:
    """JSON on one line, in Unicode, but for what a terminal would obey, which is escaped."""
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
