"""What else a line may mean, told with the line that asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Said, Stretch

_SLASH = "/"
_DENIALS = frozenset(("no", "not", "without"))


def offer(s: Stretch, run: Sequence[int], text: str, place: tuple[int, int]) -> None:
    """A word that names nothing, but may be short for several, or stands in what a few disorders are called, with the
    way to ask for each: "PCP", "varices"; not a part of the body."""
    if len(run) == 1 or s.tokens[run[0]] in _DENIALS:
        _ask_which(s, run[-1])
    beside = run[0] - 1 in s.covered or run[-1] + 1 in s.covered
    asked = any(n.typed.lower() == text for n in s.reading.notices)
    names = s.known.holding(text) if text.isalpha() and not beside and not asked and not s.is_part(text) else ()
    if names:
        way = " OR ".join(f'finding:"{name}"' for name in names)
        way = f"({way})" if len(names) > 1 else names[0]
        told = f'"{text}" is searched as a word, also where it is denied. Did you mean {" or ".join(names)}?'
        s.reading.notices.append(Notice("unknown", told, text, s.instead(*place, way)))


def _ask_which(s: Stretch, n: int) -> None:
    """Which of its meanings a short form has, one way each."""
    begin, end = s.shadow.span(s.starts[n], s.ends[n])
    typed = s.line[begin:end]
    names = [one.name for name in s.table.unsure.get(typed.lower(), ()) if (one := s.known.lexicon.find(name))]
    for name in names if len(names) > 1 else ():
        told = f'"{typed}" may be {" or ".join(names)}: it is searched as a word. Did you mean {name}?'
        line = s.instead(begin, end, name)
        s.reading.notices.append(Notice("abbreviation", told, typed, line))


def either_way(s: Stretch, n: int, said: Sequence[Said], *, any_of_them: bool) -> None:
    """Names that slashes join are both asked for, but any of drugs; "CHF/COPD" may mean either, which is told at the
    first slash."""
    first, last = n, n
    while first and (first - 1 in s.covered or s.tokens[first - 1] == _SLASH):
        first -= 1
    while last + 1 < len(s.tokens) and (last + 1 in s.covered or s.tokens[last + 1] == _SLASH):
        last += 1
    listed = [one for one in said if first <= one.first <= last]
    if _SLASH in s.tokens[first:n] or any(one.denies for one in listed):
        return
    begin, end = s.shadow.span(s.starts[first], s.ends[last])
    typed = s.line[begin:end]
    other, read, asked = ("AND", "any", "all") if any_of_them else ("OR", "all", "any")
    line = s.instead(begin, end, f"({f' {other} '.join(part.strip() for part in typed.split(_SLASH))})")
    told = f'"{typed}" was read as {read} of these; {other} asks for {asked}.'
    s.reading.notices.append(Notice("brackets", told, typed, line))
