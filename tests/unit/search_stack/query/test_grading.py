"""Grades as phrases, in either figures, with the word between scale and grade that notes may have: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, has, near, no, phrases

AKI = has("acute kidney injury")


STAGE_2 = phrases("stage 2", "stage ii")
GRADED = [
    ("AKI 2", both(AKI, STAGE_2)),
    ("stage II AKI", both(AKI, STAGE_2)),
    ("AKI 2 on CKD G3b", both(AKI, STAGE_2, has("stage 3 chronic kidney disease"))),
    ("CKD stage IIIb", has("stage 3 chronic kidney disease")),
    ("VUR grade 4", both(has("vesicoureteral reflux"), phrases("grade 4", "grade iv"))),
    ("no grade three toxicity", both(phrases("grade 3", "grade iii"), has("toxicity", "absent"))),
    ("stage 3b lung cancer", both(phrases("stage 3b", "stage iiib"), has("lung cancer"))),
    # A number behind it that is none of its grades.
    ("AKI 2 to 7 days after vancomycin", near(AKI, has("vancomycin"), 2, 7)),
]
SCALES = [
    ("Gustilo IIIB", phrases("gustilo iiib", "gustilo 3b", "gustilo type iiib", "gustilo type 3b")),
    ("KDIGO 3", phrases("kdigo 3", "kdigo iii", "kdigo stage 3", "kdigo stage iii")),
    ("excluding ASA IV", no(phrases("asa iv", "asa 4", "asa class iv", "asa class 4"))),
    ("mallampati > 3", phrases("mallampati 4", "mallampati iv", "mallampati class 4", "mallampati class iv")),
    ("killip grade 4", phrases(*(f"killip{noun} {n}" for noun in ("", " class", " grade") for n in ("4", "iv")))),
    ("birads 4b", has("bi-rads 4")),
    (
        "H&Y 4",
        phrases(
            *(f"{scale}{noun} {n}" for scale in ("h&y", "hoehn yahr") for noun in ("", " stage") for n in ("4", "iv"))
        ),
    ),
    # By letters, which are words else.
    ("Dukes C", phrases("dukes c", "dukes stage c")),
    ("Stanford A", phrases("stanford a", "stanford type a")),
    # No name that is misspelt.
    ("Fontaine IIb", phrases("fontaine iib", "fontaine 2b", "fontaine stage iib", "fontaine stage 2b")),
    ("ECOG PS 2", {**has("ecog performance status"), "value": "= 2"}),
]


@pytest.mark.parametrize(("line", "tree"), [*GRADED, *SCALES])
def test_grades(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_ways_of_writing_one_grade_are_no_choice(understanding: Understanding) -> None:
    assert not understanding.understand("AKI stage 2").notices
    assert understanding.understand("fever or cough and rash").notices
