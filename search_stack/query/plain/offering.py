"""What else a line may mean, told with the line that asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Said, Stretch

_SLASH = "/"


def offer(s: Stretch, run: Sequence[int], text: str, place: tuple[int, int]) -> None:
    """A word that names nothing, but ends what a few disorders are called, with the way to ask for these: "varices"."""
    beside = run[0] - 1 in s.covered or run[-1] + 1 in s.covered
    names = s.known.ending_in(text) if len(run) == 1 and not beside else ()
    if len(names) > 1:
        asked = " OR ".join(f'finding:"{name}"' for name in names)
        told = f'"{text}" is searched as a word, also where it is denied. Did you mean {" or ".join(names)}?'
        s.reading.notices.append(Notice("unknown", told, text, f"{s.line[: place[0]]}({asked}){s.line[place[1] :]}"))


def either_way(s: Stretch, n: int, said: Sequence[Said]) -> None:
    """Names that slashes join are both asked for; "CHF/COPD" may mean either, which is told at the first slash."""
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
    line = f"{s.line[:begin]}({' OR '.join(part.strip() for part in typed.split(_SLASH))}){s.line[end:]}"
    s.reading.notices.append(Notice("brackets", f'"{typed}" was read as all of these; OR asks for any.', typed, line))
