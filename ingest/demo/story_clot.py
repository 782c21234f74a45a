"""Deep vein thrombosis and pulmonary embolism, anticoagulation and the fear of another one."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "pe",
        "sex": "F",
        "age": "34",
        "side": "left",
        "trigger": "started an oral contraceptive four months ago",
        "kind": "provoked by estrogen",
        "drug": "rivaroxaban",
        "dose": "20 mg daily",
        "plan": "three to six months of treatment, no estrogen in future",
        "pmh": "migraine without aura; appendectomy",
        "smoke": "Never smoked.",
        "fam": "Mother had a DVT after childbirth. Father is well.",
    },
    {
        "path": "pe",
        "sex": "M",
        "age": "63",
        "side": "right",
        "trigger": "has had no surgery, travel or immobilization",
        "kind": "unprovoked",
        "drug": "apixaban",
        "dose": "5 mg twice daily",
        "plan": "indefinite treatment with a yearly review",
        "pmh": "hypertension; obesity; knee osteoarthritis",
        "smoke": "Former smoker.",
        "fam": "No family history of DVT, PE or clotting disorders. Father had prostate cancer.",
    },
    {
        "path": "dvt",
        "sex": "M",
        "age": "45",
        "side": "left",
        "trigger": "had Achilles tendon repair with a cast three weeks ago",
        "kind": "provoked by surgery and immobilization",
        "drug": "apixaban",
        "dose": "5 mg twice daily",
        "plan": "three months of treatment",
        "pmh": "status post left Achilles tendon repair; gastroesophageal reflux",
        "smoke": "Smokes socially.",
        "fam": "Sister had a PE in pregnancy. Mother had breast cancer.",
    },
    {
        "path": "dvt",
        "sex": "F",
        "age": "58",
        "side": "right",
        "trigger": "returned from a 14-hour flight nine days ago",
        "kind": "associated with long-haul travel",
        "drug": "warfarin",
        "dose": "according to INR, target 2 to 3",
        "plan": "three months of treatment",
        "pmh": "hypertension; kidney transplant in 2010 with stable graft function; varicose veins",
        "smoke": "Never smoked.",
        "fam": "No family history of venous thromboembolism. A brother has lupus.",
    },
)

ED_PE = """
## {h_cc}
[SOB and pleuritic chest pain.|Sudden shortness of breath.|Chest pain on breathing in.]
## {h_hpi}
{An_age} {man} with [two days|24 hours] of sudden dyspnea and {side}-sided pleuritic chest pain. [{He} nearly fainted
on the stairs this morning.|{He} gets winded crossing a room.] One episode of [blood-streaked sputum|palpitations].
{He} {trigger}. [The {side} calf has been sore for a week.|On questioning, the {side} calf felt tight last week.] No
fever, no wheeze. No prior DVT or PE.
## {h_pmh}
{Join:pmh}.
## {h_fam}
{fam}
## {h_soc}
{social} {smoke}
## {h_all}
{allergy}
## {h_exam}
T {f:98.2-99.4} F, BP {n:108-132}/{n:66-82}, HR {n:106-122}, RR {n:22-28}, SpO2 {n:89-93}% RA. {lungs_clear} [Loud
P2.|JVP slightly raised.] {Side} calf {n:2-4} cm larger than the {other}, tender. {neuro_ok}
## {h_res}
ECG: sinus tachycardia, [S1Q3T3|T wave inversion V1 to V3]. Troponin [@strain:negative|mildly raised], BNP
{n:120-340}. CT angiogram: bilateral pulmonary emboli with [@strain:no right heart strain|an RV/LV ratio of 1.1].
## {h_ed}
[@strain:Acute PE, hemodynamically stable, low risk.|Pulmonary embolism, intermediate risk.] [Pneumonia and
pneumothorax were excluded by CT.|No evidence of aortic dissection or pneumonia on CT.] Heparin started without delay.
No contraindication to anticoagulation: no recent bleeding, and no history of stroke. Thrombolysis is not indicated
unless blood pressure falls.
## {h_disp}
Admit to telemetry.
"""

ED_DVT = """
## {h_cc}
[{Side} leg swelling.|Painful swollen {side} leg.]
## {h_hpi}
{An_age} {man} with {n:3-5} days of swelling and aching of the {side} [calf|leg]. {He} {trigger}. [No injury
since.|Thought to be a pulled muscle at first.] {He} denies chest pain, SOB, hemoptysis and syncope. No fever. No
prior DVT or PE.
## {h_pmh}
{Join:pmh}.
## {h_fam}
{fam}
## {h_soc}
{social} {smoke}
## {h_all}
{allergy}
## {h_exam}
{vit_ok} {lungs_clear} {Side} calf {n:3-5} cm larger than the {other}, with pitting edema and tenderness along the
deep veins. [No cellulitis.|Mild warmth but no erythema to suggest cellulitis.] Pulses intact. The {other} leg is
normal.
## {h_res}
Hgb {f:12.1-14.8}, platelets {n:188-312}, creatinine {f:0.8-1.3}. Duplex: acute DVT of the {side} femoral and
popliteal veins.
## {h_ed}
Proximal DVT, {kind}. PE was considered; without symptoms, normal saturation and heart rate, CT was not done.
[Ruptured Baker cyst and compartment syndrome are ruled out by ultrasound and examination.|No evidence of phlegmasia.]
Bleeding risk is not high.
## {h_disp}
Observation overnight to start anticoagulation and teaching. Rule out PE if any chest symptom develops.
"""

CTPA = """
## {h_ind}
[Sudden dyspnea and pleuritic pain. Rule out PE.|Tachycardia, hypoxia, swollen {side} calf. PE?]
## {h_tech}
CT pulmonary angiogram, 70 mL of iodinated contrast. [Good opacification.|Diagnostic quality is adequate, with mild
motion.]
## {h_comp}
{noprior}
## {h_find}
[Filling defects in the {side} main and lower lobe arteries and in {other} segmental branches.|Acute emboli in both
lower lobe arteries, larger on the {side}.] [@strain:The RV/LV ratio is 0.8; no septal bowing.|The right ventricle is
mildly dilated, RV/LV ratio 1.1, which may represent strain.] A wedge-shaped subpleural opacity in the {side} lower
lobe [may represent an infarct.|is suspicious for pulmonary infarction.] Trace {side} pleural effusion. No
pneumothorax, no pneumonia. No aortic dissection. No mass or adenopathy.
## {h_imp}
- Acute bilateral pulmonary embolism.
- [@strain:No CT evidence of right heart strain.|Possible early right heart strain.]
- Probable small {side} lower lobe infarct.
##
Results telephoned to the emergency department.
"""

DUPLEX = """
## {h_ind}
[{Side} leg swelling. Rule out DVT.|Swollen {side} calf after immobilization. DVT?|Pain and swelling of the {side}
leg, r/o DVT.]
## {h_tech}
Duplex ultrasound of the {side} leg with compression, color and spectral Doppler.
## {h_comp}
None.
## {h_find}
[The {side} common femoral vein compresses normally.|Normal compression of the {side} common femoral vein.] The mid
and distal femoral and the popliteal veins are distended by hypoechoic material, are not compressible, and show no
flow, consistent with acute thrombus. [Posterior tibial veins are also involved.|Calf veins were poorly seen; thrombus
there cannot be excluded.] No Baker cyst. The {other} common femoral vein is patent with normal phasic flow.
## {h_imp}
[Acute DVT of the {side} femoral and popliteal veins. No extension above the inguinal ligament.|Positive study: acute
occlusive femoropopliteal DVT on the {side}.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
{dxe}
{list:pmh}
## {h_adm}
{Who} is {an_age} {man} who [presented|came to the emergency department] on {d:ed} with {came}. {He} {trigger}. There
was no history of DVT or PE. {Fam} {Smoke}
## {h_course}
{course}

[Cause.|Search for a cause:] The event is regarded as {kind}. [There was no weight loss or abnormality on examination
to suggest malignancy, and age-appropriate cancer screening is up to date.|Occult cancer was considered: history,
examination, blood count and calcium gave no hint of it.] Thrombophilia testing was [not sent, as it would not change
treatment|deferred to the clinic].

[Anticoagulation.|Treatment:] Heparin was followed by {drug} {dose}. {He} was taught about bleeding, missed doses and
interactions. [There was no bleeding.|No bleeding occurred, and hemoglobin was stable.] [Ibuprofen must be
avoided.|Over-the-counter pain relievers other than acetaminophen should be avoided.]
## {h_exam}
{vit_ok} {lungs_clear} {Side} calf still {n:1-2} cm larger than the {other}, less tender. {neuro_ok}
## {h_dmeds}
- {Drug} {dose}
- Acetaminophen as needed
## {h_cond}
{well}
## {h_inst}
Take the blood thinner exactly as prescribed and do not stop it without speaking to us. Return at once if you have
chest pain, shortness of breath, fainting, black stools, heavy bleeding, a severe headache or a fall with a blow to
the head. Walking is safe and helpful. Wear a compression stocking if it eases the swelling.
## {h_fu}
- Hematology clinic in six to eight weeks; planned {plan}
- Dr. {gp} in one week for blood count and kidney function
"""

CLINIC = """
Dear Dr. {gp},

[I saw {who} in the thrombosis clinic on {today}.|Thank you for sending {who} to the hematology clinic.]
## Diagnosis
{dxshort}, {m:ed}, {kind}
## {h_pmh}
{list:pmh}
## Treatment
{Drug} {dose}
##
{He} is recovering. [Breathing is back to normal on the flat.|{He} feels about 80% of {his} former self.|There is
slight heaviness of the {side} leg in the evening.] {He} has had [no bleeding|only easy bruising and no serious
bleeding], and has missed no doses that {he} can recall. No hemoptysis, no syncope, no new leg pain.

{Fam} On examination the {side} leg is [still slightly larger|equal to the {other}] and there are no signs of
post-thrombotic syndrome. [Heart sounds normal, chest clear, SpO2 {n:97-99}%.|{lungs_clear}]

[Lupus anticoagulant and antiphospholipid antibodies are negative.|Factor V Leiden and prothrombin mutation were not
found.] My plan is {plan}. [If dyspnea persists beyond three months, we should rule out chronic thromboembolic disease
with a ventilation-perfusion scan.|Persistent breathlessness should prompt an echocardiogram to rule out pulmonary
hypertension.] Before surgery or a long flight please ask us. {close}

{bye} // {md} // Hematology
"""

OFFICE = """
## {h_sub}
Review on {drug}, {since:ed} after {dxshort}. [Bruises easily, no nosebleeds, no melena.|No bleeding of any kind.]
[Walks three miles daily without dyspnea.|Back at full work.] [Mild swelling of the {side} ankle by evening,
unchanged.|The leg no longer swells.] Denies chest pain and SOB. {social}
## {h_obj}
{vit_ok} {lungs_clear} {heart_ok} {Side} leg: [no tenderness, circumference equal.|faint skin discoloration at the
ankle, no ulcer.] Hgb {f:12.4-14.9}, creatinine {f:0.7-1.2}.
## {h_ap}
- History of {dxshort}, {m:ed}, {kind}. No evidence of recurrence or of post-thrombotic syndrome [beyond mild edema|].
{stopplan}
- [Symptoms of PE and DVT reviewed; come in the same day if they appear.|To return if leg swelling, dyspnea or chest
pain occurs.]
- [Colon screening as due.|Cancer screening up to date. Family history: {fam}]
"""

ED2 = """
## {h_cc}
[Calf pain.|{Side} leg pain, worried about a clot.]
## {h_hpi}
{An_age} {man} with a history of {dxshort} in {m:ed} ({kind}), who comes with [two days|three days] of {side} calf
pain after [yard work|starting to run again|a game of tennis]. No swelling noticed. No chest pain, dyspnea or
hemoptysis. {Nowdrug}
## {h_pmh}
{Join:pmh}.
## {h_fam}
{fam}
## {h_exam}
{vit_ok} {lungs_clear} {Side} calf: [point tenderness of the medial gastrocnemius, equal circumference.|tender muscle
belly, no edema, no cords.] No erythema.
## {h_res}
Compression ultrasound of the {side} leg: [no DVT. The old thrombus has resolved with slight wall thickening.|no acute
thrombus; residual scarring of the popliteal vein from the previous event cannot be distinguished from chronic clot.]
## {h_ed}
[Recurrent DVT ruled out. Muscle strain is likely.|No acute DVT. Probable gastrocnemius strain.] PE is not suspected.
## {h_disp}
Home with ice and acetaminophen. Return if the leg swells, or with chest pain or shortness of breath. Repeat
ultrasound in one week if pain persists.
"""

_PE = {
    "dxe": "- Acute bilateral pulmonary embolism, {kind}\n- DVT of the {side} popliteal vein",
    "dxshort": "pulmonary embolism",
    "came": "sudden dyspnea and {side} pleuritic chest pain",
    "course": "CT showed bilateral PE. {He} stayed hemodynamically stable and was treated with heparin. "
    "Echocardiography showed "
    "[@strain:normal right ventricular function|a mildly dilated right ventricle with preserved function]. Duplex of "
    "the legs found a {side} "
    "popliteal DVT; the {other} leg was clear. Oxygen was [stopped on the second day|no longer needed after 36 "
    "hours]. Pneumonia was "
    "not present, and antibiotics were not given.",
}
_DVT = {
    "dxe": "- Acute proximal DVT of the {side} leg, {kind}",
    "dxshort": "proximal DVT of the {side} leg",
    "came": "a painful swollen {side} leg",
    "course": "Duplex showed acute thrombus in the {side} femoral and popliteal veins. {He} had no chest pain, "
    "dyspnea or tachycardia, so "
    "PE was not suspected and CT was not performed; a small silent embolus cannot be excluded but would not change "
    "treatment. Swelling "
    "and pain improved with elevation. There was no sign of limb ischemia.",
}
_STOP = {
    "indefinite treatment with a yearly review": (
        "Continue apixaban without a stop date.",
        "Takes apixaban and has not missed doses.",
    ),
    "three months of treatment": (
        "Course of {drug} complete; stop today.",
        "The {drug} course ended long ago as planned.",
    ),
    "three to six months of treatment, no estrogen in future": (
        "Stop {drug} today after a full course. Estrogen-free contraception arranged.",
        "{Drug} was stopped as planned, and she takes no estrogen.",
    ),
}
_PATHS = {"pe": _PE, "dvt": _DVT}
STORY = Story(
    "clot",
    tuple(
        {**p, **_PATHS[p["path"]], "stopplan": _STOP[p["plan"]][0], "nowdrug": _STOP[p["plan"]][1]} for p in PATIENTS
    ),
    (
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED_PE, ("pe",)),
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED_DVT, ("dvt",)),
        Event("scan", RADIOLOGY, "CT pulmonary angiogram", (0, 0), CTPA, ("pe",)),
        Event("scan", RADIOLOGY, "Venous duplex ultrasound", (0, 0), DUPLEX, ("dvt",)),
        Event("home", DISCHARGE, "Discharge summary", (1, 3), SUMMARY),
        Event("clinic", LETTER, "[Hematology clinic letter|Thrombosis clinic letter]", (40, 55), CLINIC),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (60, 100), OFFICE),
        Event("ed2", EMERGENCY, "[ED note|Emergency department visit]", (250, 900), ED2),
    ),
)
