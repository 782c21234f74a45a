"""What `search --all --format csv` writes of a passage."""

from __future__ import annotations

from aspectra.commands.search import COLUMNS, _rows
from search_stack.core.schema import Finding, Hit, Scores


def test_a_finding_has_a_row_for_each_thing_that_is_said_of_it_where() -> None:
    left = Finding("pain", "pain", "symptom", 5, 9, "present", sites=("left knee", "left hip"))
    again = Finding("pain", "pain", "symptom", 25, 29, "present", sites=("left knee", "left hip"))
    back = Finding("pain", "pain", "symptom", 45, 49, "absent", sites=("back",))
    other = Finding("fever", "fever", "symptom", 60, 65, "absent")
    hit = Hit(
        "1.0", "n1", 1, "p1", "letter", "2020-01-02", "", "", "PLAN", "plan", 0, 70, "text", (), Scores(), "",
        (left, again, back, other),
    )  # fmt: skip
    own = ("p1", "n1", "2020-01-02", "letter", "PLAN", 0, 70)
    assert list(_rows(hit, {left, again, back})) == [
        (*own, "pain", "present", "", "", "left knee; left hip", "text"),
        (*own, "pain", "absent", "", "", "back", "text"),
    ]
    assert list(_rows(hit, ())) == [(*own, "", "", "", "", "", "text")]
    assert len(COLUMNS) == len(own) + 6
