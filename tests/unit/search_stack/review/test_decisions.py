"""What stands of decisions that were made, changed and taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_stack.review.decisions import (
    Decision,
    Event,
    Given,
    Outcome,
    Undone,
    Verdict,
    disagreements,
    final_of,
    outcomes,
    standing,
)
from search_stack.review.fields import Quote, Value

AT = datetime(2027, 3, 1, tzinfo=UTC)


def said(number: int, who: str, patient: int, verdict: Verdict) -> Decision:
    return Decision(number, who, AT, Given(patient, 1, "", verdict))


def verdicts(events: list[Event], who: str) -> dict[int, str]:
    return {patient: one.verdict for patient, one in standing(events).of(who).items()}


def test_the_last_decision_stands_and_an_undo_brings_back_the_one_before() -> None:
    events: list[Event] = [said(1, "a", 7, "include"), said(2, "b", 7, "doubt"), said(3, "a", 7, "exclude")]
    assert verdicts(events, "a") == {7: "exclude"}
    assert standing(events).last["a"].id == 3
    events.append(Undone(3))
    assert verdicts(events, "a") == {7: "include"}
    assert standing(events).last["a"].id == 1
    events.append(Undone(1))
    assert verdicts(events, "a") == {}
    assert "a" not in standing(events).last
    assert verdicts(events, "b") == {7: "doubt"}
    events.append(said(6, "a", 7, "doubt"))
    assert verdicts(events, "a") == {7: "doubt"}


def test_what_holds_is_settled_or_said_by_all() -> None:
    events: list[Event] = [
        said(1, "a", 1, "include"),
        said(2, "b", 1, "include"),
        said(3, "a", 2, "include"),
        said(4, "b", 2, "exclude"),
        said(5, "a", 3, "doubt"),
        said(6, "b", 4, "exclude"),
        said(7, "a", 4, "doubt"),
    ]
    final = final_of([said(8, "m", 4, "include"), said(9, "m", 2, "exclude"), Undone(9)])
    found = outcomes(standing(events), final)
    assert found == {
        1: Outcome("include", False),
        2: Outcome(None, False),
        3: Outcome("doubt", False),
        4: Outcome("include", True),
    }
    assert disagreements(standing(events)) == (2, 4)


def told(number: int, verdict: Verdict, *of: int, **given: Any) -> Decision:
    """Of the ids ``of``, the first of which stayed then."""
    return Decision(number, given.pop("who", "a"), AT, Given(of[0], 1, "", verdict, **given), frozenset(of))


def test_decisions_of_ids_that_are_one_patient_now_are_one_where_they_agree() -> None:
    size, side = Value("3"), Value("left", Quote(9, 1, 0, 4))
    events: list[Event] = [
        told(1, "include", 1, reason="clear", comment="old", values={1: size}),
        told(2, "include", 2, reason="clear", comment="new", values={2: side}),
        told(3, "doubt", 3),
    ]
    apart = standing(events).of("a")
    assert {no: one.given for no, one in apart.items()} == {1: events[0].given, 2: events[1].given, 3: events[2].given}  # type: ignore[union-attr]
    merged = standing(events, {1: 2})
    own = merged.of("a")
    assert {no: one.verdict for no, one in own.items()} == {2: "include", 3: "doubt"}
    given = own[2].given
    assert (given.patient, given.reason, given.comment, given.values) == (2, "clear", "old\nnew", {1: size, 2: side})
    assert (merged.torn, disagreements(merged)) == ({}, ())
    # What the last undo leaves is what the other id has.
    assert standing([*events, Undone(3), Undone(2)], {1: 2}).of("a")[2].given.comment == "old"


@pytest.mark.parametrize(
    "second",
    [told(2, "exclude", 2, values={1: Value("3")}), told(2, "include", 2, values={1: Value("4")})],
    ids=["verdict", "field"],
)
def test_those_that_differ_are_to_be_settled(second: Decision) -> None:
    events: list[Event] = [told(1, "include", 1, values={1: Value("3")}), second, told(3, "include", 1, who="b")]
    merged = standing(events, {1: 2})
    assert (2 in merged.of("a"), [d.id for d in merged.torn["a"][2]]) == (False, [1, 2])
    assert [(d.reviewer, d.id) for d in merged.about(2)] == [("a", 1), ("a", 2), ("b", 3)]
    assert disagreements(merged) == (2,)
    assert outcomes(merged, {}) == {2: Outcome(None, False)}
    assert outcomes(merged, final_of([told(9, "exclude", 2, 1, who="m")], {1: 2})) == {2: Outcome("exclude", True)}
    # What the reviewer says of both takes the place of what they said of each, and goes with the merge.
    both = [*events, told(4, "doubt", 2, 1)]
    assert standing(both, {1: 2}).of("a")[2].verdict == "doubt"
    assert not standing(both, {1: 2}).torn
    assert {no: d.id for no, d in standing(both).of("a").items()} == {1: 1, 2: 2}
    assert standing(both).last["a"].id == 2
    # Parted and decided once more, then merged again: neither is newer than the other.
    again = standing([*both, told(5, "include", 2)], {1: 2})
    assert [d.id for d in again.torn["a"][2]] == [4, 5]


def test_what_was_adjudicated_of_one_id_is_open_again_where_another_says_something_else() -> None:
    events: list[Event] = [told(1, "include", 1), told(2, "exclude", 1, who="b"), told(3, "exclude", 2)]
    final = [told(4, "include", 1, who="m")]
    for finals, of_other in ((final, events), ([*final, told(5, "exclude", 2, who="m")], events[:2])):
        merged, settled = standing(of_other, {1: 2}, finals), final_of(finals, {1: 2}, of_other)
        assert (settled, [d.id for d in merged.reopened[2]]) == ({}, [d.id for d in finals])
        assert 2 in disagreements(merged)
        assert outcomes(merged, settled) == {2: Outcome(None, False)}
        assert final_of(finals, {}, of_other)[1].verdict == "include"
    # Where nothing else was said it holds of the patient.
    assert final_of(final, {1: 2}, events[:2])[2].verdict == "include"
    assert final_of([*final, told(6, "doubt", 2, 1, who="m")], {1: 2}, events)[2].verdict == "doubt"
