"""A line as it is read: short forms written out, stretches blanked, each character with its place in the line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

WORD = re.compile(r"[^\W\d_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Shadow:
    """``text``, the n-th character of which stands for ``line[begins[n]:ends[n]]``."""

    text: str
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, line: str, begin: int, end: int) -> Shadow:
        places = range(begin, end)
        return cls(line[begin:end], tuple(places), tuple(n + 1 for n in places))

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """Where ``text[begin:end]`` stands in the line; not empty."""
        return self.begins[begin], self.ends[end - 1]

    def written(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str]) -> Shadow:
        """Each match replaced by what ``make`` gives; its characters stand for the whole match."""
        out: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        at = 0
        for found in pattern.finditer(self.text):
            new = make(found)
            if new == found[0] or found.start() == found.end():
                continue
            b, e = found.span()
            out += [self.text[at:b], new]
            first, last = self.span(b, e)
            begins += [*self.begins[at:b], *[first] * len(new)]
            ends += [*self.ends[at:b], *[last] * len(new)]
            at = e
        if not out:
            return self
        return Shadow("".join([*out, self.text[at:]]), (*begins, *self.begins[at:]), (*ends, *self.ends[at:]))

    def blank(self, begin: int, end: int) -> Shadow:
        """The same with spaces from ``begin`` to ``end``."""
        return Shadow(self.text[:begin] + " " * (end - begin) + self.text[end:], self.begins, self.ends)

    def rewritten(self, begin: int, end: int, text: str) -> Shadow:
        """``text`` instead of what stands from ``begin`` to ``end``, not empty; it stands for all of that."""
        if text == self.text[begin:end]:
            return self
        first, last = self.span(begin, end)
        return Shadow(
            self.text[:begin] + text + self.text[end:],
            (*self.begins[:begin], *[first] * len(text), *self.begins[end:]),
            (*self.ends[:begin], *[last] * len(text), *self.ends[end:]),
        )

    def with_mark(self, at: int, mark: str) -> Shadow:
        """The same with ``mark`` instead of as many characters."""
        return Shadow(self.text[:at] + mark + self.text[at + len(mark) :], self.begins, self.ends)
