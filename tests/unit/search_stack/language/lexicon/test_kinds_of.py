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
    "drug use": "intravenous drug use",
    "drug use disorder": "opioid use disorder",
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
abnormality:t-wave-abnormality abnormality:wall-motion-abnormality abrasion:tooth-abrasion
acute-distress:fetal-distress acute-distress:respiratory-distress anesthesia:examination-under-anesthesia
angina-pectoris:ludwig-angina anomaly:vertebral-fusion-anomaly apneic-episode:sleep-apnea
arterial-blood-gas:capillary-blood-gas arterial-blood-gas:venous-blood-gas
arteriovenous-malformation:colonic-arteriovenous-malformation atrophy:multiple-system-atrophy atypia:cellular-atypia
beer:bottles-of-beer benzoin:tincture-of-benzoin bleeding:estimated-blood-loss blindness:color-blindness
blindness:night-blindness blood-pressure:diastolic-blood-pressure body-weight:birth-weight
bradycardia:fetal-bradycardia bruising:cardiac-contusion bruising:cerebral-contusion bruising:cord-contusion
bruising:myocardial-contusion bruising:pulmonary-contusion cancer:intraductal-papillary-mucinous-neoplasm
cell-count:red-blood-cell-count cell-count:white-blood-cell-count centrum:prenatal-vitamin
cesarean-section:trial-of-labor-after-cesarean cesarean-section:vaginal-birth-after-cesarean
chest-tube:indwelling-pleural-catheter chloride-measurement:sweat-chloride cirrhosis:primary-biliary-cirrhosis
closure-device:vascular-closure-device cocktail:gi-cocktail colorectal-cancer:small-bowel-cancer coma:myxedema-coma
computed-tomography:single-photon-emission-computed-tomography contrast-agent:medical-dye cord-edema:vocal-cord-edema
cord-lesion:vocal-cord-lesion covid-19:long-covid cystectomy:ovarian-cystectomy death:fetal-death
decompression:gastric-decompression decompression:nasogastric-decompression decompression:needle-decompression
decompression:surgical-decompression decreased-mobility:vocal-cord-immobility deformity:bone-deformity
deformity:nasal-fracture-deformity deformity:vertebral-compression density:bone-density
depression:respiratory-depression depression:st-depression diabetic-ketoacidosis:alcoholic-ketoacidosis
diabetic-ketoacidosis:starvation-ketoacidosis dilatation:arrest-of-dilation dilatation:cervical-dilation
diverticulosis:bladder-diverticulum diverticulosis:epiphrenic-diverticulum diverticulosis:esophageal-diverticulum
diverticulosis:meckel-diverticulum diverticulosis:urethral-diverticulum diverticulosis:zenker-diverticulum
dressing:wound-dressing dyskinesia:biliary-dyskinesia dyskinesia:primary-ciliary-dyskinesia dysphoria:gender-dysphoria
dysplasia:bronchopulmonary-dysplasia dysplasia:fibromuscular-dysplasia dysplasia:hip-dysplasia
ectropion:cervical-ectropion ejection-fraction:heart-failure-with-mildly-reduced-ejection-fraction
ejection-fraction:reduced-ejection-fraction emphysema:subcutaneous-emphysema enlargement:hilar-enlargement
enlargement:left-ventricular-hypertrophy estradiol:ethinyl-estradiol fatigue:heat-exhaustion
fetal-movement:decreased-fetal-movement fever:familial-mediterranean-fever fever:rheumatic-fever fever:valley-fever
fibrosis:cystic-fibrosis filling-defect:diastolic-filling-defect fluorouracil:topical-fluorouracil
forceps:surgical-forceps fracture:lead-fracture-of-device fracture:penile-fracture gait-instability:muscle-imbalance
gas:passing-flatus gas:portal-venous-gas gastroenteritis:radiation-enteritis gradient:pressure-gradient
graft-dysfunction:bypass-graft-failure hardware-fracture:lead-fracture-of-device
human-immunodeficiency-virus-infection:lipodystrophy-hiv hypertension:chronic-thromboembolic-pulmonary-hypertension
hypertension:idiopathic-intracranial-hypertension hypertension:intra-abdominal-hypertension
hypertension:intracranial-hypertension hypertension:ocular-hypertension hypertension:portal-hypertension
hypertension:pulmonary-hypertension hypertension:white-coat-hypertension implant:contraceptive-implant
implantable-defibrillator:wearable-defibrillator injection:intracytoplasmic-sperm-injection injury:acute-kidney-injury
injury:acute-lung-injury injury:anoxic-brain-injury injury:anoxic-injury injury:brain-injury injury:childhood-trauma
injury:deep-tissue-injury injury:drug-induced-liver-injury injury:hypoxic-brain-injury injury:lung-injury
injury:moral-injury injury:prerenal-acute-kidney-injury injury:radiation-injury injury:sexual-trauma
injury:transfusion-related-acute-lung-injury injury:vaping-associated-lung-injury instability:gait-instability
instability:microsatellite-instability kidney-disease:anemia-of-chronic-kidney-disease labor:arrest-of-labor
lesion:pancreatic-mass-lesion lesion:rectal-mass-lesion lesion:scrotal-mass-lesion lesion:thyroid-mass-lesion
life-support:advanced-cardiac-life-support lordosis:loss-of-lordosis massage:cardiac-massage
medication:stimulant-medication muscle-cramps:coronary-spasm muscle-cramps:esophageal-spasm
muscle-cramps:infantile-spasm muscle-rupture:papillary-muscle-rupture necrosis:tissue-necrosis nevus:hydatidiform-mole
nitrate:silver-nitrate normal-saline:half-normal-saline normal-saline:hypertonic-saline
oxygen-saturation:mixed-venous-oxygen-saturation pacemaker:external-pacer pain:diabetic-neuropathic-pain
paralysis:cerebral-palsy paralysis:progressive-supranuclear-palsy paralysis:sleep-paralysis
peripheral-artery-disease:epicardial-fat-pad peripheral-neuropathy:nonarteritic-anterior-ischemic-optic-neuropathy
peripheral-neuropathy:optic-neuropathy peroxide:benzoyl-peroxide physical-therapy:chest-physical-therapy
physical-therapy:chest-physiotherapy pleural-effusion:joint-effusion pleural-effusion:middle-ear-effusion
pleural-effusion:pericardial-effusion pleural-effusion:subdural-effusion pneumonia:eosinophilic-pneumonia
pneumonia:interstitial-pneumonia pneumonia:nonspecific-interstitial-pneumonia pneumonia:organizing-pneumonia
pneumonia:usual-interstitial-pneumonia pregnancy:cholestasis-of-pregnancy pregnancy:nausea-of-pregnancy
prematurity:apnea-of-prematurity prematurity:retinopathy-of-prematurity ptosis:breast-ptosis
pulmonary-function-test:incentive-spirometry rash:road-rash reconstruction:surgical-reconstruction
rehabilitation:dental-rehabilitation retractor:surgical-retractor scalpel:ultrasonic-scalpel
schizophrenia:negative-symptoms seizure:nonepileptic-seizure seizure:psychogenic-seizure shock:icd-shock
shock:inappropriate-shock sodium-measurement:fractional-excretion-of-sodium sodium-measurement:urine-sodium
stasis-ulcer:venous-stasis-ulcer stimulant-medication:appetite-stimulant stress-test:contraction-stress-test
stress-test:non-stress-test stroke:heat-stroke surgical-drain-tube:lumbar-csf-drain surgical-drain-tube:surgical-drain
suture:surgical-sutures systemic-lupus-erythematosus:discoid-lupus systemic-lupus-erythematosus:drug-induced-lupus
tachycardia:fetal-tachycardia torsion:tibial-torsion transplantation:fecal-transplant transplantation:hair-transplant
tumor:excessive-hair-growth tumor:slow-growth urinary-tract-infection:hemorrhagic-cystitis
urinary-tract-infection:interstitial-cystitis urinary-tract-infection:radiation-cystitis
vaginal-speculum:eyelid-speculum vaginal-speculum:nasal-speculum vascular-plaque:calcified-pleural-plaque
vascular-plaque:dental-plaque vascular-plaque:erythematous-plaque vascular-plaque:pleural-plaque
vascular-plaque:scaly-plaque visible-blood:positive-fecal-occult-blood walker:cam-walker weakness:vocal-cord-weakness
weight-gain:poor-weight-gain wine:glass-of-wine wound-drainage:sinus-drainage
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
