"""What shows a criterion inside a note: mentions of what was asked for, at their offsets. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from search_stack.cohorts.clauses import EVERYTHING, NOTHING, Clause
from search_stack.cohorts.named import Counted
from search_stack.cohorts.plan import Plan
from search_stack.core import schema
from search_stack.core.schema import Hit, answering
from search_stack.query.nodes import ANY, Fact, FieldIs, Finding, Leaf, Near, Node, Not, Phrase, Words
from search_stack.query.tree import parts
from search_stack.query.write import readable

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A leaf that a passage or a structured fact can show."""

    leaf: Leaf
    said: str
    """In words."""
    holds: Clause
    """Passages or facts that show it."""
    counted: Counted = field(default_factory=Counted)
    """Of a finding or topic: the mentions that count with it."""

    def is_shown_by(self, finding: schema.Finding) -> bool:
        if finding not in self.counted:
            return False
        if not isinstance(self.leaf, Finding) or self.leaf.assertion == ANY:
            return True
        return not set(answering(self.leaf.assertion, finding.kind)).isdisjoint(finding.counts_as)


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in notes of which it is known that they satisfy a tree."""

    plan: Plan
    criteria: tuple[Criterion, ...]
    facts: tuple[Criterion, ...]
    """Structured facts."""

    @classmethod
    def of(cls, plan: Plan) -> Sought:
        """Whose the notes are and how they lie in time is known already: of that, nothing is asked again."""
        leaves = [leaf for leaf in dict.fromkeys(_shown(plan.node)) if not isinstance(leaf, FieldIs)]
        said = (leaf for leaf in leaves if not isinstance(leaf, Fact))
        return cls(
            replace(plan, within=None, standing=_Known()),
            tuple(Criterion(leaf, readable(leaf), plan.holds(leaf), plan.counted(leaf)) for leaf in said),
            tuple(Criterion(leaf, readable(leaf), plan.fact(leaf)) for leaf in leaves if isinstance(leaf, Fact)),
        )


def _shown(node: Node) -> Iterator[Leaf]:
    """The leaves that evidence shows: those that are asked for, but for what others are only near to."""
    if isinstance(node, Leaf):
        yield node
    elif not isinstance(node, Not):
        for part in (node.child,) if isinstance(node, Near) else parts(node):
            yield from _shown(part)


class _Known(dict[object, Clause]):
    """Of people and time every passage of the notes is; of structured facts none."""

    def __missing__(self, key: object) -> Clause:
        return NOTHING if isinstance(key, Fact) else EVERYTHING


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage with which of the criteria hold in it, by their numbers."""

    hit: Hit
    note_version: int
    held: tuple[int, ...]
    words: tuple[Span, ...] = ()
    """Offsets into the passage of words that were asked for."""
    phrases: tuple[Span, ...] = ()

    @property
    def spot(self) -> Spot:
        return Spot(self.hit.note_key, self.hit.passage_id, self.held)


@dataclass(frozen=True, slots=True)
class Spot:
    """A passage that shows criteria, by their numbers; its text is not read."""

    note_key: int
    passage_id: str
    held: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownFact:
    """A structured fact, by its key in the ledger, with the criteria that it shows, by their numbers."""

    patient_no: int
    day: int
    key: int
    held: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that shows criteria; offsets count in the note. Without a finding it is a passage, whose ``spans`` are
    what matched in it."""

    criteria: tuple[str, ...]
    begin: int
    end: int
    finding: schema.Finding | None = None
    spans: tuple[Span, ...] = ()


def mentions(shown: Shown, criteria: Sequence[Criterion]) -> Iterator[Mention]:
    """Each mention that satisfies a criterion once, in the order of the text; then the passage itself for criteria
    that it shows by words, or as a topic that it does not name."""
    findings: dict[int, list[str]] = {}
    others: dict[tuple[Span, ...], list[str]] = {}
    for number in shown.held:
        criterion = criteria[number]
        own = [n for n, f in enumerate(shown.hit.findings) if criterion.is_shown_by(f)]
        for n in own:
            findings.setdefault(n, []).append(criterion.said)
        if not own:
            others.setdefault(_spans(shown, criterion.leaf), []).append(criterion.said)
    found = [(shown.hit.findings[n], tuple(said)) for n, said in findings.items()]
    for finding, said in sorted(found, key=lambda one: (one[0].begin, one[0].end, one[0].concept)):
        yield Mention(said, finding.begin, finding.end, finding)
    for spans, names in sorted(others.items()):
        begin, end = (spans[0][0], spans[-1][1]) if spans else (shown.hit.begin, shown.hit.end)
        yield Mention(tuple(names), begin, end, None, spans)


def _spans(shown: Shown, leaf: Leaf) -> tuple[Span, ...]:
    """In the note."""
    marked = shown.phrases if isinstance(leaf, Phrase) else shown.words if isinstance(leaf, Words) else ()
    return tuple((begin + shown.hit.begin, end + shown.hit.begin) for begin, end in marked)


def held(names: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the criteria among the names of the clauses that matched.

    >>> held(["criterion 2", "every word", "criterion 0"])
    (0, 2)
    """
    return tuple(sorted(int(name.removeprefix(NAMED)) for name in names if name.startswith(NAMED)))


NAMED = "criterion "
"""What the engine calls the clause of a criterion, before its number."""


def named(criteria: Sequence[Criterion]) -> list[Clause]:
    return [{"bool": {"filter": [c.holds], "_name": f"{NAMED}{n}"}} for n, c in enumerate(criteria)]
