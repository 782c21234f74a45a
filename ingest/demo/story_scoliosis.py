"""Scoliosis that is watched, braced and finally fused."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "plain",
        "sex": "F",
        "age": "13",
        "c1": "38",
        "c2": "54",
        "c3": "16",
        "levels": "T4 to L1",
        "found": "at a school screening",
        "pmh": "idiopathic scoliosis; tonsillectomy at age 6",
        "social": "In eighth grade; swims.",
        "event": "plain",
        "fam": "An older sister wore a brace for scoliosis. No family history of neuromuscular disease.",
    },
    {
        "path": "plain",
        "sex": "M",
        "age": "14",
        "c1": "42",
        "c2": "61",
        "c3": "21",
        "levels": "T3 to L2",
        "found": "by his swimming coach",
        "pmh": "idiopathic scoliosis; mild asthma; history of a clavicle fracture",
        "social": "In ninth grade; plays the trombone.",
        "event": "ileus",
        "fam": "Father has ankylosing spondylitis. No scoliosis in the family.",
    },
    {
        "path": "plain",
        "sex": "F",
        "age": "12",
        "c1": "33",
        "c2": "49",
        "c3": "14",
        "levels": "T5 to T12",
        "found": "when a hem would not hang straight",
        "pmh": "idiopathic scoliosis; celiac disease",
        "social": "In seventh grade; dances twice a week.",
        "event": "plain",
        "fam": "Mother had breast cancer at 41 and is well. A cousin has scoliosis.",
    },
    {
        "path": "plain",
        "sex": "F",
        "age": "15",
        "c1": "45",
        "c2": "66",
        "c3": "24",
        "levels": "T2 to L1",
        "found": "during a sports physical",
        "pmh": "idiopathic scoliosis; migraine; heart murmur in infancy, resolved",
        "social": "In tenth grade; runs track.",
        "event": "effusion",
        "fam": "No family history of scoliosis or Marfan syndrome.",
    },
)

XRAY1 = """
## {h_ind}
[Scoliosis noticed {found}.|Trunk asymmetry noticed {found}. Evaluate for scoliosis.]
## {h_tech}
Standing PA and lateral views of the whole spine.
## {h_comp}
{noprior}
## {h_find}
Right convex thoracic curve of {c1} degrees [from T5 to T12|between T5 and T12] with a compensatory left lumbar curve.
[No vertebral anomaly: no hemivertebra and no fusion.|There are no segmentation anomalies.] [Thoracic kyphosis is
reduced.|Sagittal profile is flat.] Pelvis level. Risser stage {n:0-1}. No spondylolisthesis. The visible lungs are
clear.
## {h_imp}
[Right thoracic scoliosis of {c1} degrees, skeletally immature.|Idiopathic-type right thoracic curve, {c1} degrees. No
congenital anomaly.]
##
{sign_rad}
"""

LETTER1 = """
Dear Dr. {gp},

[Thank you for referring {who}, {an_age} {man} with a curvature of the spine noticed {found}.|I saw {who} with {his}
parents in the spine clinic. The curve was noticed {found}.] {He} has [no back pain|slight back ache after long days
at school] and denies weakness, numbness and bladder or bowel symptoms. [There has been no night pain, fever or weight
loss.|Night pain, which would worry me, is absent.] {Social}
## {h_pmh}
{list:pmh}
## {h_fam}
{fam}
## {h_exam}
[Right thoracic rib prominence of {n:12-16} degrees on forward bending.|The right scapula is prominent; scoliometer
{n:12-15} degrees.] Shoulders [uneven, the right higher|nearly level]. No cafe-au-lait spots, no hairy patch. Reflexes
symmetric, abdominal reflexes present, power full. Leg lengths equal.
## {h_ap}
- Adolescent idiopathic scoliosis, {c1} degrees. [With this much growth left, progression is likely.|Progression is
probable without treatment.]
- {bracing}
- [MRI to rule out a syrinx or tethered cord before any surgery.|MRI only if neurologic signs appear, or before
surgery.]
- Films every six months. If the curve passes 50 degrees or close to it, fusion will be discussed.
##
{bye} // {md} // Pediatric Spine Service
"""

MRI = """
## {h_ind}
Right thoracic scoliosis of {c2} degrees, planned fusion. Rule out syrinx and tethered cord.
## {h_tech}
MRI of the entire spine, sagittal and axial T1 and T2, without contrast.
## {h_comp}
Radiographs of {m:xray1}.
## {h_find}
[The spinal cord has normal caliber and signal.|Cord signal is normal throughout.] No syrinx. The conus ends at L1,
and there is no tethering. [The cerebellar tonsils are in normal position.|Tonsils lie 2 mm below the foramen magnum,
which is within normal limits and not a Chiari malformation.] Dextroscoliosis of the thoracic spine. No disc
herniation, no mass, no marrow lesion. [A 9 mm cyst in the left kidney is simple.|The included kidneys are normal.]
## {h_imp}
[No intraspinal anomaly.|Scoliosis without cord abnormality. Syrinx is ruled out.]
##
{sign_rad}
"""

FUSION = """
## Preoperative diagnosis
Adolescent idiopathic scoliosis, {c2} degrees.
## Postoperative diagnosis
Same.
## Procedure
Posterior spinal fusion {levels} with segmental pedicle screw instrumentation and local bone graft.
## Surgeon
{surgeon}
## Anesthesia
General, total intravenous, with neuromonitoring.
## Indications
{An_age} {man} whose curve progressed from {c1} to {c2} degrees while under observation. Risks, including infection,
blood loss, neurologic injury, nonunion and pleural injury, were discussed with {him} and both parents.
## {h_op}
[{He} was positioned prone on a four-post frame with the abdomen free.|Prone positioning, pressure points padded.] A
midline incision was carried down to the laminae from {levels}. Facetectomies were done at each level. [Screws were
placed freehand and checked by fluoroscopy and stimulation.|Pedicle screws were placed with navigation; two were
redirected laterally.] The rods were contoured and the curve corrected by rotation. [Motor and sensory potentials
stayed stable throughout.|A brief drop in motor potentials on the left resolved when the blood pressure was raised; no
change at closure.] Bone graft and vancomycin powder were placed. The wound was closed in layers over a drain.
## Estimated blood loss
{n:420-780} mL, with {n:180-300} mL returned by cell saver.
## Complications
[None.|No complications. No dural tear.]
## Disposition
Moving both feet on waking. To the intensive care unit.
"""

WARD = """
## {h_sub}
Postoperative day 2 after posterior fusion {levels}. [Pain 4/10 with patient-controlled analgesia.|Slept in short
stretches; pain 5/10.] {ward} Denies numbness or weakness of the legs.
## {h_obj}
{wardsigns} Dressing dry, drain {n:90-180} mL. Leg power 5/5 throughout, sensation intact, no clonus.
## {h_ap}
- {An_age} {man}, scoliosis, [recovering as expected|stable after fusion]. No new neurologic deficit.
- {wardplan}
- Sit in the chair today and walk with therapy. [Drain out tomorrow.|Remove catheter.]
- Hgb {f:8.2-9.8}, no transfusion. [No evidence of wound infection.|Afebrile apart from day one.] If leg weakness
appears, call the spine team immediately.
"""

SUMMARY = """
## {h_dx}
- Adolescent idiopathic scoliosis, status post posterior spinal fusion {levels}
{dxe}
## {h_pmh}
{Join:pmh}.
## {h_adm}
{Who} is {an_age} {man} with a right thoracic curve, noticed {found}, which progressed from {c1} to {c2} degrees.
{bracehx} MRI had shown no syrinx. {He} was admitted for fusion. {Fam}
## {h_course}
Surgery on {d:op} was uneventful, and neuromonitoring was stable at the end of the operation. {He} spent one night in
the intensive care unit.

[Pain: patient-controlled analgesia was changed to oral medication on day three.|Analgesia. Oral oxycodone,
acetaminophen and diazepam gave adequate relief from day three.] [Nausea on the first day resolved.|There was no
vomiting after day one.]

{course}

[Mobility: {he} walked the hallway on day two and climbed stairs before discharge.|Therapy. Independent in walking and
on stairs by day four.] [Hemoglobin fell to {f:8.1-8.9} without symptoms; no transfusion.|No transfusion was needed.]
There was no fever after day two and no sign of wound infection, DVT or neurologic deficit. Standing films showed a
residual curve of {c3} degrees, with hardware in good position.
## {h_exam}
{vit_ok} {wound_ok} Shoulders level. Leg strength and sensation normal. {belly_ok}
## {h_dmeds}
- Acetaminophen 650 mg every six hours
- Oxycodone 5 mg as needed, five days
- Diazepam 2 mg at night as needed, five days
- Polyethylene glycol daily
## {h_cond}
{well}
## {h_inst}
No bending, twisting or lifting of more than ten pounds for three months. Walk every day. Showers are fine after day
five; no baths. No school sports for six months. Call or return if there is fever above 101 F, drainage from the
wound, shortness of breath, new leg weakness or numbness, or trouble passing urine.
## {h_fu}
- Spine clinic in two weeks for a wound check and in six weeks with films
- Dr. {gp}: iron level in one month
"""

XRAY2 = """
## {h_ind}
[Status post spinal fusion in {m:op}.|Scoliosis, follow-up after fusion {levels}.]
## {h_tech}
Standing PA and lateral whole spine.
## {h_comp}
Preoperative films and postoperative films of {m:op}.
## {h_find}
Posterior instrumentation {levels} with bilateral rods and pedicle screws. [No rod fracture, no screw
loosening.|Hardware is intact, without lucency around the screws.] Residual thoracic curve of {c3} degrees, unchanged.
[Coronal balance is maintained.|Trunk is balanced.] [No proximal junctional kyphosis.|No adjacent segment
abnormality.] {xlung}
## {h_imp}
[Stable alignment after fusion. No hardware complication.|Intact hardware and unchanged correction; no evidence of
nonunion.]
##
{sign_rad}
"""

LETTER2 = """
Dear Dr. {gp},

[It is now {since:op} since {who}'s spinal fusion.|I had the pleasure of seeing {who} again, {since:op} after fusion
{levels}.] {He} is [back at school full time|doing everything except contact sports] and [has no pain|has an
occasional ache between the shoulder blades]. {He} denies numbness, weakness and bladder symptoms. {lateletter}

The scar is well healed. Shoulders and pelvis are level, with a small rib prominence that was not corrected
completely. Neurologic examination is normal. The latest films show a curve of {c3} degrees (it was {c2} before
surgery), with no loosening and no sign of nonunion.

[All activities are allowed now, with the exception of tackle sports.|{He} may return to sports without restriction.]
[Not only the patient but also the parents are very pleased.|{He} has grown about an inch through the correction.]
Unless there is new pain, fever or deformity, I will see {him} in one year. {close}

{bye} // {md} // Pediatric Spine Service
"""

_PLAIN = {
    "ward": "Passing gas.",
    "wardsigns": "{vit_ok} {lungs_clear} {belly_ok}",
    "wardplan": "Advance diet. No signs of ileus.",
    "dxe": "",
    "course": "[Recovery was without complication.|There were no complications.] Bowel function returned on day "
    "{n:3-4}.",
    "xlung": "The visible lungs are clear.",
    "lateletter": "",
}
_EVENTS = {
    "plain": {},
    "ileus": {
        "ward": "Bloated, vomited twice, not passing gas.",
        "wardsigns": "T 99.4 F, HR 104, BP 112/64, SpO2 97% RA. Lungs clear. Abdomen distended and tympanitic, mildly "
        "tender, bowel sounds "
        "scant, no rebound.",
        "wardplan": "Probable postoperative ileus. Superior mesenteric artery syndrome cannot be excluded after "
        "correction in a slim patient: "
        "abdominal film, upper GI study if vomiting goes on. NPO, IV fluids, replace potassium, cut down opioids.",
        "dxe": "- Postoperative ileus, resolved",
        "course": "He developed an ileus on the second day, treated with bowel rest and potassium. An upper GI study "
        "ruled out superior "
        "mesenteric artery syndrome. Bowel function returned on day five.",
        "lateletter": "The bowel trouble after surgery has not come back.",
    },
    "effusion": {
        "ward": "Short of breath on sitting up, with pain on the left on deep breaths.",
        "wardsigns": "T 99.8 F, HR 108, BP 108/62, RR 22, SpO2 93% on 1 L. Dull at the left base with reduced breath "
        "sounds.",
        "wardplan": "Left pleural effusion on chest X-ray, moderate, no pneumothorax. Likely reactive after surgery; "
        "hemothorax is possible. "
        "Ultrasound today, tap if it grows. PE is unlikely at this age but not excluded; CT if hypoxia gets worse.",
        "dxe": "- Left pleural effusion after surgery, improved",
        "course": "On day two she had dyspnea from a left pleural effusion, which was drained once: 320 mL of "
        "serosanguineous fluid, no growth. "
        "Hemothorax and infection were ruled out. She was on room air from day four. A small effusion remained on the "
        "last film and did not "
        "change before discharge.",
        "xlung": "The left pleural effusion described after surgery has resolved.",
        "lateletter": "The pleural effusion that followed surgery resolved within a month, and her breathing is "
        "normal.",
    },
}
_BRACE = (
    ("Thoracolumbar brace for 18 hours a day.", "She wore a brace, but the curve continued to grow."),
    (
        "He prefers not to wear a brace, and at 42 degrees its benefit would be doubtful.",
        "A brace was discussed but not used.",
    ),
    ("Night-time bending brace, to be reviewed in six months.", "She wore a night-time brace for over a year."),
    (
        "At 45 degrees a brace is unlikely to help; physiotherapy meanwhile.",
        "A brace was not recommended because of the size of the curve.",
    ),
)
STORY = Story(
    "scoliosis",
    tuple(
        {**_PLAIN, **p, **_EVENTS[p["event"]], "bracing": plan, "bracehx": past, "smoke": "", "meds": "none"}
        for p, (plan, past) in zip(PATIENTS, _BRACE, strict=True)
    ),
    (
        Event("xray1", RADIOLOGY, "[Scoliosis X-ray|X-ray of the spine]", (0, 0), XRAY1),
        Event("letter1", LETTER, "Spine clinic letter", (6, 20), LETTER1),
        Event("mri", RADIOLOGY, "MRI of the spine", (400, 600), MRI),
        Event("op", OPERATIVE, "Posterior spinal fusion", (30, 70), FUSION),
        Event("ward", PROGRESS, "[Orthopedic progress note|Progress note]", (2, 2), WARD),
        Event("home", DISCHARGE, "Discharge summary", (3, 4), SUMMARY),
        Event("xray2", RADIOLOGY, "[Scoliosis X-ray|X-ray of the spine]", (160, 220), XRAY2),
        Event("letter2", LETTER, "Spine clinic letter", (5, 15), LETTER2),
    ),
)
