"""Ischemic stroke from atrial fibrillation, and the years on an anticoagulant."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "early",
        "sex": "F",
        "age": "76",
        "side": "right",
        "brain": "left",
        "speech": "expressive aphasia",
        "pmh": "hypertension; type 2 diabetes; palpitations of unknown cause since 2015",
        "meds": "lisinopril 20 mg daily; metformin 850 mg twice daily; atorvastatin 40 mg nightly",
        "smoke": "Never smoked.",
        "af": "new atrial fibrillation",
        "acnote": "No known atrial fibrillation.",
    },
    {
        "path": "late",
        "sex": "M",
        "age": "69",
        "side": "left",
        "brain": "right",
        "speech": "dysarthria and neglect",
        "pmh": "atrial fibrillation; hypertension; gout",
        "meds": "metoprolol 50 mg twice daily; allopurinol 300 mg daily; atorvastatin 40 mg nightly",
        "smoke": "Former smoker, 25 pack-years.",
        "af": "known atrial fibrillation without anticoagulation",
        "acnote": "Known atrial fibrillation; he had declined anticoagulation.",
    },
    {
        "path": "early",
        "sex": "M",
        "age": "81",
        "side": "left",
        "brain": "right",
        "speech": "dysarthria",
        "edmeds": "warfarin 3 mg daily; furosemide 40 mg daily; bisoprolol 5 mg daily; pantoprazole 40 mg daily",
        "pmh": "CHF; atrial fibrillation; history of gastrointestinal bleeding in 2014, resolved",
        "meds": "furosemide 40 mg daily; bisoprolol 5 mg daily; pantoprazole 40 mg daily; atorvastatin 20 mg nightly",
        "smoke": "Stopped smoking in 1985.",
        "af": "atrial fibrillation with a subtherapeutic INR of 1.2",
        "acnote": "Takes warfarin; INR today 1.2.",
    },
    {
        "path": "late",
        "sex": "F",
        "age": "63",
        "side": "right",
        "brain": "left",
        "speech": "word-finding difficulty",
        "pmh": "rheumatic mitral stenosis, mild; hyperthyroidism treated with radioiodine; migraine with aura",
        "meds": "levothyroxine 112 mcg daily; metoprolol 25 mg twice daily",
        "smoke": "Smokes three cigarettes a day.",
        "af": "new atrial fibrillation",
        "acnote": "No known atrial fibrillation.",
    },
)

ED = """
## {h_cc}
[{Side} arm and leg weakness.|Stroke alert: {side}-sided weakness and {speech}.|Sudden {side} weakness and facial
droop.]
## {h_hpi}
{An_age} {man} {onset} [Family noticed a drooping {side} face.|A neighbor found {him} leaning against the kitchen
counter.] [No headache, no vomiting, no seizure activity.|{He} had no headache and no loss of consciousness.]
[Palpitations last week.|No chest pain or palpitations.] {acnote} No recent surgery or head injury. No history of
intracranial hemorrhage.
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:edmeds}
## {h_all}
{allergy}
## {h_fam}
{family}
## {h_soc}
{social} {smoke}
## {h_exam}
BP {n:158-184}/{n:84-100}, HR {n:88-118} irregularly irregular, SpO2 {n:94-98}% RA, glucose {n:104-168}. NIHSS
{nihss}. {Speech}. {Side} facial droop, {side} arm drift [with pronator sign|falling to the bed], {side} leg
{n:3-4}/5. [Gaze midline, visual fields full.|Partial gaze preference to the {brain}.] No neck stiffness.
{lungs_clear}
## {h_res}
CT head: no hemorrhage. CT angiogram: {cta}. ECG: atrial fibrillation, no ST elevation. Platelets {n:172-288}.
## {h_ed}
{lysis} [Stroke mimics considered: no hypoglycemia, no seizure; migraine unlikely.|Todd paresis and hypoglycemia were
ruled out.]
## {h_disp}
Admit to the stroke unit. NPO until the swallow screen. Repeat CT if headache or a drop in alertness occurs.
"""

CT = """
## {h_ind}
[Acute {side}-sided weakness, rule out hemorrhage.|Stroke alert, {speech}, {side} hemiparesis.]
## {h_tech}
Noncontrast CT of the head.
## {h_comp}
{noprior}
## {h_find}
[No intracranial hemorrhage.|There is no acute hemorrhage, mass effect or midline shift.] [Subtle loss of gray-white
differentiation in the {brain} insula may represent early ischemia.|Possible hypodensity in the {brain} frontal
operculum; early infarction cannot be excluded.|No established infarct. ASPECTS 9 because of the {brain} insular
ribbon.] [Hyperdense {brain} middle cerebral artery branch, suspicious for thrombus.|No hyperdense vessel.] Ventricles
and sulci are [normal for age|mildly prominent]. Chronic small vessel ischemic changes. No skull fracture. Mastoids
clear.
## {h_imp}
- No hemorrhage.
- [Early ischemic change in the {brain} middle cerebral artery territory is suspected.|Possible early {brain} MCA
infarct.]
##
Findings conveyed to the stroke team.
"""

MRI = """
## {h_ind}
[Acute stroke, extent.|{Side} hemiparesis, evaluate infarct.|Confirm stroke; rule out hemorrhagic transformation.]
## {h_tech}
MRI brain with diffusion, FLAIR, susceptibility and T1 sequences, without contrast.
## {h_comp}
CT of {d:ct}.
## {h_find}
Restricted diffusion in the {brain} [insula and frontal operculum|frontal and parietal cortex|corona radiata and
insula], consistent with acute infarction. [A second punctate focus in the {side} occipital lobe favors a cardiac
source.|No infarct in other territories.] [No blood products.|Faint susceptibility in the infarct may represent
petechial hemorrhage; no hematoma.] [Old lacune in the {brain} thalamus.|Moderate white matter disease.] No mass, no
hydrocephalus, and no abnormal flow void.
## {h_imp}
- Acute {brain} middle cerebral artery infarct.
- [No hematoma.|No hemorrhagic transformation of significance.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
- Acute ischemic stroke, {brain} middle cerebral artery territory, cardioembolic
- {Af}
{list:pmh}
## {h_adm}
{Who} was admitted on {d:ed} with sudden {side}-sided weakness and {speech}. NIHSS was {nihss}. CT showed no
hemorrhage. {Smoke} {Family}
## {h_course}
- Stroke. {Lysiscourse} MRI confirmed an acute {brain} MCA infarct. [There was no hemorrhagic transformation that
mattered.|Repeat CT after a day showed no hemorrhage.] Strength improved to 4/5 in the {side} arm and leg. Swallowing
was safe for [soft solids|a regular diet] after assessment.
- Cause. Carotid imaging showed no significant stenosis. Telemetry showed atrial fibrillation. Echocardiography: left
atrial enlargement, no thrombus, no vegetation, EF {n:50-60}%. [Endocarditis was not suspected.|Patent foramen ovale
was not seen.]
- Anticoagulation. {Anti} was started on day {n:4-6}, once a second scan had ruled out bleeding. {Interaction}
- [Pneumonia. Low-grade fever on day two; chest X-ray without infiltrate, and aspiration pneumonia was not
confirmed.|No infection occurred.]
- Prophylaxis. Pneumatic stockings. No evidence of DVT or PE.
- [Mood. Tearful at times; depression screen negative.|Bladder. Catheter out on day two, voiding freely.]
## {h_exam}
{vit_ok} [Mild {side} facial asymmetry.|Slight flattening of the {side} nasolabial fold.] {Side} arm and leg 4/5.
{Speechnow} Gait steady with a walker.
## {h_dmeds}
{list:meds}
- {Anti}, {antidose}
## {h_cond}
[Stable, to inpatient rehabilitation.|Improved; needs standby help for walking.]
## {h_inst}
Never skip the blood thinner. Call emergency services if there is new weakness, facial droop, trouble speaking or the
worst headache of your life. Return if you have black stools or a fall with a head injury. Do not drive until cleared.
## {h_fu}
- Stroke clinic in six to eight weeks
- Dr. {gp} within two weeks for blood pressure
- Outpatient speech and physical therapy
"""

CLINIC = """
Dear Dr. {gp},

[I saw {who} in the stroke clinic {since:ed} after {his} stroke.|{Who} attended today for follow-up of {his} stroke in
{m:ed}.]
## Diagnoses
- {Brain} MCA infarct, {m:ed}, cardioembolic
{list:pmh}
##
[{He} walks without an aid indoors and with a cane outside.|{He} has returned home and is independent in self-care.]
The {side} hand is still clumsy, [particularly with buttons|and handwriting is slow]. {Speechnow} {He} denies new
weakness, visual loss, headache and seizures. There has been no bleeding on {anti}, and no falls. [Mood is good.|{His}
mood is low, and depression is possible; I suggest sertraline if it persists.]

Family history: {family}

On examination: blood pressure {n:122-142}/{n:68-82}, pulse irregular. {Side} grip slightly reduced, power otherwise
[full|4+/5]. Gait [steady| mildly hemiparetic]. Modified Rankin score {n:1-2}.

[Brain imaging need not be repeated unless symptoms change.|No further imaging is planned.] Anticoagulation should
continue for life. If surgery is planned, please call us before stopping it. [Driving may resume after an on-road
test.|{He} must not drive for the time being.]
{close}

{bye} // {md} // Stroke Service
"""

OFFICE = """
## {h_cc}
[Follow-up of blood pressure and stroke.|Routine review, AF on anticoagulation.]
## {h_sub}
History of stroke in {m:ed}. Doing [well|fairly well]. No new neurologic symptoms, no palpitations. [One nosebleed
that stopped in five minutes.|No bleeding.] [A fall last month without head strike.|No falls.] Taking {anti},
{antidose}. {social}
## {h_obj}
BP {n:124-146}/{n:70-86}, HR {n:66-84} irregular. {lungs_clear} Residual {side} hand weakness, unchanged. {legs_ok}
Hgb {f:12.2-14.6}, creatinine {f:0.8-1.3}.
## {h_ap}
- Atrial fibrillation, rate controlled; {anti} continued. [Bleeding risk acceptable.|No evidence of bleeding.]
- Status post {brain} MCA stroke with mild residual {side} weakness. No signs of recurrence. [Occupational therapy
renewed.|Continue home exercises.]
- Hypertension: [at goal|slightly above goal; home readings for two weeks].
- To call emergency services if weakness or speech trouble returns; come in if there is any black stool.
"""

ED2 = """
## {h_cc}
[@back:Worsening of {side} weakness.|Fall with head strike, on {anti}.|Transient slurred speech.|Drowsiness and
weakness.]
## {h_hpi}
{An_age} {man} with a history of {brain} MCA stroke in {m:ed} and AF on {anti}, who [@back:seemed weaker on the {side}
this morning|slipped in the shower and struck the back of {his} head|had ten minutes of slurred speech at breakfast,
now resolved|was hard to wake from a nap and weak on the {side}]. No missed doses [known to family|by pill count].
[@back:Burning on urination for two days.|No fever or urinary symptoms.|No fever.|Foul-smelling urine since Sunday.]
No headache, no seizure witnessed.
## {h_meds}
{list:meds}
- {Anti}, {antidose}
## {h_all}
{allergy}
## {h_exam}
{vit_ok} Awake. Mild {side} facial asymmetry and 4/5 {side} arm, [as documented in clinic|no different from baseline
per family]. No new deficit. Neck supple. [@back:No external sign of trauma.|Small occipital hematoma.|Speech now as
usual.|Slow to answer at first, quicker after fluids.]
## {h_res}
CT head: no hemorrhage; old {brain} MCA infarct without change. Urinalysis [@back:positive for
nitrite|negative|negative|positive for nitrite]. ECG: AF, rate {n:70-92}.
## {h_ed}
[Intracranial hemorrhage ruled out.|No bleed on CT.] New stroke was considered; [@back:MRI diffusion negative, so it
is ruled out. Urinary infection with recrudescence of old deficits; cephalexin started.|there is no new deficit, and
the mechanism of the fall is clear.|a TIA cannot be excluded, and the stroke team advises no change of treatment.|MRI
diffusion negative. Probable urinary infection unmasking the old deficit; cephalexin started.]
## {h_disp}
Home with family. Return if headache, vomiting, drowsiness or new weakness.
"""

_EARLY = {
    "onset": "brought by ambulance 70 minutes after sudden {side} weakness and {speech}, last known well at breakfast.",
    "cta": "distal M2 branch occlusion on the {brain}",
    "lysis": "Within the time window and no contraindication: tenecteplase given 38 minutes after arrival. "
    "Thrombectomy was discussed; the clot "
    "is too distal.",
    "lysiscourse": "{He} received intravenous thrombolysis without complication.",
}
_LATE = {
    "onset": "who woke with {side} weakness and {speech}, last known well eleven hours earlier.",
    "cta": "no large vessel occlusion",
    "lysis": "Outside the window for thrombolysis, and no target for thrombectomy. Aspirin 300 mg after the swallow "
    "screen.",
    "lysiscourse": "{He} presented too late for thrombolysis and was treated with aspirin at first.",
}
_MORE = (
    {
        "nihss": "9",
        "anti": "apixaban",
        "antidose": "5 mg twice daily",
        "interaction": "",
        "speechnow": "Speech is fluent, with rare pauses.",
    },
    {
        "nihss": "6",
        "anti": "apixaban",
        "antidose": "5 mg twice daily",
        "interaction": "He now accepts that it is needed.",
        "speechnow": "Speech is clear; mild neglect has resolved.",
    },
    {
        "nihss": "8",
        "anti": "apixaban",
        "antidose": "2.5 mg twice daily",
        "interaction": "It replaces warfarin. There was no recurrence of gastrointestinal bleeding.",
        "speechnow": "Speech is slightly slurred when he is tired.",
    },
    {
        "nihss": "5",
        "anti": "warfarin",
        "antidose": "INR goal 2 to 3",
        "interaction": "Warfarin was preferred because of mitral stenosis.",
        "speechnow": "She still searches for some names, but comprehension is normal.",
    },
)
_PATHS = {"early": _EARLY, "late": _LATE}
STORY = Story(
    "stroke",
    tuple(
        {"edmeds": patient["meds"], **patient, **_PATHS[patient["path"]], **more}
        for patient, more in zip(PATIENTS, _MORE, strict=True)
    ),
    (
        Event("ed", EMERGENCY, "[ED note: stroke alert|Emergency department visit]", (0, 0), ED),
        Event("ct", RADIOLOGY, "CT head", (0, 0), CT),
        Event("mri", RADIOLOGY, "[MRI brain|MRI of the brain]", (1, 2), MRI),
        Event("home", DISCHARGE, "Discharge summary", (5, 8), SUMMARY),
        Event("clinic", LETTER, "Stroke clinic letter", (40, 56), CLINIC),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (120, 300), OFFICE),
        Event("ed2", EMERGENCY, "[ED note|Emergency department visit]", (150, 700), ED2),
    ),
)
