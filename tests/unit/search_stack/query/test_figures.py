"""Numbers as people write them: in words, with a comma, with spaces, with signs turned round: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, field, has, phrases, words

HB, CREATININE, SODIUM = "hemoglobin measurement", "creatinine measurement", "sodium measurement"


def valued(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


SPELT = [
    ("Hb below eight", valued(HB, "< 8")),
    ("Hb between six and eight", valued(HB, "6-8")),
    ("lactate greater than four point five", valued("lactate measurement", "> 4.5")),
    ("glucose more than four hundred and fifty", valued("glucose measurement", "> 450")),
    ("platelets under a hundred thousand", valued("platelet count", "< 100000")),
    ("potassium over five and a half", valued("potassium measurement", "> 5.5")),
    ("INR five", valued("international normalized ratio", ">= 5")),
    ("NEWS seven or more", valued("national early warning score", ">= 7")),
    ("lactate two or more", valued("lactate measurement", ">= 2")),
    ("ef less than thirty-five per cent", valued("ejection fraction", "< 35 %")),
    ("nodule larger than two centimetres", valued("nodule", "> 20 mm")),
    ("women over seventy five", both(field("sex", "female"), field("age", ">75"))),
    ("women in their fifties with stroke", both(field("sex", "female"), field("age", "50-59"), has("stroke"))),
    ("over-eighties", field("age", ">80")),
    ("stage four breast cancer", both(has("stage iv cancer"), has("breast cancer"))),
    ("CKD stage three or four", either(has("stage 3 chronic kidney disease"), has("stage 4 chronic kidney disease"))),
    # No number that is compared: any one, a measure in words, a word of a name.
    ("at least one biologic", has("biologic immunosuppressant")),
    ("CRP three figures", both(has("c reactive protein"), words("three figures"))),
    ("one lung", words("one lung")),
]
WRITTEN = [
    ("Hb < 7,5", valued(HB, "< 7.5")),
    ("Hb 7,5", valued(HB, "<= 7.5")),
    ("AAA > 5,5 cm", valued("abdominal aortic aneurysm", "> 55 mm")),
    ("CK > 10 000", valued("creatine kinase", "> 10000")),
    ("platelets < 20,000", valued("platelet count", "< 20000")),
    ("lactate <2,000", valued("lactate measurement", "< 2000")),
    ("creatinine => 2", valued(CREATININE, ">= 2")),
    ("sodium =< 120", valued(SODIUM, "<= 120")),
    ("age => 60 with stroke", both(field("age", ">=60"), has("stroke"))),
    ("EF (<40%)", valued("ejection fraction", "< 40 %")),
    ("anemia (Hb < 8)", both(has("anemia"), valued(HB, "< 8"))),
    # A list of grades has no comma in its number.
    ("grade 1,2", both(phrases("grade 1", "grade i"), words("2"))),
]
COMPARED = [
    ("sodium not above 120", valued(SODIUM, "<= 120")),
    ("sodium not below 150", valued(SODIUM, ">= 150")),
    ("lactate at or above 4", valued("lactate measurement", ">= 4")),
    ("sodium equal to or less than 125", valued(SODIUM, "<= 125")),
    ("calcium no higher than 8", valued("calcium measurement", "<= 8")),
    ("K between 6 and 7", valued("potassium measurement", "6-7")),
    ("creatinine more than twice normal", valued(CREATININE, "> 2.6")),
    ("ALT above three times the upper limit", valued("alanine aminotransferase", "> 150")),
    ("pack years over 30", valued("tobacco use", "> 30 pack-years")),
    ("elderly over 70 with falls", both(field("age", ">70"), has("accidental fall"))),
]


@pytest.mark.parametrize(("line", "tree"), [*SPELT, *WRITTEN, *COMPARED])
def test_figures(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_what_rose_is_told_to_be_no_range(understanding: Understanding) -> None:
    told = understanding.understand("creatinine from 2 to 4").notices[0]
    assert same(to_json(understanding.understand(told.line).query), valued(CREATININE, "2-4"))
    assert not understanding.understand("creatinine rose from 2 to 4").notices
