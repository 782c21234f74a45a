"""Hand-written notes on what is absent: scope, order, doubling and look-alikes of negation."""

from __future__ import annotations

from datetime import date

from ingest.demo.case import Case, flow
from ingest.demo.story import DISCHARGE, EMERGENCY, OPERATIVE, PROGRESS, RADIOLOGY

DOUBLE_NEGATION = flow("""
S: Third day after drainage of the left empyema. He is not without pain, but it is bearable with acetaminophen. He
does not deny the chills that the nurse saw last night.

O: T 100.6 F, HR 94, BP 118/70, SpO2 94% on room air. Dull at the left base. Chest tube 60 mL in 24 hours, cloudy, no
air leak.

Chest X-ray this morning: it cannot be said that there is no residual effusion, and the radiologist would not rule out
a small loculated pocket behind the heart. There is no pneumothorax. The right lung is not uninvolved: a faint opacity
at the right base was not absent yesterday either, only overlooked.

A/P: 67-year-old man with left empyema. // 1. Fever is not unexpected on day three, but nor is it nothing. Ultrasound
today. A failure to drain fully is not excluded. // 2. No reason not to continue ceftriaxone and metronidazole. // 3.
Right basal opacity: aspiration is not impossible, given that he failed no swallow test because none was done. Order
one. // 4. DVT prophylaxis: never not given since admission. No evidence of DVT.
""")

LIST_SCOPE = flow("""
CHIEF COMPLAINT: Fever.

HPI: 44 y/o woman, previously healthy, 2 days of fever to 102 F. Denies headache, neck stiffness, photophobia, sore
throat, chest pain, SOB, abdominal pain, dysuria or rash but reports right ear pain, and a cough that keeps her awake.
No sick contacts, no travel, no tick bites; did have a root canal nine days ago. She has had neither vomiting nor
diarrhea, only nausea. No history of asthma, diabetes, DVT, PE, or cancer except a basal cell carcinoma of the nose
removed in 2019.

EXAM: T 101.7 F, HR 98, BP 124/76, RR 16, SpO2 98% RA. No distress. Right tympanic membrane red and bulging; left
normal. No mastoid tenderness, swelling, or erythema. No cervical adenopathy. Lungs: no crackles, wheeze, or rhonchi,
though bronchial breath sounds at the left base. Heart: no murmur, rub, gallop. Abdomen without tenderness, guarding,
masses or organomegaly. Skin without rash, petechiae or splinter hemorrhages.

RESULTS: WBC 15.1. Chest X-ray: no effusion, pneumothorax, or cardiomegaly; left lower lobe consolidation.

ED COURSE: Otitis media on the right and left lower lobe pneumonia. No meningitis, mastoiditis, or endocarditis
suspected clinically. Amoxicillin/clavulanate and azithromycin.

DISPOSITION: Home. Return if headache, vomiting, confusion, rash or SOB develops.
""")

PSEUDO_NEGATION = flow("""
INDICATION: Heart failure, effusions, worsening dyspnea.

COMPARISON: Four days ago.

FINDINGS: There is no change in the small effusion on the left. There has been no significant improvement in the
pulmonary edema, and no decrease in the size of the heart. Not only is the right-sided effusion still present, but it
has also become larger. No new consolidation. No further enlargement of the known left hilar mass, which is without
change. The central line ends, without doubt, in the right atrium. No pneumothorax. No longer seen is
the skin fold that looked like a pneumothorax.

IMPRESSION: // 1. No change in the small effusion on the left; larger right effusion. // 2. Persistent edema, not
improved. // 3. No pneumothorax. // 4. Line tip in the right atrium, pull back by 3 cm. No resolution of the hilar
mass; CT as planned.
""")

POST_NEGATION = """CHEST, ONE VIEW
Clinical details: fall from ladder, right chest wall pain

Pneumothorax: absent
Hemothorax: not seen
Pleural effusion: none
Rib fractures: 7th and 8th right, minimally displaced - present
Pulmonary contusion: possible, right base
Mediastinal widening: no
Subcutaneous emphysema: negative
Lines and tubes: n/a

Flail segment is not evident. Consolidation was looked for and not found. Free air under the diaphragm
is ruled out on this upright
view. Heart failure: unlikely. Old clavicle fracture on the left, healed.

Conclusion: Two right rib fractures. Pneumothorax excluded at this time; delayed pneumothorax would have
to be considered if
breathing worsens."""

TERMINATION = flow("""
CT ABDOMEN AND PELVIS WITH CONTRAST

Indication: Right lower quadrant pain, rule out appendicitis.

The appendix is normal, without wall thickening, appendicolith or surrounding fat stranding, whereas the terminal
ileum is thickened over 12 cm with mucosal hyperenhancement. No abscess, fistula or free air, although a sinus tract
cannot be excluded near the cecum. No bowel obstruction; there is however a short stricture with mild upstream
dilatation. The liver shows no focal lesion apart from a 7 mm cyst. No gallstones, no biliary dilatation. Kidneys
without hydronephrosis but with a 3 mm nonobstructing stone on the left. No free fluid aside from a trace in the
pelvis, which is physiologic. No lymphadenopathy other than reactive ileocolic nodes. Lung bases: no effusion or
consolidation; a 4 mm nodule in the right lower lobe nevertheless deserves a note.

Impression: No appendicitis. Terminal ileitis with a stricture, suspicious for Crohn disease; infectious ileitis is
possible.
""")

PREOP_REFUTED = flow("""
PREOPERATIVE DIAGNOSIS: Acute appendicitis.

POSTOPERATIVE DIAGNOSIS: Ruptured hemorrhagic cyst of the right ovary. No appendicitis.

PROCEDURE: Diagnostic laparoscopy, evacuation of hemoperitoneum.

SURGEON: Dr. I. Castlereigh

ANESTHESIA: General endotracheal.

INDICATIONS: 24-year-old woman with right lower quadrant pain, WBC 12.9 and an equivocal ultrasound. Appendicitis was
suspected and ectopic pregnancy had been ruled out by a negative hCG. Torsion could not be excluded.

FINDINGS: About 200 mL of dark blood in the pelvis. Right ovary with a ruptured cyst of 3 cm, not bleeding. The
appendix was long, soft and pink, without exudate or induration; it was left in place. No torsion, no endometriosis,
no Meckel diverticulum, and no signs of pelvic inflammatory disease. Left ovary and liver surface normal.

DESCRIPTION: Entry at the umbilicus by the open technique, two 5 mm ports. Blood was aspirated and the pelvis was
irrigated until clear. The cyst wall was inspected for ten minutes; hemostasis was complete, and cautery was not used.
Ports were removed under vision.

ESTIMATED BLOOD LOSS: 5 mL in addition to the 200 mL of old blood.

COMPLICATIONS: None. No bowel, bladder, ureteral or vascular injury.

PLAN: Home tonight. If appendicitis should occur in the future, the patient knows that her appendix is still there.
""")

PENDING = flow("""
DISCHARGE DIAGNOSES: // 1. Fever of unknown origin, resolved, cause not established // 2. Unintended weight loss,
under investigation // 3. Iron deficiency anemia

NOT FOUND ON THIS ADMISSION: Endocarditis, tuberculosis, HIV, lymphoma on imaging, deep vein thrombosis, pulmonary
embolism, temporal arteritis.

STILL PENDING: Bone marrow culture, temporal artery pathology (preliminary: no giant cells), Q fever serology.

HISTORY: Mr. Ilverdale, 71, was admitted after five weeks of evening fevers, a loss of 14 pounds and fatigue. He
denied cough, diarrhea, joint pain, jaw claudication, visual symptoms and night sweats. He has hypertension and a
history of prostate cancer treated with radiation in 2015, without recurrence. His brother had tuberculosis in the
1970s; the patient's own skin test was negative then.

HOSPITAL COURSE: Three sets of blood cultures stayed negative. Transesophageal echocardiography showed no vegetation.
CT of the chest, abdomen and pelvis showed no mass, abscess or adenopathy; a small hiatal hernia and a 5 mm nodule in
the left upper lobe were incidental. CT angiography ruled out pulmonary embolism and did not show large vessel
vasculitis. Duplex of both legs: no DVT. Interferon gamma release assay negative, HIV negative. Because ESR was 96,
temporal arteritis was considered, and a biopsy was done on the right; to date it does not support the diagnosis, but
skip lesions mean that it is not fully excluded. Lymphoma cannot be ruled out until the marrow has been reported. No
antibiotics and no steroids were given. Fever stopped by itself on day six and did not return.

Anemia: hemoglobin 9.8, ferritin low. No melena and no hematochezia. Colonoscopy showed hemorrhoids without bleeding
and no polyp or tumor.

CONDITION AT DISCHARGE: Afebrile for four days, eating, walking without help.

MEDICATIONS: amlodipine 5 mg daily; ferrous sulfate 325 mg every other day.

INSTRUCTIONS: Keep a temperature diary. Return if fever comes back, if you have headache, scalp tenderness, double
vision or loss of vision, chest pain, or shortness of breath. Should the marrow show lymphoma, hematology will call
you.

FOLLOW-UP: Dr. Sandrigo in one week; hematology in two weeks; CT of the lung nodule in 12 months.
""")

CASES = (
    Case("double negation", "P-09011", PROGRESS, date(2019, 2, 14), "Thoracic surgery progress note", DOUBLE_NEGATION),
    Case("scope of lists", "P-09027", EMERGENCY, date(2021, 10, 3), "ED note", LIST_SCOPE),
    Case("pseudo-negation", "P-09033", RADIOLOGY, date(2018, 5, 22), "Portable chest X-ray", PSEUDO_NEGATION),
    Case("negation after the finding", "P-09048", RADIOLOGY, date(2022, 6, 11), "Chest X-ray", POST_NEGATION),
    Case("end of a negation's scope", "P-09052", RADIOLOGY, date(2023, 3, 30), "CT abdomen and pelvis", TERMINATION),
    Case(
        "diagnosis refuted at surgery", "P-09066", OPERATIVE, date(2020, 8, 19), "Diagnostic laparoscopy", PREOP_REFUTED
    ),
    Case("open questions at discharge", "P-09071", DISCHARGE, date(2024, 1, 26), "Discharge summary", PENDING),
)
