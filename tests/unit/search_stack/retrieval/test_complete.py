from __future__ import annotations

import pytest

from search_stack.query.nodes import Finding
from search_stack.query.tree import leaves
from search_stack.query.understand import Understanding
from search_stack.retrieval.complete import LONGEST, candidates, field_typed


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("fever -pleur", "fever -pleural effusion"),
        ("no cough and no fev", "no cough and no fever"),
        ("patients with pleural eff", "patients with pleural effusion"),
        ("finding:pleu", 'finding:"pleural effusion" present'),
        ("entity:ast", "entity:asthma"),
        ("fever section:imp", "fever section:impression"),
        ('type:"radio', 'type:"radiology report"'),
        ("fever sec", "fever section:"),
    ],
)
def test_lines_that_go_on(small: Understanding, start: str, line: str) -> None:
    found = [c.line for c in candidates(start, small, ["impression", "radiology report"])]
    assert found[0] == line


def test_a_line_is_offered_only_if_it_is_read_as_what_it_adds(small: Understanding) -> None:
    for start in ("fev", "pleural e", "fever -eff", "no ast"):
        for one in candidates(start, small):
            if one.query is not None:
                assert any(isinstance(leaf, Finding) for leaf in leaves(one.query))
    assert list(candidates('"chest fev', small)) == []


def test_nothing_goes_on_from_nothing(small: Understanding) -> None:
    assert list(candidates("", small)) == list(candidates("x" * (LONGEST + 1), small)) == []
    assert field_typed("BP:12") is None
