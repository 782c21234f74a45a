"""What a drug did to somebody: how it is read, and what lists of allergies have of it."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import Finding
from search_stack.query.tree import all_of, any_of
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.written import Tree, both, has

RASH, PENICILLIN = has("rash"), has("penicillin")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rash from penicillin", both(RASH, PENICILLIN)),
        # Denied is what did not happen, not the drug.
        ("no rash from penicillin", both(has("rash", "absent"), PENICILLIN)),
        ("no bleeding due to warfarin", both(has("bleeding", "absent"), has("warfarin"))),
        ("no aspirin or warfarin", both(has("aspirin", "absent"), has("warfarin", "absent"))),
        ("penicillin allergy or intolerance", has("penicillin", "allergy")),
        ("allergy or intolerance to statins", has("statin", "allergy")),
    ],
)
def test_what_a_drug_did(understanding: Understanding, line: str, expected: Tree) -> None:
    assert to_json(understanding.understand(line).query) == expected


@pytest.mark.parametrize(
    ("line", "reactions", "drugs", "message"),
    [
        ("rash from penicillin", ["rash"], ["penicillin"], "who had rash before, or is allergic to penicillin, is not"),
        (
            "hives, rash or itching due to amoxicillin",
            ["urticaria", "rash", "pruritus"],
            ["amoxicillin"],
            "who had urticaria or rash or pruritus before, or is allergic to amoxicillin, is not",
        ),
        ("anaphylaxis to penicillin", ["anaphylaxis"], ["penicillin"], "who had anaphylaxis before is not"),
        (
            "bleeding caused by warfarin or apixaban",
            ["bleeding"],
            ["warfarin", "apixaban"],
            "who had bleeding before, or is allergic to warfarin or apixaban, is not",
        ),
    ],
)
def test_what_lists_of_allergies_have_is_offered(
    understanding: Understanding, line: str, reactions: list[str], drugs: list[str], message: str
) -> None:
    (notice,) = (n for n in understanding.understand(line).notices if n.kind == "past")
    assert message in notice.message
    assert understanding.understand(notice.line).query == all_of(
        any_of(Finding(name, says) for name in names for says in ways)
        for names, ways in ((reactions, ("present", "historical")), (drugs, ("present", "allergy", "historical")))
    )


@pytest.mark.parametrize(
    "line",
    ["rash on penicillin", "no rash from penicillin", "rash, penicillin", "allergic to penicillin", "pain from cancer"],
)
def test_nothing_is_offered_where_no_drug_did_it(understanding: Understanding, line: str) -> None:
    assert not [n for n in understanding.understand(line).notices if n.kind == "past"]
