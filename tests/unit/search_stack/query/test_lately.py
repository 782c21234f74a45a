"""Times that count back from now without saying so, what is left out in them, and alternatives of one name: for and
against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from tests.queries.judge import same, shipped
from tests.queries.written import Tree, both, either, field, has, near, no, phrases, words

MI, TIA, HF = "myocardial infarction", "transient ischemic attack", "congestive heart failure"
STAGES = [has(f"stage {n} chronic kidney disease") for n in (3, 4, 5)]


def since(day: str, name: str) -> Tree:
    return {"during": has(name), "after": day}


EVER = either(*(has(name, how) for name in ("stroke", TIA, MI) for how in ("present", "historical")))
THREE = [no(since("2026-05-22", name)) for name in ("stroke", MI, TIA)]
LATELY = [
    ("exclude if prior stroke, MI or TIA within 6 months", both(*THREE)),
    ("exclude if pregnancy, prior stroke, MI or TIA within 6 months", both(no(has("pregnancy")), *THREE)),
    ("Exclusion: stroke, MI, or TIA within 6 months of randomization; pregnancy", both(*THREE, no(has("pregnancy")))),
    ("Exclusion: HIV, MI within the last 6 months", both(no(has("human immunodeficiency virus infection")), THREE[1])),
    ("Exclusion: prior MI within 6 months", THREE[1]),
    ("heart failure without MI in the last 6 months", both(has(HF), THREE[1])),
    (
        "Inclusion: MI within 30 days. Exclusion: gout",
        both(both(has(MI), field("after", "2026-10-23")), no(has("gout"))),
    ),
    ("no MI within 6 months", both(has(MI, "absent"), field("after", "2026-05-22"))),
    ("stroke within 3 months of enrolment", both(has("stroke"), field("after", "2026-08-22"))),
    # Of an event, of what a list has not said, and of what is asked for.
    ("MI within 30 days of surgery", near(has(MI), has("surgery"), -30, 30)),
    ("exclude MI within 30 days after surgery", no(near(has(MI), has("surgery"), 0, 30))),
    ("exclude gout, MI in the last 6 months", both(no(has("gout")), THREE[1])),
    ("heart failure with MI in the last 6 months", both(has(HF), has(MI), field("after", "2026-05-22"))),
    (
        "history of stroke, TIA or MI within 6 months",
        both(EVER, field("after", "2026-05-22")),
    ),
]
AFTERWARDS = [
    ("wound infection 3 days post op", near(has("wound infection"), has("surgery"), 0, 3)),
    (
        "wound infection within 30 days post-op, fever",
        both(near(has("wound infection"), has("surgery"), 0, 30), has("fever")),
    ),
    ("knee replacement infected within a year", near(has("infection"), has("knee replacement"), 0, 365)),
    # As notes number days, no operation of its own, what comes again.
    ("ileus pod 3", both(has("ileus"), words("pod 3"))),
    ("3 days post op ileus", both(words("3 days"), has("postoperative ileus"))),
    ("readmitted with gout within a month", both(has("readmission"), has("gout"), words("within a month"))),
]
ALTERNATIVES = [
    ("NYHA III or IV heart failure", both(either(has("nyha class iii"), has("nyha class iv")), has(HF))),
    ("hepatitis b or c cirrhosis", both(either(has("hepatitis b"), has("hepatitis c")), has("cirrhosis"))),
    ("CKD stage 3-4", either(*STAGES[:2])),
    ("ckd stage 3 to 5 with gout", both(either(*STAGES), has("gout"))),
    ("ckd 3b-4", either(*STAGES[:2])),
    ("child pugh b-c", either(has("child pugh class b"), has("child pugh class c"))),
    # Names of their own, what is denied, what is graded by words alone.
    ("fever or chills bacteremia", either(has("fever"), both(has("chills"), has("bacteremia")))),
    ("no hepatitis b or c", both(has("hepatitis b", "absent"), has("hepatitis c", "absent"))),
    ("grade 3 or 4 neutropenia", both(phrases("grade 3", "grade iii", "grade 4", "grade iv"), has("neutropenia"))),
]


@pytest.mark.parametrize(("line", "tree"), [*LATELY, *AFTERWARDS, *ALTERNATIVES])
def test_lines(line: str, tree: Tree) -> None:
    read = to_json(shipped().understand(line).query)
    assert same(read, tree), read
