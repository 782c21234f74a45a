"""What people put beside a question, and how far what they say goes: lines for each rule and against it."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, either, field, has, near, no, words


def valued(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


QTC_OVER_500 = valued("qtc interval", "> 500")
LINES: list[tuple[str, Tree]] = [
    # A slash between drugs is either of them; between complaints, both; what is denied, each.
    ("QTc > 500 on amiodarone/sotalol", both(QTC_OVER_500, either(has("amiodarone"), has("sotalol")))),
    ("on thiazide/SSRI", either(has("thiazide"), has("selective serotonin reuptake inhibitor"))),
    ("nausea/vomiting", both(has("nausea"), has("vomiting"))),
    ("not on tamoxifen/letrozole", both(no(has("tamoxifen")), no(has("letrozole")))),
    # "and on" before alternatives of drugs; what stands before is beside them all.
    (
        "QTc > 500 and on a macrolide or an antipsychotic",
        both(QTC_OVER_500, either(has("macrolide antibiotic"), has("antipsychotic"))),
    ),
    ("aspirin and on ramipril or losartan", both(has("aspirin"), either(has("ramipril"), has("losartan")))),
    # A doubt goes no further than its name.
    ("eGFR under 30??", valued("glomerular filtration rate", "< 30")),
    (
        "any SVT pts given adenosine that had asthma??",
        both(has("supraventricular tachycardia"), has("adenosine"), has("asthma")),
    ),
    ("asthma?", has("asthma", "possible")),
    ("pneumonia? new infiltrate", both(has("pneumonia", "possible"), words("new"), has("infiltrate"))),
    ("PE? or DVT?", either(has("pulmonary embolism", "possible"), has("deep vein thrombosis", "possible"))),
    (
        "query interstitial nephritis from PPI",
        both(has("interstitial nephritis", "possible"), has("proton pump inhibitor")),
    ),
    (
        "r/o pericarditis - pleuritic chest pain",
        both(has("pericarditis", "possible"), has("pleuritic chest pain")),
    ),
    ("possible gout, creatinine > 2", both(has("gout", "possible"), valued("creatinine measurement", "> 2"))),
    # A denial neither.
    ("no LVO, palliated", both(has("large vessel occlusion", "absent"), has("palliation"))),
    ("not ventilated, transfused", both(no(has("mechanical ventilation")), no(has("blood transfusion")))),
    ("no asthma and either gout or cough", both(has("asthma", "absent"), either(has("gout"), has("cough")))),
    ("no fever, cough+", both(has("fever", "absent"), has("cough"))),
    ("no fever, cough", both(has("fever", "absent"), has("cough", "absent"))),
    (
        "lactate > 4, steroids not given",
        both(valued("lactate measurement", "> 4"), has("corticosteroid", "absent")),
    ),
    ("not on insulin, no dsn referral", both(no(has("insulin")), words("no dsn referral"))),
    ("not on insulin or aspirin", both(no(has("insulin")), no(has("aspirin")))),
    # Alone, a disorder is ruled out, and what is done or had in a time left out.
    ("Graves disease excluded", has("graves disease", "absent")),
    ("dialysis excluded", no(has("dialysis"))),
    # Said by the way.
    ("no diabetes code yet", has("diabetes mellitus", "absent")),
    ("no code blue", both(has("do not resuscitate"), has("code blue"))),
    ("no gout written anywhere", has("gout", "absent")),
    ("kawasaki not thought of", no(has("kawasaki disease", "any"))),
    (
        "shingles, over 70, wasn't vaccinated or we don't know",
        both(has("shingles"), field("age", ">70"), has("vaccination", "absent")),
    ),
    ("shingles, over 70 or vaccinated", either(has("shingles"), field("age", ">70"), has("vaccination"))),
    ("PE before or DVT now", either(has("pulmonary embolism"), has("deep vein thrombosis"))),
    ("PE before DVT", near(has("pulmonary embolism"), has("deep vein thrombosis"), most=-1)),
    (
        "hepatitis b and hepatitis c tested and negative",
        both(has("hepatitis b", "absent"), has("hepatitis c", "absent")),
    ),
    ("chest x-ray done and clear", has("chest x ray", "normal")),
    ("not on biologics (adalimumab ustekinumab etc)", no(has("biologic immunosuppressant"))),
    # Whose it is.
    (
        "lupus with kidneys involved or thrombocytopenia",
        both(has("systemic lupus erythematosus"), either(words("kidneys involved"), has("thrombocytopenia"))),
    ),
    (
        "no left leg cellulitis or DVT",
        both(at(has("cellulitis", "absent"), "left leg"), at(has("deep vein thrombosis", "absent"), "left leg")),
    ),
    ("echocardiogram NAD, liver function tests NAD", both(
        has("echocardiogram", "normal"),
        either(has("liver function test", "normal"), has("elevated liver enzymes", "absent")),
    )),
    ("looks well in NAD", both(words("looks well"), has("acute distress", "absent"))),
    # Numbers of tests, people and days.
    ("SBP still > 160", valued("blood pressure", "> 160")),
    ("SBP on tap", both(has("spontaneous bacterial peritonitis"), words("tap"))),
    ("gout, age 15-25 f", both(has("gout"), field("age", "15-25"), field("sex", "female"))),
    ("gout over 60", both(has("gout"), field("age", ">60"))),
    ("ketoacidosis within 4/52 of surgery", near(has("diabetic ketoacidosis"), has("surgery"), -28, 28)),
    ("visual acuity 6/12", has("visual acuity")),
]  # fmt: skip


@pytest.mark.parametrize(("line", "meant"), LINES)
def test_a_line_is_read_as_meant(understanding: Understanding, line: str, meant: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), meant)


def test_a_number_of_a_test_is_no_age(understanding: Understanding) -> None:
    read = str(to_json(understanding.understand("ejection fraction improved from below 40 to 50").query))
    assert "age" not in read


def test_either_of_two_drugs_is_told_with_the_line_for_both(understanding: Understanding) -> None:
    (told,) = [n for n in understanding.understand("on thiazide/SSRI").notices if n.kind == "brackets"]
    assert told.message == '"thiazide/SSRI" was read as any of these; AND asks for all.'
    assert told.line == "on (thiazide AND SSRI)"
