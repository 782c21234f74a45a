"""What is no such kind, protocols that say in and out, types of notes before a colon: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, field, has, no, words

KINDS = [
    ("non diabetic foot ulcer", both(has("foot ulcer"), no(has("diabetic foot ulcer")))),
    ("non-diabetic foot ulcer", both(has("foot ulcer"), no(has("diabetic foot ulcer")))),
    ("non infective endocarditis", both(either(words("non infective"), words("noninfective")), has("endocarditis"))),
    ("non-ST elevation mi", has("non st elevation myocardial infarction")),
    ("non-alcoholic fatty liver disease", has("nonalcoholic fatty liver disease")),
    # A name of its own, a kind that no name has, somebody who has none.
    ("non small cell lung cancer", has("non small cell lung cancer")),
    (
        "non healing diabetic foot ulcer",
        both(either(words("non healing"), words("nonhealing")), has("diabetic foot ulcer")),
    ),
    ("non diabetic patients with foot ulcer", both(has("diabetes mellitus", "absent"), has("foot ulcer"))),
]
HEADED = [
    (
        "In: gout, on warfarin. Out: severe asthma",
        both(has("gout"), has("warfarin"), no({**has("asthma"), "severity": "severe"})),
    ),
    ("out of hospital cardiac arrest", has("out-of-hospital cardiac arrest")),
    ("discharge summary: gout", both(field("type", "discharge summary"), has("gout"))),
    ("discharge diagnosis: gout", both(field("section", "discharge diagnosis"), has("gout"))),
    ("waiting for mri", has("magnetic resonance imaging", "hypothetical")),
    ("wells 0", {**has("wells score"), "value": "= 0"}),
    ("asthma wells clinic", both(has("asthma"), words("wells clinic"))),
    ("etoh w/d", has("alcohol withdrawal syndrome")),
    ("CABG x4", has("coronary artery bypass graft")),
]


@pytest.mark.parametrize(("line", "tree"), [*KINDS, *HEADED])
def test_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read
