"""What lines of strangers said that was read otherwise: each rule with lines for it and lines against it."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, field, has, no, phrases, words


def valued(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


LEVELS = [
    ("lithium and raised creatinine", both(has("lithium"), has("elevated creatinine"))),
    ("CRP high", has("elevated crp")),
    ("low platelets on heparin", both(has("thrombocytopenia"), has("heparin"))),
    ("raised lesion", both(words("raised"), has("lesion"))),
    ("high grade dysplasia", has("high grade dysplasia")),
    ("low back pain", has("back pain")),
]
MEASURED = [
    ("Na < 120", valued("sodium measurement", "< 120")),
    ("eGFR<30", valued("glomerular filtration rate", "< 30")),
    ("K over 6", valued("potassium measurement", "> 6")),
    ("on calcium for fractures", both(has("calcium"), has("fracture"))),
    ("CURB-65 >= 3", valued("curb-65 score", ">= 3")),
    ("no fever, creatinine over 1", both(has("fever", "absent"), valued("creatinine measurement", "> 1"))),
    ("no sepsis and lactate > 4", both(has("sepsis", "absent"), valued("lactate measurement", "> 4"))),
    ("without fever, lactate > 4", both(no(has("fever")), valued("lactate measurement", "> 4"))),
    (
        "gout, exclude pregnancy, eGFR<30",
        both(has("gout"), no(has("pregnancy")), no(valued("glomerular filtration rate", "< 30"))),
    ),
    ("no creatinine over 3", no(valued("creatinine measurement", "> 3"))),
    ("no fever or lactate > 4", both(has("fever", "absent"), no(valued("lactate measurement", "> 4")))),
    ("lactate > 4 or fever", either(valued("lactate measurement", "> 4"), has("fever"))),
]
CALLED_AFTER = [
    ("diabetes clinic", words("diabetes clinic")),
    ("lupus-like rash", both(words("lupus-like"), has("rash"))),
    ("stroke mimic", words("stroke mimic")),
    ("diabetes in clinic", both(has("diabetes mellitus"), words("clinic"))),
    ("flu-like symptoms", has("upper respiratory symptom")),
]
ALONE_RULED_OUT = [
    ("MRSA bacteremia with endocarditis ruled out", both(has("mrsa bacteremia"), has("endocarditis", "absent"))),
    ("fever and cough ruled out", both(has("fever", "absent"), has("cough", "absent"))),
    (
        "ankylosing spondylitis DQ7 neg",
        both(has("ankylosing spondylitis"), either(words("dq7 negative"), words("dq7 neg"))),
    ),
    ("gout negative", has("gout", "absent")),
]
LISTS = [
    ("gout on allopurinol, rash or fever", both(has("gout"), has("allopurinol"), either(has("rash"), has("fever")))),
    (
        "gout on allopurinol, colchicine or prednisone",
        both(has("gout"), either(*map(has, ("allopurinol", "colchicine", "prednisone")))),
    ),
    (
        "grade 2 or above diarrhea",
        both(phrases(*(f"grade {n}" for n in ("2", "ii", "3", "iii", "4", "iv"))), has("diarrhea")),
    ),
    ("grade 2 diarrhea", both(phrases("grade 2", "grade ii"), has("diarrhea"))),
]
SHORT_FORMS = [
    (
        "SJS or ICANS",
        either(has("stevens johnson syndrome"), has("immune effector cell associated neurotoxicity syndrome")),
    ),
    ("gout, XOUGH", both(has("gout"), words("xough"))),
    ("gout, xough", both(has("gout"), has("cough"))),
    ("ET tube", has("endotracheal tube")),
    ("ET on hydroxyurea", both(has("essential thrombocythemia"), has("hydroxyurea"))),
    ("anorexia with BMI < 13", both(has("anorexia nervosa"), valued("body mass index", "< 13"))),
    ("anorexia and weight loss", both(has("loss of appetite"), has("weight loss"))),
]
SCOPES = [
    ("maternal diabetes and macrosomia", both(has("diabetes mellitus", "family"), has("macrosomia"))),
    ("maternal smoking", has("tobacco use", "family")),
    ("migraine prophylaxis with topiramate, gout", both(has("migraine prophylaxis"), has("topiramate"), has("gout"))),
    ("DVT prophylaxis not given", has("venous thromboembolism prophylaxis", "absent")),
    ("no red flags, MRI normal", both(words("no red flags"), has("magnetic resonance imaging", "normal"))),
    ("no fever, cough", both(has("fever", "absent"), has("cough", "absent"))),
    (
        "severe tricuspid regurgitation, not for surgery",
        both({**has("tricuspid regurgitation"), "severity": "severe"}, no(has("surgery"))),
    ),
    ("not for resuscitation", has("do not resuscitate")),
    ("gout, colchicine or prednisone", both(has("gout"), either(has("colchicine"), has("prednisone")))),
    ("gout, fever or cough", either(has("gout"), has("fever"), has("cough"))),
    ("ICD-10 C34 lung cancer", has("lung cancer")),
    (
        "neonatal hypoglycemia, mother on labetalol",
        both(has("neonatal hypoglycemia"), has("labetalol", "family")),
    ),
    ("gout, mother had stroke", both(has("gout"), has("stroke", "family"))),
    ("delayed diagnosis of appendicitis", both(words("delayed"), has("appendicitis"))),
    ("diagnosis of appendicitis", {"entity": "appendicitis", "aspect": "diagnosis"}),
    ("warfarin therapy", has("warfarin")),
    ("gout therapy", {"entity": "gout", "aspect": "treatment"}),
    ("ICD fired", both(has("implantable cardioverter-defibrillator"), words("fired"))),
]
YEAR_2022 = both(field("after", "2022-01-01"), field("before", "2023-01-01"))
HIV = "human immunodeficiency virus infection"
COUNTED = [
    ("10 or more medications", has("polypharmacy")),
    ("more than 5 meds", has("polypharmacy")),
    ("5 medications", both(words("5"), has("medication"))),
    ("at least 2 antibiotics", has("antibiotic")),
    ("at least 2 notes with metformin", {"at_least": 2, "unit": "notes", "of": has("metformin")}),
    ("3 or more polyps", has("polyp")),
    ("3 or more seizures", {"at_least": 3, "unit": "notes", "of": has("seizure")}),
    ("2+ pitting edema", both(words("2"), has("peripheral edema"))),
    ("2+ falls", {"at_least": 2, "unit": "notes", "of": has("accidental fall")}),
    ("gleason 4+3", both(has("gleason score"), {"phrase": "4+3"})),
]
UNTREATED = [
    ("HIV not on treatment", both(has(HIV), no({"entity": HIV, "aspect": "treatment"}))),
    ("hepatitis c off therapy", both(has("hepatitis c"), no({"entity": "hepatitis c", "aspect": "treatment"}))),
    ("cancer not treated", both(has("cancer"), words("not treated"))),
    ("no treatment for gout", both(no({"entity": "gout", "aspect": "treatment"}), has("gout"))),
    (
        "Exclusion criteria: sepsis, HIV not on prednisone, gout",
        both(no(has("sepsis")), no(both(has(HIV), no(has("prednisone")))), no(has("gout"))),
    ),
    ("Exclusion criteria: gout, without fever or cough", both(no(has("gout")), has("fever"), has("cough"))),
]
SUBHEADINGS = [
    ("gout/drug therapy", {"entity": "gout", "aspect": "treatment"}),
    ("gout/mortality AND stroke", both({"entity": "gout", "aspect": "prognosis"}, has("stroke"))),
    ("gout/stroke", both(has("gout"), has("stroke"))),
]
OVERDUE = [
    ("overdue for mammogram", both(has("mammogram", "any"), words("overdue"))),
    ("colonoscopy due", both(has("colonoscopy", "any"), words("due"))),
    ("mammogram due to a lump", both(has("mammogram"), has("bump"))),
]
ALLERGIES = [
    ("allergic to latex and penicillin", both(has("latex allergy"), has("penicillin", "allergy"))),
    ("allergic to penicillin and latex", both(has("penicillin", "allergy"), has("latex allergy"))),
    ("latex allergy and penicillin", both(has("latex allergy"), has("penicillin"))),
]
LEVELS_OF_DRUGS = [
    ("lithium > 1.2", valued("lithium level", "> 1.2")),
    ("lithium > 900 mg", has("lithium")),
    ("vitamin b12 < 150", valued("b12 level", "< 150")),
    ("on thyroxine", has("levothyroxine")),
]
TWICE = [
    ("pneumonia twice in 2022", both({"at_least": 2, "unit": "notes", "of": has("pneumonia")}, YEAR_2022)),
    ("metformin twice a day", both(has("metformin"), words("twice a day"))),
    ("aspirin given twice", both(has("aspirin"), words("twice"))),
]
SHARED_TIME = [
    (
        "gout, stroke or fever within 6 months",
        both(either(has("gout"), has("stroke"), has("fever")), field("after", "2026-05-22")),
    ),
    ("gout within 6 months", both(has("gout"), field("after", "2026-05-22"))),
    ("without gout, or zzyzx", both(no(has("gout")), no(words("zzyzx")))),
    ("gout, or zzyzx", either(has("gout"), words("zzyzx"))),
]
SAID_OTHERWISE = [
    ("first degree relative with bipolar", has("bipolar disorder", "family")),
    ("relative risk of gout", both(words("relative"), has("gout", "hypothetical"))),
    ("cancer came back", has("recurrent cancer")),
    ("cultures came back negative", has("culture test", "normal")),
    ("blood in their pee", has("hematuria")),
    ("blood in their mouth", both(has("visible blood"), words("mouth"))),
    ("NYHA III-IV", either(has("nyha class iii"), has("nyha class iv"))),
    ("ASA III-IV", phrases(*(f"asa{noun} {n}" for noun in ("", " class") for n in ("3", "iii", "4", "iv")))),
    ("levels IV-II", words("levels iv-ii")),
    ("secondary amenorrhea", has("secondary amenorrhea")),
    ("anemia secondary to gout", both(has("anemia"), has("gout"))),
    ("no secondary hypertension", has("secondary hypertension", "absent")),
    ("previous section x2", has("cesarean section", "historical")),
    ("sickle cell, acute chest", both(has("sickle cell disease"), has("acute chest syndrome"))),
    ("acute chest pain", both(words("acute"), has("chest pain"))),
    ("not tolerating statins", has("statin intolerance")),
    ("could not tolerate gabapentin", has("gabapentin", "allergy")),
    ("hurt her knee", has("knee injury")),
    ("hurt her feelings", words("hurt her feelings")),
    ("people scared of dying", words("scared of dying")),
    ("cld with ascites", both(has("liver disease"), has("ascites"))),
    ("ex-prem with cld", both(has("prematurity"), has("chronic lung disease"))),
    ("proteinuria > 1 g/day", valued("proteinuria", "> 1 g")),
]
PEOPLE = [
    ("adults (18-65) with gout", both(field("age", "18-65"), has("gout"))),
    ("gout (2-3) attacks", both(has("gout"), words("2-3"), words("attacks"))),
    ("teenagers with asthma", both(field("age", "13-19"), has("asthma"))),
    ("neonatal jaundice", has("neonatal jaundice")),
    ("6 week old with fever", both(field("age", "<1"), has("fever"))),
    ("18 month old boy", both(field("sex", "male"), field("age", "1"))),
    ("2 week old rash", has("rash")),
    ("over 6 months old with fever", both(words("over"), has("fever"))),
    ("old ladies with falls", both(field("sex", "female"), field("age", ">=65"), has("accidental fall"))),
    ("70 year old man with falls", both(field("sex", "male"), field("age", "70"), has("accidental fall"))),
]


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        *LEVELS,
        *MEASURED,
        *CALLED_AFTER,
        *ALONE_RULED_OUT,
        *LISTS,
        *SHORT_FORMS,
        *SCOPES,
        *COUNTED,
        *UNTREATED,
        *SUBHEADINGS,
        *OVERDUE,
        *ALLERGIES,
        *LEVELS_OF_DRUGS,
        *TWICE,
        *SHARED_TIME,
        *SAID_OTHERWISE,
        *PEOPLE,
    ],
    ids=lambda v: str(v)[:60],
)
def test_lines_of_strangers(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_no_egfr_below_30_is_left_out(understanding: Understanding) -> None:
    read = to_json(understanding.understand("exclude eGFR<30").query)
    assert same(read, no(valued("glomerular filtration rate", "< 30")))


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        ("stroke within 48 hours of surgery", -2, 2),
        ("fracture within 36 hours of a fall", -2, 2),
        ("stroke within 24 h of surgery", -1, 1),
    ],
)
def test_hours_are_compared_as_days(understanding: Understanding, line: str, least: int, most: int) -> None:
    tree = to_json(understanding.understand(line).query)
    assert (tree["least"], tree["most"]) == (least, most)


@pytest.mark.parametrize(
    ("line", "aside"),
    [
        ("newly prescribed warfarin", "newly prescribed"),
        ("obesity causing sleep apnea", "causing"),
        ("sepsis including pneumonia", "including"),
        ("sepsis include pneumonia", "include"),
    ],
)
def test_words_of_a_report_are_left_aside(understanding: Understanding, line: str, aside: str) -> None:
    assert understanding.understand(line).aside == (aside,)
