"""The triggers of `triggers.toml`, as a tree over their words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.core.schema import ASSERTIONS
from search_stack.language.assertion.judgement import Target

TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
SAYS = (
    "absent",
    "normal",
    "possible",
    "hypothetical",
    "historical",
    "family",
    "persists",
    "affirmed",
    "recent",
    "done",
    "arrived",
    "own",
    "pseudo",
    "end",
    "statement",
    "relative",
)
WHERE = ("forward", "backward", "both")
CLASSES = ("{year}", "{number}", "{clock}")
"""Tokens that are alike by their form, as phrases name them."""
PASSING = frozenset(("finding", "symptom"))
NUMBERS = frozenset(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"))
NUMBERS |= frozenset(("fifteen", "twenty", "thirty", "several", "many", "few"))
_SLOT = re.compile(r"\{(?P<name>\w+)\}")
_CLASS = re.compile(r"(\{year\}|\{number\}|\{clock\})")
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
"""A time of day as charts have it: "0312"."""
_MARKED = re.compile(r"\[[^\]|]+(?:\|(?P<kind>[^\]]*))?\]")


@dataclass(frozen=True, slots=True)
class Trigger:
    says: str
    where: str
    reach: int = 0
    """Words that the scope is long, at most; 0 where the clause alone ends it."""
    final: bool = False
    """Only where the clause ends behind it."""
    initial: bool = False
    """Only where a sentence begins."""
    adjoins: bool = False
    """Of what ends right before it alone, as an answer does: "chest pain no"."""
    unless: tuple[str, ...] = ()
    """Words; it says nothing of a mention right before one of them."""
    settled: bool = False
    """Of a condition: a denial behind it settles it."""
    clause: bool = False
    """Of a condition: it ends with its clause, as other scopes do."""
    reasoned: bool = False
    """Of a condition: it ends with why it is said, "at risk for falls due to dementia"."""
    named: bool = False
    """Of factors: it ends where they are named, "risk factors for CAD: smoking"."""
    noted: bool = False
    """In notes alone: in a question "I need" says what the asker wants."""
    asked: bool = False
    """In questions alone: "no longer on warfarin" asks for those who are without it, a note tells that it was taken."""
    ticked: bool = False
    """A tick or sign of a form, which settles what it says."""
    kinds: tuple[str, ...] = ()
    """Kinds of concepts of which alone it says something; of all where there are none."""
    spares: tuple[str, ...] = ()
    """Kinds of concepts of which it says nothing; "chronic" among them for whatever does not go away."""
    outside: tuple[str, ...] = ()
    """Aspects of sections in which it says nothing."""

    def concerns(self, target: Target) -> bool:
        """Whether it may say something of such a mention, wherever it stands."""
        if self.kinds and target.kind not in self.kinds:
            return False
        if target.chronic and "chronic" in self.spares:
            return False
        # A finding of now is spared, not one that is over by itself: "history of bacteremia".
        return target.kind not in self.spares or (
            target.passing and target.kind in PASSING and self.says == "historical"
        )


Way = tuple[str, ...]
"""Words that follow each other."""


@dataclass(slots=True)
class Node:
    """Words that go on, and the triggers that end here.

    A hundred thousand phrases come of the slots of a few thousand, and a process meets a few hundred of them: what goes
    on from here is grown when it is first asked for.
    """

    triggers: tuple[Trigger, ...] = ()
    _waiting: list[tuple[Way, Sequence[tuple[Way, ...]], Trigger]] = field(default_factory=list)
    """Of each phrase that goes on: the next words, where they are settled, then the choices of each further part, and
    what the phrase says."""
    _onward: dict[str, Node] | None = None

    @property
    def onward(self) -> dict[str, Node]:
        """By the next word."""
        if self._onward is None:
            self._onward = self._grown()
        return self._onward

    def add(self, settled: Way, choices: Sequence[tuple[Way, ...]], trigger: Trigger) -> None:
        """A phrase from here."""
        if settled or choices:
            self._waiting.append((settled, choices, trigger))
        elif trigger not in self.triggers:
            self.triggers = (*self.triggers, trigger)

    def _grown(self) -> dict[str, Node]:
        onward: dict[str, Node] = {}
        for settled, choices, trigger in self._waiting:
            ways, rest = ((settled,), choices) if settled else (choices[0], choices[1:])
            for first, *more in ways:
                onward.setdefault(first, Node()).add(tuple(more), rest, trigger)
        return onward


def words(phrase: str) -> list[str]:
    return TOKEN.findall(phrase.lower().replace("’", "'"))


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with the mention in brackets, and what is said of it: for a group of triggers where the group decides
    it, against where it must not."""

    sentence: str
    assertion: str
    kind: str
    chronic: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Triggers that say the same alike."""

    trigger: Trigger
    written: tuple[str, ...]
    examples: tuple[Example, ...]

    @property
    def phrases(self) -> tuple[str, ...]:
        """Each phrase that is written, with every choice of words for its slots."""
        return tuple(one for phrase in self.written for one in filled(phrase, _slots()))


@cache
def groups() -> tuple[Group, ...]:
    """The table as written.

    Raises:
        ValueError: the table says what there is not.
    """
    return tuple(_group(dict(group)) for group in _written()["triggers"])


@cache
def _slots() -> dict[str, list[str]]:
    return {name: slot(name) for name in _written()["slots"]}


def slot(name: str) -> list[str]:
    """The words of a slot, which others than triggers may name too.

    Raises:
        KeyError: there is no such slot.
    """
    words: str = _written()["slots"][name]
    return words.split()


@cache
def _written() -> dict[str, Any]:
    path = files("search_stack.language.assertion") / "triggers.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _group(row: dict[str, Any]) -> Group:
    phrases = tuple(row.pop("phrases"))
    examples = tuple(_example(line) for line in row.pop("examples", ()))
    options: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}
    trigger = Trigger(**options)
    if trigger.says not in SAYS or trigger.where not in WHERE:
        raise ValueError(f"triggers.toml: says {trigger.says}, where {trigger.where}: no such thing")
    return Group(trigger, phrases, examples)


def filled(phrase: str, slots: Mapping[str, list[str]]) -> list[str]:
    """The phrase with every choice of words for its slots; those of `CLASSES` stay.

    >>> filled("{be} gone", {"be": ["is", "are"]})
    ['is gone', 'are gone']
    """
    for found in _SLOT.finditer(phrase):
        if found["name"] in slots:
            chosen = (word.replace("_", " ") for word in slots[found["name"]])
            return [f for word in chosen for f in filled(phrase.replace(found[0], word, 1), slots)]
    return [phrase]


def _example(line: str) -> Example:
    """Of a line as "present: History of [COPD|disorder chronic]."."""
    assertion, _, sentence = line.partition(": ")
    marked = _MARKED.search(sentence)
    if assertion not in ASSERTIONS or not marked:
        raise ValueError(f"triggers.toml: {line!r}: no example")
    kind, _, course = (marked["kind"] or "").partition(" ")
    return Example(sentence.replace(f"|{marked['kind']}]", "]"), assertion, kind, course == "chronic")


@cache
def tree(asked: bool = False) -> Node:
    """Every phrase of the table, word by word from the root; those of questions where ``asked``."""
    return grown(g for g in groups() if not (g.trigger.noted if asked else g.trigger.asked))


def grown(found: Iterable[Group]) -> Node:
    """Every phrase of ``found``, word by word from the root."""
    root = Node()
    for group in found:
        for phrase in group.written:
            root.add((), _choices(phrase), group.trigger)
    return root


def ending(root: Node, phrase: str) -> Node:
    """Where ``phrase``, without slots, ends below ``root``.

    Raises:
        KeyError: nothing goes on so.
    """
    node = root
    for word in _words(phrase):
        node = node.onward[word]
    return node


def _choices(phrase: str) -> tuple[tuple[Way, ...], ...]:
    """For each part between blanks the words that may stand there."""
    return tuple(map(_ways, phrase.split()))


@cache
def _ways(part: str) -> tuple[Way, ...]:
    return tuple(dict.fromkeys(tuple(_words(one)) for one in filled(part, _slots())))


def _words(phrase: str) -> list[str]:
    """Its tokens, and the names of classes of tokens: "{year}"."""
    if "{" not in phrase:
        return words(phrase)
    return [w for part in _CLASS.split(phrase) for w in ([part] if part in CLASSES else words(part))]


def onward(nodes: Sequence[Node], token: str) -> list[Node]:
    """Where ``token`` leads, by itself and by its class: "4" in "4 +" and in "4 days after"."""
    kind = class_of(token)
    ways = (token, "{clock}", kind) if kind and _CLOCK.fullmatch(token) else (token, kind)
    return [node.onward[way] for node in nodes for way in ways if way in node.onward]


def class_of(token: str) -> str:
    """The class of a token by its form, one of `CLASSES`; empty for a word.

    >>> class_of("1998"), class_of("12"), class_of("two"), class_of("x")
    ('{year}', '{number}', '{number}', '')
    """
    if token.isdigit():
        return "{year}" if len(token) == 4 and token[:2] in ("19", "20") else "{number}"
    return "{number}" if token in NUMBERS else ""


def longest(root: Node, tokens: Sequence[str], at: int, stop: int) -> tuple[int, tuple[Trigger, ...]]:
    """The end of the longest phrase from ``at`` to ``stop`` at most, and its triggers; else ``at`` and none."""
    nodes = [root]
    found: tuple[Trigger, ...] = ()
    end = n = at
    while n < stop and nodes:
        nodes = onward(nodes, tokens[n])
        n += 1
        for node in nodes:
            if node.triggers:
                end, found = n, node.triggers
                break
    return end, found
