"""A terminal that shows what is to be judged, and hears one key."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from aspectra.terminal import line, plain
from search_stack.core.errors import AspectraError

BEFORE, BEHIND = 420, 280
"""Characters of the note that are shown around a mention."""
STOP = "x"
_MARKED = "bold reverse"
_END = ("", "\x04")
"""The terminal is gone; Ctrl-D."""


@dataclass(frozen=True, slots=True)
class View:
    """All that is shown at once."""

    head: str
    """How far one has come, and the kind of the note."""
    context: Text
    """With a stretch that is marked, which is always seen."""
    about: Mapping[str, str]
    """What it is judged by, and what that is: the concept; the query."""
    said: str
    """What was said of it so far, or of the one before."""
    keys: Mapping[str, str]


def context(text: str, begin: int, end: int) -> Text:
    """``text[begin:end]`` between « and », with the words around it; nothing in it is obeyed by a terminal."""
    left, right = max(0, begin - BEFORE), min(len(text), end + BEHIND)
    shown = plain(text[left:right])
    before, mention, behind = shown[: begin - left], shown[begin - left : end - left], shown[end - left :]
    return Text.assemble(
        ("… ", "dim") if left else "",
        before,
        (f"«{mention}»", _MARKED),
        behind,
        (" …", "dim") if right < len(text) else "",
    )


def passage(text: str, heading: str) -> Text:
    """``text`` under its heading; nothing in it is obeyed by a terminal."""
    return Text.assemble((line(heading), _MARKED), "\n", plain(text))


class Screen:
    """Made by `screen`."""

    def __init__(self, console: Console, keyboard: int) -> None:
        self._console = console
        self._keyboard = keyboard

    def show(self, view: View) -> None:
        """Show it in place of what was there."""
        keys = Text()
        for key, meaning in view.keys.items():
            keys.append(key, "bold").append(f"\u00a0{meaning.replace(' ', chr(0xA0))}   ")
        about = [Text.assemble(f"{name}: ", (line(words), "bold")) for name, words in view.about.items()]
        foot = [Text(), *about, Text(view.said, style="yellow"), Text(), keys]
        self._console.clear()
        self._console.print(Text(line(view.head), style="dim"), Text(), sep="\n")
        for row in self._fitting(view.context, len(about)):
            self._console.print(row)
        self._console.print(*foot, sep="\n")

    def key(self) -> str:
        """The next key, in lower case; `STOP` where the terminal is gone; "" for what is no letter, digit or sign."""
        try:
            said = os.read(self._keyboard, 1).decode("latin-1")
        except OSError:
            return STOP
        if said in _END:
            return STOP
        if said.isascii() and said.isprintable():
            return said.lower()
        self.forget()  # the rest of an arrow key, or of a letter of several bytes
        return ""

    def forget(self) -> None:
        """What was typed already: nobody shall answer what was not shown yet."""
        while select.select([self._keyboard], [], [], 0)[0] and os.read(self._keyboard, 1024):
            pass

    def _fitting(self, text: Text, below: int) -> list[Text]:
        """Lines of ``text``, as many as there is room for, with the mention among them."""
        lines = list(text.wrap(self._console, self._console.width))
        room = max(3, self._console.height - 10 - below)
        at = next(n for n, row in enumerate(lines) if any(span.style == _MARKED for span in row.spans))
        first = max(0, min(at - room * 2 // 3, len(lines) - room))
        return lines[first : first + room]


@contextmanager
def screen(console: Console) -> Iterator[Screen]:
    """A screen of its own, which leaves no text behind in the terminal's history.

    Raises:
        AspectraError: there is no terminal.
    """
    if not (sys.stdin.isatty() and console.is_terminal):
        raise AspectraError("Judging needs a terminal for keys and screen.", "Run it without redirection.")
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard)
        with console.screen():
            yield Screen(console, keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)
