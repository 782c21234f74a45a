"""Denials as they are typed: without an apostrophe, of guesses, beside what somebody has besides."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, has, no


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        (
            "history of depression but not currently depressed",
            both(has("depression", "historical"), no(has("depression"))),
        ),
        ("possible TB not confirmed", has("tuberculosis", "possible")),
        ("possible TB, unconfirmed", has("tuberculosis", "possible")),
        ("TB confirmed", has("tuberculosis")),
        ("patients who dont speak english", has("language barrier")),
        ("people who do not speak english", has("language barrier")),
        ("cant swallow", has("dysphagia")),
        ("not on warfarin, atrial fibrillation", both(no(has("warfarin")), has("atrial fibrillation"))),
        (
            "not on warfarin, aspirin or clopidogrel",
            both(*(no(has(d)) for d in ("warfarin", "aspirin", "clopidogrel"))),
        ),
        ("formerly obese", has("obesity", "historical")),
    ],
)
def test_what_is_denied_stays_denied(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)


def test_guesses_that_are_left_out_are_told(understanding: Understanding) -> None:
    found = understanding.understand("exclude rule out diagnoses, pneumonia")
    assert to_json(found.query) == has("pneumonia")
    assert found.aside == ("exclude rule out diagnoses",)
    assert [n.kind for n in found.notices] == ["denial"]
