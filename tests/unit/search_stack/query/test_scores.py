"""Scores with the number right behind them, and scopes that end before what is told besides: lines for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, field, had, has, no, words


def valued(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


def topic(name: str, aspect: str) -> Tree:
    return {"entity": name, "aspect": aspect}


SCORES = [
    ("gleason 8", valued("gleason score", "= 8")),
    ("gleason 4+3", both(has("gleason score"), {"phrase": "4+3"})),
    ("ECOG 0 or 1", valued("ecog performance status", "0-1")),
    ("ecog 0-1, no brain mets", both(valued("ecog performance status", "0-1"), has("brain metastasis", "absent"))),
    ("gcs 3/15 intubated", both(valued("glasgow coma scale", "= 3"), has("intubation"))),
    ("gcs 3 days", has("glasgow coma scale")),
    ("nihss of 4", valued("nih stroke scale", "= 4")),
    ("creatinine 3 days", has("creatinine measurement")),
    ("mrs 4 after stroke", {"near": valued("modified rankin scale", "= 4"), "to": has("stroke"), "least": 1}),
    ("centor 3", valued("centor score", "= 3")),
    ("NYHA 3", has("nyha class iii")),
    ("nyha class", has("nyha class")),
    ("Child-Pugh B", has("child pugh class b")),
    ("child pugh a or b", either(has("lowest child pugh class"), has("child pugh class b"))),
]
APART = [
    (
        "hypertension, diabetes, CKD 3-4",
        both(
            has("hypertension"),
            has("diabetes mellitus"),
            either(has("stage 3 chronic kidney disease"), has("stage 4 chronic kidney disease")),
        ),
    ),
    ("dyspnea NYHA III-IV", both(has("shortness of breath"), either(has("nyha class iii"), has("nyha class iv")))),
    (
        "no dialysis, CKD 3-4",
        both(
            no(has("dialysis")),
            has("stage 3 chronic kidney disease", "absent"),
            has("stage 4 chronic kidney disease", "absent"),
        ),
    ),
    (
        "prev section wants vbac",
        both(has("cesarean section", "historical"), has("vaginal birth after cesarean", "hypothetical")),
    ),
    ("history of gout and stroke", both(had("gout"), has("stroke", "historical"))),
    ("no chemotherapy for gout", both(no(has("chemotherapy")), has("gout"))),
    ("no fever for gout", both(has("fever", "absent"), has("gout", "absent"))),
    ("dysphagia failed swallow screen", both(has("dysphagia"), words("failed"), has("swallow assessment"))),
    ("rh neg mum", has("rh negative")),
    ("mum has gout", has("gout", "family")),
    ("asthma, never admitted", both(has("asthma"), words("never admitted"))),
    ("asthma, admitted", has("asthma")),
]
NAMES = [
    ("TIA symptoms resolved", both(has("transient ischemic attack", "historical"), words("symptoms"))),
    (
        "ECOG <= 2 and life expectancy > 3 months",
        both(valued("ecog performance status", "<= 2"), words("life expectancy")),
    ),
    ("life expectancy in gout", topic("gout", "prognosis")),
    ("allergic to both penicillin and sulfa", both(has("penicillin", "allergy"), has("sulfonamide", "allergy"))),
    ("both penicillin and sulfa", both(has("penicillin"), has("sulfonamide"))),
    ("whats the outcome of gout", topic("gout", "prognosis")),
    ("hayfever", has("allergic rhinitis")),
    ("TIA symptoms", topic("transient ischemic attack", "symptoms")),
    ("stroke/prevention & control", topic("stroke", "prevention")),
    ("gout & control", both(has("gout"), words("control"))),
    ("stroke prevention clinic", words("stroke prevention clinic")),
    ("kidney stones with stent", both(has("kidney stone"), has("ureteral stent"))),
    ("cholangitis with stent", both(has("cholangitis"), has("biliary stent"))),
    ("angina with stent", both(has("angina pectoris"), has("stent"))),
    ("kidney stones and vascular stent", both(has("kidney stone"), has("vascular stent"))),
    ("type 2 on metformin", both(has("type 2 diabetes mellitus"), has("metformin"))),
    ("pregnant with low b12", both(has("pregnancy"), has("vitamin b12 deficiency"))),
    ("gout on gliclazide", both(has("gout"), has("gliclazide"))),
    ("sglt2 stopped", has("sglt2 inhibitor", "stopped")),
    ("women with mrs over 2", both(field("sex", "female"), valued("modified rankin scale", "> 2"))),
]


@pytest.mark.parametrize(("line", "tree"), [*SCORES, *APART, *NAMES])
def test_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_type_2_of_something_else_is_no_diabetes(understanding: Understanding) -> None:
    read = str(understanding.understand("type 2 respiratory failure on insulin").query)
    assert "diabetes" not in read
