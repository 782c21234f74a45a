"""Every group of triggers that has examples is right on them, and is needed by one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from search_stack.language.assertion import Judgement, Sentence, Target, assess, scopes
from search_stack.language.assertion.table import Example, Group, Node, Trigger, ending, groups, grown

SHOWN = [g for g in groups() if g.examples]


def judged(example: Example) -> Judgement:
    begin, end = example.sentence.index("["), example.sentence.index("]") - 1
    text = example.sentence.replace("[", "").replace("]", "")
    return assess(Sentence(text, 0, len(text)), [Target(begin, end, example.kind, example.chronic)])[0]


def said(example: Example) -> str:
    return judged(example).assertion


def weighed(example: Example) -> tuple[str, bool, bool]:
    """What is said, whether the arbiter may say otherwise, and whether it is denied of whomever."""
    one = judged(example)
    return one.assertion, one.settled, one.denied


@pytest.mark.parametrize("group", SHOWN, ids=lambda g: g.phrases[0])
def test_examples_are_judged_as_they_say(group: Group) -> None:
    assert [(e.sentence, said(e)) for e in group.examples] == [(e.sentence, e.assertion) for e in group.examples]


@pytest.fixture(scope="module")
def all_grown() -> Node:
    return grown(groups())


@contextmanager
def without(group: Group, root: Node) -> Iterator[None]:
    """``root`` as if ``group`` were not written: growing all others anew takes a third of a second for each."""
    others = {
        (phrase, g.trigger) for g in groups() if g is not group and g.trigger == group.trigger for phrase in g.phrases
    }
    gone = [ending(root, phrase) for phrase in group.phrases if (phrase, group.trigger) not in others]
    before = [(node, node.triggers) for node in gone]
    for node in gone:
        node.triggers = tuple(t for t in node.triggers if t != group.trigger)
    try:
        yield
    finally:
        for node, triggers in reversed(before):
            node.triggers = triggers


def test_what_is_taken_out_is_not_grown_and_nothing_else_is(all_grown: Node) -> None:
    before, group = triggers_of(all_grown), groups()[0]
    with without(group, all_grown):
        assert triggers_of(all_grown) == triggers_of(grown(groups()[1:]))
    assert triggers_of(all_grown) == before


def triggers_of(root: Node, words: tuple[str, ...] = ()) -> dict[tuple[str, ...], frozenset[Trigger]]:
    found = {words: frozenset(root.triggers)} if root.triggers else {}
    for word, node in root.onward.items():
        found |= triggers_of(node, (*words, word))
    return found


@pytest.mark.parametrize("group", SHOWN, ids=lambda g: g.phrases[0])
def test_without_the_group_an_example_is_judged_otherwise(
    group: Group, all_grown: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [weighed(e) for e in group.examples]
    monkeypatch.setattr(scopes, "tree", lambda asked=False: all_grown)
    with without(group, all_grown):
        assert [weighed(e) for e in group.examples] != shown
