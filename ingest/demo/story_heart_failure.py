"""Heart failure with a pleural effusion that is drained or treated with diuretics."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "tap",
        "sex": "M",
        "age": "72",
        "side": "right",
        "ef": "25",
        "cause": "ischemic cardiomyopathy",
        "pmh": "ischemic cardiomyopathy with CHF; myocardial infarction in 2008; type 2 diabetes; hyperlipidemia",
        "meds": "carvedilol 12.5 mg twice daily; sacubitril/valsartan 24/26 mg twice daily; furosemide 80 mg daily; "
        "spironolactone 25 mg daily; atorvastatin 80 mg nightly; metformin 500 mg twice daily",
        "smoke": "Former smoker.",
    },
    {
        "path": "diuretic",
        "sex": "F",
        "age": "81",
        "side": "left",
        "ef": "60",
        "cause": "hypertensive heart disease",
        "pmh": "CHF with preserved ejection fraction; hypertension; atrial fibrillation; chronic kidney disease stage "
        "3",
        "meds": "torsemide 20 mg daily; apixaban 2.5 mg twice daily; metoprolol succinate 50 mg daily; amlodipine 5 "
        "mg daily",
        "smoke": "Never smoked.",
    },
    {
        "path": "tap",
        "sex": "F",
        "age": "64",
        "side": "right",
        "ef": "30",
        "cause": "nonischemic dilated cardiomyopathy",
        "pmh": "dilated cardiomyopathy; left bundle branch block; history of Hodgkin lymphoma treated with "
        "doxorubicin in 1994",
        "meds": "metoprolol succinate 100 mg daily; losartan 50 mg daily; furosemide 40 mg twice daily; "
        "eplerenone 25 mg daily; dapagliflozin 10 mg daily",
        "smoke": "Never smoked; no alcohol.",
    },
    {
        "path": "diuretic",
        "sex": "M",
        "age": "58",
        "side": "right",
        "ef": "35",
        "cause": "alcohol-related cardiomyopathy",
        "pmh": "alcohol-related cardiomyopathy; hypertension; obstructive sleep apnea; gout",
        "meds": "bisoprolol 5 mg daily; lisinopril 20 mg daily; furosemide 40 mg daily; allopurinol 100 mg daily",
        "smoke": "Smokes ten cigarettes a day. Drank six beers daily until this year.",
    },
)

ADMIT = """
## {h_sub}
{An_age} {man} with {cause} (LVEF {ef}%) [admitted overnight with|admitted from clinic for|here with] progressive
dyspnea, [two-pillow orthopnea and {n:9-16} pounds of weight gain|leg swelling to the knees and PND|abdominal
bloating, edema and poor sleep]. [{He} admits to missed doses of diuretic and salty meals.|Ran out of diuretic tablets
ten days ago.|No dietary indiscretion; adherence seems good.] Denies chest pain, palpitations, syncope. No fever, no
productive cough. [Feels better after the first IV dose.|Breathing a little easier this morning.]
## {h_obj}
BP {n:104-148}/{n:62-86}, HR {n:78-98}, RR {n:20-24}, SpO2 {n:91-94}% on 2 L. JVP {n:11-14} cm. [Dull to percussion
with absent breath sounds over the lower third of the {side} chest.|Reduced breath sounds at the {side} base; crackles
above.] No wheeze. S3 [present|not heard]. [2+|3+] pitting edema bilaterally, symmetric, no calf tenderness. Abdomen
soft, no shifting dullness.

BNP {n:980-2900}, creatinine {f:1.1-1.9}, K {f:3.6-4.6}, troponin flat.
## {h_ap}
- Acute decompensated heart failure. IV furosemide [80 mg twice daily|drip at 10 mg/h|60 mg twice daily], daily
weights, fluid restriction. Goal net negative 1.5 L.
- Pleural effusion, {side} greater than {other}, most likely due to CHF. [Infection cannot be excluded but no fever or
leukocytosis, so no antibiotics.|Parapneumonic effusion is possible but unlikely.] {tapplan}
- Rule out ischemia: [ECG unchanged, troponins flat.|no new ECG changes; serial troponins negative.]
- DVT prophylaxis ordered. Low suspicion for PE.
"""

FILM = """
## {h_ind}
[SOB, CHF.|Dyspnea and edema. Rule out pneumonia.|Heart failure, orthopnea; effusion?]
## {h_tech}
{ap_port}
## {h_comp}
{noprior}
## {h_find}
[The heart is enlarged.|Moderate cardiomegaly.|Cardiomegaly with a cardiothoracic ratio of about 0.6.] [There is
pulmonary vascular congestion with interstitial edema.|Cephalization and Kerley B lines indicate interstitial
edema.|Perihilar haze and indistinct vessels, consistent with mild pulmonary edema.] [Moderate {side} pleural
effusion, with a smaller one on the {other}.|There are bilateral pleural effusions, moderate on the {side} and small
on the {other}.|Layering {side} effusion obscures the hemidiaphragm; trace {other} effusion.] [Adjacent {side} basal
opacity may represent atelectasis, but superimposed pneumonia cannot be excluded.|Compressive atelectasis at the
{side} base.|Underlying {side} basal consolidation is difficult to exclude.] No pneumothorax. {bones_old}
## {h_imp}
- [Congestive heart failure with interstitial edema.|Cardiomegaly and mild pulmonary edema.]
- Moderate {side} and small {other} pleural effusions.
- [Basal opacity, atelectasis favored over pneumonia.|Possible superimposed infection at the {side} base.]
##
{sign_rad}
"""

TAP = """
## Procedure
[Ultrasound-guided {side} thoracentesis.|{Side} diagnostic and therapeutic thoracentesis.]
## Indication
[Symptomatic {side} pleural effusion in {an_age} {man} with {cause}, persisting despite diuresis. Rule out malignancy
and infection.|Persistent {side} effusion with dyspnea, LVEF {ef}%; exclude another cause.]
## Consent
Risks including bleeding, infection, pneumothorax and re-expansion edema were explained. Written consent is on the
chart.
## {h_op}
[{He} sat upright, leaning on a table, and|With the patient seated,] the {side} hemithorax was scanned, and a
free-flowing effusion without septations was marked in the posterior axillary line. [After skin preparation and 10 mL
of 1% lidocaine, an 8 French catheter was advanced over a needle above the rib.|The skin was prepped and draped, and
local anesthetic was given down to the pleura. A catheter passed above the rib without difficulty.] [1,100 mL|1,350
mL|950 mL] of clear, straw-colored fluid drained. The procedure was stopped when {he} began to cough. Lung sliding was
present afterwards, so there was no sonographic evidence of pneumothorax.
## Specimens
Cell count, protein, LDH, glucose, pH, culture and cytology.
## Complications
[None.|No immediate complications.]
## [Postprocedure plan|Plan]
Chest X-ray to rule out pneumothorax. Call if chest pain or new hypoxia.
"""

SUMMARY = """
## {h_dx}
- Acute decompensated heart failure, LVEF {ef}%, due to {cause}
- {Side} pleural effusion, [attributed to CHF|transudative or presumed so]
## Procedures
{procs}
## {h_pmh}
{Join:pmh}. [No history of stroke.|No prior valve surgery.]
## {h_adm}
{Who} presented with progressive dyspnea, orthopnea and leg edema. {Smoke} [No chest pain at any time.|{He} had not
had chest pain or syncope.] [On arrival {he} was hypoxic on room air with crackles and elevated neck veins.|In the ED
{he} required two liters of oxygen and had marked edema.]
## {h_course}
- CHF. {He} received intravenous furosemide and lost {n:12-22} pounds. Echocardiography: LVEF {ef}%, [mild to moderate
mitral regurgitation, no pericardial effusion|dilated left atrium, no thrombus, no pericardial effusion]. Ischemia was
[ruled out by serial troponins|not suspected]. Neurohormonal therapy was adjusted as blood pressure allowed.
- Pleural effusion. {effusion}
- [Renal function. Creatinine peaked at {f:1.7-2.2} and had returned to baseline at discharge.|Electrolytes.
Hypokalemia was repleted and has resolved.]
- [Rhythm. No ventricular tachycardia on telemetry.|Sleep. Snoring was noted; known or possible sleep apnea to be
assessed as an outpatient.]
## {h_exam}
Weight {n:142-218} lb, BP {n:104-128}/{n:60-76}, HR {n:64-80}, SpO2 {n:94-97}% RA. JVP 7 cm. [Reduced breath sounds at
the {side} base, otherwise clear.|Slight dullness at the {side} base. No crackles.] Trace edema at the ankles.
## {h_dmeds}
{list:meds}
## {h_cond}
[Improved, euvolemic or close to it.|Stable, walking the hallway without oxygen.]
## {h_inst}
Weigh yourself every morning. Limit salt to 2 grams and fluid to 2 liters per day. Call if you gain more than three
pounds in a day or five in a week. Return to the emergency department if you have chest pain, fainting, or trouble
breathing while lying down. Do not take ibuprofen or similar pain relievers.
## {h_fu}
- Heart failure clinic in [seven to ten days|two weeks]
- Basic metabolic panel in one week with Dr. {gp}
- Chest X-ray in six to eight weeks to confirm that the effusion has resolved
"""

CLINIC = """
Dear Dr. {gp},

Re: {who}

[Your patient was reviewed in the heart failure clinic on {today}.|I had the pleasure of seeing {who} today after
{his} recent admission with heart failure.|{Who} came to clinic {since:home} after discharge, accompanied by family.]
As you know {he} has {cause} with an ejection fraction of {ef}%.

[{He} is now in NYHA class II.|Symptoms are much better, and {he} can climb two flights of stairs.|{He} tires easily
but is no longer breathless at rest.] {He} sleeps on one pillow and denies PND, chest pain, palpitations or syncope.
Home weights have been [steady|within two pounds]. Family history: {family}

On examination blood pressure was {n:106-134}/{n:62-80} and pulse {n:60-76}. The JVP was not elevated. [Breath sounds
were slightly reduced at the {side} base.|There was minimal dullness at the {side} base.] There were no crackles and
[no edema|only trace ankle edema].

[Creatinine is stable.|Potassium {f:4.1-4.9}, creatinine {f:1.0-1.6}.] [I have increased the beta blocker one step.|We
made no changes to drug treatment today.|The diuretic dose was halved.] {device} [The residual effusion is small, and
I would not tap it unless it grows.|I suspect that the remaining pleural fluid is due to heart failure, although
malignancy is not entirely excluded until it clears.]

If {he} gains weight or becomes breathless, an extra dose of diuretic for three days is reasonable. {close}

{bye} // {md} // Heart Failure Service
"""

FILM2 = """
## {h_ind}
[Follow-up of {side} pleural effusion. CHF.|Known heart failure with effusion, reassess.|Effusion after diuresis.]
## {h_tech}
{pa_lat}
## {h_comp}
Chest radiograph of {d:film}.
## {h_find}
{follow} [Cardiomegaly is stable.|The heart remains mildly enlarged.|Heart size has decreased slightly.] [Pulmonary
edema has resolved.|No interstitial edema.|Vascular congestion is no longer present.] No new consolidation. No
pneumothorax.
{bones_old}
## {h_imp}
{followimp}
##
{sign_rad}
"""

ED = """
## {h_cc}
[@back:Leg swelling and SOB.|Chest discomfort.|Dizziness on standing.|Ankle swelling.]
## {h_hpi}
{An_age} {man} with CHF (LVEF {ef}%), [last admitted in {m:home}|one admission, in {m:home}]. [@back:Over the weekend
{he} ate out twice, and {he} now has tight shoes and gets winded on the stairs.|Since Tuesday {he} has had a
pressure-like sensation in the chest after meals.|{He} took an extra water pill for three days and now feels faint on
standing.|Both ankles have been swollen since a long bus ride.] No orthopnea beyond baseline. No syncope. No cough, no
fever, no hemoptysis. {He} has no history of PE, and there is no unilateral leg pain.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_soc}
{social} {smoke}
## {h_exam}
{vit_ok} JVP {n:7-9} cm. {lungs_clear} Mild symmetric ankle edema. {belly_ok} {neuro_ok}
## {h_res}
Troponin negative at 0 and 3 hours. BNP {n:240-480}, lower than at the last admission. Chest X-ray: cardiomegaly, no
edema, [no effusion.|no change in the small effusion on the {side}.]
## {h_ed}
[ACS ruled out by serial markers and an unchanged ECG.|No evidence of acute decompensation. Acute coronary syndrome
was ruled out.] [@back:One dose of IV furosemide with a good response.|Symptoms settled with an antacid; reflux is
probable.|Orthostatic vital signs improved with oral fluids.|Dependent edema is likely; legs elevated, no diuretic
needed.] Not an unreasonable candidate for home management.
## {h_disp}
Discharged home. Heart failure nurse will call tomorrow. Return if short of breath at rest, if weight rises by three
pounds, or if chest pain comes back.
"""

_TAPPED = {
    "tapplan": "Thoracentesis if it persists after 48 hours of diuresis.",
    "procs": "- Ultrasound-guided {side} thoracentesis, {d:tap}\n- Transthoracic echocardiogram",
    "effusion": "[The {side} effusion persisted despite diuresis and was tapped on {d:tap}. The fluid was a "
    "transudate; culture "
    "and cytology were negative for infection and malignancy.|Because the effusion did not clear, thoracentesis was "
    "performed. "
    "Light's criteria were not met. No malignant cells.] There was no pneumothorax afterwards.",
    "device": "[We have referred {him} for a primary-prevention defibrillator, if function has not recovered at three "
    "months.|"
    "An ICD will be considered if the ejection fraction stays below 35%.]",
    "follow": "[The {side} pleural effusion has almost completely resolved; there is minimal blunting of the "
    "costophrenic "
    "angle.|Marked decrease in the {side} effusion, with a trace remaining. The {other} effusion has cleared.]",
    "followimp": "[Near-complete resolution of the {side} effusion. No edema.|Trace residual {side} effusion, clearly "
    "improved.]",
}
_DRIED = {
    "tapplan": "No indication for drainage at present.",
    "procs": "- Transthoracic echocardiogram",
    "effusion": "The {side} effusion [shrank with diuresis, and thoracentesis was not needed|decreased on serial "
    "films; it was "
    "never sampled]. It was presumed to be due to heart failure, [but another cause has not been excluded|in the "
    "absence of "
    "fever or weight loss].",
    "device": "",
    "follow": "[There has been no change in the small effusion on the {side} since the last film of the "
    "admission.|The {side} "
    "effusion is not significantly changed and remains small.] The {other} effusion has resolved.",
    "followimp": "[Persistent small {side} pleural effusion, unchanged.|Stable small {side} effusion, no edema.]",
}
_PATHS = {"tap": _TAPPED, "diuretic": _DRIED}
STORY = Story(
    "heart failure",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("film", RADIOLOGY, "[Chest X-ray|Portable chest X-ray]", (0, 0), FILM),
        Event("ward", PROGRESS, "[Cardiology progress note|Medicine progress note]", (1, 1), ADMIT),
        Event("tap", OPERATIVE, "[Thoracentesis|Procedure note: thoracentesis]", (2, 3), TAP, ("tap",)),
        Event("home", DISCHARGE, "Discharge summary", (3, 5), SUMMARY),
        Event("clinic", LETTER, "[Heart failure clinic letter|Cardiology clinic letter]", (9, 16), CLINIC),
        Event("film2", RADIOLOGY, "[Chest X-ray|Chest X-ray, two views]", (30, 60), FILM2),
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (200, 800), ED),
    ),
)
