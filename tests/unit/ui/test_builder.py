"""The builder's blocks and its steps back and forth; no engine is asked."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import AllOf, AtAge, AtLeast, During, Finding, Near, Node, Pick, Timed, Together, Words
from search_stack.query.timed import MOST_DAYS
from search_stack.query.tree import NodePath, QueryError, at
from search_stack.query.understand import Understanding
from ui.builder_page import MOST_STEPS, Block, State, Typed, block, pair, path_of, place
from ui.edge import Edge
from ui.when import ONE, SEVERAL, When


def built(understanding: Understanding, line: str) -> Block:
    def count(node: Node) -> tuple[int, int]:
        return len(repr(node)), 2 * len(repr(node))

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
    assert (third.kind, third.patients, third.notes) == ("filter", None, None)
    assert [c.name for c in second.controls] == ["pneumonia"]
    assert first.controls == ()


def test_an_excluded_group_is_one_block_with_its_members(understanding: Understanding) -> None:
    root = built(understanding, "asthma -(cough OR fever)")
    group = root.members[1]
    assert (group.excluded, group.kind, [m.path for m in group.members]) == (True, "any", ["1.0.0", "1.0.1"])


def test_what_lies_in_time_is_two_criteria_and_the_days_between(understanding: Understanding) -> None:
    root = built(understanding, "pneumothorax within 30 days after pacemaker")
    assert (root.kind, root.edge, root.is_group, root.controls) == ("time", Edge("0", "30", "after"), False, ())
    assert [(m.text, m.path, [c.name for c in m.controls]) for m in root.members] == [
        ("pneumothorax", "0", ["pneumothorax"]),
        ("pacemaker", "1", ["pacemaker"]),
    ]
    excluded = built(understanding, "fever -((cough OR asthma) within 7 days of pacemaker)").members[1]
    assert (excluded.inner, [m.path for m in excluded.members]) == ("1.0", ["1.0.0", "1.0.1"])
    assert [group.inner for group in excluded.groups()] == ["1.0.0"]


@pytest.mark.parametrize(
    ("bounds", "edge"),
    [
        ((0, 30), Edge("0", "30", "after")),
        ((-30, 0), Edge("0", "30", "before")),
        ((-30, 30), Edge("0", "30", "either")),
        ((1, None), Edge("1", "", "after")),
        ((None, -1), Edge("1", "", "before")),
        ((None, None), Edge("0", "", "either")),
        ((0, 0), Edge("0", "0", "after")),
        ((5, 7), Edge("5", "7", "after")),
        ((-7, -5), Edge("5", "7", "before")),
        ((-7, 30), Edge("-7", "30", "after")),
    ],
)
def test_days_are_written_and_read(bounds: tuple[int | None, int | None], edge: Edge) -> None:
    assert Edge.of(Near(*bounds, Words("a"), Words("b"))) == edge
    assert edge.bounds() == bounds


def test_days_that_are_none() -> None:
    assert Edge.of(Near(None, 5, Words("a"), Words("b"))).bounds() == (-MOST_DAYS, 5)
    for wrong in (Edge("x", "", "after"), Edge("", "1e3", "after"), Edge("²", "", "before"), Edge("0", "100001", "")):
        with pytest.raises(QueryError, match="no number of days"):
            wrong.bounds()
    with pytest.raises(QueryError, match="same day"):
        Edge("2", "5", "either").bounds()


FEVER, COUGH = Finding("fever"), Finding("cough")


@pytest.mark.parametrize(
    ("when", "node"),
    [
        (When("first"), Pick("first", FEVER)),
        (When("last"), Pick("last", FEVER)),
        (When("notes", "3"), AtLeast(3, "notes", FEVER)),
        (When("days", "2"), AtLeast(2, "days", FEVER)),
        (When("during", since="2019-03-01"), During("2019-03-01", "", FEVER)),
        (When("during", until="2019-12-31"), During("", "2020-01-01", FEVER)),
        (When("during", since="2019-01-01", until="2019-01-01"), During("2019-01-01", "2019-01-02", FEVER)),
        (When("age", least="18", most="64"), AtAge(18, 64, FEVER)),
        (When("age", least="65"), AtAge(65, None, FEVER)),
        (When("age"), AtAge(None, None, FEVER)),
    ],
)
def test_a_time_is_written_and_read(when: When, node: Timed) -> None:
    assert when.over(FEVER) == node
    assert When.of(node) == when
    assert when.kinds is ONE


def test_several_at_one_time_are_written_and_read() -> None:
    for by in SEVERAL:
        both = When(by).over(AllOf((FEVER, COUGH)))
        assert isinstance(both, Together)
        assert (both.children, When.of(both)) == ((FEVER, COUGH), When(by))
    assert When("note").kinds is SEVERAL
    assert When.of(Near(0, 1, FEVER, COUGH)) is None


def test_a_month_or_year_counts_to_its_end() -> None:
    assert When("during", since="2019", until="2019").over(FEVER) == During("2019-01-01", "2020-01-01", FEVER)
    assert When("during", since="2019-11", until="2019-12").over(FEVER) == During("2019-11-01", "2020-01-01", FEVER)


@pytest.mark.parametrize(
    ("when", "told"),
    [
        (When(""), "not said"),
        (When("notes", "0"), "asks for nothing"),
        (When("notes", ""), "not a number"),
        (When("days", "10000"), "not a number"),
        (When("days", "²"), "not a number"),
        (When("during"), "No date"),
        (When("during", since="soon"), "not a date"),
        (When("during", until="9999"), "last date"),
        (When("during", since="2019-01-02", until="2019-01-01"), "No day"),
        (When("age", least="x"), "not an age"),
        (When("age", least="151"), "not an age"),
        (When("age", least="60", most="50"), "No age"),
    ],
)
def test_a_time_that_is_none(when: When, told: str) -> None:
    with pytest.raises(QueryError, match=told):
        when.over(FEVER)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("first pneumonia", "first"),
        ("pneumonia at least twice", "notes"),
        ("pneumonia on at least 2 different days", "days"),
        ("finding:pneumonia present DURING 2019 TO *", "during"),
        ("pneumonia at age 40 to 50", "age"),
    ],
)
def test_what_is_set_in_time_is_a_block_around_its_criterion(
    understanding: Understanding, line: str, kind: str
) -> None:
    root = built(understanding, line)
    assert root.when is not None
    assert (root.kind, root.when.kind, root.is_group, root.controls) == ("time", kind, False, ())
    assert [(m.text, m.path, [c.name for c in m.controls]) for m in root.members] == [
        ("pneumonia", "0", ["pneumonia"]),
    ]


def test_several_at_one_time_are_a_group(understanding: Understanding) -> None:
    root = built(understanding, "asthma, SAME DAY (cough fever)")
    group = root.members[1]
    assert (group.kind, group.when, group.is_group) == ("time", When("day"), True)
    assert [m.text for m in group.members] == ["cough", "fever"]
    assert [g.inner for g in root.groups()] == ["1"]


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


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("cough, fever", ((0,), (1,))),
        ("cough OR fever", ((0,), (1,))),
        ("section:impression cough, fever", ((1,), (2,))),
        ("cough", ()),
        ("cough, fever, asthma", ()),
        ("cough -fever", ()),
        ("cough within 30 days after fever", ()),
    ],
)
def test_two_criteria_are_the_pair_that_is_meant(
    understanding: Understanding, line: str, found: tuple[NodePath, ...]
) -> None:
    query = understanding.understand(line).query
    assert {at(query, path) for path in pair(query)} == {at(query, path) for path in found}
    assert len(pair(query)) == len(found)


@pytest.mark.parametrize(
    ("line", "number"),
    [("creatinine over 3", "> 3"), ("nodule", ""), ("metformin", None), ("asthma OR cough", None), ('"mass"', None)],
)
def test_what_may_have_a_number_has_a_field_for_it(understanding: Understanding, line: str, number: str | None) -> None:
    assert built(understanding, line).number == number
