"""A question as the builder shows it: groups and criteria, each with its patients, and what is left after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from search_stack.language.amounts import may_have
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.sites import SITELESS, names
from search_stack.query.amount import amount_text
from search_stack.query.items import Notice
from search_stack.query.nodes import AllOf, AnyOf, Finding, Near, Node, Not, Timed
from search_stack.query.tree import NodePath, at, is_filter, parts
from search_stack.query.understand import Understood
from search_stack.query.write import readable
from ui.cohort_page import StepBar
from ui.criteria import Control, controls
from ui.edge import ORDERS, Edge
from ui.frame import Frame
from ui.when import ONE, SEVERAL, When

MOST_STEPS = 50
"""Lines that can be gone back to."""
Count = Callable[[Node], tuple[int, int]]
"""Patients and notes of a part of the question by itself."""


@dataclass(frozen=True, slots=True)
class Block:
    """A group or a criterion. ``path`` names its place in the form."""

    path: str
    kind: str
    """all, any, time, filter or criterion."""
    excluded: bool
    text: str
    patients: int | None
    """None of a filter, which says where the others are looked for."""
    notes: int | None
    members: tuple[Block, ...]
    controls: tuple[Control, ...]
    number: str | None = None
    """What a number must tell of it, empty for whatever number; None where none may tell anything of it."""
    site: str | None = None
    """Where in the body it must be, empty for wherever; None of what is nowhere."""
    edge: Edge | None = None
    """Between its two members, where they lie in time."""
    when: When | None = None
    """What is said of the time of its members."""

    @property
    def fresh(self) -> When:
        """What is to be said of its time, as long as nothing is."""
        return When("")

    @property
    def is_group(self) -> bool:
        """Whether criteria may be added to it."""
        return self.kind in ("all", "any") or bool(self.when and self.when.kind in SEVERAL)

    @property
    def inner(self) -> str:
        """The place of the group or criterion itself, inside what excludes it."""
        if not self.excluded:
            return self.path
        return f"{self.path}.0" if self.path != "top" else "0"

    def groups(self) -> Iterator[Block]:
        """All in it that criteria are added to."""
        for member in self.members:
            if member.is_group:
                yield member
            yield from member.groups()


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands in fields and was not asked for yet."""

    line: str = ""
    """Empty where the line says what is asked."""
    adds: Mapping[str, str] = field(default_factory=dict)
    """By place."""

    def in_(self, root: Block | None) -> Typed:
        """The same in the fields that are there; what has lost its own stands in the outermost."""
        if root is None:
            return Typed(" ".join((*filter(None, [self.line]), *self.adds.values())))
        there = {root.inner, *(group.inner for group in root.groups())}
        lost = [words for at, words in self.adds.items() if at not in there]
        kept = {at: words for at, words in self.adds.items() if at in there}
        if not lost:
            return self
        return replace(self, adds=kept | {root.inner: " ".join((*filter(None, [kept.get(root.inner)]), *lost))})


@dataclass(frozen=True, slots=True)
class State:
    """A line with those before it and those that were gone back from."""

    line: str
    past: tuple[str, ...] = ()
    future: tuple[str, ...] = ()

    def then(self, line: str) -> State:
        return self if line == self.line else State(line, (*self.past, self.line)[-MOST_STEPS:])

    def back(self) -> State:
        return State(self.past[-1], self.past[:-1], (*self.future, self.line)) if self.past else self

    def forth(self) -> State:
        return State(self.future[-1], (*self.past, self.line), self.future[:-1]) if self.future else self


EXAMPLES = (
    ("pneumothorax within 30 days after pacemaker", "one finding after another"),
    ("(chest pain or dyspnea), no fever", "one of several, and another ruled out"),
    ("heart failure without pneumonia", "one finding, not the other"),
)


@dataclass(frozen=True, slots=True)
class BuilderPage:
    frame: Frame
    state: State
    typed: Typed
    problem: str = ""
    meant: str = ""
    """The line with what may have been meant in the place of what there is not."""
    said: str = ""
    root: Block | None = None
    """None where nothing is asked yet."""
    steps: tuple[StepBar, ...] = ()
    patients: int = 0
    notes: int = 0
    aside: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    pair: bool = False
    """Whether two criteria stand there that are related where none is ticked."""
    orders: Mapping[str, str] = field(default_factory=lambda: ORDERS)
    times: Mapping[str, str] = field(default_factory=lambda: ONE)
    """What may be said of the time of one criterion."""
    same: Mapping[str, str] = field(default_factory=lambda: SEVERAL)
    """And of several."""
    examples: tuple[tuple[str, str], ...] = EXAMPLES
    sites: tuple[str, ...] = field(default_factory=names)
    """Where in the body something may be, and how severe."""


def block(asked: Understood, lexicon: Lexicon | None, count: Count, path: NodePath = ()) -> Block:
    """What stands at ``path`` of the question, with all inside."""
    node = at(asked.query, path)
    excluded = isinstance(node, Not) and not is_filter(node)
    inner, there = ((*path, 0), parts(node)[0]) if excluded else (path, node)
    is_drawn = isinstance(there, AllOf | AnyOf | Timed) and not is_filter(there)
    members = range(len(parts(there))) if is_drawn else range(0)
    patients, notes = (None, None) if is_filter(node) else count(there)
    return Block(
        path=place(path),
        kind=_kind(there),
        excluded=excluded,
        text=readable(there),
        patients=patients,
        notes=notes,
        members=tuple(block(asked, lexicon, count, (*inner, n)) for n in members),
        controls=() if members else tuple(controls(asked, path, node, {}, lexicon)),
        number=_number(there, lexicon),
        site=_site(there, lexicon),
        edge=Edge.of(there) if isinstance(there, Near) else None,
        when=When.of(there) if isinstance(there, Timed) else None,
    )


def _number(node: Node, lexicon: Lexicon | None) -> str | None:
    if not lexicon or not isinstance(node, Finding):
        return None
    concept = lexicon.find(node.name)
    return number_in(node) if concept and may_have(concept.id, lexicon) else None


def _site(node: Node, lexicon: Lexicon | None) -> str | None:
    if not lexicon or not isinstance(node, Finding):
        return None
    concept = lexicon.find(node.name)
    return node.site if concept and concept.kind not in SITELESS else None


def number_in(finding: Finding) -> str:
    """What a number must tell of it; empty for whatever number."""
    return amount_text(finding.amount) if finding.amount else ""


def pair(query: Node) -> tuple[NodePath, ...]:
    """The two criteria of an outermost group that has no others, but for filters; else none."""
    group = query if isinstance(query, AllOf | AnyOf) and not is_filter(query) else None
    found = [(n,) for n, part in enumerate(parts(group)) if not is_filter(part)] if group else []
    asked = all(not isinstance(at(query, path), Not) for path in found)
    return tuple(found) if len(found) == 2 and asked else ()


def _kind(node: Node) -> str:
    if is_filter(node):
        return "filter"
    if isinstance(node, Timed):
        return "time"
    return "all" if isinstance(node, AllOf) else "any" if isinstance(node, AnyOf) else "criterion"


def place(path: NodePath) -> str:
    """
    >>> place((0, 2)), place(())
    ('0.2', 'top')
    """
    return ".".join(map(str, path)) or "top"


def path_of(place: str) -> NodePath:
    """
    Raises:
        ValueError: it is none.
    """
    return () if place == "top" else tuple(map(int, place.split(".")))
