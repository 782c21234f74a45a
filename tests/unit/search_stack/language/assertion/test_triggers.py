"""Every group of triggers that has examples is right on them, and is needed by one of them."""

from __future__ import annotations

import pytest

from search_stack.language.assertion import Judgement, Sentence, Target, assess, scopes
from search_stack.language.assertion.table import Example, Group, groups, grown

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


@pytest.mark.parametrize("group", SHOWN, ids=lambda g: g.phrases[0])
def test_without_the_group_an_example_is_judged_otherwise(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [weighed(e) for e in group.examples]
    left = grown(g for g in groups() if g is not group)
    monkeypatch.setattr(scopes, "tree", lambda asked=False: left)
    assert [weighed(e) for e in group.examples] != shown
