"""What is understood as it was typed is no news, and no other meaning is offered where none can be meant."""

from __future__ import annotations

import pytest

from search_stack.query.understand import Understanding
from tests.queries.judge import shipped


@pytest.mark.parametrize(
    "line",
    [
        "anorexia nervosa",
        "hearing aids or deaf",
        "visual aids",
        "eos > 300",
        "non-drinkers with cirrhosis",
        "dementia other than Alzheimer's",
        "dont speak english",
        "stroke, weak arm",
    ],
)
def test_nothing_is_told_of_what_is_plain(line: str) -> None:
    assert not shipped().understand(line).notices


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("patients with aids", "abbreviation"),
        ("hiv aids", "abbreviation"),
        ("pnuemothorax", "spelling"),
        ("post ictal", "spelling"),
        ("anorexia and low bmi", "abbreviation"),
    ],
)
def test_a_guess_is_told(understanding: Understanding, line: str, kind: str) -> None:
    assert kind in [notice.kind for notice in understanding.understand(line).notices]
