"""A lung nodule found by chance: followed until it is stable, or until it proves to be cancer."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "cancer",
        "sex": "F",
        "age": "67",
        "side": "right",
        "lobe": "upper lobe",
        "s1": "9",
        "s2": "14",
        "petnodes": "no FDG-avid hilar or mediastinal lymph nodes.",
        "nodes": "Hilar and mediastinal nodes are not enlarged.",
        "adjuvant": "Adjuvant chemotherapy brings no benefit at this stage, so we agreed on observation.",
        "pathology": "invasive adenocarcinoma, 15 mm, margins negative, none of eleven nodes involved (pT1b N0)",
        "pmh": "emphysema; hypertension; hysterectomy for fibroids",
        "meds": "amlodipine 5 mg daily; tiotropium inhaled daily; vitamin D",
        "smoke": "Former smoker, 35 pack-years.",
    },
    {
        "path": "stable",
        "sex": "M",
        "age": "61",
        "side": "left",
        "lobe": "lower lobe",
        "s1": "7",
        "s2": "7",
        "pmh": "gout; hyperlipidemia",
        "meds": "allopurinol 300 mg daily; rosuvastatin 10 mg daily",
        "smoke": "Smoked lightly as a student only.",
    },
    {
        "path": "cancer",
        "sex": "M",
        "age": "72",
        "side": "left",
        "lobe": "upper lobe",
        "s1": "11",
        "s2": "18",
        "petnodes": "mild {side} hilar uptake, indeterminate; nodal metastasis is possible.",
        "nodes": "A 9 mm hilar node on the {side} is borderline.",
        "adjuvant": "Because a node was involved, I recommend four cycles of cisplatin-based chemotherapy. Hearing "
        "and renal "
        "function are normal, and {he} wishes to go ahead.",
        "pathology": "squamous cell carcinoma, 19 mm, margins negative, one of nine hilar nodes positive (pT1b N1)",
        "pmh": "coronary artery disease, status post stent in 2013; type 2 diabetes; COPD",
        "meds": "aspirin 81 mg daily; metoprolol 25 mg twice daily; metformin 1000 mg twice daily; atorvastatin 40 mg "
        "nightly",
        "smoke": "Current smoker, 55 pack-years.",
    },
    {
        "path": "stable",
        "sex": "F",
        "age": "54",
        "side": "right",
        "lobe": "middle lobe",
        "s1": "6",
        "s2": "6",
        "pmh": "migraine; hypothyroidism; melanoma in situ of the calf excised in 2011",
        "meds": "levothyroxine 100 mcg daily; sumatriptan as needed",
        "smoke": "Never smoked.",
    },
)

CT1 = """
## {h_ind}
[Rule out PE. Pleuritic chest pain after a long drive.|Persistent cough for two months, nodular opacity on chest
X-ray.|Motor vehicle collision, chest wall pain.|Abnormal chest X-ray before knee surgery.]
## {h_tech}
CT of the chest with intravenous contrast.
## {h_comp}
{noprior}
## {h_find}
[There is a {s1} mm solid nodule in the {side} {lobe}|A solid nodule of {s1} mm is seen in the {side} {lobe}|In the
{side} {lobe} there is a {s1} mm noncalcified nodule] with [lobulated|slightly irregular|smooth] margins. [No other
nodule.|A few tiny calcified granulomas are also present.] No consolidation. [No mediastinal or hilar
lymphadenopathy.|Lymph nodes are not enlarged by size criteria.] No pleural or pericardial effusion. [No pulmonary
embolism to the segmental level.|The central pulmonary arteries are free of embolus.] The adrenal glands are normal.
No destructive bone lesion.
## {h_imp}
- {s1} mm solid nodule, {side} {lobe}. [This may represent a granuloma, but early malignancy cannot be
excluded.|Indeterminate; primary lung neoplasm is possible.|Nonspecific, possibly infectious.] Follow-up CT in three
months is recommended.
- [No acute abnormality otherwise.|No PE.|No pneumothorax or pleural effusion.]
##
{sign_rad}
"""

LETTER1 = """
Dear Dr. {gp},

Thank you for referring {who}, {an_age} {man}, [with an incidental lung nodule|whose CT of {m:ct1} showed a pulmonary
nodule|for an opinion about a nodule in the {side} lung].
## {h_pmh}
{list:pmh}
##
{He} feels well. [{He} denies weight loss, hemoptysis, fever and night sweats.|There has been no weight loss and no
hemoptysis.|Apart from a dry cough {he} has no respiratory symptoms.] {Smoke} {family} [There is no known exposure to
asbestos or tuberculosis.|No contact with tuberculosis.]

Examination: [no clubbing, no lymphadenopathy, chest clear.|no supraclavicular nodes, lungs clear, no hepatomegaly.]
{vit_ok}

The scan shows a {s1} mm nodule in the {side} {lobe}. {risk} [I explained that most nodules of this size are benign,
but that cancer has not been ruled out.|I was frank that we do not yet know what it is.] A repeat CT has been booked.
[If it grows, we will go on to PET and discussion at the tumor board.|Should it enlarge, PET and biopsy would follow.]
[I would not pursue biopsy now, given its position and the risk of pneumothorax.|A biopsy now would be neither easy
nor conclusive.]

{close}

{bye} // {md} // Lung Nodule Clinic
"""

CT2 = """
## {h_ind}
[Follow-up of {side} {lobe} nodule.|Pulmonary nodule, interval change?|Lung nodule surveillance.]
## {h_tech}
[Low-dose CT of the chest without contrast.|Noncontrast low-dose CT chest.]
## {h_comp}
CT of {d:ct1}.
## {h_find}
{compare} [No new nodule.|No additional suspicious nodule is identified.] {nodes} No pleural effusion. [Heart size is
normal. Mild coronary calcification.|Unchanged mild atherosclerotic calcification.] [Limited views of the upper
abdomen are unremarkable.| The imaged liver and adrenals show no mass.]
## {h_imp}
{compareimp}
##
{sign_rad}
"""

PET = """
## {h_ind}
Growing {side} {lobe} nodule, suspicious for primary lung cancer. Staging.
## {h_tech}
F-18 FDG PET/CT from skull base to mid thigh, 62 minutes after injection. Blood glucose {n:94-138} mg/dL.
## {h_comp}
CT chest of {d:ct2}.
## {h_find}
The {s2} mm nodule in the {side} {lobe} is FDG avid, SUVmax {f:6.1-11.8}, and is suspicious for malignancy. Nodes:
{petnodes} No abnormal uptake in the liver, adrenal glands or skeleton. [Physiologic uptake in brain, heart and
bowel.|Diffuse colonic uptake is likely physiologic.] No pleural effusion.
## {h_imp}
- FDG-avid {side} {lobe} nodule, suspicious for bronchogenic carcinoma.
- {Petnodes}
- No evidence of distant metastasis.
##
{sign_rad}
"""

LOBECTOMY = """
## Preoperative diagnosis
[Suspected|Presumed] lung cancer, {side} {lobe}.
## Postoperative diagnosis
Non-small cell lung cancer on frozen section, {side} {lobe}.
## Procedure
Video-assisted thoracoscopic {side} upper lobectomy with mediastinal lymph node dissection.
## Surgeon
{surgeon}
## Anesthesia
General, double-lumen tube, [intercostal block|paravertebral block].
## Indications
{An_age} {man} with a growing, FDG-avid {side} {lobe} nodule. {Smoke} FEV1 {n:68-84}% predicted. Alternatives,
including stereotactic radiation, were discussed.
## Findings
[Firm nodule in the apical part of the lobe, puckering but not crossing the pleura.|A palpable mass deep to the
pleura, with no chest wall invasion.] No pleural effusion and no pleural seeding. [Anthracotic nodes at stations 7 and
10.|Nodes at stations 7 and 10 were soft.]
## {h_op}
[With {him} in the {other} lateral decubitus position, three ports were placed.|{He} was turned to the {other} lateral
decubitus position, and a three-port approach was used.] A wedge containing the nodule was sent for frozen section,
which showed carcinoma. The superior pulmonary vein, the arterial branches and the bronchus were each divided with a
stapler. The fissure was completed and the lobe removed in a bag. Systematic nodal dissection followed. [An air leak
at the staple line was oversewn.|No air leak was seen under saline at 25 cm of water.] A 28 French chest tube was
placed.
## Estimated blood loss
{n:80-190} mL. No transfusion.
## Complications
None.
## Disposition
Extubated, to the step-down unit in stable condition.
"""

SUMMARY = """
## {h_dx}
- Lung cancer, {side} {lobe}: {pathology}
{list:pmh}
## Procedures
Thoracoscopic {side} upper lobectomy, {d:op}.
## {h_adm}
{Who} was followed for a nodule of the {side} {lobe} first seen in {m:ct1}. It grew from {s1} to {s2} mm and was FDG
avid. {He} was admitted electively for resection. {Smoke}
## {h_course}
The operation went well. [Pain was controlled with a regional block and oral medication.|{He} was out of bed on the
evening of surgery.] The chest tube was removed on day {n:3-4} once the air leak had stopped. [The film afterwards
showed a tiny apical pneumothorax, an expected finding, and no effusion.|A small apical air space on the {side} was
unchanged on the next day and was accepted as postoperative.] [{He} had one night of atrial fibrillation, which
converted with metoprolol and has not recurred.|There was no atrial fibrillation and no pneumonia.] A low-grade fever
on day two resolved with chest physiotherapy; cultures were negative, and there was no consolidation to suggest
pneumonia. Enoxaparin was given for DVT prophylaxis. There was no clinical evidence of DVT or PE.

Pathology: {pathology}. The result was discussed with {him} and {his} family, and the tumor board will advise on
further treatment.
## {h_exam}
{vit_ok} [Decreased breath sounds over the {side} upper chest as expected.|Port sites dry. Breath sounds reduced at
the {side} apex.] {heart_ok} {legs_ok}
## {h_dmeds}
{list:meds}
- Acetaminophen 1 g three times daily
- Oxycodone 5 mg as needed for up to five days
## {h_cond}
{well}
## {h_inst}
Walk several times a day and use the incentive spirometer. Do not lift more than ten pounds for four weeks. Return if
you have sudden shortness of breath, chest pain, fever above 101 F, coughing of blood, or redness or drainage at the
incisions. [You may feel numbness along the ribs; this usually fades.|Some fatigue for several weeks is normal.]
## {h_fu}
- Thoracic surgery clinic in two weeks with a chest X-ray
- Medical oncology in three to four weeks
- Dr. {gp} as needed
"""

LETTER2 = """
Dear Dr. {gp},

Re: {who}
## Diagnosis
Lung cancer, {side} {lobe}, {pathology}.
## Treatment
Thoracoscopic lobectomy {d:op}.
##
I met {who} in the oncology clinic {since:op} after surgery. The wounds have healed. {He} is short of breath on hills
only and has [some intercostal numbness|an occasional pulling pain along the ribs], which is not unexpected. There is
no cough or hemoptysis, appetite is good, and weight is steady. {Family} {Smoke}

{adjuvant}

The outlook is good, though recurrence cannot be excluded, and surveillance matters: CT every six months for two
years, then once a year. Headache, bone pain or hemoptysis should prompt an earlier visit. {close}

{bye} // {md}, Thoracic Oncology
"""

CT_AFTER = """
## {h_ind}
Status post {side} upper lobectomy for lung cancer in {m:op}. Rule out recurrence.
## {h_tech}
CT chest with intravenous contrast.
## {h_comp}
PET/CT of {m:pet}.
## {h_find}
Postsurgical volume loss on the {side}. The bronchial stump is smooth, without soft-tissue thickening. [No suspicious
nodule in either lung.|A 3 mm nodule in the {other} lower lobe is new and nonspecific, possibly inflammatory.] [No
enlarged nodes.|Small mediastinal nodes, none enlarged.] A small {side} pleural effusion seen after surgery has
resolved. Liver and adrenals without metastasis. No lytic or sclerotic lesion.
## {h_imp}
[No evidence of recurrent or metastatic disease.|Expected postoperative appearance. Recurrence not demonstrated;
recheck the new 3 mm nodule at the next scheduled scan.]
##
{sign_rad}
"""

OFFICE = """
## {h_cc}
[Annual wellness visit.|Follow-up of blood pressure, cholesterol and lung nodule.]
## {h_sub}
Doing well. No cough, dyspnea, chest pain or weight loss. [Still worries about the nodule, having read about it
online.|Sleeping well, no new complaints.] {social} {smoke} Family history: {family}
## {h_obj}
{vit_ok} No lymphadenopathy. {lungs_clear} {heart_ok} {belly_ok}
## {h_ap}
- Pulmonary nodule, {side} {lobe}, {s1} mm: [unchanged on CT in {m:ct2}|no growth between {m:ct1} and {m:ct2}].
[Likely benign.| Almost certainly benign; infection-related scar favored.] Final CT due as arranged by the nodule
clinic.
- {Join:pmh}: [stable, continue current medications.|no change.]
- [Colon cancer screening discussed: FIT kit given.|Shingles vaccine given today.|Influenza vaccine given.]
- Come back sooner if cough persists for more than three weeks or if there is any blood in the sputum.
"""

CT3 = """
## {h_ind}
[Pulmonary nodule, final surveillance scan.|Nodule {side} {lobe}, two-year follow-up.]
## {h_tech}
Low-dose CT chest, no contrast.
## {h_comp}
CTs of {m:ct1} and {m:ct2}.
## {h_find}
The {side} {lobe} nodule measures {s1} mm and has not changed since {m:ct1}. [It now contains central calcification,
typical of a granuloma.|Margins are smooth.] No new nodule, no consolidation. [Mild bibasilar atelectasis.|Airways are
patent.] No pleural effusion. No lymphadenopathy.
## {h_imp}
[Stable nodule, benign. No further follow-up is necessary.|Nodule stable over two years and considered benign;
malignancy is effectively ruled out.]
##
{sign_rad}
"""

LETTER3 = """
Dear Dr. {gp},

[Good news: the final scan of {m:ct3} shows no change in {who}'s lung nodule.|I write to close our follow-up of
{who}'s lung nodule.] It has measured {s1} mm since {m:ct1}, and after two years without growth we regard it as
benign. [I have told {him} that this was never cancer, as far as we can tell.|No biopsy was needed.]

{He} has no cough, dyspnea or weight loss. [I did not examine {him} today; we spoke by telephone.|The chest was clear
on examination.] {Smoke} {family}

No further imaging is planned. Of course, if new symptoms appear such as hemoptysis or unexplained weight loss, please
refer {him} again. {close}

{bye} // {md} // Lung Nodule Clinic
"""

_CANCER = {
    "risk": "With {his} smoking history the risk of malignancy is intermediate, about {n:18-34}%.",
    "compare": "The solid nodule in the {side} {lobe} has grown from {s1} to {s2} mm and [has spiculated margins|now "
    "tethers the "
    "adjacent pleura].",
    "compareimp": "[Interval growth of the {side} {lobe} nodule, now {s2} mm, highly suspicious for primary lung "
    "cancer. PET/CT "
    "and tumor board discussion are recommended.|Enlarging spiculated nodule, {s2} mm: malignancy until proven "
    "otherwise.]",
}
_STABLE = {
    "risk": "The risk of malignancy is low, below 5% by the usual calculators.",
    "compare": "[The {side} {lobe} nodule is unchanged at {s1} mm.|Again seen is a {s1} mm nodule in the {side} "
    "{lobe}, without "
    "interval growth.]",
    "compareimp": "[Stable {s1} mm {side} {lobe} nodule. Repeat CT at 18 to 24 months.|No change in the {side} {lobe} "
    "nodule; benign "
    "cause favored, malignancy not entirely excluded.]",
    "nodes": "No lymphadenopathy.",
}
_PATHS = {"cancer": _CANCER, "stable": _STABLE}
_C, _S = ("cancer",), ("stable",)
STORY = Story(
    "lung nodule",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("ct1", RADIOLOGY, "[CT chest|CT chest with contrast]", (0, 0), CT1),
        Event("letter1", LETTER, "[Lung nodule clinic letter|Pulmonary clinic letter]", (10, 25), LETTER1),
        Event("ct2", RADIOLOGY, "[CT chest, low dose|CT chest follow-up]", (75, 100), CT2),
        Event("pet", RADIOLOGY, "PET/CT", (8, 16), PET, _C),
        Event("op", OPERATIVE, "[Lobectomy|Thoracoscopic lobectomy]", (15, 30), LOBECTOMY, _C),
        Event("home", DISCHARGE, "Discharge summary", (4, 6), SUMMARY, _C),
        Event("letter2", LETTER, "Oncology clinic letter", (22, 35), LETTER2, _C),
        Event("ct3", RADIOLOGY, "CT chest with contrast", (150, 200), CT_AFTER, _C),
        Event("office", PROGRESS, "[Primary care progress note|Annual visit]", (250, 330), OFFICE, _S),
        Event("ct3", RADIOLOGY, "CT chest, low dose", (390, 450), CT3, _S),
        Event("letter3", LETTER, "[Lung nodule clinic letter|Pulmonary clinic letter]", (7, 20), LETTER3, _S),
    ),
)
