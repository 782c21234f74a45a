"""What is arranged or told counts where a plan names it."""

from __future__ import annotations

from typing import Any

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding


def planned(name: str) -> dict[str, Any]:
    return {"any": [{"finding": name, "assertion": "present"}, {"finding": name, "assertion": "hypothetical"}]}


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("derm referral", planned("dermatology referral")),
        ("specialist referral", planned("specialist referral")),
        ("f/u with cards", planned("cardiology follow up")),
        ("return precautions given", planned("safety netting")),
        ("not referred to podiatry", {"not": planned("podiatry referral")}),
        ("not referred to cardiac rehab", {"not": planned("cardiac rehab referral")}),
        ("declined referral to psychiatry", {"finding": "psychiatry referral", "assertion": "absent"}),
        ("awaiting referral to urology", {"finding": "urology referral", "assertion": "hypothetical"}),
        ("cardiology consult", {"finding": "cardiology consultation", "assertion": "present"}),
    ],
)
def test_a_plan_is_how_it_is_told(understanding: Understanding, line: str, tree: dict[str, Any]) -> None:
    assert to_json(understanding.understand(line).query) == tree


def test_it_is_told_once_with_the_way_back(understanding: Understanding) -> None:
    (notice,) = understanding.understand("patient education provided").notices
    assert notice.line == 'finding:"patient education" provided'
    back = understanding.understand('finding:"dermatology referral"')
    assert to_json(back.query) == {"finding": "dermatology referral", "assertion": "present"}


@pytest.mark.parametrize("line", ["avoid NSAIDs", "told to avoid NSAIDs"])
def test_what_is_to_be_avoided_is_asked_as_notes_are_labelled(understanding: Understanding, line: str) -> None:
    query = to_json(understanding.understand(line).query)
    assert query == {"finding": "nonsteroidal anti-inflammatory drug", "assertion": "absent"}
