"""Drugs with how far they have come: what lines mean, how it is written, and what the engine is asked."""

from __future__ import annotations

from typing import Any

import pytest

from search_stack.cohorts.plan import Plan
from search_stack.core.schema import ASSERTIONS, STATUSES
from search_stack.query.nodes import Finding, said_of_kind
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write


def drug(name: str, says: str) -> dict[str, Any]:
    return {"finding": name, "assertion": says}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("stopped metformin", drug("metformin", "stopped")),
        ("metformin was discontinued", drug("metformin", "stopped")),
        ("patients who stopped taking aspirin", drug("aspirin", "stopped")),
        ("insulin held", drug("insulin", "held")),
        ("allergic to penicillin", drug("penicillin", "allergy")),
        ("penicillin allergy", drug("penicillin", "allergy")),
        ("no aspirin allergy", {"not": drug("aspirin", "allergy")}),
        ("not allergic to penicillin", {"not": drug("penicillin", "allergy")}),
        (
            "allergic to aspirin or ibuprofen with asthma",
            {"all": [{"any": [drug("aspirin", "allergy"), drug("ibuprofen", "allergy")]}, drug("asthma", "present")]},
        ),
        (
            "lisinopril and metformin were stopped",
            {"all": [drug("lisinopril", "stopped"), drug("metformin", "stopped")]},
        ),
        ("allergic to penicillin, metformin", {"all": [drug("penicillin", "allergy"), drug("metformin", "allergy")]}),
        ("rash with amoxicillin", {"all": [drug("rash", "present"), drug("amoxicillin", "allergy")]}),
        (
            "penicillin in the allergies section",
            {"all": [drug("penicillin", "allergy"), {"field": "section", "value": "allergies"}]},
        ),
        (
            "finding:penicillin present section:allergies",
            {"all": [drug("penicillin", "present"), {"field": "section", "value": "allergies"}]},
        ),
        (
            "not on aspirin, metformin stopped",
            {"all": [{"not": drug("aspirin", "present")}, drug("metformin", "stopped")]},
        ),
        ("aspirin, metformin stopped", {"all": [drug("aspirin", "present"), drug("metformin", "stopped")]}),
        # What is said of something else, or of no drug.
        ("on warfarin", drug("warfarin", "present")),
        ("food allergy", drug("food allergy", "present")),
        ("latex allergy", drug("latex allergy", "present")),
        (
            "asthma in the allergies section",
            {"all": [drug("asthma", "present"), {"field": "section", "value": "allergies"}]},
        ),
        ("finding:metformin stopped", drug("metformin", "stopped")),
        ("finding:colonoscopy not done", drug("colonoscopy", "not done")),
    ],
)
def test_a_line_means_a_status(understanding: Understanding, line: str, expected: dict[str, Any]) -> None:
    assert to_json(understanding.understand(line).query) == expected


@pytest.mark.parametrize("status", STATUSES)
def test_line_and_json_say_each(understanding: Understanding, status: str) -> None:
    asked = Finding("metformin", status)
    assert understanding.understand(write(asked)).query == asked
    assert from_json(to_json(asked)) == asked
    assert "metformin" in readable(asked) != "metformin"


def test_what_relatives_have_not_is_asked_for_by_line_and_json(understanding: Understanding) -> None:
    asked = Finding("breast cancer", "unaffected")
    assert write(asked) == 'finding:"breast cancer" unaffected'
    assert understanding.understand(write(asked)).query == asked
    assert from_json(to_json(asked)) == asked
    assert readable(asked) == "no breast cancer in the family"


def test_only_drugs_and_acts_have_one() -> None:
    assert said_of_kind("disorder") == (*ASSERTIONS, "unaffected", "any")
    assert "unaffected" not in said_of_kind("drug")
    assert {"stopped", "allergy"} <= set(said_of_kind("drug"))
    assert "stopped" not in said_of_kind("procedure")
    with pytest.raises(QueryError, match="paused"):
        from_json({"finding": "metformin", "assertion": "paused"})


def test_narrower_drugs_count_with_a_wider_one(understanding: Understanding) -> None:
    clause = Plan.of(Finding("statin", "stopped"), understanding.lexicon).passages()
    assert {"stopped statin", "stopped atorvastatin"} <= set(clause["terms"]["status"])
    clause = Plan.of(Finding("statin", "stopped", ("atorvastatin",)), understanding.lexicon).passages()
    assert "stopped atorvastatin" not in clause["terms"]["status"]
