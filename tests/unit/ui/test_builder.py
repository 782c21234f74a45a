"""The builder's blocks and its steps back and forth; no engine is asked."""

from __future__ import annotations

from search_stack.query.nodes import Node
from search_stack.query.understand import Understanding
from ui.builder_page import MOST_STEPS, Block, State, Typed, block, path_of, place


def built(understanding: Understanding, line: str) -> Block:
    def count(node: Node) -> int:
        return len(repr(node))

    return block(understanding.understand(line), understanding.lexicon, count)


def test_groups_and_criteria_stand_as_the_question_has_them(understanding: Understanding) -> None:
    root = built(understanding, "(cough OR fever) -pneumonia section:impression")
    assert (root.kind, root.path, root.excluded) == ("all", "top", False)
    first, second, third = root.members
    assert (first.kind, [m.text for m in first.members], [m.path for m in first.members]) == (
        "any",
        ["cough", "fever"],
        ["0.0", "0.1"],
    )
    assert (second.kind, second.excluded, second.text, second.path) == ("criterion", True, "pneumonia", "1")
    assert (third.kind, third.patients) == ("filter", None)
    assert [c.name for c in second.controls] == ["pneumonia"]
    assert first.controls == ()


def test_an_excluded_group_is_one_block_with_its_members(understanding: Understanding) -> None:
    root = built(understanding, "asthma -(cough OR fever)")
    group = root.members[1]
    assert (group.excluded, group.kind, [m.path for m in group.members]) == (True, "any", ["1.0.0", "1.0.1"])


def test_what_lies_in_time_is_one_criterion(understanding: Understanding) -> None:
    root = built(understanding, "pneumothorax within 30 days after pacemaker")
    assert (root.kind, root.members, [c.name for c in root.controls]) == ("time", (), ["pneumothorax", "pacemaker"])


def test_steps_back_and_forth() -> None:
    state = State("a").then("b").then("b").then("c")
    assert (state.line, state.past, state.future) == ("c", ("a", "b"), ())
    back = state.back().back()
    assert (back.line, back.past, back.future) == ("a", (), ("c", "b"))
    assert back.back() == back
    assert back.forth().forth() == state
    assert state.forth() == state
    assert back.then("d").future == ()
    for n in range(2 * MOST_STEPS):
        state = state.then(str(n))
    assert len(state.past) == MOST_STEPS


def test_places_are_written_and_read() -> None:
    for path in ((), (0,), (1, 0, 2)):
        assert path_of(place(path)) == path


def test_what_is_typed_finds_a_field_when_its_own_is_gone(understanding: Understanding) -> None:
    root = built(understanding, "(cough OR fever) -(pneumonia OR asthma)")
    assert [group.inner for group in root.groups()] == ["0", "1.0"]
    typed = Typed("x", {"0": "a", "1.0": "b"})
    assert typed.in_(root) is typed
    assert Typed("", {"top": "a", "3": "b"}).in_(root) == Typed("", {"top": "a b"})
    assert Typed("", {"2": "a", "0": "b"}).in_(None) == Typed("a b")
