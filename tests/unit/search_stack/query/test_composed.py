"""What is read right alone is read so beside another, by another name, and however it is typed."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.composed import misread, surfaced
from tests.queries.judge import same
from tests.queries.written import Tree, both, has

SEED = 20261127


def test_how_a_line_is_spaced_changes_nothing() -> None:
    wrong, number = misread(surfaced(SEED, 40))
    assert not [one.line for one in wrong]
    assert number.total() > 200


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("AF ON WARFARIN", both(has("atrial fibrillation"), has("warfarin"))),
        ("Fever And Neutropenia", both(has("fever"), has("neutropenia"))),
    ],
)
def test_case_changes_nothing(understanding: Understanding, line: str, query: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, query), read
