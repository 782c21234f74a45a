"""Guesses beside tests with their results, ages of relatives, names drawn over others, short forms: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, field, has, near, no, worded, words

CT_HEAD, ECG = "ct of the head", "electrocardiogram"
GUESSES = [
    ("?stroke ct head normal", both(has("stroke", "possible"), has(CT_HEAD, "normal"))),
    ("?cardiac ecg normal", both(words("cardiac"), has(ECG, "normal"))),
    (
        "?pe ctpa negative",
        both(
            has("pulmonary embolism", "possible"),
            either(
                has("ct pulmonary angiogram", "normal"),
                both(has("ct pulmonary angiogram", "any"), has("pulmonary embolism", "absent")),
            ),
        ),
    ),
    # No result, no test, a result that belongs to the name.
    ("suspected stroke CT head", both(has("stroke", "possible"), has(CT_HEAD, "possible"))),
    ("possible abnormal ecg", has("abnormal electrocardiogram", "possible")),
]
KIN = [
    ("family history of sudden death under 40", has("sudden cardiac death", "family")),
    ("sister had stroke aged 40", has("stroke", "family")),
    ("father had stroke at 45", both(has("stroke", "family"), words("45"))),  # Notes that tell it say the number.
    ("stroke in women aged 40", both(has("stroke"), field("sex", "female"), field("age", "40"))),
]
NAMES = [
    ("fall with head injury", both(has("accidental fall"), has("head injury"))),
    ("fall with injury", both(has("accidental fall"), has("fall with injury"))),
    ("needle stick injury", has("needlestick injury")),
    ("grade 3 pressure sore", has("stage 3 pressure ulcer")),
    ("testicular lump", has("testicular mass")),
    ("postural drop", has("orthostatic hypotension")),
    ("addisons crisis", has("adrenal crisis")),
    ("awaiting theatre", has("surgery", "hypothetical")),
    ("unplanned return to theatre", both(words("unplanned"), has("return to the operating room"))),
]
SHORT = [
    ("dyspnea pnd", has("paroxysmal nocturnal dyspnea")),
    ("severe mr", {**has("mitral regurgitation"), "severity": "severe"}),
    (
        "severe as awaiting surgery",
        both({**has("aortic stenosis"), "severity": "severe"}, has("surgery", "hypothetical")),
    ),
    ("cxr nad", has("chest x ray", "normal")),
    ("urine dip neg", has("urinalysis", "normal")),
    ("rta with rib fracture", both(has("motor vehicle accident"), has("rib fracture"))),
    ("type 4 rta", has("type 4 renal tubular acidosis")),
    ("svt cardioverted", both(has("supraventricular tachycardia"), has("cardioversion"))),
    ("addisonian on hydrocortisone", both(has("adrenal insufficiency"), has("hydrocortisone"))),
    ("failure to thrive no cause found", both(has("failure to thrive"), words("no cause"))),
    ("stroke caused by endocarditis", both(has("stroke"), has("endocarditis"))),
    # The words of the language.
    ("pain severe as before", both(has("pain"), worded("severe"))),
    ("mr contrast", both(words("mr"), has("contrast agent"))),
]


DOSES = [
    ("sertraline 100mg", both(has("sertraline"), either(words("100mg"), words("100 mg")))),
    ("prednisone 40 mg daily", both(has("prednisone"), either(words("40mg daily"), words("40 mg daily")))),
    (
        "stroke within 30 days of aspirin 75mg",
        near(has("stroke"), both(has("aspirin"), either(words("75mg"), words("75 mg"))), -30, 30),
    ),
    ("vitamin d 5000 units", both(has("vitamin d"), words("5000 units"))),
]


@pytest.mark.parametrize(("line", "tree"), [*GUESSES, *KIN, *NAMES, *SHORT, *DOSES])
def test_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


RESULTS = [
    ("normal CT head", has(CT_HEAD, "normal")),
    ("CT head was unremarkable", has(CT_HEAD, "normal")),
    ("CT head not normal", has(CT_HEAD, "abnormal")),
    ("CT and LP negative", both(has("computed tomography", "normal"), has("lumbar puncture", "normal"))),
    ("without an abnormal ECG", no(either(has("abnormal electrocardiogram"), has(ECG, "abnormal")))),
    ("positive stress test", has("stress test", "abnormal")),
    ("normal CRP", either(has("c reactive protein", "normal"), has("elevated crp", "absent"))),
    ("abnormal mammogram", either(has("abnormal mammogram"), has("mammogram", "abnormal"))),
    # What is not there is told of itself, and names keep their words.
    ("CT negative for PE", both(has("computed tomography"), has("pulmonary embolism", "absent"))),
    ("normal saline", has("normal saline")),
    ("normal weight", words("normal weight")),
]


@pytest.mark.parametrize(("line", "tree"), RESULTS)
def test_what_a_test_found_is_asked_of_its_labels(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)
