"""Hand-written notes on form: marks of removed words, alphabets, line breaks, templates, abbreviations."""

from __future__ import annotations

from datetime import date

from ingest.demo.case import Case, flow
from ingest.demo.story import EMERGENCY, LETTER, OPERATIVE, PROGRESS, RADIOLOGY

MARKS = flow("""
Indication: XXXX-year-old XXXX with XXXX, rule out pneumonia.

Comparison: XXXX, XXXX.

Findings: The XXXX are clear. There is no XXXX effusion or pneumothorax. Heart size is XXXX normal. A XXXX opacity in
the left XXXX lobe is suspicious for XXXX; comparison with XXXX XXXX is advised. XXXX sternotomy XXXX are intact. No
acute bony XXXX.

Impression: 1. No XXXX disease. 2. Left XXXX lobe opacity, which may represent XXXX. Dr. XXXX was notified at XXXX
XXXX.
""")

NON_ASCII = flow("""
Dear Dr. Søndergåard-Núñovic,

Re: Ms. Łucyna Žďárkowa-Öztürkmen

I saw Ms. Žďárkowa-Öztürkmen (55) together with her daughter Zoë, who interpreted. She moved here from Győr three
years ago. She has had Ménière disease since 2014 and Sjögren syndrome, and a history of Guillain–Barré syndrome,
resolved. She complains of numb toes and describes, in her word, “à-coups”: brief electric jolts in the calves.

No fever (36.8 °C), no dyspnea, no Raynaud phenomenon. BP 128/76 mmHg, SpO₂ ≥ 97 %. Schirmer’s test 3 mm/5 min.
Reflexes ½ at the ankles; vibration 4⁄8. β-blocker unchanged. Vitamin B₁₂ 96 pg/mL (low), γ-GT 41 U/L, TSH 2.1 µU/mL.
Dose of levothyroxine 75 µg.

Impression: possible B₁₂ neuropathy; small-fiber neuropathy in Sjögren syndrome cannot be excluded; relapse of
Guillain–Barré is unlikely. Plan: hydroxocobalamin 1000 µg i.m. every other day × 5, then monthly. If weakness or
dyspnea occurs → emergency department.

With kind regards, // Dr. Y. Takamine-Holt
""")

NO_BREAKS = flow("""
HISTORY OF PRESENT ILLNESS 48-year-old man seen for cough and fever for 5 days no hemoptysis he had a temperature of
102 at home PAST MEDICAL HISTORY hypertension resolved hepatitis A no diabetes MEDICATIONS lisinopril ALLERGIES none
FAMILY HISTORY father had lung cancer mother has COPD REVIEW OF SYSTEMS positive for cough fever and right-sided
pleuritic pain negative for leg swelling weight loss night sweats PHYSICAL EXAM T 101.3 P 102 BP 128/80 SpO2 94%
crackles right base no wheeze no edema DATA chest x-ray right lower lobe infiltrate no effusion no pneumothorax white
count 14.8 IMPRESSION right lower lobe pneumonia PE is felt to be unlikely PLAN amoxicillin and doxycycline return if
short of breath repeat film in 6 weeks to rule out an underlying mass
""")

TEMPLATE = """EMERGENCY DEPARTMENT NOTE - CHEST PAIN TEMPLATE

Onset:  [x] sudden   [ ] gradual
Quality:  [ ] pressure   [x] sharp   [ ] burning   [ ] tearing
Radiation:  [ ] arm   [ ] jaw   [ ] back   [x] none

Associated symptoms
  SOB            [x] yes  [ ] no
  Diaphoresis    [ ] yes  [x] no
  Nausea         [ ] yes  [x] no
  Syncope        [ ] yes  [x] no
  Palpitations   [x] yes  [ ] no
  Leg swelling   [ ] yes  [x] no

Risk factors:  HTN (-)  DM (-)  tobacco (+)  family history of early MI (+, father at 45)  cocaine (-)
prior DVT/PE (-)

Exam: tall thin 22 y/o man, HR 108, BP 122/70, RR 22, SpO2 96% RA
  Breath sounds:  right  [x] normal  [ ] decreased      left  [ ] normal  [x] decreased
  Crackles  -/-     Wheeze  -/-     Murmur  -     Calf tenderness  -/-

CXR:  effusion [ ]   infiltrate [ ]   pneumothorax [x] left, apical 3.5 cm   cardiomegaly [ ]   wide
mediastinum [ ]
ECG:  NSR [ ]   sinus tach [x]   ST elevation [ ]
Troponin: neg

MDM: primary spontaneous pneumothorax, left. Not tension. Needle aspiration 1.4 L, repeat film: lung up,
residual rim 1 cm. ACS, PE, dissection and
pericarditis considered and not supported by the above.

Dispo: [ ] home  [x] admit  [ ] transfer
Return precautions: n/a"""

CAPITALS = """OPERATIVE REPORT

PREOPERATIVE DIAGNOSIS: RECURRENT RIGHT PLEURAL EFFUSION, R/O MALIGNANCY.
POSTOPERATIVE DIAGNOSIS: SAME, PENDING PATHOLOGY.
OPERATION: RIGHT VIDEO THORACOSCOPY, PLEURAL BIOPSIES, TALC PLEURODESIS.
SURGEON: DR. V. OSTROWICKI

INDICATION: THIS 66 YEAR OLD FEMALE WITH HX OF BREAST CA, S/P LEFT MASTECTOMY 2012, PRESENTS WITH A
THIRD EPISODE OF RT EFFUSION. CYTOLOGY X2 WAS
NEGATIVE FOR MALIGNANCY. NO H/O CHF OR TB. NO ASBESTOS EXPOSURE, HOWEVER HER HUSBAND WORKED IN A SHIPYARD.

FINDINGS: 900 CC SEROUS FLUID. MULTIPLE SMALL PLAQUES ON THE PARIETAL PLEURA SUSPICOUS FOR METASTASES,
MESOTHELIOMA NOT EXCLUDED. NO TRAPPED LUNG. NO
EMPYEMA. NO ADHESIONS EXCEPT ONE BAND AT THE APEX. LUNG SURFACE WITHOUT NODULES.

PROCEDURE: UNDER GENERAL ANESTHESIA W/ DOUBLE LUMEN TUBE, LEFT LATERAL DECUBITUS. TWO PORTS. FLUID
DRAINED, SENT FOR CYTOLOGY AND CULTURE. SIX BIOPSIES
TAKEN. FROZEN SECTION: ADENOCARCINOMA, CONSISTENT W/ BREAST PRIMARY. 4 G TALC INSUFFLATED. 28 FR TUBE
PLACED. LUNG EXPANDED FULLY, NO AIR LEAK.

EBL: 20 CC. COMPLICATIONS: NONE. NO PNEUMOTHROAX ON POSTOP FILM."""

AMBIGUOUS = flow("""
PT NOTE, WARD 5

HPI: 58F w/ MS (dx 2006, relapsing) and separately mild MS on echo (mitral stenosis, no MR), RA on methotrexate, here
with SOB. Sats 91 on RA. Pt was seen by PT before the PT/INR came back. H/o PE 2017. CA 9.2, no CA.

PE: BP 118/70, HR 88. No JVD. Lungs: crackles L base. MS: alert, oriented x3. Ext: no edema. PE otherwise normal.

Labs: D-dimer neg. BNP 60. INR 1.0.

A/P: // 1. SOB: CAP likely, L base. CHF unlikely (BNP 60). PE unlikely (D-dimer neg), so no CTPA. // 2. MS: no
relapse. MS (valve): mild, no change on echo. // 3. RA: hold MTX while infected. // 4. PT eval, d/c tomorrow if off
O2; d/c azithro if QTc >500.
""")

HEDGES = flow("""
CT CHEST WITHOUT CONTRAST. Comparison: none.

Right upper lobe: 17 mm part-solid nodule, highly suspicious for adenocarcinoma. Right middle lobe: tree-in-bud
opacities, compatible with small airways infection; atypical mycobacteria are a consideration. Right lower lobe: band
of opacity, probably scar. Left upper lobe: 5 mm nodule, doubtful significance, statistically benign. Left lower lobe:
consolidation vs. atelectasis. Possible trace left effusion versus pleural thickening. Questionable filling of the
left main bronchus, presumably mucus, although an endobronchial lesion cannot be entirely excluded. The thymic region
is full, which could reflect rebound. The adrenal nodule of 12 mm appears to be an adenoma, but it is not definitively
characterized. Definite compression fracture of T8, age uncertain, apparently old. No pneumothorax. Heart size is
upper normal; cardiomegaly is not convincingly present. The apparent liver lesion is likely artifact.

Impression: 1. Nodule in the right upper lobe: malignancy is likely, PET/CT recommended. 2. Probable infection in the
middle lobe. 3. Left lower lobe atelectasis favored; pneumonia is possible if fever is present. 4. Suspected adenoma.
5. No definite effusion.
""")

SIDES = flow("""
CHEST, PA AND LATERAL. Indication: follow-up, bilateral chest tubes after blunt trauma.

Right: the chest tube has been removed. No pneumothorax. Small effusion, new. Left: tube in place. Residual apical
pneumothorax of 8 mm, previously 15. No effusion.

The right 4th to 6th rib fractures are unchanged; none on the left. Contusion on the left has cleared, while that on
the right persists. The left hemidiaphragm is normal in position, the right is raised, as before. Clavicles: left
fractured, right intact.

Impression: Left pneumothorax smaller, no left effusion. New small right effusion without pneumothorax.
""")

ADDENDUM = """CHEST X-RAY, PORTABLE

PRELIMINARY READ (overnight): Lines in good position after right internal jugular catheter. No
pneumothorax. No effusion. Impression: no acute finding.

FINAL READ: The right internal jugular catheter ends in the superior vena cava. Heart size normal. Lungs
clear. Impression: satisfactory line position.

ADDENDUM, 3 hours later: On review together with the later film, a small right apical pneumothorax (7
mm) was already present on this study and was not described above. The
statement "no pneumothorax" in the preliminary read is withdrawn. The ward was informed and confirmed
that the patient is stable."""

CASES = (
    Case("XXXX de-identification marks", "P-09163", RADIOLOGY, date(2017, 4, 18), "Chest X-ray", MARKS),
    Case("non-ASCII names", "P-09178", LETTER, date(2021, 5, 27), "Neurology clinic letter", NON_ASCII),
    Case("no line breaks", "P-09184", PROGRESS, date(2018, 11, 29), "Office visit", NO_BREAKS),
    Case("check boxes", "P-09192", EMERGENCY, date(2022, 2, 6), "ED note: chest pain", TEMPLATE),
    Case("capitals and typing errors", "P-09205", OPERATIVE, date(2019, 7, 23), "Thoracoscopy", CAPITALS),
    Case("ambiguous abbreviations", "P-09219", PROGRESS, date(2020, 3, 4), "Progress note", AMBIGUOUS),
    Case("degrees of doubt", "P-09224", RADIOLOGY, date(2024, 10, 14), "CT chest", HEDGES),
    Case("left and right", "P-09236", RADIOLOGY, date(2025, 6, 3), "Chest X-ray", SIDES),
    Case("a reading withdrawn", "P-09241", RADIOLOGY, date(2025, 9, 16), "Portable chest X-ray", ADDENDUM),
)
