"""What the search made of the line: a chip for each criterion, with the ways to ask for it otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_stack.core.schema import DENIED
from search_stack.language.lexicon.concepts import VITAL_SIGN, Concept, Lexicon
from search_stack.language.lexicon.names import other_names
from search_stack.query.asked import EXAMPLES
from search_stack.query.nodes import ANY, FieldIs, Finding, Node, Not, Phrase, Topic, Words, said_of_kind
from search_stack.query.tree import NodePath, at, criteria, is_filter, leaves, paths, replaced
from search_stack.query.understand import Understood
from search_stack.query.write import called, readable, write
from search_stack.retrieval.answer import FacetValue
from ui.highlight import SIGNS
from ui.legend import MEANINGS
from ui.refine import without_field

NOT_PRESENT, NEVER_MENTIONED = "not present", "never mentioned"
MEANS = {
    "present": MEANINGS["present"],
    "absent": "the note says that it is not there",
    "possible": "the note calls it possible",
    "historical": "the note tells of it in the past",
    "hypothetical": "a condition, risk or plan",
    "family": "somebody in the family has it",
    "unaffected": "relatives are said not to have it",
    "done": "it was done now or in this episode",
    "planned": "it is to come",
    "past": "it was done before",
    "not done": "the note says that it was not done",
    "taking": "the patient takes it",
    "given": "it was given once, here",
    "started": "it was newly prescribed or begun",
    "stopped": "it was ended",
    "held": "it is paused",
    "allergy": "the patient does not tolerate it",
    "normal": "it found nothing amiss",
    "abnormal": "it found something amiss",
    "not taken": "the note says that it is not taken",
    ANY: "whatever is said of it",
    NOT_PRESENT: "no passage in scope says that it is there; it may be denied, possible or not mentioned",
    NEVER_MENTIONED: "no passage in scope mentions it at all",
}
NO_HUES: Mapping[NodePath, int] = {}
MOST_LISTED = 200
"""Names and narrower concepts that are listed for leaving out; a vocabulary may have thousands."""
CALLED = {"absent": "ruled out", "unaffected": "not in the family", ANY: "any mention"}
"""Assertions as chips call them, where they do not by their own names."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to ask for a finding; ``count`` is None where it was not counted."""

    name: str
    assertion: str
    sign: str
    meaning: str
    count: int | None
    active: bool
    line: str


@dataclass(frozen=True, slots=True)
class Switch:
    """Another name, or a narrower concept with all below it; ``line`` switches whether it counts."""

    name: str
    counts: bool
    line: str


@dataclass(frozen=True, slots=True)
class Control:
    """A finding inside a criterion, with all the ways to ask for it."""

    name: str
    choices: tuple[Choice, ...]
    also: tuple[Switch, ...]
    """Its other names, in the lexicon's order, those that are switched off first."""
    children: tuple[Switch, ...]
    """All narrower concepts, those that are switched off first."""
    path: tuple[int, ...] = ()
    """Where the finding stands in the query."""
    hue: int | None = None
    """Its colour in the passages, where the criterion holds more than it."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A criterion. ``line`` is the query without it, empty where nothing is left."""

    kind: str
    """finding, about, words, filter, without or group."""
    text: str
    typed: str
    """How it was typed, where that differs."""
    count: int
    line: str
    controls: tuple[Control, ...]
    left: int | None = None
    """How many there are with all that stands before it; None where that says no more than ``count``."""
    hue: int | None = None
    """Its colour in the passages, where it is one; None where none shows it."""
    words: tuple[tuple[str, int], ...] = ()
    """What else than findings it holds, each in its colour, where it holds several."""


def chips(
    asked: Understood,
    counted: Sequence[int],
    assertions: Sequence[FacetValue],
    lexicon: Lexicon | None,
    lefts: Sequence[int] = (),
    hues: Mapping[NodePath, int] = NO_HUES,
) -> tuple[Chip, ...]:
    """``counted``: how many each criterion has alone; ``assertions``: of the one finding that is asked for, where
    there is only one; those that are excluded have other numbers; ``lefts``: how many each criterion leaves, one after
    the other, where that was counted; ``hues``: as of `ui.hues.places`."""
    by_assertion = {v.value: v.count for v in assertions}
    out = []
    asked_for = criteria(asked.query)
    for n, (node, count) in enumerate(zip(asked_for, counted, strict=True)):
        path = (n,) if len(asked_for) > 1 else ()
        inside = [(path + inner, leaf) for inner, leaf in paths(node)]
        alone = len(inside) == 1
        shown = controls(asked, path, node, by_assertion, lexicon)
        ways = {control.path for control in shown}
        out.append(
            Chip(
                _kind(node),
                _text(node),
                _typed(node, asked),
                count,
                _without(asked, path, node),
                tuple(shown if alone else [replace(one, hue=hues.get(one.path)) for one in shown]),
                lefts[n] if n and lefts else None,
                hues.get(inside[0][0]) if alone else None,
                () if alone else tuple((readable(x), hues[p]) for p, x in inside if p in hues and p not in ways),
            )
        )
    return tuple(out)


def filters_early(asked_for: Sequence[Node]) -> tuple[list[Node], list[int]]:
    """The criteria with every filter no later than behind the first that is none, and for each of ``asked_for`` the
    place among them up to which its own and all before it stand."""
    lead = next((n for n, node in enumerate(asked_for) if not is_filter(node)), len(asked_for))
    first, rest = asked_for[: lead + 1], asked_for[lead + 1 :]
    filters, others = [c for c in rest if is_filter(c)], [c for c in rest if not is_filter(c)]
    places = list(range(lead))
    for node in asked_for[lead:]:
        before = places[-1] if len(places) > lead else lead - 1 + len(filters)
        places.append(before + (not is_filter(node)))
    return [*first, *filters, *others], places


def _kind(node: Node) -> str:
    if is_filter(node):
        return "filter"
    if isinstance(node, Not):
        return "without"
    kinds = {Finding: "finding", Topic: "about", Words: "words", Phrase: "words"}
    return kinds.get(type(node), "group")


def _text(node: Node) -> str:
    """Of an exclusion what is excluded; a finding by its name where its control says the rest."""
    shown = node.child if isinstance(node, Not) and not is_filter(node) else node
    if isinstance(shown, Finding) and (shown is node or shown.assertion in ("present", ANY)):
        return called(shown)
    return readable(shown)


def _typed(node: Node, asked: Understood) -> str:
    """The words of the line that became ``node``, where it is called otherwise."""
    found = dict.fromkeys(asked.typed[leaf] for leaf in leaves(node) if leaf in asked.typed)
    said = _text(node).casefold()
    return ", ".join(t for t in found if t.casefold() not in said and t.partition(":")[0].lower() not in EXAMPLES)


def _without(asked: Understood, path: tuple[int, ...], node: Node) -> str:
    if isinstance(node, FieldIs):
        return without_field(asked, node) or ""
    rest = replaced(asked.query, path, None)
    return write(rest) if rest is not None else ""


def controls(
    asked: Understood,
    path: tuple[int, ...],
    node: Node,
    counts: Mapping[str, int],
    lexicon: Lexicon | None,
) -> list[Control]:
    """One for each finding inside."""
    out = []
    for inner, leaf in paths(node):
        if not isinstance(leaf, Finding):
            continue
        whole = (*path, *inner)
        negated = bool(whole) and isinstance(parent := at(asked.query, whole[:-1]), Not) and parent.child == leaf
        place = whole[:-1] if negated else whole
        excluded = any(isinstance(at(asked.query, whole[:n]), Not) for n in range(len(whole)))
        control = _control(asked, place, leaf, negated, {} if excluded else counts, lexicon)
        out.append(replace(control, path=whole))
    return out


def _control(
    asked: Understood,
    place: tuple[int, ...],
    leaf: Finding,
    negated: bool,
    counts: Mapping[str, int],
    lexicon: Lexicon | None,
) -> Control:
    concept = lexicon.find(leaf.name) if lexicon else None
    ways: list[tuple[str, str, Node]] = [
        (CALLED.get(a, a), a, replace(leaf, assertion=a)) for a in said_of_kind(concept.kind if concept else "")
    ]
    ways.append((NOT_PRESENT, "", Not(replace(leaf, assertion="present"))))
    if leaf.is_whole:
        ways.append((NEVER_MENTIONED, "", Not(replace(leaf, assertion=ANY))))
    now: Node = Not(leaf) if negated else leaf
    if now not in [node for _, _, node in ways]:
        ways.append((f"not {CALLED.get(leaf.assertion, leaf.assertion)}", "", now))
    choices = []
    for name, assertion, node in ways:
        sign = SIGNS.get(assertion, "")
        tree = replaced(asked.query, place, node)
        choices.append(
            Choice(
                name,
                assertion,
                sign if sign != name else "",
                MEANS.get(assertion or name, ""),
                counts.get(assertion, 0) if counts and assertion else None,
                node == now,
                write(tree) if tree is not None else "",
            )
        )
    if lexicon is None or concept is None or not leaf.is_whole:
        return Control(leaf.name, tuple(choices), (), ())
    below = _below(leaf, concept, lexicon)
    also = _switches(asked, place, leaf, now, [n for n in other_names(concept) if n not in below])
    return Control(leaf.name, tuple(choices), also, _switches(asked, place, leaf, now, sorted(below)))


def _below(leaf: Finding, concept: Concept, lexicon: Lexicon) -> set[str]:
    """Names of all that is narrower and counts with it. Who lacks a narrower one is not counted as lacking it: there is
    nothing to switch."""
    return set() if leaf.assertion in DENIED else {lexicon.name_of(i) for i in lexicon.descendants(concept.id)}


def alternatives(leaf: Finding, lexicon: Lexicon | None) -> tuple[dict[str, Finding], dict[str, Finding]]:
    """What the ways to ask for a finding would count: by assertion, and by the name of what is narrower, that alone.

    Vital signs, which everybody has, are none of these.
    """
    concept = lexicon.find(leaf.name) if lexicon else None
    said = {a: replace(leaf, assertion=a) for a in said_of_kind(concept.kind if concept else "")}
    if lexicon is None or concept is None or not leaf.is_whole:
        return said, {}
    below = sorted(_below(leaf, concept, lexicon), key=lambda name: (name not in leaf.less, name))[:MOST_LISTED]
    known = {name: lexicon.find(name) for name in below}
    return said, {name: Finding(name, leaf.assertion) for name, one in known.items() if one and one.kind != VITAL_SIGN}


def _switches(
    asked: Understood, place: tuple[int, ...], leaf: Finding, now: Node, names: Sequence[str]
) -> tuple[Switch, ...]:
    out = []
    for name in sorted(names, key=lambda n: n not in leaf.less)[:MOST_LISTED]:
        less = tuple(n for n in leaf.less if n != name) if name in leaf.less else tuple(sorted((*leaf.less, name)))
        switched = replace(leaf, less=less)
        tree = replaced(asked.query, place, Not(switched) if isinstance(now, Not) else switched)
        out.append(Switch(name, name not in leaf.less, write(tree) if tree is not None else ""))
    return tuple(out)
