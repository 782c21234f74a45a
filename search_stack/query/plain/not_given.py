"""What is plainly denied of what is done or given: "EF < 35 no ICD"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.query.items import Notice
from search_stack.query.nodes import Finding
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import any_of, not_

_NO, _NEVER = "no", "never"
_NOT_HAD = re.compile(
    r"\b(?:not|never|\w+n['’]?t)\s+(?:(?:yet|ever|been)\s+)*(?:had|have|tried|tri?alled|received|undergone)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(r"\bnot\s+(?:(?:yet|been)\s+)*(?:done|performed)\b", re.IGNORECASE)
"""Before the name, and behind it."""
_NOW, _EVER = ("present",), ("present", "historical")
_LEAVES_OUT = 'leaves out whoever has it; "denies" asks for notes that say so, and hardly one denies what was not done.'
_ASKS_FOR = (
    'asks for notes that say so, and hardly one denies what was not given or done. "without" leaves out whoever has it.'
)
_PAST = re.compile(r"\b(?:prior|previous(?:ly)?|history|hx|h/o|past|before)\b", re.IGNORECASE)


def not_given(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said``, where more is asked for, with whoever has it left out, as by "without": hardly a note denies what was
    not done. Each denial is told, with the line that asks for the other."""
    besides = _asks_besides(s, said)
    out: list[Said] = []
    told: dict[tuple[int, int] | None, Said] = {}
    for one in said:
        if isinstance(one.node, Finding) and _is_plain(s, one):
            told.setdefault(one.trigger, one)
            says = _EVER if _denies_ever(s, one) else _NOW
            node = not_(any_of(replace(one.node, assertion=a) for a in says))
            one = replace(one, node=node) if besides else one
        out.append(one)
    for one in told.values():
        _tell(s, one, besides)
    return out


def _tell(s: Stretch, one: Said, besides: bool) -> None:
    said = s.tokens[slice(*one.trigger)] if one.trigger else ()
    if one.trigger and _NO not in said:
        begin, end = s.shadow.span(s.starts[one.trigger[0]], one.mention.end)
        why = _LEAVES_OUT if besides else _ASKS_FOR
        s.reading.notices.append(Notice("denial", f'"{s.typed(begin, end)}" {why}', s.typed(begin, end)))
        return
    first = s.tokens.index(_NO, one.trigger[0]) if one.trigger else one.first
    begin, end = s.shadow.span(s.starts[first], s.ends[first])
    if s.line[begin:end].lower() != "no":
        return  # It was written out: "unvaccinated".
    typed = s.typed(begin, s.shadow.span(*one.mention.parts[-1])[1])
    why, other = (_LEAVES_OUT, "denies") if besides else (_ASKS_FOR, "without")
    s.reading.notices.append(Notice("denial", f'"{typed}" {why}', typed, s.instead(begin, end, other)))


def denies_past(s: Stretch, one: Said) -> bool:
    """Whether what is denied is that it was before: "no prior AF"."""
    begin = s.starts[one.trigger[0]] if one.trigger else one.mention.begin
    return one.trigger is not None and _PAST.search(s.shadow.text, begin, one.mention.begin) is not None


def _denies_ever(s: Stretch, one: Said) -> bool:
    """Whether it was no time: "no prior surgery", "never ventilated"."""
    return denies_past(s, one) or _NEVER in (s.tokens[slice(*one.trigger)] if one.trigger else ())


def _is_plain(s: Stretch, one: Said) -> bool:
    """Whether a bare "no", "never", "has not had" or "not done yet" denies what is done or given; "denies taking" and
    "ruled out" are what notes say."""
    if not one.trigger or not one.denies:
        return False
    text, (first, last) = s.shadow.text, one.trigger
    plain = (
        not {_NO, _NEVER}.isdisjoint(s.tokens[first:last])
        or _NOT_HAD.search(text, s.starts[first], max(one.mention.begin, s.ends[last - 1]))
        or _NOT_DONE.search(text, one.mention.end, max(one.mention.end, s.ends[last - 1]))
    )
    return bool(plain) and s.known.is_of(one.mention, *DONE_OR_TAKEN)


def _asks_besides(s: Stretch, said: Sequence[Said]) -> bool:
    """Whether the line asks for more than what is not there of what is done or given."""
    if s.elsewhere or s.parts or not all(_is_plain(s, one) for one in said):
        return True
    held = {n for one in said for n in (*one.tokens, *range(*(one.trigger or (0, 0))))}
    talk = s.table.frames | s.table.function
    words = (w for n, w in enumerate(s.tokens) if n not in held and w[0].isalnum())
    return any(w not in talk and not _PAST.fullmatch(w) for w in words)
