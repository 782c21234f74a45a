"""Operations that leave something: whoever has had one is asked for."""

from __future__ import annotations

import pytest

from search_stack.query.left_behind import leaves_something
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, field, had, has, near, no

CABG, KNEE, TRANSPLANT = "coronary artery bypass graft", "knee replacement", "kidney transplant"
LAP_CHOLE = "laparoscopic cholecystectomy"
LINES = [
    ("kidney transplant", had(TRANSPLANT)),
    ("lap chole", had(LAP_CHOLE)),
    ("s/p lap chole", had(LAP_CHOLE)),
    ("had a chole", had("cholecystectomy")),
    ("CABG", had(CABG)),
    ("status post CABG, gout", both(had(CABG), has("gout"))),
    ("post-TURP", had("transurethral resection of the prostate")),
    ("stent, gout", both(had("stent"), has("gout"))),
    ("right total knee", both({"any": [at(has(KNEE), "right"), at(has(KNEE, "historical"), "right")]})["all"][0]),
    ("gout, no pacemaker", both(has("gout"), no(had("pacemaker")))),
    # What is said of it otherwise is asked alone.
    ("previous CABG", has(CABG, "historical")),
    ("CABG planned", has(CABG, "hypothetical")),
    ("no kidney transplant", has(TRANSPLANT, "absent")),
    ('finding:"kidney transplant" present', has(TRANSPLANT)),
    ('finding:"kidney transplant"', has(TRANSPLANT)),
    # So is what is compared in time, which is that of the notes, and what time is said of.
    ("CABG since 2020", both(has(CABG), field("after", "2020-01-01"))),
    ("infection after knee replacement", near(has("infection"), has(KNEE), 1)),
    ("first CABG", {"first": has(CABG)}),
    (
        "knee replacement and infection within 90 days",
        near(has("infection"), has(KNEE), 0, 90),
    ),
    # What leaves nothing, or ends what was left.
    ("CRRT", has("continuous renal replacement therapy")),
    ("laparotomy", has("laparotomy")),
    ("colostomy reversal", has("colostomy reversal")),
    ("stroke thrombectomy", both(has("stroke"), has("thrombectomy"))),
    ("s/p laparotomy", has("laparotomy", "historical")),
]


@pytest.mark.parametrize(("line", "tree"), LINES)
def test_who_has_had_it_is_asked_for(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_what_was_typed_is_told_of_both(understanding: Understanding) -> None:
    read = understanding.understand("fever, kidney transplant")
    assert set(read.typed.values()) == {"fever", "kidney transplant"}
    assert len(read.typed) == 3


@pytest.mark.parametrize(
    ("name", "leaves"),
    [
        ("above knee amputation surgery", True),
        ("ileostomy", True),
        ("inferior vena cava filter", True),
        ("drug eluting stent", True),
        ("implantable cardioverter-defibrillator", True),
        ("tracheostomy tube", True),
        ("surgery", False),
        ("kidney transplant biopsy", False),
        ("external defibrillator", False),
        ("fecal transplant", False),
        ("thoracostomy", False),
        ("blood transfusion", False),
        ("heart failure", False),
    ],
)
def test_an_operation_leaves_something(understanding: Understanding, name: str, leaves: bool) -> None:
    concept = understanding.lexicon.find(name)
    assert concept is not None
    assert leaves_something(concept, understanding.lexicon) is leaves
