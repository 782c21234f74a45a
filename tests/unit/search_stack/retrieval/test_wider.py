"""Disorders that a query asks for as present, told with how many had them before."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import Finding
from search_stack.query.understand import Understanding
from search_stack.query.write import readable
from search_stack.retrieval.wider import LISTED, Wider, wherever, wider_notices, with_the_past
from tests import language


@pytest.fixture(scope="module")
def understanding() -> Understanding:
    return Understanding.of(language.lexicon())


def wider(understanding: Understanding, line: str) -> dict[str, str]:
    """By name, the wider query in words."""

    def kind(name: str) -> str:
        concept = understanding.lexicon.find(name)
        return concept.kind if concept else ""

    found = with_the_past(understanding.understand(line).query, kind)
    return {one.asked.name: readable(one.query) for one in found}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cellulitis", {"cellulitis": "cellulitis or cellulitis in the past"}),
        ("fever and cellulitis", {"cellulitis": "fever and (cellulitis or cellulitis in the past)"}),
        ("fever -cellulitis", {"cellulitis": "fever and not (cellulitis or cellulitis in the past)"}),
        (
            "appendicitis or cellulitis",
            {
                "appendicitis": "appendicitis or cellulitis or appendicitis in the past",
                "cellulitis": "appendicitis or cellulitis or cellulitis in the past",
            },
        ),
        (
            "acute kidney injury in discharge summaries",
            {
                "acute kidney injury": "(acute kidney injury or acute kidney injury in the past) "
                "in notes of the type discharge summary"
            },
        ),
        # Not of what has no end of its own, or was done; only where nothing else is said of it, and no time asked for.
        ("fever, on warfarin, pacemaker, hysterectomy", {}),
        ("previous cellulitis", {}),
        ("cellulitis or previous cellulitis", {}),
        ("possible cellulitis", {}),
        ("no cellulitis", {}),
        ("cellulitis since 2019", {}),
        ("fever within 30 days after cellulitis", {}),
        ("first cellulitis", {}),
    ],
)
def test_the_past_is_added_where_a_disorder_is_asked_for(
    understanding: Understanding, line: str, expected: dict[str, str]
) -> None:
    found = wider(understanding, line)
    assert found.keys() == expected.keys()
    for name, said in expected.items():
        assert sorted(found[name].split(" or ")) == sorted(said.split(" or "))


def test_who_asks_for_a_side_is_told_of_those_elsewhere(understanding: Understanding) -> None:
    found = wherever(understanding.understand("left hip fracture, no right pleural effusion").query)
    assert [(one.kind, one.had, readable(one.query)) for one in found] == [
        (
            "site",
            "hip fracture elsewhere, or where no place is told",
            "hip fracture and pleural effusion (right) ruled out",
        )
    ]
    assert wherever(understanding.understand("hip fracture").query) == []
    severe = wherever(understanding.understand("severe hip fracture, severe left knee pain, no severe cough").query)
    assert [(one.kind, one.had) for one in severe] == [
        ("severity", "hip fracture of another severity, or where none is told"),
        ("site", "knee pain elsewhere or of another severity, or where that is not told"),
    ]


def test_of_very_many_only_the_first_are_counted(understanding: Understanding) -> None:
    line = "cellulitis appendicitis pneumonia cholecystitis pyelonephritis diverticulitis pancreatitis"
    assert list(wider(understanding, line)) == line.split()[:LISTED]


def test_those_who_come_in_and_those_who_would_be_left_out_are_told(understanding: Understanding) -> None:
    node = understanding.understand("hysterectomy").query
    assert isinstance(node, Finding)
    many, one, fewer, same = (
        wider_notices([Wider(node, "past", "hysterectomy before", node)], (1_300, patients), lambda n: "the line")
        for patients in (2_700, 1_301, 1_299, 1_300)
    )
    assert [n.message for n in (*many, *one, *fewer)] == [
        "1,400 more patients had hysterectomy before.",
        "1 more patient had hysterectomy before.",
        "1 of these patients had hysterectomy before.",
    ]
    assert (many[0].kind, many[0].typed, many[0].line, same) == ("past", "hysterectomy", "the line", ())
