"""How criteria are joined: what is denied together, denials that wait for a bracket, signs side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.query.items import Item, Mark, Part
from search_stack.query.nodes import Finding, Not, Words
from search_stack.query.plain.findings import trigger_text
from search_stack.query.plain.stretch import EXCLUDING, Said, Stretch, with_more
from search_stack.query.tree import all_of, is_words, not_


def open_denials(s: Stretch, out: list[Item]) -> list[Item]:
    """A "no" or "without" at the end, before a bracket or phrase, is put on what follows; with nothing to follow it
    answers for the words before it: "troponin neg"."""
    if not s.tokens or not s.line[s.shadow.ends[-1] :].strip(" ).?!"):
        return out
    last = len(s.tokens) - 1
    found = next(
        (m for m in s.matches if m.end == last + 1 and m.trigger.says == "absent" and m.trigger.where == "forward"),
        None,
    )
    if found is None:
        return out
    place = s.shadow.span(s.starts[found.begin], s.ends[found.end - 1])
    sign = "not" if trigger_text(s, (found.begin, found.end)) in EXCLUDING else "deny"
    if out and isinstance(out[-1], Part) and isinstance(out[-1].node, Words) and out[-1].end == place[1]:
        kept = " ".join(s.line[out[-1].begin : place[0]].lower().split()).strip(" -.,:;/'")
        out = [*out[:-1], *([Part(Words(kept), out[-1].begin, place[0])] if kept else [])]
    while out and isinstance(out[-1], Mark) and out[-1].sign == "but":
        out = out[:-1]
    if out and isinstance(out[-1], Part):
        out.append(Mark("but", *place))
    return [*out, Mark(sign, *place)]  # type: ignore[arg-type]


_TURNED_DOWN = frozenset(("declined", "declines", "declining", "refused", "refuses", "refusing"))
"""Who turned down one or the other did so with either: "declined docetaxel or methotrexate" is no "neither"."""


def linked(s: Stretch, items: list[Item], said: Sequence[Said]) -> list[Item]:
    """Links among what is denied together are and: "no fever or cough" is neither."""
    by_place = {with_more(one, s.shadow.span(one.mention.begin, one.mention.end)): one for one in said}
    out: list[Item] = []
    for n, item in enumerate(items):
        if isinstance(item, Mark) and item.sign in ("or", "and", ","):
            before, after = _beside(s, items, n, -1, by_place), _beside(s, items, n, 1, by_place)
            if (
                (
                    before
                    and after
                    and before.trigger
                    and before.trigger == after.trigger
                    and before.denies
                    and after.denies
                    and not (item.sign == "or" and trigger_text(s, before.trigger) in _TURNED_DOWN)
                )
                or _denied_beside(s, items, n)
                or _excludes_words(_part(items, n, -1), _part(items, n, 1))
            ):
                item = Mark("and", item.begin, item.end)
        out.append(item)
    return _whole(_grouped(s, _happened(s, _graded(out))))


_GRADE = re.compile(r"\d{1,2}[a-d]?|[ivx]{1,4}|[a-e]")


def _graded(items: list[Item]) -> list[Item]:
    """Names that differ in their grade alone are one alternative beside the name before: "dyspnea NYHA III or IV"."""
    out = list(items)
    for n in range(len(items) - 1, 1, -1):
        item, before = items[n], items[n - 1]
        after = items[n + 1] if n + 1 < len(items) else None
        if not (isinstance(item, Mark) and item.sign in ("or", ",")):
            continue
        if (
            isinstance(items[n - 2], Part)
            and _same_but_grade(before, after)
            and not _same_but_grade(items[n - 2], after)
        ):
            out.insert(n - 1, Mark("but", before.begin, before.begin))
    return out


_HAPPENED = re.compile(r"[^\W\d_]+ed", re.IGNORECASE)
_BEFALLS = frozenset(("device", "procedure"))


def _happened(s: Stretch, items: list[Item]) -> list[Item]:
    """Behind a device or what was done, alternatives of what became of it: "PICC infiltrated or clotted" is no clot."""
    out = list(items)
    for n in range(len(items) - 3, -1, -1):
        match items[n : n + 4]:
            case [Part(node=Finding() as of) as name, Part() as one, Mark(sign="or"), Part() as other]:
                concept = s.known.lexicon.find(of.name)
                alone = name.end < one.begin and " " not in s.typed(one.begin, one.end)
                befell = concept is not None and concept.kind in _BEFALLS
                if alone and befell and _HAPPENED.fullmatch(s.typed(other.begin, other.end)):
                    out.insert(n + 1, Mark("but", one.begin, one.begin))
    return out


def _same_but_grade(one: Item, other: Item | None) -> bool:
    both = [i.node.name.split() for i in (one, other) if isinstance(i, Part) and isinstance(i.node, Finding)]
    if len(both) != 2 or len(both[0]) != len(both[1]):
        return False
    differ = [pair for pair in zip(*both, strict=True) if pair[0] != pair[1]]
    return len(differ) == 1 and all(_GRADE.fullmatch(word) for word in differ[0])


def _denied_beside(s: Stretch, items: Sequence[Item], n: int) -> bool:
    """Whether words that are denied stand beside the link."""
    return any((i.begin, i.end) in s.denied for i in items[max(n - 1, 0) : n + 2] if isinstance(i, Part))


def _part(items: Sequence[Item], n: int, step: int) -> Item:
    """The nearest criterion on that side of a sign: behind ", or" it stands one farther."""
    n += step
    while 0 < n < len(items) - 1 and isinstance(items[n], Mark):
        n += step
    return items[min(max(n, 0), len(items) - 1)]


def _excludes_words(before: Item, after: Item) -> bool:
    """Whether both are excluded, and one of them is but words, which bear no assertion: "not due to alcohol or HCV"."""
    nodes = [i.node for i in (before, after) if isinstance(i, Part) and isinstance(i.node, Not)]
    return len(nodes) == 2 and any(is_words(n.child) for n in nodes)


def _whole(items: list[Item]) -> list[Item]:
    """ "Without severe asthma", "not transplant candidates": words and the name beside them are excluded together."""
    out: list[Item] = []
    for item in items:
        before = out[-1] if out else None
        if isinstance(item, Part) and isinstance(before, Part):
            both = [part.node.child for part in (before, item) if isinstance(part.node, Not)]
            if len(both) == 2 and any(is_words(child) for child in both):
                out[-1] = Part(not_(all_of(both)), before.begin, item.end)
                continue
        out.append(item)
    return out


def _beside(s: Stretch, items: Sequence[Item], n: int, step: int, by_place: dict[tuple[int, int], Said]) -> Said | None:
    n += step
    while 0 <= n < len(items):
        item = items[n]
        if isinstance(item, Part):
            if found := by_place.get((item.begin, item.end)):
                return found
            if not is_words(item.node):
                return None
        n += step
    return None


def _grouped(s: Stretch, items: list[Item]) -> list[Item]:
    """Links with nothing but words left aside on one side are dropped, but for those at the edges."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, Mark) and out and isinstance(out[-1], Mark) and item.sign in ("and", "or", "but", ","):
            if item.sign in ("or",) and out[-1].sign in ("and", "but"):
                continue
            if out[-1].sign in ("and", "but", ",") and item.sign == "but":
                out[-1] = item if out[-1].sign != "and" else Mark("but", item.begin, item.end)
                continue
            if out[-1].sign == "or" and item.sign == "but":
                continue
            if item.sign in ("and", ",") and out[-1].sign == "but":
                continue
        out.append(item)
    return out
