"""Breast cancer from the mammogram through surgery and chemotherapy to follow-up."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "fever",
        "sex": "F",
        "age": "52",
        "side": "left",
        "clock": "2 o'clock",
        "mm": "19",
        "type": "invasive ductal carcinoma, grade 3, ER negative, PR negative, HER2 negative",
        "chemo": "dose-dense doxorubicin and cyclophosphamide followed by paclitaxel",
        "after": "no endocrine treatment, since the tumor is receptor negative",
        "pmh": "hypothyroidism; depression",
        "meds": "levothyroxine 75 mcg daily; citalopram 20 mg daily",
        "smoke": "Never smoked.",
        "fam": "Mother had breast cancer at 48 and a maternal aunt had ovarian cancer.",
    },
    {
        "path": "calm",
        "sex": "F",
        "age": "61",
        "side": "right",
        "clock": "10 o'clock",
        "mm": "24",
        "type": "invasive ductal carcinoma, grade 2, ER positive, PR positive, HER2 negative",
        "chemo": "docetaxel and cyclophosphamide",
        "after": "letrozole 2.5 mg daily for at least five years",
        "pmh": "hypertension; obesity; cholecystectomy",
        "meds": "hydrochlorothiazide 25 mg daily; vitamin D",
        "smoke": "Former smoker, 10 pack-years.",
        "fam": "No family history of breast or ovarian cancer. Brother has diabetes.",
    },
    {
        "path": "fever",
        "sex": "F",
        "age": "46",
        "side": "right",
        "clock": "8 o'clock",
        "mm": "21",
        "type": "invasive ductal carcinoma, grade 3, ER positive, HER2 positive",
        "chemo": "docetaxel, carboplatin and trastuzumab",
        "after": "trastuzumab to complete one year, and tamoxifen",
        "pmh": "asthma; iron deficiency anemia due to fibroids",
        "meds": "albuterol inhaler as needed; ferrous sulfate 325 mg daily",
        "smoke": "Never smoked; wine on weekends.",
        "fam": "Paternal grandmother had breast cancer in old age. Mother is well.",
    },
    {
        "path": "calm",
        "sex": "F",
        "age": "67",
        "side": "left",
        "clock": "12 o'clock",
        "mm": "28",
        "type": "invasive lobular carcinoma, grade 2, ER positive, PR positive, HER2 negative",
        "chemo": "docetaxel and cyclophosphamide",
        "after": "anastrozole 1 mg daily",
        "pmh": "osteoarthritis; DVT after knee replacement in 2013; hyperlipidemia",
        "meds": "simvastatin 20 mg nightly; acetaminophen as needed",
        "smoke": "Never smoked.",
        "fam": "Sister had breast cancer at 59. Father had colon cancer.",
    },
)

MAMMO = """
## {h_ind}
[Palpable lump in the {side} breast.|New firm lump in the {side} breast.|Lump noticed six weeks ago, {side} breast.]
## {h_tech}
Diagnostic mammography of both breasts with tomosynthesis, and targeted ultrasound of the {side} breast and axilla.
## {h_comp}
[Screening mammogram two years ago.|None available.]
## {h_find}
[The breasts are heterogeneously dense, which may obscure small masses.|Scattered areas of fibroglandular density.]
{Side} breast: irregular mass with spiculated margins at {clock}, {mm} mm, suspicious for malignancy. [No suspicious
calcifications.|A few associated pleomorphic calcifications.] On ultrasound it is hypoechoic with shadowing. {Side}
axilla: [no abnormal lymph nodes.|one node with a cortex of 4 mm, indeterminate.] {Other} breast: no mass, distortion
or suspicious calcification. [A 5 mm simple cyst on the {other} is benign.|Benign vascular calcifications.] No skin
thickening or nipple retraction.
## {h_imp}
- Highly suspicious {side} breast mass, BI-RADS 5. Core biopsy is recommended.
- {Other} breast negative.
##
{sign_rad}
"""

LETTER1 = """
Dear Dr. {gp},

[Thank you for referring {who} to the breast clinic.|I saw {who}, {age}, with the results of {his} biopsy.] {He} found
a lump in the {side} breast [in the shower|while changing], and imaging on {d:mammo} showed a {mm} mm mass at {clock}.
The core biopsy shows {type}.

[There is no nipple discharge, no bone pain and no weight loss.|{He} denies bone pain, cough, headache and weight
loss.] {Fam} {Smoke}
## {h_pmh}
{list:pmh}
## {h_exam}
[A firm, mobile 2 cm mass in the {side} breast at {clock}.|{Side} breast: discrete mass at {clock}, not fixed to skin
or muscle.] No palpable axillary or supraclavicular nodes. {Other} breast normal. Lungs clear, liver not enlarged, no
spinal tenderness.
## {h_ap}
- Early-stage breast cancer. There is no clinical evidence of metastasis, and staging CT is not indicated unless
symptoms arise.
- Lumpectomy with sentinel node biopsy, to be followed by chemotherapy ({chemo}).
- [Genetic counseling was offered.|Genetic testing sent; if a BRCA variant is found, mastectomy may be reconsidered.]
- [Echocardiogram before chemotherapy.|Baseline heart function to be checked.]
##
{He} came with {his} spouse and took the news calmly. {close}

{bye} // {md} // Breast Surgery
"""

LUMP = """
## Preoperative diagnosis
{Side} breast cancer, {clock}.
## Postoperative diagnosis
Same.
## Procedure
{Side} lumpectomy with [seed|wire] localization; {side} sentinel lymph node biopsy; [port placement in the {other}
chest|{other} internal jugular port placement].
## Surgeon
{surgeon}
## Anesthesia
General, laryngeal mask.
## Indications
{An_age} woman with {type} of the {side} breast, {mm} mm on imaging, clinically node negative.
## {h_op}
After injection of technetium and blue dye, the {side} breast and axilla were prepped. [A curvilinear incision was
made over the tumor.|A periareolar incision was used.] The localized tissue was removed with a margin of normal tissue
and oriented with sutures. The specimen film showed the mass and the marker within it. [An inferior shave was taken,
because that margin looked close.|Cavity shaves were taken on all sides.] Through a separate axillary incision,
{nodes} hot and blue nodes were removed. [No other suspicious node was felt.|There were no clinically enlarged nodes.]
The port was placed under ultrasound and fluoroscopy, with the tip at the cavoatrial junction. Lung sliding was normal
at the end.
## Estimated blood loss
{n:15-50} mL.
## Complications
None. No pneumothorax on the postoperative film.
## Plan
Home today. [Call if swelling, fever or shortness of breath occurs.|Return if the wound becomes tense or red, or if
{he} has chest pain.]
"""

CHEMO = """
## {h_sub}
Day 1 of cycle {cycle} of {chemo}, for {side} breast cancer (lumpectomy in {m:op}; {nodes} sentinel nodes, all
negative; margins clear). [Tolerated the last cycle with two days of nausea and some fatigue.|Mild mouth soreness, now
resolved.|Taste is altered, appetite fair.] [Hair loss. No fever.|No fever at home, temperature checked daily.] Denies
dyspnea, chest pain, diarrhea. [No numbness.|Slight tingling of the fingertips, possible early neuropathy.]
## {h_obj}
{vit_ok} Weight stable. Mouth clear, no thrush. {Side} breast: {wound_ok} Port site on the {other} without erythema.
{lungs_clear} No arm swelling.

WBC {f:4.2-6.8}, ANC {f:2.1-4.2}, Hgb {f:10.8-12.6}, platelets {n:164-288}. Liver tests normal.
## {h_ap}
- Breast cancer, {side}, {type}. Proceed with cycle {cycle} at full dose. [Growth factor on day 2.|Pegfilgrastim
tomorrow.]
- [Nausea: olanzapine added.|Nausea controlled with ondansetron.]
- [Port-related DVT is not suspected; no arm edema.|No evidence of heart failure; EF {n:58-64}% before treatment.]
- To come to the emergency department at once if temperature reaches 100.4 F.
"""

ED = """
## {h_cc}
Fever during chemotherapy.
## {h_hpi}
{An_age} woman with {side} breast cancer, on {chemo}, {since:chemo} after cycle {cycle}. [Temperature of 101.5 F at
home with chills.|Fever and a shaking chill two hours ago.] [@fever:Sore throat and mild cough.|Loose stools twice
today.] No dyspnea, no abdominal pain, no dysuria. No redness over the port. {He} denies sick contacts.
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:meds}
- Ondansetron as needed
## {h_all}
{allergy}
## {h_fam}
{fam}
## {h_exam}
T {f:101.0-102.6} F, BP {n:98-118}/{n:56-70}, HR {n:104-122}, RR 20, SpO2 {n:95-98}% RA. No mucositis. {lungs_clear}
{belly_ok} Port site clean, not tender. No rash, no perianal tenderness.
## {h_res}
ANC 0.{n:1-3}, Hgb {f:9.0-10.4}, platelets {n:84-142}, lactate {f:1.0-2.2}. Chest X-ray: no consolidation, no
effusion. Urinalysis negative.
## {h_ed}
Neutropenic fever without an obvious source. Cultures from the port and periphery, then cefepime 2 g within 50
minutes. [Line infection cannot be excluded.|Port infection is possible though the site looks clean.] PE was
considered because of tachycardia; heart rate fell with fluids and acetaminophen, and PE is unlikely.
## {h_disp}
Admit to oncology.
"""

SUMMARY = """
## {h_dx}
- Neutropenic fever, resolved
- {Side} breast cancer, {type}, on chemotherapy
{list:pmh}
## {h_adm}
{Who} came to the emergency department on {d:ed} with fever and chills, after cycle {cycle} of {chemo}. Absolute
neutrophil count was below 0.5. {He} had no localizing symptoms apart from [@fever:a sore throat and mild cough|two
loose stools]. {Fam}
## {h_course}
- Neutropenic fever. Treated with cefepime. Blood cultures from the port and from a peripheral vein showed no growth.
Chest X-ray was without infiltrate, and respiratory PCR was [negative|positive for a rhinovirus]. Fever resolved
within [36|48] hours. Neutrophils recovered to {f:1.2-2.4}. Vancomycin was not given, as there was no sign of a skin,
line or soft tissue infection. [@fever:Fungal infection was not suspected.|C. difficile was ruled out.]
- Breast cancer. The next cycle will be delayed by one week and given at a reduced dose. There is no evidence of
disease progression.
- [Anemia. Hemoglobin reached 8.0 and rose without transfusion; no bleeding.|Anemia of chemotherapy: one unit of red
cells was given. There was no evidence of hemolysis.]
- Prophylaxis. Platelets allowed enoxaparin. No DVT or PE. The port flushed and drew normally.
- [Mood. Worried but coping; seen by social work.|Nutrition. Intake improved; supplements provided.]
## {h_exam}
{vit_ok} Oral mucosa intact. {lungs_clear} Port site without redness. {belly_ok} {neuro_ok}
## {h_dmeds}
{list:meds}
- Ondansetron 8 mg as needed
- Levofloxacin 500 mg daily for two days, to complete treatment
## {h_cond}
{well}
## {h_inst}
Check your temperature twice a day. Come back immediately if it is 100.4 F or higher, or if you have chills, shortness
of breath, bleeding, or redness over the port. Avoid crowds and people who are ill. Drink plenty of fluids. Do not
take acetaminophen before measuring your temperature, since it can hide a fever.
## {h_fu}
- Oncology clinic in five days with blood count
- Dr. {gp} as needed
"""

LETTER2 = """
Dear Dr. {gp},

Re: {who}, {side} breast cancer
## Diagnosis
{type}; lumpectomy and sentinel node biopsy {m:op}, margins clear, {nodes} nodes negative.
## Treatment
Chemotherapy ({chemo}), completed. {hadfever} Radiation to the {side} breast, completed.
##
[I reviewed {who} at the end of treatment.|{Who} has come through treatment well, and we met today to plan follow-up.]
[Energy is returning, and {he} is working half days.|{He} still tires by mid-afternoon.] Hair is growing back. {He}
has [hot flashes|mild joint stiffness] but denies bone pain, cough, SOB and headache. [The tingling of the fingers has
resolved.|There is no neuropathy.]

{Fam} {Smoke}

On examination there is no local recurrence, no axillary or supraclavicular node, and no arm lymphedema. [The {side}
breast is slightly firm after radiation.|Mild skin darkening over the {side} breast.] The liver is not palpable, and
there is no spinal tenderness.

The plan is {after}. Yearly mammography, and no routine scans in the absence of symptoms. New bone pain,
breathlessness, or headache should be investigated to rule out recurrence. {close}

{bye} // {md} // Medical Oncology
"""

MAMMO2 = """
## {h_ind}
[History of {side} breast cancer, status post lumpectomy {m:op} and radiation. Annual study.|Surveillance after {side}
breast conservation in {m:op}.]
## {h_tech}
Bilateral diagnostic mammography with tomosynthesis.
## {h_comp}
Mammogram of {d:mammo}.
## {h_find}
[Postsurgical scar with architectural distortion in the {side} breast at {clock}, as expected.|{Side} breast: scar and
surgical clips at {clock}, mild skin thickening from radiation.] [No new mass or suspicious calcification.|Coarse
calcifications at the scar are typical of fat necrosis; no suspicious feature.] The {other} breast is unchanged. No
axillary adenopathy. [The port has been removed.|No port is seen.]
## {h_imp}
[No evidence of recurrence. BI-RADS 2, benign.|Benign postoperative change; recurrent tumor is not suspected. BI-RADS
2.] Repeat in one year.
##
{sign_rad}
"""

_FEVER = {"nodes": "three", "cycle": "3", "hadfever": "One admission with neutropenic fever in {m:ed}, resolved."}
_CALM = {"nodes": "two", "cycle": "2", "hadfever": "No admission was needed."}
_PATHS = {"fever": _FEVER, "calm": _CALM}
STORY = Story(
    "breast cancer",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("mammo", RADIOLOGY, "[Mammogram|Diagnostic mammogram and ultrasound]", (0, 0), MAMMO),
        Event("letter1", LETTER, "Breast clinic letter", (8, 15), LETTER1),
        Event("op", OPERATIVE, "Lumpectomy and sentinel node biopsy", (12, 25), LUMP),
        Event("chemo", PROGRESS, "[Oncology progress note|Infusion visit]", (70, 90), CHEMO),
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (8, 11), ED, ("fever",)),
        Event("home", DISCHARGE, "Discharge summary", (4, 5), SUMMARY, ("fever",)),
        Event("letter2", LETTER, "Oncology clinic letter", (180, 240), LETTER2),
        Event("mammo2", RADIOLOGY, "[Mammogram|Annual mammogram]", (180, 280), MAMMO2),
    ),
)
