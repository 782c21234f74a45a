"""What a line means: its plain stretches read by the lexicon, all of it one tree."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any as Data
from typing import TypeGuard

from search_stack.language.amounts import scaled
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import VITAL_SIGN, Concept, Lexicon
from search_stack.language.lexicon.names import common_form, other_names
from search_stack.query.asked import Asked, asked, short
from search_stack.query.combine import combined, mixes
from search_stack.query.fields import BY_KEY
from search_stack.query.items import Item, Mark, Notice, Part, Plain, Reading, Sources, Timing
from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Finding, Leaf, Node, Not, Topic, Words
from search_stack.query.plain import PlainReader
from search_stack.query.plain.narrowing import untold
from search_stack.query.tree import (
    QueryError,
    WildcardError,
    all_of,
    any_of,
    is_filter,
    is_words,
    leaves,
    mapped,
    not_,
    parts,
    rank_text,
)
from search_stack.query.tree_json import to_json
from search_stack.query.wording import Wording, wording
from search_stack.query.write import readable

ALL = Sources()
_WORD = re.compile(r"\w[\w'’-]*")
_START = re.compile(r"[^\W\d_]{4,}(?=[*$.?~])")
_OFFERED = 5
_NO_DAY = re.compile(r"(?<!\S)(?:-|!|(?:NOT|not)\s+)(?:after|before):[\w-]+")
MOST_WORDS = 64
"""Words that name no concept, in one query."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A line with what was made of it.

    ``aside``: what was typed and left out, in its order; all other words are in ``query``.
    """

    line: str
    query: Node
    aside: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    typed: Mapping[Leaf, str] = field(default_factory=dict)
    """By criterion, the words of the line that became it."""
    in_time: tuple[str, ...] = ()
    """Words that set criteria in time."""
    words: str = ""
    """What to rank by: plain language as typed, names of what was asked by a field; nothing of what is excluded."""

    def json(self) -> dict[str, Data]:
        notices = [{"kind": n.kind, "message": n.message, "typed": n.typed, "line": n.line} for n in self.notices]
        return {"line": self.line, "query": to_json(self.query), "aside": list(self.aside), "notices": notices}


class Understanding:
    """Understands lines and trees by one lexicon.

    Args:
        today: gives the day from which "in the last two years" counts.
    """

    def __init__(self, lexicon: Lexicon, today: Callable[[], date] = date.today) -> None:
        self.lexicon = lexicon
        self._today = today
        self._reader = PlainReader(Labeller(lexicon, None), today())

    @staticmethod
    @lru_cache(maxsize=2)
    def of(lexicon: Lexicon) -> Understanding:
        """One of today for each lexicon: it takes a second of processor time."""
        return Understanding(lexicon)

    def understand(self, line: str, told: Sources = ALL, day: date | None = None) -> Understood:
        """What ``line`` asks for.

        Args:
            told: what the sources tell; words for what they never do are no criterion, and a notice says so. What is
                written as an operator or a field stays.
            day: on which it is asked, today or another.

        Raises:
            QueryError: it cannot be read, names what no lexicon holds, or asks for nothing.
        """
        try:
            return self._understood(line, told, day)
        except WildcardError as e:
            raise self._named_so(e) from None

    def _understood(self, line: str, told: Sources, day: date | None) -> Understood:
        typed = asked(line)
        reading = Reading(list(typed.reading.aside), list(typed.reading.notices), told)
        self._reader.known.today = day or self._today()
        wanted: list[Node] = []
        unwanted: list[Node] = []
        origins: dict[Leaf, str] = {}
        alternatives: dict[int, int] = {}
        spans: list[tuple[int, int]] = []
        ranked: list[str] = []
        for segment in typed.segments:
            items: list[Item] = []
            for item in self._with_kinds(segment.items, typed.line):
                if isinstance(item, Plain):
                    items += self._reader.read(typed.line, item.begin, item.end, reading)
                else:
                    items.append(Part(self.named(item.node), item.begin, item.end) if isinstance(item, Part) else item)
            for item in items:
                if isinstance(item, Part):
                    words = " ".join(typed.line[item.begin : item.end].split())
                    for leaf in leaves(item.node):
                        before = origins.get(leaf, words)
                        origins[leaf] = words if before == words else f"{before}, {words}"
            if not segment.excluded:
                ranked += _ranked(segment.items, typed.line)
            if segment.excluded:
                unwanted += _each(items, typed.line, reading)
                continue
            node = combined(items, typed.line, reading.aside)
            if node is not None and reading.one_only:
                node, reading.one_only = _one_only(node), False
            spans += [(i.begin, i.end) for i in items if isinstance(i, Timing)]
            if node is None:
                continue
            if segment.either:
                alternatives.setdefault(segment.either, len(wanted))
                at = alternatives[segment.either]
                wanted[at:] = [any_of([*wanted[at:], node])]
            else:
                wanted = _topic_of_the_one_before(wanted, node) or [*wanted, node]
                if mixes(node, reading.ways) and "(" not in typed.line[segment.items[0].begin : segment.items[-1].end]:
                    reading.notices.append(Notice("brackets", f"Read as: {readable(node)}", typed.line.strip()))
        nodes = [*wanted, *(not_(n) for n in unwanted)] or _bare(typed, reading)
        aside = _aside(typed.line, reading.aside)
        query = self._in_allergies(all_of(nodes), origins)
        _check_days(query)
        _check_words(query)
        in_time = _aside(typed.line, [span for span in spans if span not in reading.aside])
        reading.notices += _of_undated(query, typed.line)
        reading.notices += untold(typed.line, reading.aside, reading.notices)
        notices = tuple(dict.fromkeys(reading.notices))
        return Understood(line, query, aside, notices, origins, in_time, " ".join(ranked))

    def _named_so(self, error: WildcardError) -> QueryError:
        """The same with a few names that begin as the word does, one word before several."""
        start = _START.match(error.word.casefold())
        if start is None:
            return error
        known = [c for c in self.lexicon.concepts.values() if c.name.casefold().startswith(start[0])]
        known.sort(key=lambda c: (c.kind != "disorder", " " in c.name, len(c.name), c.name))
        names = [c.name for c in known[:_OFFERED]]
        way = f"Write out which is meant: {' OR '.join(names)}." if names else error.remedy
        return QueryError(error.message, way)

    def _with_kinds(self, items: Sequence[Item], line: str) -> Sequence[Item]:
        """``items``, a bracket that holds kinds of the name before it as one stretch with what stands around it."""
        out: list[Item] = []
        for item in items:
            out.append(item)
            match out[-4:]:
                case [Plain() as before, Mark(sign="("), Plain(), Mark(sign=")") as closing] if self._reader.has_kinds(
                    line, before.begin, closing.end
                ):
                    out[-4:] = [Plain(before.begin, closing.end)]
                case [Mark(sign="(") as opening, Plain(), Mark(sign=")"), Plain() as head] if self._reader.has_kinds_of(
                    line, opening.begin, head.end
                ):
                    out[-4:] = [Plain(opening.begin, head.end)]
                case [*_, Plain() as before, Plain() as behind] if line[before.end - 1] == ")":
                    out[-2:] = [Plain(before.begin, behind.end)]
        return out

    def _in_allergies(self, query: Node, origins: dict[Leaf, str]) -> Node:
        """Drugs that are looked for in a list of allergies are such: there nobody takes them."""
        if not isinstance(query, AllOf):
            return query
        if FieldIs("section", "allergies") not in query.children:
            return all_of(self._in_allergies(child, origins) for child in query.children)

        def meant(leaf: Leaf) -> Leaf:
            if not isinstance(leaf, Finding) or leaf.assertion != "present" or _is_typed(leaf, origins):
                return leaf
            concept = self.lexicon.find(leaf.name)
            if concept is None or concept.kind != "drug":
                return leaf
            origins[asked := replace(leaf, assertion="allergy")] = origins[leaf]
            return asked

        return mapped(query, meant)

    def named(self, node: Node) -> Node:
        """The tree with every finding and entity under the lexicon's name.

        Raises:
            QueryError: no lexicon holds it.
        """
        return mapped(node, self._leaf)

    def _leaf(self, leaf: Leaf) -> Leaf:
        if isinstance(leaf, Finding):
            concept = self._concept("finding", leaf.name)
            less = tuple(sorted({self._counting(concept, name) for name in leaf.less}))
            if concept.kind == VITAL_SIGN and not leaf.amount:
                raise QueryError(
                    f"Everybody has a {concept.name}: it is asked for by a number.",
                    f'Write it as finding:"{concept.name}; > 100", or as words:"{concept.name}".',
                )
            amount = scaled(concept.id, leaf.amount) if leaf.amount else None
            return Finding(self._reader.known.name_of(concept.id), leaf.assertion, less, amount, leaf.site)
        if isinstance(leaf, Topic):
            return Topic(self._reader.known.name_of(self._concept("entity", leaf.entity).id), leaf.aspect)
        return leaf

    def _counting(self, concept: Concept, name: str) -> str:
        """A narrower finding or another name of ``concept``, as the lexicon has it."""
        others = {common_form(n): n for n in other_names(concept)}
        if not self.lexicon.narrower(concept.id, name) and (other := others.get(common_form(name))):
            return other
        found = self._concept("finding", name).id
        if found not in self.lexicon.descendants(concept.id):
            raise QueryError(
                f'"{short(name)}" does not count with {concept.name}.', "Leave it out, or exclude it: NOT and its name."
            )
        return self._reader.known.name_of(found)

    def _concept(self, role: str, name: str) -> Concept:
        """The concept that ``name`` as a whole names, in any inflection."""
        exact = self.lexicon.find(name)
        if exact:
            return exact
        for m in self._reader.known.named(name):
            around = name[: m.begin] + name[m.end :]
            if len(m.parts) == 1 and not m.denial and not any(c.isalnum() for c in around):
                return self.lexicon.concepts[m.concept]
        near = difflib.get_close_matches(name.lower(), self.lexicon.names, n=1, cutoff=0.6)
        remedy = f'Did you mean {role}:"{near[0]}"?' if near else "Search for the words themselves instead."
        meant = (role, name, near[0]) if near else None
        raise QueryError(f'There is no {role} called "{short(name)}" in the lexicon.', remedy, meant)


def _bare(typed: Asked, reading: Reading) -> list[Node]:
    """The words of a line of which everything was left aside, without what only asks or links at its edges:
    "informed consent", "system review".

    Raises:
        QueryError: there is none besides.
    """
    table = wording()
    found: list[Node] = []
    for segment in typed.segments:
        for item in segment.items if not segment.excluded else ():
            if not isinstance(item, Plain):
                continue
            words = list(_WORD.finditer(typed.line, item.begin, item.end))
            empty = [_asks(w[0].lower(), table) for w in words]
            if all(empty):
                continue
            first, last = empty.index(False), len(empty) - empty[::-1].index(False)
            begin, end = words[first].start(), words[last - 1].end()
            found.append(Words(" ".join(typed.line[begin:end].split())))
            reading.aside[:] = [(b, e) for b, e in reading.aside if e <= begin or b >= end]
            reading.aside += [w.span() for w in (*words[:first], *words[last:])]
    if not found:
        raise QueryError(
            "The query names nothing to look for.", "Type a finding, as in: pleural effusion without pneumothorax."
        )
    return found


def _asks(word: str, table: Wording) -> bool:
    return len(word) < 2 or word in table.function or (word in table.frames and word not in table.loose)


def _is_typed(leaf: Leaf, origins: Mapping[Leaf, str]) -> bool:
    """Whether it was asked for by its field: what is said of it is said, then."""
    return origins.get(leaf, "").startswith("finding:")


def _check_words(node: Node) -> None:
    """
    Raises:
        QueryError: so many words name nothing that asking for them would cost more than it tells.
    """
    number = _words_in(node)
    if number > MOST_WORDS:
        raise QueryError(
            f"The query has {number} words that name nothing; at most {MOST_WORDS} are searched.", "Shorten it."
        )


def _words_in(node: Node) -> int:
    """How many words ``node`` asks for, of ways to write the same only the longest."""
    if isinstance(node, Words):
        return len(node.text.split())
    each = [_words_in(part) for part in parts(node)]
    return max(each) if each and is_words(node) else sum(each)


def _of_undated(node: Node, line: str) -> Iterator[Notice]:
    """That notes without a date stay where days are left out, with the line that leaves them out too."""
    if (
        isinstance(node, Not)
        and is_filter(node.child)
        and (days := [one for one in leaves(node.child) if _is_day(one)])
    ):
        meant = {"after": "before", "before": "after"}
        typed = _NO_DAY.search(line) if len(days) == 1 else None
        other = f"{meant[days[0].field]}:{days[0].value}"
        way = f"{line[: typed.start()]}{other}{line[typed.end() :]}" if typed else ""
        told = "Notes without a date are not left out by days that are." + (f" {other} leaves them out." if way else "")
        yield Notice("time", told, typed[0] if typed else "", way)
        return
    for child in parts(node):
        yield from _of_undated(child, line)


def _is_day(leaf: Leaf) -> TypeGuard[FieldIs]:
    return isinstance(leaf, FieldIs) and BY_KEY[leaf.field].is_day


def _check_days(node: Node) -> None:
    """
    Raises:
        QueryError: the days beside each other leave none.
    """
    if isinstance(node, AllOf):
        days = list(_days_of(node))
        after = max((one.value for one in days if one.field == "after"), default="")
        before = min((one.value for one in days if one.field == "before"), default="")
        if after and before and after >= before:
            raise QueryError(f"after:{after} and before:{before} leave no day.", "Swap them.")
    for child in getattr(node, "children", ()):
        _check_days(child)


def _days_of(node: AllOf) -> Iterator[FieldIs]:
    """The days that hold for all of it, in brackets of fields too: "in 2019" is one."""
    for child in node.children:
        if isinstance(child, FieldIs) and BY_KEY[child.field].is_day:
            yield child
        elif isinstance(child, AllOf) and is_filter(child):
            yield from _days_of(child)


def _ranked(items: Sequence[Item], line: str) -> Iterator[str]:
    """Words of a segment to rank by; what stands behind an operator for "not" is none."""
    depth = 0
    excluded: int | None = None
    before: Item | None = None
    for item in items:
        sign = item.sign if isinstance(item, Mark) else ""
        if excluded is None and isinstance(before, Mark) and before.sign == "not":
            excluded = depth
        depth += (sign == "(") - (sign == ")")
        if excluded is None and isinstance(item, Plain):
            yield " ".join(line[item.begin : item.end].split())
        elif excluded is None and isinstance(item, Part) and (told := rank_text(item.node)):
            yield told
        if excluded is not None and depth <= excluded and sign != "not":
            excluded = None
        before = item


def _each(items: Sequence[Item], line: str, reading: Reading) -> list[Node]:
    """What stands under "Exclusion criteria": each of a list excludes, and what no sign parts excludes together, with
    what is left out of it: "HIV not on ART"."""
    groups: list[list[Item]] = [[]]
    depth = 0
    for n, item in enumerate(items):
        sign = item.sign if isinstance(item, Mark) else ""
        depth += (sign == "(") - (sign == ")")
        if sign == "but" and groups[-1] and _leaves_out(items, n, line):
            continue
        if depth or sign not in ("and", "or", "but", ","):
            groups[-1].append(item)
        else:
            groups.append([])
    return [node for group in groups if (node := combined(group, line, reading.aside)) is not None]


def _leaves_out(items: Sequence[Item], n: int, line: str) -> bool:
    """Whether words, and no comma, begin what is left out there."""
    behind = items[n + 1] if n + 1 < len(items) else None
    typed = line[items[n].begin : items[n].end].strip()
    return isinstance(behind, Part) and isinstance(behind.node, Not) and typed not in (",", ";")


def _one_only(node: Node) -> Node:
    """``node`` without those to whom both of its two alternatives apply."""
    if isinstance(node, AllOf):
        return all_of(map(_one_only, node.children))
    if not isinstance(node, AnyOf):
        return node
    _, *others = node.children
    return all_of([node, not_(all_of(node.children))]) if len(others) == 1 else node


def _topic_of_the_one_before(wanted: list[Node], node: Node) -> list[Node] | None:
    """ "gout; prognosis": a topic where the second part is but an aspect."""
    if not wanted or not isinstance(node, Words | Finding) or not isinstance(wanted[-1], Finding):
        return None
    said = node.text if isinstance(node, Words) else node.name if node.assertion == "present" else ""
    aspect = wording().aspect_of.get(said.lower())
    if aspect is None or wanted[-1].assertion != "present":
        return None
    return [*wanted[:-1], Topic(wanted[-1].name, aspect)]


def _aside(line: str, spans: list[tuple[int, int]]) -> tuple[str, ...]:
    """What was left aside, neighbours together, in the order of the line."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(set(spans)):
        if merged and not any(c.isalnum() for c in line[merged[-1][1] : begin]):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return tuple(" ".join(line[b:e].split()) for b, e in merged if any(c.isalnum() for c in line[b:e]))
