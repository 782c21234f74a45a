"""A pacemaker is placed; in some patients the vein puncture leaves a pneumothorax."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "drain",
        "sex": "F",
        "age": "78",
        "side": "left",
        "why": "complete heart block",
        "came": "two syncopal episodes in one week",
        "pmh": "hypertension; hypothyroidism; osteoarthritis of both knees",
        "meds": "levothyroxine 75 mcg daily; amlodipine 5 mg daily; acetaminophen as needed",
        "smoke": "Never smoked.",
    },
    {
        "path": "small",
        "sex": "M",
        "age": "71",
        "side": "left",
        "why": "sick sinus syndrome",
        "came": "lightheadedness and pauses of up to 5 seconds on a monitor",
        "pmh": "paroxysmal atrial fibrillation; hyperlipidemia; benign prostatic hyperplasia",
        "meds": "apixaban 5 mg twice daily; atorvastatin 40 mg nightly; tamsulosin 0.4 mg daily",
        "smoke": "Former smoker, 20 pack-years.",
    },
    {
        "path": "none",
        "sex": "M",
        "age": "83",
        "side": "left",
        "why": "symptomatic Mobitz type II atrioventricular block",
        "came": "three months of exertional fatigue and near-syncope",
        "pmh": "CHF with preserved ejection fraction; chronic kidney disease stage 3; status post coronary bypass in "
        "2009",
        "meds": "furosemide 20 mg daily; aspirin 81 mg daily; losartan 25 mg daily",
        "smoke": "Quit smoking decades ago.",
    },
    {
        "path": "small",
        "sex": "F",
        "age": "67",
        "side": "right",
        "why": "high-grade atrioventricular block",
        "came": "a fall with brief loss of consciousness",
        "pmh": "left breast cancer treated with mastectomy and radiation in 2012, in remission; hypertension; "
        "emphysema",
        "meds": "lisinopril 10 mg daily; tiotropium inhaled daily; calcium with vitamin D",
        "smoke": "Former smoker, 35 pack-years.",
    },
)

IMPLANT = """
## Preoperative diagnosis
{Why}.
## Postoperative diagnosis
[Same.|{Why}.|Unchanged.]
## Procedure
[Implantation of a dual-chamber permanent pacemaker, {side} pectoral region.|Dual-chamber pacemaker insertion, {side}
side, with fluoroscopic guidance.|Permanent pacemaker (DDDR), {side} upper chest.]
## [Operator|Surgeon]
{surgeon}
## Anesthesia
[Lidocaine 1% and moderate sedation.|Local anesthetic with conscious sedation.|Monitored anesthesia care.]
## [Indications|Indication]
{An_age} {man} with {why}, who presented with {came}. [No reversible cause was identified.|Electrolytes and thyroid
function were normal, and there was no culprit drug.|An ischemic cause was ruled out by serial troponins.] The risks
of bleeding, infection, pneumothorax, lead dislodgement and tamponade were discussed, and {he} gave written consent.
## {h_op}
[The patient was brought to the electrophysiology laboratory in the fasting state.|After a time-out, the {side} chest
was prepped and draped in sterile fashion.|{He} was placed supine, and cefazolin was given before incision.] An
incision was made below the {side} clavicle, and a prepectoral pocket was fashioned by blunt dissection. [The axillary
vein was entered twice under fluoroscopy, the second time only after several passes.|Subclavian access was obtained
with a micropuncture needle at the third attempt.|The cephalic vein was too small to use, so the axillary vein was
punctured.] No air was aspirated. The ventricular lead was fixed at the right ventricular [apex|septum] (R wave
{f:8.1-13.9} mV, threshold 0.{n:5-9} V at 0.4 ms) and the atrial lead in the right atrial appendage (P wave
{f:2.1-3.9} mV). There was no diaphragmatic stimulation at 10 V. [The generator was seated in the pocket, and the
wound was closed in layers.|The pocket was irrigated, the device connected and the skin closed with absorbable
suture.|Hemostasis was secured and the pocket closed in three layers.]
## [Estimated blood loss|EBL]
[Minimal.|Less than 20 mL.|10 mL.]
## Complications
[None immediate.|No immediate complications were apparent.|None apparent at the end of the case.]
## Plan
[Portable chest X-ray tonight and PA and lateral in the morning to rule out pneumothorax.|Chest film in two hours to
confirm lead position and rule out pneumothorax.|Bed rest for four hours, chest radiograph, device check before
discharge.] [Arm to be kept below shoulder height for four weeks.|Sling overnight. If {he} becomes short of breath,
obtain an immediate film.]
"""

FILM_AIR = """
## {h_ind}
[Status post pacemaker placement, rule out pneumothorax.|New {side} pacemaker. Evaluate lead position and for
PTX.|{Age} y/o {man}, post pacemaker, pleuritic chest pain.]
## {h_tech}
{ap_port}
## {h_comp}
{noprior}
## {h_find}
[There is a new {side}-sided dual-chamber pacemaker|A dual-chamber pacemaker has been placed from the {side}|{Side}
chest wall generator is now present], with leads projecting over the right atrium and right ventricle. [A {size}
{side} pneumothorax is present, the pleural line lying {mm} mm from the chest wall at the apex.|Thin visceral pleural
line at the {side} apex, {mm} mm from the ribs, consistent with a {size} pneumothorax.|There is a {size} pneumothorax
on the {side}, {mm} mm at the apex.] [No mediastinal shift.|The mediastinum remains midline, without evidence of
tension.|No shift of the mediastinum to suggest tension.] [The {other} lung is clear.|No consolidation on either
side.|Minor atelectasis at the {other} base.] No pleural effusion. {bones_old}
## {h_imp}
- [{Size} {side} pneumothorax after pacemaker implantation.|New {size} {side}-sided pneumothorax, no tension.]
- Leads in expected position.
##
[The finding was telephoned to the ward.|Findings were discussed with {md} at the time of interpretation.|]
"""

FILM_NONE = """
## {h_ind}
Post pacemaker. Rule out pneumothorax.
## {h_comp}
Chest radiograph from the day of admission.
## {h_find}
Dual-chamber pacemaker from the {side} with leads over the right atrium and right ventricle; no lead fracture or kink.
No pneumothorax. Sternotomy wires are intact. Heart size is at the upper limit of normal. There has been no change in
the small right pleural effusion, with associated basal atelectasis. No focal consolidation and no overt pulmonary
edema.
{bones_old}
## {h_imp}
- No pneumothorax after pacemaker placement.
- No change in the small effusion on the right.
##
{sign_rad}
"""

WARD = """
## {h_sub}
[Paged for {side}-sided chest pain, worse on inspiration, since early morning.|{He} reports sharp {side} chest pain
with deep breaths but no dyspnea at rest.|Slept poorly; mild SOB on walking to the bathroom.] [Denies palpitations or
dizziness.|No further syncope. No fever.|No hiccups or twitching to suggest diaphragmatic pacing.]
## {h_obj}
BP {n:118-146}/{n:64-84}, HR {n:60-76} paced, RR {n:18-22}, SpO2 {n:92-95}% on [room air|2 L nasal cannula]. Trachea
midline. [Breath sounds reduced at the {side} apex.|Diminished air entry over the {side} upper chest, hyperresonant to
percussion.] Pocket soft, no hematoma. No crackles.
## {h_ap}
{An_age} {man}, [day one after pacemaker for {why}|POD 1, pacemaker for {why}], with an iatrogenic {side}
pneumothorax.
- {treat}
- [Repeat chest film in six hours and tomorrow morning.|Serial films; will escalate if it enlarges.]
- Hold anticoagulants for now. [Pericardial effusion was excluded by bedside echo.|Bedside echo: no pericardial
effusion.]
- Device check: normal sensing and thresholds, no evidence of lead dislodgement.
"""

FILM_BETTER = """
## {h_ind}
[Follow-up of {side} pneumothorax after pacemaker.|Known {side} PTX, interval change?|Pneumothorax after device
implant, reassess.]
## {h_comp}
Chest radiograph of {d:film}.
## {h_find}
{tube} [The {side} pneumothorax has decreased and now measures {mm2} mm at the apex.|Interval decrease in the {side}
apical pneumothorax, now {mm2} mm.|The pleural line at the {side} apex is again seen, now {mm2} mm from the chest wall
and clearly smaller.] Pacemaker leads are unchanged. [Trace blunting of the {side} costophrenic angle may represent a
tiny effusion or pleural thickening.|A small {side} pleural effusion cannot be excluded on this single view.|Possible
small {side} effusion.]
{heart_cxr}
## {h_imp}
[Decreasing {side} pneumothorax. No new abnormality.|Improving {side} pneumothorax; possible trace effusion.|Smaller
{side} pneumothorax. Stable leads.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
- {Why}, status post dual-chamber pacemaker
{dx2}
## {h_pmh}
{Join:pmh}.
## {h_adm}
{Who} is {an_age} {man} admitted with {came}. [Telemetry showed|The ECG in the emergency department showed|Monitoring
revealed] {why}, with a ventricular rate in the {n:3-3}0s at its lowest. {He} denied chest pain. [There was no family
history of sudden death.|Family history: {family}|{Smoke}] [Echocardiography showed normal left ventricular function
and no significant valve disease.|Transthoracic echo: EF 55 to 60%, no pericardial effusion, mild mitral
regurgitation.]
## {h_course}
A dual-chamber pacemaker was implanted from the {side} on {d:op}. {course}

[Interrogation before discharge showed normal function of both leads.|The device was checked before {he} left:
thresholds, sensing and impedances were satisfactory.] [Blood pressure was well controlled throughout.|There were no
arrhythmias on telemetry and no further syncope.] {wound_ok} No hematoma was felt over the pocket.
## {h_exam}
{vit_ok} {heart_ok} {legs_ok} {neuro_ok}
## {h_dmeds}
{list:meds}
## {h_cond}
{well}
## {h_inst}
Keep the {side} arm below shoulder height for four weeks and do not lift more than ten pounds. [Do not drive for one
week.|No driving until the wound check.] [Keep the wound dry for seven days.|Leave the dressing in place until the
wound check.] Return if you have chest pain, shortness of breath, fainting, hiccups that do not stop, fever, or if the
wound becomes red, swollen or starts to drain. {noflight}
## {h_fu}
- Wound check at ten days in the device clinic
- Pacemaker clinic in {n:6-8} weeks
- Primary care, Dr. {gp}, within two weeks
"""

LETTER_TEXT = """
Dear Dr. {gp},

[I reviewed {who} in the pacemaker clinic today, {since:op} after implantation for {why}.|Thank you for asking us to
follow {who}, who came to the device clinic on {today}.|It was a pleasure to see {who} for the first device check
after {his} pacemaker of {m:op}.]
## Diagnoses
- {Why}, pacemaker {m:op}
{dx2}
##
[{He} feels considerably better.|Overall {he} is doing well and has returned to most activities.|{He} is delighted to
be back in the garden.] There has been no syncope, presyncope or palpitation. [{He} denies chest pain and dyspnea.|No
shortness of breath, and {he} sleeps flat.] [The {side} shoulder was stiff at first, but this has resolved.|{He} had
some soreness over the device, which has settled.]

On examination the pocket had healed well, with no erythema, erosion or tenderness. {lungs_clear} [Blood pressure was
{n:122-138}/{n:68-82}.|BP {n:124-142}/{n:70-84}, pulse {n:60-72}.]

Interrogation showed {n:38-92}% ventricular pacing, stable thresholds and a battery life of {n:9-11} years. [One brief
run of atrial high-rate episodes was logged, which may represent atrial fibrillation, and we will keep watch.|No
atrial fibrillation and no ventricular arrhythmia were recorded.|There were no high-rate episodes.] {late}

We will see {him} again in [six months|one year], with remote monitoring in between. [If {he} develops fever or the
wound changes, please call us before giving antibiotics.|Should {he} faint or feel short of breath, {he} should come
to the emergency department at once.] {close}

{bye} // {md}
"""

FILM_LATER = """
## {h_ind}
[Cough for two weeks. Pacemaker in {m:op}.|Routine before cataract surgery. History of pacemaker.|Dyspnea on exertion,
history of pacemaker placement. Rule out heart failure.|Low-grade fever. Rule out pneumonia.]
## {h_tech}
{pa_lat}
## {h_comp}
[Radiographs from {m:film}.|Prior chest films, latest from {m:film}.|Compared with {m:film}.]
## {h_find}
[{Side}-sided dual-chamber pacemaker with intact leads.|Pacemaker generator on the {side}; both leads are continuous
and unchanged in position.] {past} {heart_cxr} [The lungs are clear.|No focal consolidation.|Mild bibasilar scarring,
otherwise clear lungs.] [No pneumothorax or pleural effusion.|There is no pleural effusion or pneumothorax.|Neither
pneumothorax nor pleural effusion is seen.] {bones_old}
## {h_imp}
[No acute cardiopulmonary disease.|No active disease. Pacemaker leads in place.|No radiographic evidence of pneumonia
or heart failure.]
##
{sign_rad}
"""

DRAIN = {
    "size": "[large|sizable|moderate to large]",
    "mm": "34",
    "mm2": "6",
    "treat": "14 French pigtail catheter placed in the {side} chest under local anesthetic, on suction at 20 cm of "
    "water.",
    "tube": "A {side} pigtail chest tube is in place.",
    "dx2": "- Iatrogenic {side} pneumothorax after the procedure, treated with a chest tube, resolved",
    "course": "The film that evening showed a large {side} pneumothorax, and a pigtail catheter was placed by the "
    "thoracic "
    "team. The lung re-expanded within a day. There was no air leak on day three, and the tube was removed after a "
    "clamp "
    "trial. The last film showed no residual pneumothorax and no effusion.",
    "noflight": "You must not fly or dive until we have confirmed that the lung has stayed up.",
    "late": "The pneumothorax has resolved, and the chest film of last week was clear.",
    "past": "The {side} pneumothorax seen after implantation has resolved.",
}
SMALL = {
    "size": "small",
    "mm": "11",
    "mm2": "4",
    "treat": "Small and not under tension, so conservative management with oxygen; chest tube only if it grows.",
    "tube": "",
    "dx2": "- Small {side} apical pneumothorax after implantation, managed conservatively",
    "course": "[The routine film afterwards showed a small {side} apical pneumothorax without tension.|A small {side} "
    "pneumothorax was found on the first chest X-ray, with minor pleuritic pain only.] It was watched with oxygen and "
    "serial "
    "films and became smaller; a chest tube was not needed. At no time was there evidence of tension or of a "
    "significant "
    "pleural effusion.",
    "noflight": "Do not fly until a chest X-ray shows that the air around the lung has gone.",
    "late": "[As you know, {he} had a small pneumothorax after the implant, which closed without drainage.|The small "
    "apical "
    "pneumothorax that followed the procedure resolved on its own.]",
    "past": "[The previously noted {side} apical pneumothorax is no longer seen.|Resolved {side} pneumothorax.]",
}
NONE = {
    "dx2": "- Small chronic right pleural effusion, unchanged",
    "course": "The procedure was uncomplicated. The chest film showed no pneumothorax, good lead position and no "
    "change in "
    "the small right effusion that has been known since last year. Furosemide was continued at the home dose, and "
    "there were "
    "no signs of decompensated heart failure. Renal function remained at baseline.",
    "noflight": "",
    "late": "He had no complication of the procedure.",
    "past": "The small right pleural effusion noted previously has resolved.",
}

AIR = ("drain", "small")
_PATHS = {"drain": DRAIN, "small": SMALL, "none": NONE}
STORY = Story(
    "pacemaker",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("op", OPERATIVE, "[Pacemaker implantation|Dual-chamber pacemaker insertion]", (0, 0), IMPLANT),
        Event("film", RADIOLOGY, "[Chest X-ray|Portable chest X-ray|Chest radiograph]", (0, 0), FILM_AIR, AIR),
        Event("film", RADIOLOGY, "Chest X-ray", (1, 1), FILM_NONE, ("none",)),
        Event("ward", PROGRESS, "[Cardiology progress note|Progress note]", (1, 1), WARD, AIR),
        Event("film2", RADIOLOGY, "[Chest X-ray|Portable chest X-ray]", (1, 1), FILM_BETTER, AIR),
        Event("home", DISCHARGE, "Discharge summary", (2, 3), SUMMARY),
        Event("clinic", LETTER, "[Pacemaker clinic letter|Device clinic letter]", (45, 60), LETTER_TEXT),
        Event("late", RADIOLOGY, "[Chest X-ray|Chest X-ray, two views]", (200, 900), FILM_LATER),
    ),
)
