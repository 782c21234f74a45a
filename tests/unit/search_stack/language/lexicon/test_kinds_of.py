"""What is a kind of what: a question for the wider one counts all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_stack.language.lexicon.concepts import Lexicon

COUNTS = {
    "polycythemia": "polycythemia vera",
    "thrombocytosis": "essential thrombocythemia",
    "wart": "condyloma acuminatum",
    "bunion": "bunion deformity",
    "hammertoe": "hammertoe deformity",
    "endotracheal tube": "double lumen tube",
    "iron deficiency": "iron deficiency anemia",
    "blood pressure measurement": "home blood pressure monitoring",
    "general anesthesia": "general mask anesthesia",
    "erythromycin": "erythromycin ointment",
    "acetaminophen": "acetaminophen with codeine",
    "alcohol use": "alcohol use disorder",
    "barium study": "barium swallow",
    "tetracaine": "tetracaine eye drops",
    "cancer": "lung cancer, small cell lung cancer, metastasis, retinoblastoma, ductal carcinoma in situ, leukemia",
    "infection": "pneumonia, tuberculosis, hepatitis c, candidiasis, influenza, malaria, osteomyelitis, sepsis,"
    " septic bursitis, infected sebaceous cyst",
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
    "pulmonary nodule": "calcified pulmonary nodule, noncalcified pulmonary nodule",
    "sulfonamide": "trimethoprim sulfamethoxazole, sulfadiazine",
    "tracheostomy tube": "tracheotomy",
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
    "drug use": "intravenous drug use, drug use disorder",
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
glucose-measurement:csf-glucose hypertension:venous-hypertension injury:reperfusion-injury
ablation:radioiodine-remnant-ablation abnormality:t-wave-abnormality abnormality:wall-motion-abnormality
abrasion:tooth-abrasion abscess:crypt-abscess acidosis:isovaleric-acidemia acidosis:methylmalonic-acidemia
acidosis:organic-acidemia acidosis:propionic-acidemia acute-distress:existential-distress acute-distress:fetal-distress
acute-distress:respiratory-distress alcohol-use:toxic-alcohol-ingestion allergy-shot:drug-desensitization
anesthesia:examination-under-anesthesia angina-pectoris:ludwig-angina angina-pectoris:mesenteric-angina
angina-pectoris:vincent-angina anomaly:vertebral-fusion-anomaly apneic-episode:sleep-apnea
arterial-blood-gas:capillary-blood-gas arterial-blood-gas:cord-blood-gas arterial-blood-gas:venous-blood-gas
arteriovenous-malformation:colonic-arteriovenous-malformation
arteriovenous-malformation:spinal-arteriovenous-malformation atrophy:dentatorubral-pallidoluysian-atrophy
atrophy:multiple-system-atrophy atypia:cellular-atypia beer:bottles-of-beer benzoin:tincture-of-benzoin
bladder-cancer:upper-tract-urothelial-carcinoma bleeding:estimated-blood-loss blindness:color-blindness
blindness:night-blindness blood-pressure:diastolic-blood-pressure body-weight:birth-weight bradycardia:fetal-bradycardia
burn-injury:razor-burn
cancer:hereditary-diffuse-gastric-cancer cancer:hereditary-leiomyomatosis-and-renal-cell-cancer
capillary-refill-time:delayed-capillary-refill cell-count:red-blood-cell-count cell-count:white-blood-cell-count
centrum:prenatal-vitamin cesarean-section:trial-of-labor-after-cesarean cesarean-section:vaginal-birth-after-cesarean
chest-tube:indwelling-pleural-catheter chilblain:lupus-pernio chloride-measurement:sweat-chloride
cirrhosis:primary-biliary-cirrhosis claudication:jaw-claudication closure-device:vascular-closure-device
cocktail:gi-cocktail colorectal-cancer:small-bowel-cancer coma:myxedema-coma
computed-tomography:single-photon-emission-computed-tomography contrast-agent:medical-dye cord-edema:vocal-cord-edema
cord-lesion:vocal-cord-lesion covid-19:long-covid cushing-syndrome:pseudo-cushing-syndrome cystectomy:ovarian-cystectomy
death:fetal-death death:preferred-place-of-death decompression:gastric-decompression
decompression:nasogastric-decompression decompression:needle-decompression decompression:surgical-decompression
decreased-mobility:tympanic-membrane-immobility
decreased-mobility:vocal-cord-immobility deformity:bone-deformity deformity:nasal-fracture-deformity
deformity:vertebral-compression density:asymmetric-breast-density density:bone-density depression:pr-depression
depression:respiratory-depression depression:st-depression diabetic-ketoacidosis:alcoholic-ketoacidosis
diabetic-ketoacidosis:starvation-ketoacidosis dilatation:arrest-of-dilation dilatation:cervical-dilation
dissection:endoscopic-submucosal-dissection dissociation:albuminocytologic-dissociation
dressing:wound-dressing drusen:optic-disc-drusen dyskinesia:biliary-dyskinesia dyskinesia:primary-ciliary-dyskinesia
dysphoria:gender-dysphoria dysplasia:bronchopulmonary-dysplasia dysplasia:cleidocranial-dysplasia
dysplasia:ectodermal-dysplasia dysplasia:fibromuscular-dysplasia dysplasia:fibrous-dysplasia dysplasia:hip-dysplasia
dysplasia:focal-cortical-dysplasia
dysplasia:indefinite-for-dysplasia dysplasia:multiple-epiphyseal-dysplasia dysplasia:skeletal-dysplasia
dysplasia:thanatophoric-dysplasia ectropion:cervical-ectropion
ejection-fraction:gallbladder-ejection-fraction
ejection-fraction:heart-failure-with-mildly-reduced-ejection-fraction ejection-fraction:reduced-ejection-fraction
emphysema:congenital-lobar-emphysema emphysema:pulmonary-interstitial-emphysema emphysema:subcutaneous-emphysema
empyema:gallbladder-empyema enema:antegrade-continence-enema enlargement:hilar-enlargement
enlargement:left-ventricular-hypertrophy enteroscopy:balloon-enteroscopy epidural-hematoma:spinal-epidural-hematoma
epilepsy:sudden-unexpected-death-in-epilepsy estradiol:ethinyl-estradiol exercise-tolerance:reduced-exercise-tolerance
fatigue:heat-exhaustion fetal-movement:decreased-fetal-movement fever:african-tick-bite-fever fever:blackwater-fever
fever:crimean-congo-hemorrhagic-fever fever:familial-mediterranean-fever fever:lassa-fever fever:paratyphoid-fever
fever:pontiac-fever fever:relapsing-fever fever:rheumatic-fever fever:rift-valley-fever fever:trench-fever
fever:valley-fever fever:viral-hemorrhagic-fever fibrosis:cystic-fibrosis filling-defect:diastolic-filling-defect
fluorouracil:topical-fluorouracil forceps:surgical-forceps fracture:lead-fracture-of-device fracture:penile-fracture
gait-instability:muscle-imbalance gas:passing-flatus gas:portal-venous-gas
gastric-cancer:hereditary-diffuse-gastric-cancer gastroenteritis:radiation-enteritis gradient:pressure-gradient
graft-dysfunction:bypass-graft-failure granulomatous-disease:chronic-granulomatous-disease halo-sign:reversed-halo-sign
hardware-fracture:lead-fracture-of-device helicobacter-test:hydrogen-breath-test
hemoglobinuria:paroxysmal-nocturnal-hemoglobinuria hodgkin-lymphoma:b-cell-non-hodgkin-lymphoma
human-immunodeficiency-virus-infection:lipodystrophy-hiv hypertension:chronic-thromboembolic-pulmonary-hypertension
hypertension:idiopathic-intracranial-hypertension hypertension:intra-abdominal-hypertension
hypertension:intracranial-hypertension hypertension:noncirrhotic-portal-hypertension hypertension:ocular-hypertension
hypertension:portal-hypertension hypertension:portopulmonary-hypertension hypertension:pulmonary-hypertension
hypertension:white-coat-hypertension hypotension:spontaneous-intracranial-hypotension hypothyroidism:pretibial-myxedema
ileus:gallstone-ileus immunosuppression:primary-immunodeficiency implant:contraceptive-implant
implantable-defibrillator:wearable-defibrillator infiltrate:lymphocytic-infiltrate infiltrate:mononuclear-infiltrate
injection:intracytoplasmic-sperm-injection injury:acute-kidney-injury injury:acute-lung-injury
injury:acute-tubular-injury injury:anoxic-brain-injury injury:anoxic-injury injury:brain-injury injury:childhood-trauma
injury:deep-tissue-injury injury:drug-induced-liver-injury injury:hepatorenal-syndrome-acute-kidney-injury
injury:hypoxic-brain-injury injury:lung-injury injury:moral-injury injury:prerenal-acute-kidney-injury
injury:liver-injury injury:radiation-injury injury:sexual-trauma injury:transfusion-related-acute-lung-injury
injury:vaping-associated-lung-injury instability:gait-instability instability:microsatellite-instability
iron-overload-disease:idiopathic-pulmonary-hemosiderosis kidney-disease:anemia-of-chronic-kidney-disease
labor:arrest-of-labor labor:threatened-preterm-labor lesion:cam-lesion lesion:cameron-lesion
lesion:pancreatic-mass-lesion lesion:rectal-mass-lesion lesion:romanus-lesion lesion:scrotal-mass-lesion
lesion:thyroid-mass-lesion life-support:advanced-cardiac-life-support lordosis:loss-of-lordosis
lymphocytosis:intraepithelial-lymphocytosis massage:cardiac-massage medication:stimulant-medication
muscle-rupture:papillary-muscle-rupture necrosis:papillary-necrosis
necrosis:tissue-necrosis neglect:visual-neglect nevus:hydatidiform-mole nevus:invasive-mole nitrate:silver-nitrate
normal-saline:half-normal-saline normal-saline:hypertonic-saline numbness:emotional-numbness
obstruction:chronic-intestinal-pseudo-obstruction occlusion-of-a-vessel:pulmonary-veno-occlusive-disease
osmolality:urine-osmolality oxygen-saturation:mixed-venous-oxygen-saturation pacemaker:external-pacer
paget-disease:extramammary-paget-disease pain:diabetic-neuropathic-pain panniculitis:mesenteric-panniculitis
paralysis:cerebral-palsy paralysis:hereditary-neuropathy-with-liability-to-pressure-palsy
paralysis:progressive-bulbar-palsy paralysis:progressive-supranuclear-palsy paralysis:pseudobulbar-palsy
paralysis:sleep-paralysis peripheral-artery-disease:epicardial-fat-pad
peripheral-neuropathy:anterior-ischemic-optic-neuropathy peripheral-neuropathy:leber-hereditary-optic-neuropathy
peripheral-neuropathy:nonarteritic-anterior-ischemic-optic-neuropathy peripheral-neuropathy:optic-neuropathy
peroxide:benzoyl-peroxide physical-therapy:chest-physical-therapy physical-therapy:chest-physiotherapy
paresis:vocal-cord-paresis pick-disease:niemann-pick-disease placenta-previa:vasa-previa
pleural-effusion:joint-effusion pleural-effusion:knee-effusion
pleural-effusion:malignant-pericardial-effusion pleural-effusion:mastoid-effusion pleural-effusion:middle-ear-effusion
pleural-effusion:pericardial-effusion pleural-effusion:subdural-effusion pneumonia:acute-eosinophilic-pneumonia
pneumonia:acute-fibrinous-organizing-pneumonia pneumonia:acute-interstitial-pneumonia
pneumonia:chronic-eosinophilic-pneumonia pneumonia:cryptogenic-organizing-pneumonia
pneumonia:desquamative-interstitial-pneumonia pneumonia:eosinophilic-pneumonia pneumonia:interstitial-pneumonia
pneumonia:lymphocytic-interstitial-pneumonia pneumonia:nonspecific-interstitial-pneumonia pneumonia:organizing-pneumonia
pneumonia:usual-interstitial-pneumonia potassium-measurement:urine-potassium pregnancy:biochemical-pregnancy
pregnancy:cholestasis-of-pregnancy pregnancy:nausea-and-vomiting-of-pregnancy pregnancy:nausea-of-pregnancy
pregnancy:polymorphic-eruption-of-pregnancy prematurity:anemia-of-prematurity prematurity:apnea-of-prematurity
prematurity:chronic-lung-disease-of-prematurity prematurity:osteopenia-of-prematurity
prematurity:retinopathy-of-prematurity preterm-labor:threatened-preterm-labor pruritus:swimmer-itch ptosis:breast-ptosis
pulmonary-function-test:incentive-spirometry quinidine:dextromethorphan-quinidine rash:road-rash
reconstruction:surgical-reconstruction red-spot:cherry-red-spot reflux:hepatojugular-reflux
rehabilitation:dental-rehabilitation
retractor:surgical-retractor sarcoma:myeloid-sarcoma scalpel:ultrasonic-scalpel scarring:radial-scar
schizophrenia:negative-symptoms seizure:nonepileptic-seizure seizure:psychogenic-seizure seizure:reflex-anoxic-seizure
serum-protein-electrophoresis:urine-protein-electrophoresis shock:electric-shock shock:icd-shock
shock:inappropriate-shock
sodium-measurement:fractional-excretion-of-sodium sodium-measurement:urine-sodium spacer:rectal-spacer
spasm:infantile-spasm
stasis-ulcer:venous-stasis-ulcer stimulant-medication:appetite-stimulant stress-test:contraction-stress-test
stress-test:non-stress-test striae:wickham-striae stroke:heat-stroke surgical-drain-tube:lumbar-csf-drain
surgical-drain-tube:surgical-drain suture:surgical-sutures systemic-lupus-erythematosus:chilblain-lupus
systemic-lupus-erythematosus:cutaneous-lupus systemic-lupus-erythematosus:discoid-lupus
systemic-lupus-erythematosus:drug-induced-lupus systemic-lupus-erythematosus:neonatal-lupus
tachycardia:fetal-tachycardia telangiectasia:ataxia-telangiectasia telangiectasia:hereditary-hemorrhagic-telangiectasia
thrombus:basilar-artery-thrombosis torsion:tibial-torsion traction:controlled-cord-traction
thrombus:passing-clots
transplantation:fecal-transplant transplantation:hair-transplant tumor:brown-tumor tumor:excessive-hair-growth
tumor:pott-puffy-tumor tumor:slow-growth tumor:sternomastoid-tumor turner-syndrome:parsonage-turner-syndrome
ultrasound:high-intensity-focused-ultrasound urinary-tract-infection:bk-cystitis
oxygen-saturation:transcutaneous-oximetry
tumor:absent-hair-growth urinary-tract-infection:hemorrhagic-cystitis urinary-tract-infection:interstitial-cystitis
urinary-tract-infection:radiation-cystitis
valley-fever:rift-valley-fever vascular-plaque:calcified-pleural-plaque vascular-plaque:dental-plaque
vascular-plaque:erythematous-plaque vascular-plaque:pleural-plaque vascular-plaque:scaly-plaque
visible-blood:positive-fecal-occult-blood walker:cam-walker weakness:vocal-cord-weakness
weber-syndrome:parkes-weber-syndrome weber-syndrome:sturge-weber-syndrome weight-gain:poor-weight-gain
wine:glass-of-wine wound-dehiscence:superior-canal-dehiscence wound-drainage:sinus-drainage
wound-drainage:total-anomalous-pulmonary-venous-drainage
ataxia:saccadic-overshoot cerebral-microangiopathy:thrombotic-microangiopathy clipping:nail-clipping-test
dissociation:av-dissociation gas:bowel-gas globulin-measurement:sex-hormone-binding-globulin tumor:no-growth-culture
vascular-plaque:retinal-hollenhorst-plaque weakness:canal-paresis
depression:articular-depression depression:endplate-depression weight-bearing:pain-with-weight-bearing
surgical-closure:asd-closure surgical-closure:left-atrial-appendage-closure surgical-closure:pfo-closure
surgical-closure:septal-closure
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
