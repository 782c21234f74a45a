"""What stands of decisions that were made, changed and taken back."""

from __future__ import annotations

from datetime import UTC, datetime

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
