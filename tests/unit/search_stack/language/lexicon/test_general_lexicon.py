"""The shipped lexicon of clinical notes in general: sound as a file, right on sentences."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("type-2-diabetes-mellitus", "diabetes-mellitus"),
        ("chest-pain", "pain"),
        ("knee-pain", "joint-pain"),
        ("non-st-elevation-myocardial-infarction", "myocardial-infarction"),
        ("systolic-heart-failure", "congestive-heart-failure"),
        ("atrial-fibrillation", "arrhythmia"),
        ("end-stage-renal-disease", "kidney-disease"),
        ("community-acquired-pneumonia", "pneumonia"),
        ("melanoma", "cancer"),
        ("hip-fracture", "fracture"),
        ("rheumatoid-arthritis", "arthritis"),
        ("lisinopril", "antihypertensive"),
        ("amoxicillin", "antibiotic"),
        ("morphine", "analgesic"),
        ("colonoscopy", "endoscopy"),
        ("hemodialysis", "dialysis"),
    ],
)
def test_a_parent_has_its_children(lexicon: Lexicon, child: str, parent: str) -> None:
    assert child in lexicon.descendants(parent)


def test_a_drug_is_no_synonym_of_its_class(lexicon: Lexicon) -> None:
    for drug, above in (("atorvastatin", "statin"), ("warfarin", "anticoagulant"), ("sertraline", "antidepressant")):
        assert lexicon.concepts[drug].kind == "drug"
        assert above in lexicon.ancestors(drug)


SENTENCES = [
    ("PMH: HTN, T2DM and GERD.", "hypertension"),
    ("PMH: HTN, T2DM and GERD.", "type-2-diabetes-mellitus"),
    ("PMH: HTN, T2DM and GERD.", "gastroesophageal-reflux-disease"),
    ("He is a diabetic on metformin.", "diabetes-mellitus"),
    ("He is a diabetic on metformin.", "metformin"),
    ("The patient was febrile overnight.", "fever"),
    ("She complains of pain in the left knee.", "knee-pain"),
    ("Admitted with shortness of breath on exertion.", "dyspnea-on-exertion"),
    ("There was blood in the urine.", "hematuria"),
    ("Known AFib, on Coumadin.", "atrial-fibrillation"),
    ("Known AFib, on Coumadin.", "warfarin"),
    ("Adenocarcinoma of the prostate.", "prostate-cancer"),
    ("Two UTIs last year.", "urinary-tract-infection"),
    ("Major depressive disorder, recurrent.", "depression"),
    ("He suffered a lacunar infarct in 2010.", "lacunar-stroke"),
    ("Status post total knee arthroplasty.", "knee-replacement"),
    ("ORIF of the left ankle.", "open-reduction-and-internal-fixation"),
    ("An EGD showed a duodenal ulcer.", "esophagogastroduodenoscopy"),
    ("An EGD showed a duodenal ulcer.", "duodenal-ulcer"),
    ("The abdomen is tender to palpation.", "abdominal-tenderness"),
    ("Allergic to sulfa drugs.", "drug-allergy"),
    ("She has seasonal allergies.", "allergic-rhinitis"),
    ("Two plus pitting edema of both legs.", "peripheral-edema"),
    ("Septic on arrival.", "sepsis"),
    ("Versed and fentanyl were given.", "midazolam"),
    ("No focal, motor, or sensory deficits.", "neurologic-deficit"),
]


@pytest.mark.parametrize(("sentence", "concept"), SENTENCES)
def test_a_sentence_names_it(matcher: Matcher, sentence: str, concept: str) -> None:
    found = {m.concept for m in matcher.mentions(sentence, 0, len(sentence)) if not m.denial}
    assert concept in found, found


@pytest.mark.parametrize(
    ("sentence", "concept"),
    [
        ("She is afebrile.", "fever"),
        ("The abdomen is soft, nontender and nondistended.", "tenderness"),
        ("The abdomen is soft, nontender and nondistended.", "abdominal-distension"),
        ("Sclerae are anicteric.", "jaundice"),
        ("Regular rate and rhythm.", "arrhythmia"),
        ("Regular rate and rhythm.", "tachycardia"),
        ("The lungs are clear to auscultation.", "wheezing"),
        ("SOCIAL HISTORY: He is a nonsmoker.", "tobacco-use"),
        ("Gait is normal.", "gait-instability"),
        ("NKDA.", "drug-allergy"),
        ("No fever or chills.", "fever"),
        ("Denies chest pain.", "chest-pain"),
    ],
)
def test_a_sentence_denies_it(labeller: Labeller, sentence: str, concept: str) -> None:
    assert {f.assertion for f in labeller.label(sentence).findings if f.concept == concept} == {"absent"}


@pytest.mark.parametrize(
    ("sentence", "concept"),
    [
        ("There is ST depression in V4.", "depression"),
        ("Respiratory depression after morphine.", "depression"),
        ("Stroke volume was reduced.", "stroke"),
        ("Heat stroke in July.", "stroke"),
        ("CVA tenderness on the right.", "stroke"),
        ("History of hay fever.", "fever"),
        ("Anorexia nervosa since her teens.", "loss-of-appetite"),
        ("Estimated blood loss: 50 mL.", "bleeding"),
        ("Body mass index 31.", "breast-mass"),
        ("Pulmonary hypertension.", "hypertension"),
        ("Diabetes insipidus.", "diabetes-mellitus"),
        ("Bipolar electrocautery was used.", "bipolar-disorder"),
        ("Influenza vaccine given.", "influenza"),
        ("DVT prophylaxis with heparin.", "deep-vein-thrombosis"),
        ("Herniated disc at L5.", "hernia"),
        ("Malignant hypertension.", "cancer"),
        ("A pregnancy test was ordered.", "pregnancy"),
        ("ASA class II.", "aspirin"),
        ("Taken to the operating room.", "surgery"),
        ("Extracorporeal shock wave therapy.", "shock"),
        ("The terminal ileum was normal.", "ileus"),
        ("His prognosis is guarded.", "abdominal-guarding"),
        ("Version of the fetus failed.", "midazolam"),
        ("ALLERGIES: see list.", "allergic-disorder"),
        ("The pain is pleuritic in nature.", "pleuritis"),
        ("Her eczema flared last week.", "nasal-flaring"),
        ("Ferritin low-normal.", "low-ferritin"),
        ("Consolidation: aspiration, or early pneumonia.", "aspiration-pneumonia"),
    ],
)
def test_a_look_alike_is_not_taken_for_it(matcher: Matcher, lexicon: Lexicon, sentence: str, concept: str) -> None:
    family = {concept, *lexicon.descendants(concept)}
    assert family.isdisjoint(m.concept for m in matcher.mentions(sentence, 0, len(sentence)))


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("ALLERGIES:\nNone.", ["drug-allergy"]),
        ("Allergies: none known", ["drug-allergy"]),
        ("Allergies - nil known.", ["drug-allergy"]),
        ("Allergies: NKDA", ["drug-allergy"]),
        ("Food allergies: none.", []),  # It is food's, which the rules deny.
        ("Allergies: penicillin.", []),
    ],
)
def test_what_stands_behind_a_heading_denies_by_itself(matcher: Matcher, text: str, denied: list[str]) -> None:
    assert [m.concept for m in matcher.mentions(text, 0, len(text)) if m.denial] == denied


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Dr. Murphy's letter came.", set()),
        ("Mr. J. Crohn's wife called.", set()),
        ("Prof. Hodgkin's registrar called.", set()),
        ("Seen in Murphy's clinic.", set()),
        ("Soft, Murphy's negative.", {"murphy sign"}),
        ("Has MR; MS; Crohn's as well.", {"crohn disease"}),
        ("Seen by Dr. Hall with Crohn's.", {"crohn disease"}),
    ],
)
def test_a_surname_behind_a_title_is_no_disease(lexicon: Lexicon, sentence: str, names: set[str]) -> None:
    eponyms = {"murphy sign", "crohn disease", "hodgkin lymphoma"}
    found = {lexicon.concepts[m.concept].name for m in Matcher.of(lexicon).mentions(sentence, 0, len(sentence))}
    assert {name.lower() for name in found} & eponyms == names


@pytest.mark.parametrize(
    ("sentence", "is_lupus"),
    [("A lupus-like rash.", False), ("Lupus, like her sister.", True), ("Lupus-likely.", True)],
)
def test_what_a_thing_is_like_is_not_it(matcher: Matcher, sentence: str, is_lupus: bool) -> None:
    found = {m.concept for m in matcher.mentions(sentence, 0, len(sentence))}
    assert any("lupus" in concept for concept in found) is is_lupus
