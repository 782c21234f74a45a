"""Everyday lines that were misread, each with its like that must not be read so."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, had, has, near, no, words


def section(name: str) -> Tree:
    return {"field": "section", "value": name}


def kind(name: str) -> Tree:
    return {"field": "type", "value": name}


MI = "myocardial infarction"
DONE_TO = [
    ("foley removed", both(has("urinary catheter", "any"), words("removed"))),
    ("stopped dialysis", both(has("dialysis", "any"), words("stopped"))),
    ("exposed to TB", both(has("tuberculosis", "any"), words("exposed"))),
    ("no TB contacts", both(has("tuberculosis", "absent"), words("contacts"))),
    ("not exposed to TB", no(both(has("tuberculosis", "any"), words("exposed")))),
    ("negative CTA", has("ct angiography", "normal")),
    ("fever, negative cultures", both(has("fever"), has("culture test", "normal"))),
    ("culture negative endocarditis", has("culture-negative endocarditis")),
    ("hepatitis b antibody positive", both(has("hepatitis b", "any"), words("antibody positive"))),
    # What is said of what is found, of a drug, of another name; a concept of its own.
    ("CT negative for PE", both(has("computed tomography"), has("pulmonary embolism", "absent"))),
    ("metformin stopped", has("metformin", "stopped")),
    ("pacemaker, foley removed", both(has("pacemaker"), has("urinary catheter", "any"), words("removed"))),
    ("exposure to tuberculosis", has("tuberculosis exposure")),
    ("no foley", has("urinary catheter", "absent")),
    ("negative for influenza", has("influenza", "absent")),
]
UNDONE = [
    ("lung nodule not followed up", both(has("pulmonary nodule"), words("not followed up"))),
    ("prostate cancer was never treated", both(has("prostate cancer"), words("never treated"))),
    # As what somebody may not have: "not a candidate for transplant".
    ("gout, not transplant candidate", both(has("gout"), has("transplantation", "any"), words("not candidate"))),
    # Left out: what has a name, what somebody is treated with, what is no participle.
    ("pneumonia not intubated", both(has("pneumonia"), no(has("intubation")))),
    ("hepatitis c not treated with interferon", both(has("hepatitis c"), no(has("interferon")))),
    ("DVT, not massive", both(has("deep vein thrombosis"), no(words("massive")))),
]
MARKED = [
    ("er+ her2- breast cancer", both(has("estrogen receptor positive"), has("her2 negative"), has("breast cancer"))),
    ("ER positive HER2 negative", both(has("estrogen receptor positive"), has("her2 negative"))),
    ("HIV- MSM", both(has("human immunodeficiency virus infection", "absent"), has("men who have sex with men"))),
    ("JAK2- thrombocytosis", both(words("jak2 negative"), has("thrombocytosis"))),
    ("HLA B27+ uveitis", both(has("hla b27"), has("uveitis"))),
    ("T2+ melanoma", both(words("t2"), has("melanoma"))),
    ("platelets 50-", {**has("platelet count"), "value": "<= 50000"}),
    ("pneumothorax -pleural effusion", both(has("pneumothorax"), no(has("pleural effusion")))),
]
PLACES = [
    (
        "nodule in findings but not in impression",
        both(both(has("nodule"), section("findings")), no(both(has("nodule"), section("impression")))),
    ),
    (
        "fever in radiology reports but not in discharge summaries",
        both(both(has("fever"), kind("radiology report")), no(both(has("fever"), kind("discharge summary")))),
    ),
    ("home meds: metoprolol", both(section("medications"), has("metoprolol"))),
    ("social history: smoker", both(section("social history"), has("tobacco use"))),
    # One place alone; operators as they are written; headings that say whose or when it was.
    ("pulmonary edema, not in the indication", both(has("pulmonary edema"), no(section("indication")))),
    (
        "nodule section:findings NOT section:impression",
        both(has("nodule"), section("findings"), no(section("impression"))),
    ),
    ("pmh: copd", had("chronic obstructive pulmonary disease")),
    ("family history: stroke", has("stroke", "family")),
]
KIN = [
    ("MI before 50 in a relative", has(MI, "family")),
    ("mother had MI before 50", has(MI, "family")),
    ("colon cancer in a relative under 60", has("colon cancer", "family")),
    ("MI before 50", {"at_age": has(MI), "most": 49}),
    ("father had MI at 45", both(has(MI, "family"), words("45"))),  # Notes that tell it say the number.
]
IN_TIME = [
    ("covid then a stroke", near(has("covid 19"), has("stroke"), None, -1)),
    ("pneumonia needing intubation within 7 days", near(has("intubation"), has("pneumonia"), 0, 7)),
    (
        "pneumothorax after central line insertion",
        near(has("pneumothorax"), has("central venous catheter"), 1, None),
    ),
    (
        "AKI on CKD after contrast",
        both(near(has("acute kidney injury"), has("contrast agent"), 1, None), has("chronic kidney disease")),
    ),
    (
        "tracheal stenosis after prolonged intubation",
        near(has("tracheal stenosis"), both(words("prolonged"), has("intubation")), 1, None),
    ),
    (
        "readmission within 30 days after discharge for gout",
        both(near(has("readmission"), words("discharge"), 0, 30), has("gout")),
    ),
    # "Then" that orders nothing; a relation of its own; a time that is no span between two.
    ("fever, then please list all", has("fever")),
    ("stroke within 7 days after surgery", near(has("stroke"), has("surgery"), 0, 7)),
    ("fever and rash after amoxicillin", both(has("fever"), near(has("rash"), has("amoxicillin"), 1, None))),
]
SHARED = [
    ("influenza A", both(has("influenza"), {"phrase": "influenza a"})),
    ("hepatitis a", has("HAV infection")),
    (
        "CKD 4-5",
        {"any": [has("stage 4 chronic kidney disease"), has("stage 5 chronic kidney disease")]},
    ),
    ("EF 30-40%", {**has("ejection fraction"), "value": "30-40 %"}),
    ("colon ca excluding rectal", both(has("colon cancer"), no(has("rectal cancer")))),
    ("hernia left side, not recurrent", both(at(has("hernia"), "left"), no(has("recurrent hernia")))),
    ("chest pain denies", has("chest pain", "absent")),
    ("denies chest pain", has("chest pain", "absent")),
    ("not on oxygen", no(has("oxygen therapy"))),
]
FOR = [
    ("gout colchicine or prednisone", both(has("gout"), {"any": [has("colchicine"), has("prednisone")]})),
    (
        "lupus nephritis mycophenolate, cyclophosphamide or rituximab",
        both(has("lupus nephritis"), {"any": [has("mycophenolate"), has("cyclophosphamide"), has("rituximab")]}),
    ),
    # Of one kind what stands side by side is one alternative; so is what "and" joins.
    ("fever cough or dyspnea", {"any": [both(has("fever"), has("cough")), has("shortness of breath")]}),
    ("gout and colchicine or prednisone", {"any": [both(has("gout"), has("colchicine")), has("prednisone")]}),
]
CAUSED = [
    ("amiodarone induced hypothyroidism", both(has("amiodarone"), has("hypothyroidism"))),
    ("lithium-induced hypothyroidism", both(has("lithium"), has("hypothyroidism"))),
    ("alcohol related hypertension", both(has("alcohol use"), has("hypertension"))),
    ("delirium superimposed on dementia", both(has("delirium"), has("dementia"))),
    # One word with what no lexicon knows; a name of its own.
    ("immune related myositis", both(words("immune related"), has("myositis"))),
    ("heparin induced thrombocytopenia", has("heparin induced thrombocytopenia")),
]
KNOWN_BESIDES = [
    ("ruled out for PE, known malignancy", both(has("pulmonary embolism", "absent"), has("cancer"))),
    ("no known drug allergies", has("drug allergy", "absent")),
    ("suicidal ideation but denies plan", both(has("suicidal ideation"), has("suicide plan", "absent"))),
    (
        "suicidal ideation, denies plan or intent",
        both(has("suicidal ideation"), has("suicide plan", "absent"), has("suicidal intent", "absent")),
    ),
    # It makes no narrower name of the one before.
    ("asthma, denies plan", both(has("asthma"), words("denies plan"))),
    ("chest pain, no cough", both(has("chest pain"), has("cough", "absent"))),
]
WEEKS = [
    ("preeclampsia before 34 weeks", both(has("preeclampsia"), {**has("gestational age"), "value": "< 34"})),
    ("preterm labor after 34 weeks gestation", both(has("preterm labor"), {**has("gestational age"), "value": "> 34"})),
    ("stroke before chemotherapy", near(has("stroke"), has("chemotherapy"), None, -1)),
    ("alendronate > 5 years", has("alendronate")),
    ("osteoporosis > 65 years", both(has("osteoporosis"), {"field": "age", "value": ">65"})),
    (
        "Guillain-Barre preceded by diarrhea",
        near(has("guillain barre syndrome"), has("diarrhea"), 1, None),
    ),
    ("first seizure normal MRI", both({"first": has("seizure")}, has("magnetic resonance imaging", "normal"))),
    (
        "asthma with at least 2 attacks",
        {"at_least": 2, "unit": "notes", "of": has("asthma exacerbation")},
    ),
    ("asthma with at least 2 foobars", both(has("asthma"), words("2 foobars"))),
]
HEADED = [
    ("sepsis in the discharge summary", both(has("sepsis"), kind("discharge summary"))),
    ("malignant hyperthermia family hx", has("malignant hyperthermia", "family")),
    ("family history of stroke", has("stroke", "family")),
    (
        "encephalopathy, metabolic or toxic",
        {"any": [has("metabolic encephalopathy"), has("toxic encephalopathy")]},
    ),
    ("encephalopathy, fever or cough", {"any": [has("encephalopathy"), has("fever"), has("cough")]}),
    ("endometrial ca", has("endometrial cancer")),
    ("serum ca", words("serum ca")),
    ("denosumab then stopped", has("denosumab", "stopped")),
    ("postoperative diagnosis appendicitis", both(section("postoperative diagnosis"), has("appendicitis"))),
    ("hospice who died within 7 days", near(has("died"), has("hospice"), 0, 7)),
    ("discharge diagnosis of pneumonia", both(section("discharge diagnosis"), has("pneumonia"))),
    ("diagnosis of pneumonia", {"entity": "pneumonia", "aspect": "diagnosis"}),
]
ALONE = [
    ("subdural on warfarin", both(has("subdural hematoma"), has("warfarin"))),
    ("subdural hygroma", has("subdural hygroma")),
    ("coeliac and anemia", both(has("celiac disease"), has("anemia"))),
    ("celiac artery", words("celiac artery")),
    ("leukemia excluding ALL", both(has("leukemia"), no(has("acute lymphoblastic leukemia")))),
    ("show me ALL patients with asthma", has("asthma")),
    ("DRESS syndrome", has("dress syndrome")),
    ("DRESS eosinophilia", both(has("dress syndrome"), has("eosinophilia"))),
    ("fall on warfarin", both(has("accidental fall"), has("warfarin"))),
    ("fall in platelets", both(words("fall"), has("platelet count"))),
]


@pytest.mark.parametrize(
    ("line", "tree"),
    [*FOR, *CAUSED, *KNOWN_BESIDES, *WEEKS, *HEADED, *ALONE],
    ids=lambda v: str(v)[:60],
)
def test_lines_of_many_specialties(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)


def test_different_drugs_are_told_not_to_be_counted(understanding: Understanding) -> None:
    told = understanding.understand("at least 3 antihypertensives").notices
    assert [n.typed for n in told] == ["at least 3"]
    assert "counts notes" in understanding.understand("at least 3 seizures").notices[0].message


def test_no_note_has_to_say_over_beside_a_number(understanding: Understanding) -> None:
    found = understanding.understand("foobar over 3")
    assert to_json(found.query) == words("foobar 3")
    assert found.aside == ("over",)
    assert not understanding.understand("influenza A").aside


@pytest.mark.parametrize(
    ("line", "tree"), [*DONE_TO, *UNDONE, *MARKED, *PLACES, *KIN, *IN_TIME, *SHARED], ids=lambda v: str(v)[:60]
)
def test_everyday_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)


@pytest.mark.parametrize(
    ("line", "typed", "other"),
    [
        ("CHF/COPD on home oxygen", "CHF/COPD", "(CHF OR COPD) on home oxygen"),
        (
            "gout, asphyxia",
            "asphyxia",
            'gout, (finding:"birth asphyxia" OR finding:"perinatal asphyxia")',
        ),
    ],
)
def test_what_else_may_be_meant_is_offered(understanding: Understanding, line: str, typed: str, other: str) -> None:
    (told,) = understanding.understand(line).notices
    assert (told.typed, told.line) == (typed, other)
    assert understanding.understand(other).query != understanding.understand(line).query


@pytest.mark.parametrize(
    "line",
    ["denies fever/chills", "esophageal varices", "large asphyxia marks and ascites", "warfarin held for procedure"],
)
def test_nothing_is_offered_where_nothing_else_is_meant(understanding: Understanding, line: str) -> None:
    assert not any(n.kind in ("brackets", "unknown") for n in understanding.understand(line).notices)


@pytest.mark.parametrize("line", ["foley removed", "exposed to TB", "mother had MI before 50", "negative CTA"])
def test_what_a_name_is_read_as_beside_words_is_told(understanding: Understanding, line: str) -> None:
    assert understanding.understand(line).notices
