"""A diabetic foot ulcer that heals, or that costs a toe."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "toe",
        "sex": "M",
        "age": "62",
        "side": "right",
        "site": "great toe",
        "ray": "1",
        "cause": "new work boots",
        "a1c": "9.8",
        "pmh": "type 2 diabetes with neuropathy; hypertension; hyperlipidemia",
        "meds": "insulin glargine 32 units nightly; metformin 1000 mg twice daily; lisinopril 20 mg daily; "
        "atorvastatin 40 mg nightly",
        "smoke": "Smokes half a pack a day.",
        "bug": "methicillin-sensitive Staphylococcus aureus",
    },
    {
        "path": "healed",
        "sex": "F",
        "age": "69",
        "side": "left",
        "site": "fifth metatarsal head",
        "ray": "5",
        "cause": "a seam in her shoe",
        "a1c": "8.1",
        "pmh": "type 2 diabetes with neuropathy and retinopathy; CHF; chronic kidney disease stage 3",
        "meds": "insulin degludec 20 units daily; linagliptin 5 mg daily; furosemide 40 mg daily; carvedilol 6.25 mg "
        "twice daily",
        "smoke": "Never smoked.",
        "bug": "group B Streptococcus",
    },
    {
        "path": "toe",
        "sex": "M",
        "age": "55",
        "side": "left",
        "site": "second toe",
        "ray": "2",
        "cause": "a burn from hot sand",
        "a1c": "11.2",
        "pmh": "type 1 diabetes since age 17; neuropathy; kidney stones",
        "meds": "insulin by pump; gabapentin 300 mg three times daily; rosuvastatin 20 mg nightly",
        "smoke": "Former smoker.",
        "bug": "Proteus mirabilis and Enterococcus faecalis",
    },
    {
        "path": "healed",
        "sex": "M",
        "age": "74",
        "side": "right",
        "site": "first metatarsal head",
        "ray": "1",
        "cause": "walking barefoot on hot pavement",
        "a1c": "7.6",
        "pmh": "type 2 diabetes; coronary artery disease with myocardial infarction in 2012; peripheral neuropathy",
        "meds": "metformin 500 mg twice daily; empagliflozin 10 mg daily; aspirin 81 mg daily; metoprolol 50 mg daily",
        "smoke": "Never smoked.",
        "bug": "skin flora only",
    },
)

LETTER1 = """
Dear Dr. {gp},

[Thank you for sending {who} to the diabetic foot clinic.|{Who} was seen in the foot clinic today as an urgent
referral.] {He} has [had an ulcer of|noticed drainage from] the {side} {site} for [three|four|five] weeks, after
{cause}. {He} feels little pain, because sensation is lost to the ankles. {He} denies fever and chills.
## {h_pmh}
{list:pmh}
## {h_exam}
{Side} foot: [1.5 cm ulcer|ulcer of 18 by 12 mm|round ulcer, 2 cm across] at the {site} with [callus at the
rim|undermined edges], moderate drainage and {n:1-2} cm of surrounding erythema. [The probe touches bone.|Bone could
be felt with a probe.] Dorsalis pedis pulse present, ankle-brachial index {f:0.9-1.2}. No crepitus, no lymphangitis.
The {other} foot has [no ulcer|dry skin but no ulcer]. Monofilament felt at {n:1-4} of 10 sites.
## {h_ap}
- Infected neuropathic ulcer, {side} {site}. Osteomyelitis is suspected, and X-ray and MRI have been ordered to rule
it out.
- Sharp debridement done. [Amoxicillin/clavulanate started|Cephalexin started] pending culture.
- Offloading in a removable walker. [No evidence of critical ischemia.|Arterial supply seems adequate.]
- Hemoglobin A1c {a1c}%. [Diabetes educator involved.|Treatment to be adjusted by your office.]
##
Family history: {family} {smoke} If there is spreading redness, fever, or a bad smell, {he} should go to the emergency
department.
{close}

{bye} // {md} // Podiatry and Foot Care
"""

XRAY = """
## {h_ind}
[Diabetic foot ulcer, rule out osteomyelitis.|Ulcer of the {side} {site}, probes to bone.]
## {h_tech}
Three views of the {side} foot.
## {h_comp}
{noprior}
## {h_find}
[Soft tissue defect at the {site}.|Soft tissue swelling and an ulcer crater at the {site}.] {bone} No soft tissue gas
and no radiopaque foreign body. [Vascular calcification.|Mild midfoot osteoarthritis; no fracture, no dislocation, and
no evidence of Charcot arthropathy.|Hallux valgus.] Heel spur.
## {h_imp}
{boneimp}
##
{sign_rad}
"""

MRI = """
## {h_ind}
{Side} foot ulcer with possible osteomyelitis [on radiographs|clinically].
## {h_tech}
MRI of the {side} forefoot, T1, STIR and fat-suppressed T2, without contrast.
## {h_comp}
Radiographs of {d:xray}.
## {h_find}
{marrow} [No drainable abscess.|There is no fluid collection.] [Diffuse edema of the intrinsic muscles is typical of
diabetic neuropathy.|Subcutaneous edema over the dorsum of the foot may represent cellulitis.] Flexor tendons intact,
no tenosynovitis. No fracture.
## {h_imp}
{marrowimp}
- No abscess.
##
{sign_rad}
"""

AMPUTATION = """
## Preoperative diagnosis
Osteomyelitis of the {side} {site}.
## Postoperative diagnosis
Same.
## Procedure
[Amputation of the {side} {site} through the metatarsophalangeal joint.|{Side} {site} amputation at the
metatarsophalangeal joint.]
## Surgeon
{surgeon}
## Anesthesia
Ankle block with sedation.
## Indications
{An_age} {man} with a neuropathic ulcer of the {side} {site}, MRI evidence of osteomyelitis, and no healing on
antibiotics. [Prolonged antibiotic treatment alone was offered and declined.|Conservative and surgical options were
discussed.] Pulses are palpable.
## Findings
[Soft, gray bone in the distal phalanx.|Purulent fluid at the tip and eroded cortex.] No pus tracking along the tendon
sheath. The proximal margin was hard and bleeding.
## {h_op}
[A racquet incision was made.|Fish-mouth flaps were marked.] Soft tissue was divided down to the joint, the toe was
disarticulated, and the cartilage was removed. Tendons were cut short under tension. The wound was irrigated with
three liters of saline. [A proximal bone margin was sent for culture and pathology.|Clean margin sent for pathology
and culture.] Skin was closed loosely with nylon.
## Estimated blood loss
{n:10-40} mL. No tourniquet.
## Complications
None.
## Plan
Heel weight bearing only. [IV antibiotics until margins are known.|Continue cefazolin; stop if the margin is clear.]
"""

SUMMARY = """
## {h_dx}
{dxs}
{list:pmh}
## {h_adm}
{Who} was admitted with a worsening ulcer of the {side} {site}, first seen in clinic on {d:letter1}. It had begun
after {cause}. There was [spreading erythema|new odor and drainage] but no fever. {He} denied chest pain and SOB.
{Social} {Smoke}
## {h_course}
{course}

Diabetes: Hemoglobin A1c was {a1c}%. [Glucose was between 130 and 220 mg/dL on basal-bolus insulin.|Insulin was
adjusted, with one mild hypoglycemic episode that resolved with juice.] There was no ketoacidosis.

[Circulation.|Vascular.] Toe pressures were adequate, and peripheral arterial disease was felt not to be limiting.
[Leg swelling on the {side} prompted a duplex, which was negative for DVT.|No DVT was found on duplex of the {side}
leg.]

[Renal function stayed at baseline.|Creatinine was stable.] [{He} had no cardiac symptoms.|There were no signs of
heart failure.]
## {h_exam}
{vit_ok} {footexam} {heart_ok}
## {h_dmeds}
{list:meds}
{abx}
## {h_cond}
[Stable.|Good; transfers on the heel with a walker.]
## {h_inst}
Keep weight off the front of the {side} foot and wear the boot for every step. Look at both feet every day. Do not
walk barefoot. Call or return if there is redness, new drainage, a bad smell, fever above 100.4 F, or glucose above
300.
## {h_fu}
- Foot clinic in one week
- Dr. {gp} in two weeks for glucose management
- Eye and kidney screening as due
"""

OFFICE = """
## {h_sub}
[Foot check {since:home} after discharge.|Visit for dressing change and review.] [No pain.|Occasional burning at
night.] No fever. Sugars [110 to 170 fasting|around 150 in the morning]. [Wears the boot most of the time.|{He} admits
to going without the boot at home.] Denies new injury.
## {h_obj}
{vit_ok} {footnow} No erythema, no odor, no purulence. The {other} foot intact.
## {h_ap}
- {state}
- [Inflammatory markers normal, no evidence of bone infection.|CRP normal; residual infection is unlikely but cannot
be excluded without a further MRI.]
- Custom insoles and extra-depth shoes ordered. [Charcot change not suspected.|Return at once if the foot becomes hot
or swollen.]
- Diabetes: A1c now {a1cnow}%. [Continue current treatment.|Glucose log reviewed.]
"""

LETTER2 = """
Dear Dr. {gp},

[{Who} came for {his} routine foot review.|I am pleased to report on {who}.] It is {since:home} since {he} left the
hospital. {final}

{He} reports no new ulcer, no fever, and no claudication. [Neuropathic pain is mild.|There is no pain, which in {his}
case is no reassurance.] Family history: {family} {Smoke}

On examination both feet are warm with palpable pulses. Sensation is absent to the ankles. [There is a callus under
the {other} first metatarsal head, which was pared.|Skin is intact.] No deformity suggests Charcot arthropathy.

{He} stays at high risk. I have asked for review every eight weeks, and [{he} knows to call on the same day if the
skin breaks|if the skin breaks, same-day review is available]. [An A1c below 8% remains the goal.|Blood glucose
control has improved, A1c {a1cnow}%.] {close}

{bye} // {md}
"""

_TOE = {
    "bone": "There is [cortical erosion and lucency of the distal phalanx|loss of the cortex at the tip of the distal "
    "phalanx], suspicious for "
    "osteomyelitis.",
    "boneimp": "[Findings suspicious for osteomyelitis of the {side} {site}. MRI is recommended.|Probable "
    "osteomyelitis, {side} {site}.]",
    "marrow": "Marrow of the distal phalanx of the {side} {site} shows low T1 and high STIR signal with cortical "
    "destruction. The proximal "
    "phalanx and the metatarsal are normal.",
    "marrowimp": "- Osteomyelitis of the distal phalanx, {side} {site}.",
    "dxs": "- Osteomyelitis of the {side} {site}, status post amputation {d:op}\n- Diabetic foot ulcer",
    "course": "MRI confirmed osteomyelitis, and the {site} was amputated on {d:op} without complication. Bone grew "
    "{bug}. The proximal margin "
    "was clear on pathology, so antibiotics were stopped after five days. [There was no abscess, and no further "
    "debridement was "
    "needed.|The wound edges stayed viable.] Blood cultures were negative.",
    "footexam": "{Side} foot: {wound_ok} Sutures in place.",
    "abx": "",
    "footnow": "Amputation site of the {side} {site} healed; sutures out.",
    "state": "Status post amputation of the {side} {site} for osteomyelitis, healed.",
    "a1cnow": "{f:7.4-8.3}",
    "final": "The amputation wound of the {side} {site} has healed completely, and the osteomyelitis has resolved.",
}
_HEALED = {
    "bone": "[No cortical erosion or periosteal reaction.|The underlying bone is preserved.] Early osteomyelitis "
    "cannot be excluded, since "
    "radiographs may be normal for two weeks.",
    "boneimp": "[No radiographic evidence of osteomyelitis; MRI if clinically suspected.|Ulcer without bone "
    "destruction. Early infection of bone "
    "is not excluded.]",
    "marrow": "There is mild STIR hyperintensity of the {side} {site} with preserved T1 signal, which may represent "
    "reactive edema; very early "
    "osteomyelitis is possible. The ulcer reaches the capsule.",
    "marrowimp": "- Reactive marrow edema favored over early osteomyelitis of the {side} {site}.",
    "dxs": "- Infected neuropathic ulcer of the {side} {site} with cellulitis, improved\n- Osteomyelitis considered, "
    "not confirmed",
    "course": "MRI showed marrow edema at the {site} without definite osteomyelitis. A bone biopsy was negative, and "
    "amputation was not "
    "necessary. Deep tissue culture grew {bug}. Cellulitis resolved on intravenous ampicillin/sulbactam within four "
    "days. The ulcer was "
    "debrided at the bedside, and a total contact cast was [applied|planned].",
    "footexam": "{Side} foot: ulcer at the {site} is clean and granulating, with no erythema.",
    "abx": "- Amoxicillin/clavulanate 875 mg twice daily for ten days",
    "footnow": "Ulcer at the {side} {site} now {n:3-6} mm, shallow and pink.",
    "state": "Neuropathic ulcer of the {side} {site}, healing; infection resolved.",
    "a1cnow": "{f:6.9-7.4}",
    "final": "The ulcer of the {side} {site} has closed, and the cellulitis has not come back.",
}
_PATHS = {"toe": _TOE, "healed": _HEALED}
STORY = Story(
    "foot ulcer",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("letter1", LETTER, "[Foot clinic letter|Diabetic foot clinic letter]", (0, 0), LETTER1),
        Event("xray", RADIOLOGY, "[X-ray of the foot|Foot X-ray]", (0, 2), XRAY),
        Event("mri", RADIOLOGY, "MRI of the foot", (4, 9), MRI),
        Event("op", OPERATIVE, "Toe amputation", (2, 5), AMPUTATION, ("toe",)),
        Event("home", DISCHARGE, "Discharge summary", (5, 7), SUMMARY),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (20, 35), OFFICE),
        Event("letter2", LETTER, "[Foot clinic letter|Diabetic foot clinic letter]", (120, 400), LETTER2),
    ),
)
