"""What is a kind of what: a question for the wider one counts all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_stack.language.lexicon.concepts import Lexicon

COUNTS = {
    "cancer": "lung cancer, small cell lung cancer, metastasis, retinoblastoma, ductal carcinoma in situ, leukemia",
    "infection": "pneumonia, tuberculosis, hepatitis c, candidiasis, influenza, malaria, osteomyelitis, sepsis",
    "viral infection": "human immunodeficiency virus infection, influenza, covid 19, chickenpox, viral hepatitis",
    "bacterial infection": "tuberculosis, cellulitis, syphilis, mrsa infection",
    "fungal infection": "candidiasis, histoplasmosis, onychomycosis",
    "lung disease": "chronic obstructive pulmonary disease, asthma, emphysema, pulmonary fibrosis, cystic fibrosis",
    "heart disease": "congestive heart failure, coronary artery disease, atrial fibrillation, pericarditis",
    "coronary artery disease": "myocardial infarction, unstable angina",
    "kidney disease": "acute kidney injury, end stage renal disease, pyelonephritis",
    "renal failure": "acute kidney injury, end stage renal disease",
    "cerebrovascular disease": "stroke, hemorrhagic stroke, transient ischemic attack, subdural hematoma",
    "venous thromboembolism": "pulmonary embolism, deep vein thrombosis",
    "aneurysm": "aortic aneurysm, abdominal aortic aneurysm, cerebral aneurysm",
    "bleeding": "subdural hematoma, hemoptysis, hemothorax, melena",
    "autoimmune disease": "systemic lupus erythematosus, rheumatoid arthritis, multiple sclerosis, crohn disease",
    "mental illness": "depression, bipolar disorder, schizophrenia, anorexia nervosa, panic disorder",
    "diabetes mellitus": "gestational diabetes, diabetic ketoacidosis, type 2 diabetes mellitus",
    "blood disorder": "iron deficiency anemia, hemophilia, thrombocytopenia, sickle cell disease",
    "hernia": "hiatal hernia, inguinal hernia",
    "surgery": "cholecystectomy, mastectomy, lobectomy, coronary artery bypass graft, appendectomy",
    "anesthesia": "general anesthesia, spinal anesthesia",
    "imaging": "chest x ray, computed tomography, magnetic resonance imaging",
    "catheter": "central venous catheter, urinary catheter",
    "fracture": "broken arm, rib fracture",
    "pregnancy induced hypertension": "preeclampsia, eclampsia",
    "sleep problem": "obstructive sleep apnea syndrome, insomnia, narcolepsy",
}
NEVER = {
    "cancer": "lipoma, uterine fibroid, adenoma, lymphadenopathy",
    "infection": "rheumatoid arthritis, pancreatitis, asthma",
    "hypertension": "pulmonary hypertension, portal hypertension",
    "depression": "st depression, respiratory depression",
    "emphysema": "subcutaneous emphysema",
    "fever": "rheumatic fever",
    "preeclampsia": "eclampsia",
    "lung disease": "congestive heart failure, pneumothorax",
    "pneumonia": "pneumonitis",
    "lobar pneumonia": "pneumonia",
    "renal failure": "chronic kidney disease",
    "surgery": "computed tomography",
}
ITS_OWN = {
    "dementia": "cognitive impairment, mild cognitive impairment",
    "cellulitis": "skin infection",
    "parkinson disease": "parkinsonism",
    "cleft lip": "cleft palate",
    "excess weight": "underweight",
    "malnutrition": "failure to thrive",
    "iron deficiency anemia": "iron deficiency",
    "hyperparathyroidism": "parathyroid adenoma",
    "glaucoma": "ocular hypertension",
    "tobacco use": "secondhand smoke",
    "multiple sclerosis": "demyelination",
}
NARROWER = {
    "abdominal pain": "right upper quadrant pain, epigastric pain",
    "stroke": "ischemic stroke",
    "dementia": "vascular dementia",
    "peptic ulcer disease": "gastric ulcer, duodenal ulcer",
    "heart murmur": "systolic murmur, diastolic murmur",
    "hemiparesis": "left-sided weakness, right-sided weakness",
    "pharyngitis": "streptococcal pharyngitis",
    "human immunodeficiency virus infection": "acquired immunodeficiency syndrome",
    "drug use disorder": "intravenous drug use, opioid use disorder",
    "bundle branch block": "left bundle branch block, right bundle branch block",
    "sleep apnea": "obstructive sleep apnea, central sleep apnea",
    "brain tumor": "glioblastoma",
    "food allergy": "peanut allergy",
}
ONE_MEANING = {
    "lung disease": "pulmonary disease",
    "torsade de pointes": "torsades",
    "covid vaccine": "covid vaccination",
    "tobacco use": "cigarettes",
    "died": "deceased",
    "hemianopsia": "hemianopia",
}
OTHERS = """
abnormality:wall-motion-abnormality acute-distress:respiratory-distress apneic-episode:sleep-apnea
bleeding:estimated-blood-loss body-weight:birth-weight
atypia:cellular-atypia beer:bottles-of-beer benzoin:tincture-of-benzoin b12-injection:vitamin-b12
cerebrospinal-fluid-analysis:red-blood-cell-count cerebrospinal-fluid-analysis:white-blood-cell-count
closure-device:vascular-closure-device decompression:surgical-decompression deformity:bone-deformity
deformity:nasal-fracture-deformity deformity:vertebral-compression depression:respiratory-depression
depression:st-depression dilatation:arrest-of-dilation dressing:wound-dressing
ejection-fraction:reduced-ejection-fraction emphysema:subcutaneous-emphysema enlargement:hilar-enlargement
enlargement:left-ventricular-hypertrophy fetal-movement:decreased-fetal-movement
fever:rheumatic-fever fibrosis:cystic-fibrosis forceps:surgical-forceps
gradient:pressure-gradient human-immunodeficiency-virus-infection:lipodystrophy-hiv
hypertension:intracranial-hypertension hypertension:ocular-hypertension hypertension:portal-hypertension
hypertension:pulmonary-hypertension
injury:acute-kidney-injury injury:prerenal-acute-kidney-injury
oxygen-saturation:mixed-venous-oxygen-saturation
sodium-measurement:fractional-excretion-of-sodium
injury:childhood-trauma injury:moral-injury injury:sexual-trauma
paralysis:sleep-paralysis schizophrenia:negative-symptoms
graft-dysfunction:bypass-graft-failure
blood-pressure:diastolic-blood-pressure
fracture:lead-fracture-of-device hardware-fracture:lead-fracture-of-device shock:icd-shock
instability:gait-instability joint-injection:caudal-epidural-steroid-injection
joint-injection:epidural-steroid-injection joint-injection:transforaminal-epidural-steroid-injection
kidney-disease:anemia-of-chronic-kidney-disease labor:arrest-of-labor lesion:pancreatic-mass-lesion
lesion:rectal-mass-lesion lesion:scrotal-mass-lesion lesion:thyroid-mass-lesion lordosis:loss-of-lordosis
medication:stimulant-medication necrosis:tissue-necrosis pain:diabetic-neuropathic-pain paralysis:cerebral-palsy
peripheral-artery-disease:epicardial-fat-pad pleural-effusion:joint-effusion pleural-effusion:pericardial-effusion
pleural-effusion:subdural-effusion
pregnancy:nausea-of-pregnancy prematurity:apnea-of-prematurity prematurity:retinopathy-of-prematurity
reconstruction:surgical-reconstruction
retractor:surgical-retractor stasis-ulcer:venous-stasis-ulcer surgical-drain-tube:surgical-drain
suture:surgical-sutures vascular-plaque:calcified-pleural-plaque vascular-plaque:pleural-plaque
vascular-stent:biliary-stent vascular-stent:ureteral-stent wine:glass-of-wine
angina-pectoris:ludwig-angina blindness:color-blindness blindness:night-blindness
cesarean-section:trial-of-labor-after-cesarean cesarean-section:vaginal-birth-after-cesarean
colorectal-cancer:small-bowel-cancer coma:myxedema-coma density:bone-density estradiol:ethinyl-estradiol
fever:familial-mediterranean-fever hypertension:idiopathic-intracranial-hypertension injury:deep-tissue-injury
injury:drug-induced-liver-injury instability:microsatellite-instability pregnancy:cholestasis-of-pregnancy
stroke:heat-stroke visible-blood:positive-fecal-occult-blood
atypical-pneumonia:nonspecific-interstitial-pneumonia atypical-pneumonia:usual-interstitial-pneumonia
chloride-measurement:sweat-chloride dyskinesia:primary-ciliary-dyskinesia
ejection-fraction:heart-failure-with-mildly-reduced-ejection-fraction
hypertension:chronic-thromboembolic-pulmonary-hypertension injection:intracytoplasmic-sperm-injection
pneumonia:eosinophilic-pneumonia chest-tube:indwelling-pleural-catheter shock:inappropriate-shock
cancer:intraductal-papillary-mucinous-neoplasm
pneumonia:nonspecific-interstitial-pneumonia pneumonia:usual-interstitial-pneumonia
"""
"""Concepts whose name ends in another's and that are none of its kind, or have it above them turned round."""


def pairs(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(wide, narrow.strip()) for wide, listed in table.items() for narrow in listed.split(",")]


@pytest.mark.parametrize(("wide", "narrow"), pairs(COUNTS))
def test_it_counts_with_the_wider_one(lexicon: Lexicon, wide: str, narrow: str) -> None:
    assert is_kind(lexicon, wide, narrow)


@pytest.mark.parametrize(("wide", "narrow"), pairs(NEVER))
def test_it_is_no_such_thing(lexicon: Lexicon, wide: str, narrow: str) -> None:
    assert not is_kind(lexicon, wide, narrow)


@pytest.mark.parametrize(("name", "other"), pairs(ITS_OWN))
def test_it_is_a_finding_of_its_own(lexicon: Lexicon, name: str, other: str) -> None:
    one, two = lexicon.find(name), lexicon.find(other)
    assert one
    assert two
    assert one is not two
    assert one.id not in lexicon.ancestors(two.id)


@pytest.mark.parametrize(("name", "narrow"), pairs(NARROWER))
def test_it_is_narrower_and_no_other_word_for_it(lexicon: Lexicon, name: str, narrow: str) -> None:
    assert is_kind(lexicon, name, narrow)
    assert not is_kind(lexicon, narrow, name)


@pytest.mark.parametrize(("name", "other"), pairs(ONE_MEANING))
def test_it_is_another_word_for_it(lexicon: Lexicon, name: str, other: str) -> None:
    assert lexicon.find(name) is lexicon.find(other)


def test_who_bears_a_name_is_of_its_kind(lexicon: Lexicon) -> None:
    """A new "X fracture" needs its parent, or a place among `OTHERS`."""
    assert set(orphans(lexicon)) == set(OTHERS.split())


def is_kind(lexicon: Lexicon, wide: str, narrow: str) -> bool:
    above, below = lexicon.find(wide), lexicon.find(narrow)
    assert above, wide
    assert below, narrow
    return above.id in lexicon.ancestors(below.id)


def orphans(lexicon: Lexicon) -> Iterator[str]:
    said = ("finding", "disorder", "symptom")
    for concept in lexicon.concepts.values():
        words = concept.name.split()
        for size in range(1, min(3, len(words))):
            head = lexicon.find(" ".join(words[-size:]))
            alike = head and (head.kind == concept.kind or {head.kind, concept.kind} <= set(said))
            if head and alike and head.id != concept.id and head.id not in lexicon.ancestors(concept.id):
                yield f"{head.id}:{concept.id}"
