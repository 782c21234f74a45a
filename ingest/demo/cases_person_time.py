"""Hand-written notes on who has a finding, and when: family, others, past, future, only if."""

from __future__ import annotations

from datetime import date

from ingest.demo.case import Case, flow
from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY

FAMILY_IN_HPI = flow("""
Dear Dr. Fairlamb,

Thank you for referring Ms. Hartwellow, 39, to the high-risk breast clinic. She has no breast complaint of her own.
She comes because her mother had breast cancer at 44, with a recurrence at 51, and her maternal aunt had ovarian
cancer. Mother had breast cancer on the left first and then on the right; she is alive. The patient's father has CHF
and COPD, and a paternal uncle died of lung cancer. Her sister, who is 36, found a lump last month, which proved to be
a cyst.

HPI continues: the patient herself had a benign fibroadenoma of the right breast removed at 22. She noticed tenderness
before periods, no lump, no discharge. She had a DVT in pregnancy, as did her mother. Unlike her brother she does not
have asthma. Her two daughters are well.

Examination: no mass in either breast, no adenopathy. Small scar on the right at 9 o'clock.

Assessment: Strong family history of breast and ovarian cancer, personal history of fibroadenoma and of DVT. No
evidence of breast cancer in the patient. Genetic testing was sent today. If a BRCA variant is found, we will discuss
MRI and risk-reducing surgery; should it be negative while her mother's is positive, her risk is that of other women.
Tamoxifen for prevention is not advisable after DVT.

With kind regards, // Dr. N. Pellworthy // Breast Surgery
""")

OTHER_PERSONS = flow("""
Transplant clinic progress note

Interval history: 51-year-old man, eight months after kidney transplant. The donor had hepatitis B core antibody and a
history of hypertension; the recipient is on entecavir and has no hepatitis. The other kidney from this donor went to
a patient who developed CMV disease, of which our patient shows no sign. His wife has influenza at present and a
roommate of his son tested positive for tuberculosis; the son's test is negative. The patient reports a runny nose
since yesterday but no fever, cough or dyspnea. The visiting nurse, who recently had shingles, wore a mask.

Objective: T 98.4 F, BP 134/82, SpO2 98% on air. Lungs clear. Graft not tender, no edema.

Labs: creatinine 1.3, stable. CMV PCR not detected. BK virus not detected.

A/P: // 1) Stable graft function, no evidence of rejection. // 2) Exposure to influenza: oseltamivir prophylaxis for
ten days. If he becomes febrile, test him for influenza and rule out pneumonia. // 3) Tuberculosis exposure is remote;
interferon gamma assay in eight weeks. // 4) Entecavir to continue because of the donor's serology.
""")

HISTORICAL = flow("""
REASON FOR VISIT: left leg swelling

S: 60 y/o F with history of DVT of the RIGHT leg (2009, after knee surgery) and of PE (2016), both treated, the PE
resolved on repeat CT. Was on warfarin until 2017. Now three days of swelling of the LEFT leg. Childhood asthma,
outgrown. Pneumonia last winter, resolved. Former smoker. She used to have migraines. Status post left hip replacement
2021 and appendectomy as a teenager. Chest pain last week, gone now; no chest pain today. Chronic low back pain,
ongoing.

O: Afebrile, HR 82, BP 136/78, SpO2 97% RA. Left calf 41 cm, right 37.5 cm. Pitting edema on the left. Old brownish
skin change of the right ankle. Lungs clear.

Duplex today: acute DVT of the left popliteal vein. Chronic post-thrombotic change in the right femoral vein, no acute
clot there.

A/P: New left popliteal DVT in a woman with previous DVT and previous PE. No current symptoms of PE. Third event, so
anticoagulation without an end date: apixaban. The healed right leg needs nothing. Come in at once if chest pain or
SOB develops.
""")

INSTRUCTIONS_ONLY = flow("""
Discharge Summary

Diagnosis: Minor head injury without intracranial bleeding.

History: Mr. Ballindore, 33, was struck on the head by a kitchen cabinet door. No loss of consciousness, no vomiting,
no amnesia, and no anticoagulants. He was kept overnight because he lives alone.

Course: CT of the head showed no hemorrhage and no fracture. A 3 cm laceration of the left forehead was closed with
five sutures. He stayed alert, with hourly checks. Headache 3/10 in the evening, resolved by morning. Tetanus vaccine
was given.

Condition: Good. Neurologic examination normal.

Instructions: Most people recover without problems. Have someone call or visit you tonight. Return to the emergency
department immediately if you have: // - a headache that gets worse // - vomiting more than once // - a seizure // -
weakness or numbness of an arm or leg // - slurred speech or confusion // - unequal pupils, double vision or loss of
vision // - clear fluid or blood from the nose or ear // - fever, or redness or pus at the wound

Should you develop chest pain, shortness of breath or leg swelling after long rest, you could have a blood clot, and
should be seen. Watch for signs of concussion: poor sleep, irritability, dizziness. If dizziness lasts beyond two
weeks, you may need to be evaluated for vertigo.

Medications: acetaminophen as needed. In case of an allergy such as hives or wheezing, stop and call us. Avoid aspirin
for a week, which could cause bleeding.

Follow-up: Suture removal in five to seven days with Dr. Prudhoven. Repeat CT only if symptoms occur.
""")

RULE_OUT = flow("""
EXAM: CT pulmonary angiogram. INDICATION: Rule out PE. R/o dissection. Evaluate for pneumonia vs. CHF. Concern for
malignancy.

TECHNIQUE: 75 mL of contrast. Timing was poor because of an interrupted injection.

FINDINGS: The main and lobar arteries show no filling defect. Segmental and subsegmental branches cannot be assessed;
PE at these levels is neither ruled in nor ruled out. The aorta is of normal caliber; dissection is ruled out. Patchy
ground-glass opacity in both lower lobes may represent pneumonia or, less likely, edema. Small bilateral effusions. No
mass. No adenopathy to suggest malignancy. Heart size is normal.

IMPRESSION: 1. Nondiagnostic for peripheral PE; central PE excluded. If suspicion persists, repeat the study or obtain
leg ultrasound to rule out DVT. 2. Bilateral lower lobe opacities, pneumonia favored over CHF. 3. Small effusions.
""")

FUTURE = flow("""
Dear Dr. Wexcombe,

I saw Mr. Sorrelby, 58, before his operation. He is scheduled for resection of a sigmoid cancer on Monday. To prevent
DVT and PE he will receive enoxaparin for 28 days after surgery; he has never had either. He will have an epidural to
avoid pneumonia. He is at risk of atrial fibrillation, since it runs in the family (father, two brothers), but an ECG
today shows sinus rhythm.

If the anastomosis leaks, a stoma would be needed, and a site has been marked in case. A wound infection is to be
expected in about one of ten patients. He is to stop empagliflozin three days before, so as not to develop
ketoacidosis. Screening for anemia was negative. He understands that chemotherapy might follow, depending on the
nodes; on CT there were no enlarged nodes and no liver metastasis, and a 6 mm lesion in segment 7 is too small to
characterize, likely a cyst.

He would like to know whether his hernia can be repaired later. I said that it could, provided that he stops smoking.

Yours sincerely, // Dr. C. Dunmorrow // Preoperative Assessment
""")

COPIED = flow("""
PROGRESS NOTE, HOSPITAL DAY 6

[carried forward from day 2] 79F with right lower lobe pneumonia, on 4 L of oxygen, febrile, delirious. Moderate right
effusion. Rule out empyema. Foley in place. AF with rapid rate.

Update today: the above no longer applies. Afebrile since day 4, on room air, oriented. The effusion was tapped on day
3 (transudate, no empyema) and has not come back. Foley out. Back in sinus rhythm since yesterday. New today: painful
red left forearm at the old IV site, likely superficial phlebitis; DVT of the arm cannot be excluded, ultrasound
ordered.

[carried forward] ROS negative for chest pain, rash, arm pain.

Correction: ROS is positive for arm pain, as above.

Plan: oral antibiotics until day 7; ultrasound of the left arm; physical therapy. Home tomorrow if no clot is found.
""")

ED_TELEGRAM = """CC sob
pt 72 m hx copd chf prior pe 2018 off ac since 2020
sob x3d worse w exertion, +orthopnea +le swelling b/l, -cp -fever -hemoptysis, ?weight gain
wife w flu last wk
meds furosemide ran out 1 wk ago
nkda
ex tobacco quit 2011
vs 98.1 152/88 104 24 89 ra 94 2l
jvd+ crackles b/l bases no wheeze 2+ edema symmetric calves nt
ecg st no st chg. trop neg. bnp 1450. ddimer neg
cxr pulm edema small b/l eff no ptx no consol
ddx chf >> copd exac, pe r/o by ddimer, pna unlikely
tx lasix 40 iv, good uop, 93 ra p 2 h
dispo obs tele. if spikes or wbc up reconsider pna"""

CASES = (
    Case("family history in the HPI", "P-09085", LETTER, date(2020, 11, 5), "Breast clinic letter", FAMILY_IN_HPI),
    Case("findings of other persons", "P-09094", PROGRESS, date(2023, 1, 17), "Transplant clinic note", OTHER_PERSONS),
    Case("past and present together", "P-09103", PROGRESS, date(2024, 4, 9), "Office visit", HISTORICAL),
    Case("conditions in instructions", "P-09118", DISCHARGE, date(2018, 9, 2), "Discharge summary", INSTRUCTIONS_ONLY),
    Case("rule-out", "P-09126", RADIOLOGY, date(2019, 12, 12), "CT pulmonary angiogram", RULE_OUT),
    Case("what may happen", "P-09131", LETTER, date(2022, 9, 15), "Preoperative clinic letter", FUTURE),
    Case("copied-forward text", "P-09147", PROGRESS, date(2021, 3, 8), "Progress note", COPIED),
    Case("telegraphic note", "P-09155", EMERGENCY, date(2023, 2, 20), "ED note", ED_TELEGRAM),
)
