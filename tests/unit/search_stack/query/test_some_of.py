"""So many of a list, and how far "or" reaches."""

from __future__ import annotations

from itertools import combinations

import pytest

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from tests.queries.judge import same, shipped
from tests.queries.written import Tree, both, either, field, has, no, words


def some(number: int, *nodes: Tree) -> Tree:
    return either(*(both(*chosen) for chosen in combinations(nodes, number)))


FEVER, COUGH, RASH, STROKE = has("fever"), has("cough"), has("rash"), has("stroke")


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("at least two of: fever, cough, rash", some(2, FEVER, COUGH, RASH)),
        ("two or more of fever, cough and rash with stroke", both(some(2, FEVER, COUGH, RASH), STROKE)),
        ("any two of: fever, cough, rash", some(2, FEVER, COUGH, RASH)),
        ("more than two of fever, cough, rash, stroke", some(3, FEVER, COUGH, RASH, STROKE)),
        ("2 of 3: fever, cough, rash", some(2, FEVER, COUGH, RASH)),
        ("≥2 of the following: fever, cough, no rash", some(2, FEVER, COUGH, has("rash", "absent"))),
        ("exclude if two or more of: fever, cough, rash", no(some(2, FEVER, COUGH, RASH))),
        (
            "at least two of: fever, cough, rash in the last 2 years",
            both(some(2, FEVER, COUGH, RASH), field("after", "2024-11-22")),
        ),
        ("at least two of: fever, cough, age over 65", some(2, FEVER, COUGH, field("age", ">65"))),
        ("at least one of fever, cough", either(FEVER, COUGH)),
        ("at least 2 of our patients with gout", both(words("2"), has("gout"))),
        (
            "TAVI or surgical AVR for severe AS",
            both(
                either(has("transcatheter aortic valve replacement"), has("aortic valve replacement")),
                {**has("aortic stenosis"), "severity": "severe"},
            ),
        ),
        (
            "stent or bypass for left main disease",
            both(either(has("stent"), words("bypass")), has("left main coronary artery disease")),
        ),
        (
            "laparoscopic converted to open cholecystectomy",
            both(has("laparoscopic cholecystectomy"), has("conversion to open procedure")),
        ),
        ("encephalopathy toxic or metabolic", either(has("toxic encephalopathy"), has("metabolic encephalopathy"))),
    ],
)
def test_alternatives_reach_as_far_as_they_are_meant(line: str, tree: Tree) -> None:
    assert same(to_json(shipped().understand(line).query), tree)


def test_a_list_of_too_many_ways_to_choose_is_an_error() -> None:
    with pytest.raises(QueryError, match="ways"):
        shipped().understand(
            "at least 4 of: fever, cough, rash, stroke, gout, asthma, sepsis, anemia, jaundice, ascites, edema"
        )
