"""Amounts in a query: as written by hand and in everyday words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.amounts import Amount
from search_stack.query.amount import amount_of, amount_text
from search_stack.query.nodes import Finding, Not
from search_stack.query.tree import QueryError, leaves
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write
from tests.queries.judge import same
from tests.queries.written import Tree, both, words

numbers = st.integers(0, 10**8).map(lambda n: n / 100)


def told(name: str, value: str) -> Tree:
    return {"finding": name, "assertion": "present", "value": value}


@given(
    st.sampled_from(("<", "<=", ">", ">=", "=")), numbers, numbers, st.sampled_from(("", "%", "mm", "ml", "g", "mg/dl"))
)
def test_what_is_written_reads_back(sign: str, first: float, more: float, unit: str) -> None:
    amount = Amount.by_sign(sign, first, round(first + (more if sign == "=" else 0.0), 2), unit)
    assert amount_of(amount_text(amount)) == amount


@pytest.mark.parametrize("text", ["", "3 4", "> 3-4", "5-3", "over 3", "> --3", "3 furlongs", "1" * 400])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no amount|holds no number"):
        amount_of(text)


def test_a_finding_with_an_amount_is_a_line_json_and_words(understanding: Understanding) -> None:
    node = Finding("creatinine measurement", amount=amount_of("> 3 mg/dl"))
    assert write(node) == 'finding:"creatinine measurement; > 3 mg/dl" present'
    assert understanding.understand(write(node)).query == node
    assert from_json(to_json(node)) == node
    assert readable(Not(node)) == "without creatinine measurement > 3 mg/dl"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"finding": "fever", "value": "high"}, "query.value"),
        ({"finding": "mass", "except": ["lung mass"], "value": "> 3 cm"}, "query.except"),
    ],
)
def test_an_amount_that_cannot_be_read_is_told_with_its_place(data: Tree, where: str) -> None:
    with pytest.raises(QueryError, match=where):
        from_json(data)


def test_a_vital_sign_is_asked_for_by_a_number(understanding: Understanding) -> None:
    assert to_json(understanding.understand('finding:"heart rate; > 120"').query) == told("heart rate", "> 120")
    for query in ('finding:"heart rate"', 'finding:"heart rate" absent'):
        with pytest.raises(QueryError, match="asked for by a number"):
            understanding.understand(query)
    assert to_json(understanding.understand("heart rate").query) == words("heart rate")


COMPARED = [
    ("creatinine over 3", told("creatinine measurement", "> 3")),
    ("EF less than 30%", told("ejection fraction", "< 30 %")),
    ("hgb <7", told("hemoglobin measurement", "< 7")),
    ("platelets under 50", told("platelet count", "< 50000")),
    ("platelet count under 20,000", told("platelet count", "< 20000")),
    ("creatinine 2.5 or higher", told("creatinine measurement", ">= 2.5")),
    ("GCS 8 or less", told("glasgow coma scale", "<= 8")),
    ("patients with a BMI of at least 40", told("body mass index", ">= 40")),
    ("hemoglobin between 7 and 8", told("hemoglobin measurement", "7-8")),
    ("BP over 180", told("blood pressure", "> 180")),
    ("systolic > 200", told("blood pressure", "> 200")),
    ("systolic BP < 90", told("blood pressure", "< 90")),
    ("systolic BP over 160", told("blood pressure", "> 160")),
    ("systolic B/P below 80", told("blood pressure", "< 80")),
    ("K between 5 and 6", told("potassium measurement", "5-6")),
    ("systolic BP between 80 and 90", told("blood pressure", "80-90")),
    ("heart rate over 120", told("heart rate", "> 120")),
    ("temp > 101", told("body temperature", "> 38.3333")),
    ("weight over 300 lbs", told("body weight", "> 136.0776 kg")),
    ("eGFR 15-29", told("glomerular filtration rate", "15-29")),
    ("aneurysm larger than 5 cm", told("aneurysm", "> 50 mm")),
    ("> 3 cm mass in the lung", told("lung mass", "> 30 mm")),
    ("stenosis > 70%", told("narrowing", "> 70 %")),
    ("pain > 7/10", told("pain", "> 7")),
    ("fever over 39", told("fever", "> 39")),
    ("fever over 102", told("fever", "> 38.8889")),
    ("hemoglobin less than or equal to 7 g/dl", told("hemoglobin measurement", "<= 7 g/dl")),
    ("blood loss more than a liter", told("bleeding", "> 1000 ml")),
    ("lung nodule > 8 mm or mass > 3 cm", {"any": [told("pulmonary nodule", "> 8 mm"), told("lung mass", "> 30 mm")]}),
    ("no nodule larger than 1 cm", {"not": told("nodule", "> 10 mm")}),
    ("without aneurysm > 5 cm", {"not": told("aneurysm", "> 50 mm")}),
    ("diastolic over 100", told("diastolic blood pressure", "> 100")),
    ("T-score below -2.5", told("bone density", "< -2.5")),
    ("30 pack years or more", told("tobacco use", ">= 30 pack-years")),
    ("30+ pack year smoking history", told("tobacco use", ">= 30 pack-years")),
    (
        "preeclampsia before 34 weeks",
        both({"finding": "preeclampsia", "assertion": "present"}, told("gestational age", "< 34")),
    ),
    ("32/40 with bleeding", both(told("gestational age", "= 32"), {"finding": "bleeding", "assertion": "present"})),
    (
        "stillbirth at 24 weeks or later",
        both({"finding": "stillbirth", "assertion": "present"}, told("gestational age", ">= 24")),
    ),
    ("34-36 weeks gestation", told("gestational age", "34-36")),
    ("EF < 40, INR > 3", both(told("ejection fraction", "< 40"), told("international normalized ratio", "> 3"))),
]
NOT_COMPARED = [
    "women over 60",
    "headache for more than 3 days",
    "pneumonia less than 2 weeks after surgery",
    "fell over a chair",
    "seizures more than 3 times",
    "zzyzx over 4",
    "pneumonia over 4",
    "ALT > 3x baseline",
    "metformin > 500 mg",
    "cough before 34 weeks",
    "pregnancy, antibiotics for 12 weeks",
    "headache 12 weeks after delivery",
    "no preeclampsia before 34 weeks",
    "creatinine -dialysis",
]


@pytest.mark.parametrize(("line", "tree"), COMPARED)
def test_a_comparison_is_told_of_the_name_beside_it(understanding: Understanding, line: str, tree: Tree) -> None:
    found = understanding.understand(line)
    assert same(to_json(found.query), tree)
    assert not [n for n in found.notices if n.kind == "field"]


@pytest.mark.parametrize("line", NOT_COMPARED)
def test_a_time_an_age_and_what_has_no_value_are_none(understanding: Understanding, line: str) -> None:
    asked = leaves(understanding.understand(line).query)
    assert not [leaf for leaf in asked if isinstance(leaf, Finding) and leaf.amount]


def test_a_number_beside_what_has_none_is_told_and_looked_for_as_it_is_written(understanding: Understanding) -> None:
    found = understanding.understand("zzyzx over 4")
    assert to_json(found.query) == words("zzyzx over 4") or to_json(found.query) == words("zzyzx 4")
    assert "compares nothing" in found.notices[0].message
    assert "compares nothing" in understanding.understand("zzyzx >= 4").notices[0].message
