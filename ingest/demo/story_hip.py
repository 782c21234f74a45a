"""A fall, a hip fracture, its repair and the way home."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "hemi",
        "sex": "F",
        "age": "84",
        "side": "left",
        "fracture": "displaced femoral neck fracture",
        "fall": "tripped over a rug on the way to the bathroom",
        "pmh": "osteoporosis; hypertension; macular degeneration; mild cognitive impairment",
        "meds": "alendronate 70 mg weekly; calcium with vitamin D; hydrochlorothiazide 12.5 mg daily",
        "smoke": "Never smoked.",
        "event": "delirium",
    },
    {
        "path": "nail",
        "sex": "M",
        "age": "77",
        "side": "right",
        "fracture": "intertrochanteric fracture",
        "fall": "slipped on ice in the driveway",
        "pmh": "Parkinson disease; benign prostatic hyperplasia; history of DVT after knee surgery in 2006",
        "meds": "carbidopa/levodopa 25/100 three times daily; tamsulosin 0.4 mg daily; aspirin 81 mg daily",
        "smoke": "Former pipe smoker.",
        "event": "retention",
    },
    {
        "path": "hemi",
        "sex": "M",
        "age": "88",
        "side": "right",
        "fracture": "displaced subcapital femoral neck fracture",
        "fall": "fell while reaching for a shelf",
        "pmh": "CHF; atrial fibrillation on apixaban; chronic kidney disease",
        "meds": "apixaban 2.5 mg twice daily; furosemide 40 mg daily; metoprolol 25 mg twice daily; tramadol as needed",
        "smoke": "Never smoked.",
        "event": "pneumonia",
    },
    {
        "path": "nail",
        "sex": "F",
        "age": "73",
        "side": "left",
        "fracture": "unstable intertrochanteric fracture",
        "fall": "was knocked over by a large dog",
        "pmh": "rheumatoid arthritis on low-dose prednisone; hypothyroidism; history of breast cancer, disease free "
        "since 2011",
        "meds": "prednisone 5 mg daily; methotrexate 15 mg weekly; folic acid; levothyroxine 88 mcg daily",
        "smoke": "Never smoked; a glass of wine on weekends.",
        "event": "anemia",
    },
)

ED = """
## {h_cc}
[{Side} hip pain after a fall.|Fall, unable to bear weight.|Fall from standing.]
## {h_hpi}
{An_age} {man} who {fall} [this morning|late last night|about two hours before arrival] and landed on the {side} side.
[Immediate {side} hip pain; could not stand.|{He} lay on the floor for about an hour before help came.] No head strike
and no loss of consciousness. [Denies neck pain, chest pain and abdominal pain.|No chest pain, palpitations or
dizziness before the fall.]
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_soc}
{social} {smoke}
## {h_exam}
BP {n:132-164}/{n:70-88}, HR {n:78-100}, SpO2 {n:93-98}% RA. [Uncomfortable but alert.|In pain with any movement.]
Head atraumatic, no cervical spine tenderness. {lungs_clear} {belly_ok} {Side} leg shortened and externally rotated.
Distal pulses palpable, sensation intact. No open wound.
## {h_res}
X-ray: {fracture}, {side} hip. Chest film: no acute disease. ECG without acute ischemia. Hgb {f:11.6-12.8=hgb},
creatinine {f:0.8-1.6}, INR {f:1.0-1.2}.
## {h_ed}
[Fascia iliaca block gave good relief.|Ultrasound-guided femoral nerve block placed; morphine 2 mg IV.] Head CT was
[not indicated|done because of age and showed no hemorrhage]. [Syncope was considered and seems unlikely; this was a
mechanical fall.|The story is of a mechanical fall. Rule out infection: urinalysis negative.]
## {h_disp}
Admit to orthopedics, surgery within 24 to 36 hours. NPO after midnight. Medicine consulted for preoperative
assessment.
"""

FILM = """
## {h_ind}
[Fall, {side} hip pain. Rule out fracture.|{Age} y/o {man}, fall, shortened {side} leg.|Trauma, cannot bear weight.]
## {h_tech}
AP pelvis and two views of the {side} hip.
## {h_comp}
{noprior}
## {h_find}
There is {frx} on the {side}, [with varus angulation|with shortening and external rotation|with superior migration of
the distal fragment]. [No dislocation.|The femoral head remains located in the acetabulum.] [The pubic rami are
intact.|No pelvic ring fracture is identified, although a nondisplaced sacral fracture cannot be excluded on
radiographs.] Bones are diffusely osteopenic. Mild osteoarthritis of the {other} hip, no fracture there. [Vascular
calcification.|Soft tissues are swollen.] No lytic lesion to suggest a pathologic fracture.
## {h_imp}
- {Side} {fracture}.
- [Osteopenia.|No other fracture seen.]
##
{sign_rad}
"""

HEMI = """
## Preoperative diagnosis
{Side} {fracture}.
## Postoperative diagnosis
[Same.|{Side} {fracture}.]
## Procedure
{Side} hip cemented bipolar hemiarthroplasty.
## Surgeon
{surgeon}
## Anesthesia
{anesthetic}
## Indications
{Who} {fall} and sustained a {side} {fracture}. {He} walked independently before the injury. Risks were discussed with
{him} and the family: infection, dislocation, leg length difference, DVT and PE, and death.
## {h_op}
{He} was placed in the {other} lateral position. After a time-out and cefazolin 2 g, a [posterior|modified lateral]
approach was made. [The short rotators were tagged and divided.|The anterior third of the abductors was reflected.]
The femoral head was removed with a corkscrew and measured {n:44-52} mm. The canal was broached, and a size {n:3-5}
stem was cemented in 15 degrees of anteversion. A trial reduction was stable in flexion and internal rotation. [The
definitive head was impacted and the hip reduced.|The final bipolar head was reduced without difficulty.] The capsule
was repaired. Layers were closed over no drain.
## Estimated blood loss
{n:180-320} mL.
## Complications
[None. In particular, no hypotension at cementing.|None; no intraoperative fracture.]
## Plan
Weight bearing as tolerated. {opplan} Posterior hip precautions [for six weeks|]. Film in recovery.
"""

NAIL = """
## Preoperative diagnosis
{Side} {fracture} of the femur.
## Postoperative diagnosis
Same.
## Procedure
[Cephalomedullary nail, {side} femur.|Closed reduction and intramedullary nailing, {side} hip.]
## Surgeon
{surgeon}
## Anesthesia
[General.|Spinal.]
## Indications
{An_age} {man} who {fall}. Operative fixation was recommended for pain relief and early mobilization.
## {h_op}
On the fracture table, closed reduction was obtained with traction and internal rotation and was confirmed in two
planes. [A 3 cm incision was made above the tip of the trochanter.|Through a small proximal incision, the guide wire
was placed at the tip of the greater trochanter.] The canal was opened, and an {n:10-11} mm nail was passed by hand.
The lag screw sits in the center of the head with a tip-apex distance of {n:16-22} mm. One distal locking screw was
placed. [Traction was released and the fracture compressed.|Fluoroscopy showed good alignment and no cut-out.] Wounds
were irrigated and closed.
## Estimated blood loss
{n:110-240} mL.
## Complications
None.
## Plan
Weight bearing as tolerated with a walker. {Lmwh} Check hemoglobin in the morning.
"""

WARD = """
## {h_sub}
[Postoperative day {days:op}.|POD {days:op}.] {complaint} [Pain 3/10 at rest.|Pain controlled with acetaminophen and
low-dose oxycodone.] No chest pain, no SOB, no calf pain.
## {h_obj}
{signs} {Side} hip: {wound_ok} [Thigh swollen but soft.|Mild bruising of the thigh.] Calves soft, no tenderness. Foot
warm, moves toes, sensation intact.
## {h_ap}
{An_age} {man} after {repair} for a {side} hip fracture.
- {problem}
- DVT prophylaxis continues. No evidence of DVT; [duplex only if the leg swells.|if new hypoxia, rule out PE with CT.]
- Physical therapy: [walked ten feet with a walker and two helpers.|sat in the chair for lunch; stood twice.]
- Bone health: vitamin D checked. [Secondary cause of osteoporosis not suspected.|Consider zoledronic acid at six
weeks.]
- Disposition: likely inpatient rehabilitation.
"""

SUMMARY = """
## {h_dx}
- {Side} {fracture}, status post {repair}
{dxe}
{list:pmh}
## {h_adm}
{Who} {fall} on {d:ed} and could not stand. Radiographs showed a {side} {fracture}. There was no head injury and no
syncope. {social} Before the fall {he} walked [without an aid|with a cane outdoors].
## {h_course}
[Orthopedic:|Surgery.] {He} underwent {repair} on {d:op} without complication. [The wound stayed dry.|There was
minimal oozing for a day, which stopped.] Weight bearing as tolerated was allowed from the first day, and at discharge
{he} walked {n:20-70} feet with a walker.

[Medical:|Medicine co-managed the patient.] {course}

[Blood.|Hematology:] Hemoglobin fell from {kept:hgb} to {nadir}; [one unit of red cells was given.|no transfusion was
needed.] There was no evidence of bleeding from another source.

[Thrombosis:|Prophylaxis.] {lmwh} There were no signs of DVT or PE. [Pressure areas are intact.|A heel blister was
protected and is healing.]

[Bone health:|Osteoporosis.] This is a fragility fracture. [Treatment will be reviewed at six weeks.|An osteoporosis
referral has been made.]
## {h_exam}
{vit_ok} {wound_ok} Leg lengths equal. [No calf tenderness.|{legs_ok}]
## {h_dmeds}
{list:meds}
- Acetaminophen 1 g three times daily
- Senna at night while taking opioids
{dcmed}
## {h_cond}
[Stable, to rehabilitation.|Fair; needs help of one person for transfers.]
## {h_inst}
Put full weight on the leg as comfortable. Take the blood thinner as prescribed. Return or call if there is new leg
swelling, chest pain, shortness of breath, fever, wound drainage, or if the leg suddenly looks shorter. Remove loose
rugs and use a night light to avoid further falls.
## {h_fu}
- Orthopedic clinic in two weeks for staple removal, and at six weeks with X-ray
- Dr. {gp} for blood pressure, bone treatment and fall prevention
"""

CLINIC = """
Dear Dr. {gp},

{Who} attended the fracture clinic today, {since:op} after {repair} for a {side} {fracture}. [{He} came with {his}
daughter.|{He} came from the rehabilitation unit.]

[{He} walks with a walker indoors and needs no pain medication during the day.|{He} is walking with one cane and
managing stairs.| Mobility is slow, with help of one person.] {He} has not fallen again. There is no groin pain, no
numbness and no calf pain. [Appetite is back.|Sleep is poor, but mood is good.]

The scar is well healed, without redness or discharge. [Leg lengths are equal.|The {side} leg is about 1 cm shorter.]
Hip movement is comfortable to 90 degrees. X-rays today show {xray}, with no loosening, no new fracture and no
dislocation.

[Not only the hip, but also balance and eyesight need attention: I have asked the falls team to see {him}.|I have
advised strength and balance training.] Family history: {family} [A bone density scan has been requested, and drug
treatment should start whatever it shows.|Please consider zoledronic acid, provided that vitamin D is replete.] I
would like to see {him} once more in six months. If thigh pain or a limp develops, please send {him} earlier.

{bye} // {md} // Orthopedic Trauma
"""

FILM2 = """
## {h_ind}
[Follow-up after {side} hip surgery.|Status post {repair} in {m:op}.]
## {h_tech}
Two views of the {side} hip.
## {h_comp}
[Radiographs of {m:film}.|Postoperative films from {m:op}.]
## {h_find}
[{Xray}.|There is {xray}.] No periprosthetic or peri-implant fracture. No lucency to suggest loosening or infection.
[Mild heterotopic ossification.|Soft tissues are unremarkable.] The {other} hip shows mild osteoarthritis. Osteopenia.
## {h_imp}
[No complication of {side} hip fixation or replacement.|Satisfactory appearance; no evidence of loosening.]
##
{sign_rad}
"""

_HEMI = {
    "repair": "cemented hemiarthroplasty",
    "frx": "a displaced fracture through the femoral neck",
    "lmwh": "Enoxaparin 40 mg daily for 28 days.",
    "xray": "a well-positioned cemented hemiarthroplasty",
}
_NAIL = {
    "repair": "cephalomedullary nailing",
    "frx": "a comminuted intertrochanteric fracture",
    "lmwh": "Enoxaparin 40 mg daily for 28 days.",
    "xray": "a cephalomedullary nail with callus at the intertrochanteric fracture",
}
_EVENTS = {
    "delirium": {
        "complaint": "Confused overnight, pulling at lines; calmer this morning with family present.",
        "signs": "T 98.6 F, BP 138/72, HR 84, SpO2 95% RA. Oriented to person only, inattentive. No focal deficit.",
        "problem": "Postoperative delirium. No evidence of infection: urinalysis and chest film negative. Stroke is "
        "unlikely "
        "without focal signs. Avoid sedatives, restore sleep, glasses on.",
        "dxe": "- Postoperative delirium, resolved",
        "course": "She was delirious on the first three nights. Infection, hypoxia and urinary retention were ruled "
        "out, and the "
        "delirium resolved without antipsychotic drugs. Her family reports that she is back to her usual self.",
    },
    "retention": {
        "complaint": "Could not pass urine after catheter removal.",
        "signs": "T 98.9 F, BP 118/64, HR 78, SpO2 96% RA. Tremor at rest. Suprapubic fullness, bladder scan 620 mL.",
        "problem": "Urinary retention with BPH. Catheter replaced, tamsulosin continued, trial of void in two days. "
        "No signs of "
        "urinary infection. Carbidopa/levodopa must not be missed.",
        "dxe": "- Acute urinary retention, resolved",
        "course": "Urinary retention was treated with a catheter for two days, after which he voided freely. "
        "Parkinson drugs "
        "were given on time and metoclopramide was avoided. Because of the history of DVT, duplex of both legs was "
        "done on day "
        "four and was negative.",
    },
    "pneumonia": {
        "complaint": "New cough with yellow sputum since last evening.",
        "signs": "T 101.1 F, BP 126/66, HR 96 irregular, RR 22, SpO2 91% on 2 L. Crackles at the right base.",
        "problem": "Probable hospital-acquired pneumonia, right base; aspiration is possible. Started on "
        "piperacillin/tazobactam. CHF not excluded as a contributor: one dose of IV furosemide. Swallow evaluation.",
        "dxe": "- Hospital-acquired pneumonia, right lower lobe, treated",
        "course": "On day three he developed fever and hypoxia. The chest film showed a right basal opacity "
        "suspicious for "
        "pneumonia, and he received a course of piperacillin/tazobactam. Fever resolved within 48 hours. Swallowing "
        "was safe "
        "with thickened fluids.",
        "opplan": "Apixaban to restart on day three.",
        "dcmed": "",
        "anesthetic": "General endotracheal, because of anticoagulation.",
        "lmwh": "Apixaban was held before surgery and resumed on day three.",
    },
    "anemia": {
        "complaint": "Lightheaded on first standing, otherwise well.",
        "signs": "Afebrile, BP 102/58, HR 92, SpO2 97% RA. Pale. No melena.",
        "problem": "Postoperative anemia, Hgb {nadir}, no evidence of ongoing bleeding. Transfuse if below 8 or "
        "symptomatic. Stress-dose "
        "hydrocortisone given for chronic prednisone; adrenal crisis is unlikely.",
        "dxe": "- Acute blood loss anemia",
        "course": "Lightheadedness on the first day was attributed to anemia; orthostasis resolved. Hydrocortisone "
        "cover was "
        "tapered to her usual prednisone. Methotrexate was held for one dose. There is no sign of recurrence of "
        "breast cancer, "
        "and the fracture did not look pathologic.",
    },
}
_USUAL = {
    "nadir": "{f:8.1-8.9=nadir}",
    "opplan": "{Lmwh}",
    "dcmed": "- {Lmwh}",
    "anesthetic": "Spinal with light sedation.",
}
_PATHS = {"hemi": _HEMI, "nail": _NAIL}
STORY = Story(
    "hip fracture",
    tuple({**patient, **_USUAL, **_PATHS[patient["path"]], **_EVENTS[patient["event"]]} for patient in PATIENTS),
    (
        Event("ed", EMERGENCY, "[ED note: fall|Emergency department visit]", (0, 0), ED),
        Event("film", RADIOLOGY, "[X-ray of the hip|Pelvis and hip X-ray]", (0, 0), FILM),
        Event("op", OPERATIVE, "Hip hemiarthroplasty", (1, 1), HEMI, ("hemi",)),
        Event("op", OPERATIVE, "[Hip fracture nailing|Cephalomedullary nailing]", (1, 1), NAIL, ("nail",)),
        Event("ward", PROGRESS, "[Orthopedic progress note|Progress note]", (3, 3), WARD, ("hemi",)),
        Event("ward", PROGRESS, "[Orthopedic progress note|Progress note]", (1, 1), WARD, ("nail",)),
        Event("home", DISCHARGE, "Discharge summary", (5, 8), SUMMARY),
        Event("clinic", LETTER, "Fracture clinic letter", (38, 50), CLINIC),
        Event("film2", RADIOLOGY, "[X-ray of the hip|Hip X-ray follow-up]", (120, 300), FILM2),
    ),
)
