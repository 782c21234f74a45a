"""What a tree means, worked out passage by passage over plain objects, without the engine and without its plan."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from search_stack.core.amounts import Amount
from search_stack.core.schema import ASSERTIONS, DENIED
from search_stack.language import sites as sites_package
from search_stack.query.fields import age_range
from search_stack.query.nodes import (
    AllOf,
    AnyOf,
    AtAge,
    AtLeast,
    During,
    FieldIs,
    Finding,
    Leaf,
    Near,
    Node,
    Not,
    Phrase,
    Pick,
    Timed,
    Together,
    Topic,
    Words,
)
from search_stack.query.tree import parts, pruned
from search_stack.query.write import readable
from tests.trees.collection import PARENTS, Plain

FUNCTION_WORDS = ("the", "of")
"""Of those that a search leaves out, the ones that the random trees hold."""
Key = str | int
Unit = Callable[[Plain], Key]
UNITS: dict[str, Unit] = {"passage": lambda p: p.id, "note": lambda p: p.note, "patient": lambda p: p.patient}
Numbers = tuple[int, int, int]
DAYS = ("after", "before")
Passages = tuple[Plain, ...]
remembered = lru_cache(4096)
"""What is the same for every passage of a collection is worked out once."""
BANDS = {
    "0-17": range(18),
    "18-39": range(18, 40),
    "40-64": range(40, 65),
    "65-79": range(65, 80),
    ">=80": range(80, 200),
}


def numbers(passages: Iterable[Plain]) -> Numbers:
    """Passages, notes and patients."""
    found = list(passages)
    return len(found), len({p.note for p in found}), len({p.patient for p in found})


# --- one passage ---


@cache
def is_kind_of(name: str, wanted: str) -> bool:
    return name == wanted or any(is_kind_of(parent, wanted) for parent in PARENTS[name])


def counts_as(name: str, called: str, leaf: Finding) -> bool:
    if name == leaf.name and called in leaf.less:
        return False
    if leaf.assertion in DENIED:
        return name == leaf.name
    return is_kind_of(name, leaf.name) and not any(is_kind_of(name, other) for other in leaf.less if other in PARENTS)


def lies_in(number: float, amount: Amount) -> bool:
    if amount.beyond:
        return (amount.least is None or number > amount.least) and (amount.most is None or number < amount.most)
    return (amount.least is None or number >= amount.least) and (amount.most is None or number <= amount.most)


def _apart(site: str) -> tuple[str, str, str]:
    """How severe, on which side, and in what part."""
    grade, there = _first(site, ("mild", "moderate", "severe"))
    return grade, *_first(there, ("left", "right", "bilateral"))


def _first(text: str, words: tuple[str, ...]) -> tuple[str, str]:
    found = next((one for one in words if one in text.split()[:1]), "")
    return found, text.removeprefix(found).strip()


def _lies_in(part: str) -> list[str]:
    """The part and what it lies in, from what the table of parts says of each."""
    with (Path(sites_package.__file__).parent / "sites.csv").open(encoding="utf-8", newline="") as file:
        within = {row["name"]: row["within"] for row in csv.DictReader(file)}
    out = [part] if part else []
    while out and within[out[-1]]:
        out.append(within[out[-1]])
    return out


@cache
def is_at(sites: tuple[str, ...], asked: str) -> bool:
    grade, side, part = _apart(asked)
    graded = [(one, within) for how, one, within in map(_apart, sites) if grade in (how, "")]
    inside = [one for one, within in graded if not part or part in _lies_in(within)]
    on = {each for one in inside for each in (("left", "right") if one == "bilateral" else (one,))}
    return {"": bool(inside), "bilateral": {"left", "right"} <= on}.get(side, side in on)


@cache
def denies_at(sites: tuple[str, ...], asked: str) -> bool:
    """What is denied on both sides, in the whole leg, or altogether, is in the left knee, too, and however severe."""
    grade, side, part = _apart(asked)
    sides = (side, "", "bilateral") if side or part else ("",)
    return not sites or any(
        how in (grade, "") and one in sides and within in (*_lies_in(part), "")
        for how, one, within in map(_apart, sites)
    )


def holds(p: Plain, node: Node, among: Passages, wanted: bool = True) -> bool:
    """Whether ``p`` satisfies ``node`` by itself. Function words alone are everywhere; excluded, they are nowhere.

    ``among``: what time is compared over: all that the filters around it leave.
    """
    if isinstance(node, AllOf):
        left, rest = narrowed(node, among)
        filters = [c for c in node.children if only_fields(c)]
        return all(holds(p, f, among, wanted) for f in filters) and all(holds(p, c, left, wanted) for c in rest)
    if isinstance(node, AnyOf):
        return any(holds(p, c, among, wanted) for c in node.children)
    if isinstance(node, Not):
        return not holds(p, node.child, among, not wanted)
    if isinstance(node, Timed):
        return p.note in notes(rows(node, among)) and p in _narrowing(node, [p], among)
    return _shows(p, node, wanted)


def _shows(p: Plain, leaf: Leaf, wanted: bool) -> bool:
    if isinstance(leaf, Finding) and leaf.amount:
        told = [one for one in p.told if leaf.assertion in (one[1], "any") and counts_as(one[0], "", leaf)]
        return any(lies_in(n, leaf.amount) and (not leaf.site or is_at(sites, leaf.site)) for *_, n, sites in told)
    if isinstance(leaf, Finding) and leaf.site:
        placed = [one for one in p.placed if leaf.assertion in (one[1], "any") and counts_as(one[0], "", leaf)]
        return any((denies_at if said in DENIED else is_at)(sites, leaf.site) for _, said, sites in placed)
    if isinstance(leaf, Finding):
        return any(counts_as(name, called, leaf) for name, said, called in p.said if leaf.assertion in (said, "any"))
    if isinstance(leaf, Topic):
        return any(is_kind_of(name, leaf.entity) for name in p.about) and (not leaf.aspect or _under(p, leaf.aspect))
    if isinstance(leaf, Words):
        asked = [w for w in leaf.text.split() if w not in FUNCTION_WORDS]
        return all(w in _words(p) for w in asked) if asked else wanted
    if isinstance(leaf, Phrase):
        return f" {leaf.text} " in f" {p.text} "
    assert isinstance(leaf, FieldIs)
    return _has(p, leaf)


def _words(p: Plain) -> list[str]:
    return f"{p.text} {p.heading} {p.title}".lower().split()


def _under(p: Plain, aspect: str) -> bool:
    """The passage stands under the aspect, or names it."""
    return aspect == p.aspect or aspect in _words(p)


def _has(p: Plain, leaf: FieldIs) -> bool:
    if leaf.field in DAYS:
        day = date.fromisoformat(leaf.value)
        return p.day is not None and (p.day >= day if leaf.field == "after" else p.day < day)
    if leaf.field == "age":
        least, most = age_range(leaf.value)
        return p.age >= max(0, least or 0) and (most is None or p.age <= most)
    stored = {
        "sex": (p.sex,),
        "section": (p.aspect, p.heading.lower()),
        "type": (p.type,),
        "aspect": (p.aspect,),
        "patient": (p.patient,),
        "note": (p.note_id,),
        "collection": (p.collection,),
    }
    return leaf.value in stored[leaf.field]


# --- notes and patients ---


def only_fields(node: Node) -> bool:
    if isinstance(node, AllOf | AnyOf):
        return all(map(only_fields, node.children))
    return only_fields(node.child) if isinstance(node, Not) else isinstance(node, FieldIs)


@remembered
def narrowed(node: AllOf, inside: Passages) -> tuple[Passages, list[Node]]:
    """What the filters of a bracket leave, and the rest of its children."""
    filters = [c for c in node.children if only_fields(c)]
    left = tuple(p for p in inside if all(holds(p, f, ()) for f in filters))
    return left, [c for c in node.children if c not in filters]


def units(node: Node, inside: Passages, unit: Unit, wanted: bool = True) -> set[Key]:
    """Notes or patients that satisfy ``node`` by passages of ``inside``."""
    there = {unit(p) for p in inside}
    if only_fields(node):
        return {unit(p) for p in inside if holds(p, node, (), wanted)}
    if isinstance(node, Timed):
        there = notes(rows(node, inside))
        return {unit(p) for p in inside if p.note in there}
    if isinstance(node, AllOf):
        left, rest = narrowed(node, inside)
        found = {unit(p) for p in left}
        for c in rest:
            if isinstance(c, Not):
                found -= units(c.child, left, unit, not wanted)
            else:
                found &= units(c, left, unit, wanted)
        return found
    if isinstance(node, AnyOf):
        return set().union(*(units(c, inside, unit, wanted) for c in node.children))
    if isinstance(node, Not):
        return there - units(node.child, inside, unit, not wanted)
    return {unit(p) for p in inside if holds(p, node, (), wanted)}


@remembered
def evidence(node: Node, inside: Passages) -> Passages:
    """Passages that show something that is asked for; of an exclusion alone, all that it was looked for in."""
    if only_fields(node):
        return tuple(p for p in inside if holds(p, node, ()))
    if isinstance(node, Timed):
        there = notes(rows(node, inside))
        return tuple(p for p in _narrowing(node, inside, inside) if p.note in there)
    if isinstance(node, AllOf):
        left, rest = narrowed(node, inside)
        asked = [c for c in rest if not isinstance(c, Not)]
        return _either(left, [evidence(c, left) for c in asked]) if asked else left
    if isinstance(node, AnyOf):
        return _either(inside, [evidence(c, inside) for c in node.children])
    return inside if isinstance(node, Not) else tuple(p for p in inside if holds(p, node, ()))


def _either(inside: Passages, parts: Sequence[Passages]) -> Passages:
    ids = {p.id for part in parts for p in part}
    return tuple(p for p in inside if p.id in ids)


# --- what a search answers ---


def counted(node: Node, passages: Passages, scope: str) -> list[Plain]:
    """The passages that the counts are of."""
    if scope == "passage":
        return [p for p in passages if holds(p, node, passages)]
    unit = UNITS[scope]
    found = units(node, passages, unit)
    return [p for p in evidence(node, passages) if unit(p) in found]


def alone(node: Node, passages: Passages, scope: str) -> tuple[int, ...]:
    """For each criterion how many have it, in what the filters leave; of an exclusion, how many it shuts out."""
    out = []
    for c in node.children if isinstance(node, AllOf) else (node,):
        left = narrowed(node, passages)[0] if isinstance(node, AllOf) and not only_fields(c) else passages
        shut_out = isinstance(c, Not) and not only_fields(c)
        asked = c.child if isinstance(c, Not) and shut_out else c
        if scope == "passage":
            out.append(sum(holds(p, asked, left, not shut_out) for p in left))
        else:
            out.append(len(units(asked, left, UNITS[scope], not shut_out)))
    return tuple(out)


def facet(found: Sequence[Plain], name: str, scope: str) -> dict[str, int]:
    """For each value of a facet how many have a passage of it among those that are counted."""
    values = {p.id: _value(p, name) for p in found}
    return {
        value: len({UNITS[scope](p) for p in found if values[p.id] == value})
        for value in values.values()
        if value is not None
    }


def _value(p: Plain, name: str) -> str | None:
    if name == "year":
        return str(p.day.year) if p.day else None
    if name == "age":
        return next((band for band, ages in BANDS.items() if p.age in ages), None)
    return {"type": p.type, "section": p.aspect, "sex": p.sex or None}[name]


def of_patients(shown: Sequence[Plain], passages: Sequence[Plain]) -> dict[str, dict[str, int]]:
    """For each facet of a cohort its values, each with how many patients have it. ``shown``: the evidence."""
    there = {p.note for p in shown}
    notes = [p for p in passages if p.note in there]
    return {
        "type": _patients((p, p.type) for p in notes),
        "section": _patients((p, p.aspect) for p in shown),
        "year": _patients((p, str(p.day.year)) for p in notes if p.day),
        "sex": _patients((p, p.sex) for p in notes),
        "age": _patients((p, band) for p in notes for band, ages in BANDS.items() if p.age in ages),
        "finding": _patients(
            (p, readable(Finding(above, said)))
            for p in notes
            for name, said, _ in p.said
            for above in PARENTS
            if said in ASSERTIONS and is_kind_of(name, above)
        ),
    }


def _patients(pairs: Iterable[tuple[Plain, str]]) -> dict[str, int]:
    found: dict[str, set[str]] = {}
    for p, value in pairs:
        found.setdefault(value, set()).add(p.patient)
    return {value: len(patients) for value, patients in found.items() if value}


def undated(node: Node, passages: Passages, scope: str) -> int:
    """Notes without a date that satisfy the rest of the query or are evidence in time, and are not counted."""
    found = left_out(node, passages)
    if _asks_for_days(node):
        dateless = tuple(p for p in passages if p.day is None)
        rest = _without_days(node)
        if rest is None:
            found |= {p.note for p in dateless}
        elif scope == "passage":
            found |= {p.note for p in dateless if holds(p, rest, passages)}
        else:
            satisfied = units(rest, dateless, UNITS["note"])
            found |= {p.note for p in dateless if p.note in satisfied}
    return len(found - {p.note for p in counted(node, passages, scope)})


def _asks_for_days(node: Node) -> bool:
    if isinstance(node, AllOf | AnyOf | Timed):
        return any(map(_asks_for_days, parts(node)))
    return isinstance(node, FieldIs) and node.field in DAYS


def _without_days(node: Node) -> Node | None:
    return pruned(node, lambda leaf: not (isinstance(leaf, FieldIs) and leaf.field in DAYS))


# --- time, note by note ---

Row = tuple[str, date | None, int]
"""Patient, day, note."""


def notes(found: Iterable[Row]) -> set[int]:
    return {note for _, _, note in found}


@remembered
def rows(node: Node, inside: Passages, wanted: bool = True) -> set[Row]:
    """The notes that show ``node``; several criteria where one note has them all."""
    if isinstance(node, Timed):
        return _timed(node, inside)
    if isinstance(node, AnyOf) and not only_fields(node):
        return set().union(*(rows(c, inside, wanted) for c in node.children))
    if isinstance(node, AllOf) and not only_fields(node):
        left, rest = narrowed(node, inside)
        asked = [rows(c, left, wanted) for c in rest if not isinstance(c, Not)] or [_places(left)]
        shared = set.intersection(*map(notes, asked))
        for c in rest:
            if isinstance(c, Not):
                shared -= notes(rows(c.child, left, not wanted))
        return {row for found in asked for row in found if row[2] in shared}
    if isinstance(node, Not) and not only_fields(node):
        shown = notes(rows(node.child, inside, not wanted))
        return {row for row in _places(inside) if row[2] not in shown}
    return _places([p for p in inside if holds(p, node, (), wanted)])


def _places(inside: Iterable[Plain]) -> set[Row]:
    return {(p.patient, p.day, p.note) for p in inside}


def _timed(node: Timed, inside: Passages) -> set[Row]:
    found = [rows(part, inside) for part in parts(node)]
    dated = [{row for row in some if row[1]} for some in found]
    if isinstance(node, AtLeast):
        some = found[0] if node.unit == "notes" else dated[0]
        number = {p: len({row[2 if node.unit == "notes" else 1] for row in some if row[0] == p}) for p, _, _ in some}
        return {row for row in some if number[row[0]] >= node.number}
    if isinstance(node, Pick):
        best = min if node.which == "first" else max
        return {row for row in dated[0] if row[1] == best(d for p, d, _ in dated[0] if p == row[0] and d)}
    if isinstance(node, During):
        return {r for r in dated[0] if node.after <= str(r[1]) and (not node.before or str(r[1]) < node.before)}
    if isinstance(node, AtAge):
        ages = {p.note: p.age for p in inside}
        least = max(0, node.least or 0)
        return {r for r in found[0] if ages[r[2]] >= least and (node.most is None or ages[r[2]] <= node.most)}
    if isinstance(node, Near):
        if isinstance(node.anchor, Not):
            shut = rows(node.anchor.child, inside, False)
            return {row for row in dated[0] if not any(_near(row, anchor, node) for anchor in shut)}
        return {row for row in dated[0] if any(_near(row, anchor, node) for anchor in dated[1])}
    asked = [some for part, some in zip(parts(node), found, strict=True) if not isinstance(part, Not)]
    gone = [rows(part.child, inside, False) for part in parts(node) if isinstance(part, Not)]
    return _in_one(node, asked or [_places(inside)], gone, inside)


def _near(row: Row, anchor: Row, node: Near) -> bool:
    if row[0] != anchor[0] or row[1] is None or anchor[1] is None:
        return False
    days = (row[1] - anchor[1]).days
    return (node.least is None or days >= node.least) and (node.most is None or days <= node.most)


def _in_one(node: Together, found: Sequence[set[Row]], gone: Sequence[set[Row]], inside: Sequence[Plain]) -> set[Row]:
    encounters = {p.note: p.encounter for p in inside}

    def group(row: Row) -> object:
        patient, day, note = row
        if node.by == "note":
            return note
        if node.by == "encounter":
            return (patient, encounters[note]) if encounters[note] >= 0 else None
        if day is None:
            return None
        return (patient, day) if node.by == "day" else (patient, day.year)

    shared = set.intersection(*({group(row) for row in some} - {None} for some in found))
    shared -= {group(row) for some in gone for row in some}
    return {row for some in found for row in some if group(row) in shared}


def _narrowing(node: Timed, of: Sequence[Plain], inside: Sequence[Plain]) -> list[Plain]:
    """Which of ``of`` show what ``node`` narrows."""
    shown = parts(node) if isinstance(node, Together) else parts(node)[:1]
    shown = tuple(part for part in shown if not isinstance(part, Not)) or shown
    ids = {p.id for part in shown for p in evidence(part, inside)}
    return [p for p in of if p.id in ids]


def left_out(node: Node, inside: Passages) -> set[int]:
    """Notes whose evidence time leaves out for want of a date."""
    if isinstance(node, AllOf) and not only_fields(node):
        left, rest = narrowed(node, inside)
        return set().union(*(left_out(c, left) for c in rest))
    out = set().union(*(left_out(part, inside) for part in parts(node)))
    needs = isinstance(node, Pick | During | Near)
    needs |= isinstance(node, AtLeast) and node.unit == "days"
    needs |= isinstance(node, Together) and node.by in ("day", "year")
    if needs:
        for part in parts(node):
            shut = isinstance(part, Not) and (isinstance(node, Together) or part is not parts(node)[0])
            found = rows(part.child, inside, False) if shut and isinstance(part, Not) else rows(part, inside)
            out |= {note for _, day, note in found if day is None}
    return out
