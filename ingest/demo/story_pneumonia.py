"""Community-acquired pneumonia, its course and the film that shows it has cleared."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "home",
        "sex": "M",
        "age": "37",
        "side": "right",
        "lobe": "middle lobe",
        "pmh": "seasonal allergic rhinitis",
        "meds": "cetirizine 10 mg as needed",
        "smoke": "Smokes on weekends.",
        "smokeplan": "Advised to stop smoking altogether.",
    },
    {
        "path": "effusion",
        "sex": "F",
        "age": "70",
        "side": "left",
        "lobe": "lower lobe",
        "bug": "Streptococcus pneumoniae",
        "curb": "2",
        "pmh": "type 2 diabetes; hypertension; status post splenectomy after trauma in 1998",
        "meds": "metformin 1000 mg twice daily; lisinopril 10 mg daily",
        "smoke": "Never smoked.",
    },
    {
        "path": "ward",
        "sex": "M",
        "age": "79",
        "side": "right",
        "lobe": "lower lobe",
        "pmh": "Alzheimer disease; hypertension; history of stroke without residual weakness",
        "meds": "donepezil 10 mg nightly; clopidogrel 75 mg daily; amlodipine 5 mg daily",
        "smoke": "Former smoker, 15 pack-years.",
        "bug": "no organism",
    },
    {
        "path": "effusion",
        "sex": "M",
        "age": "48",
        "side": "right",
        "lobe": "lower lobe",
        "bug": "Streptococcus anginosus",
        "curb": "1",
        "pmh": "poor dentition; alcohol use; fractured wrist in 2015",
        "meds": "thiamine 100 mg daily",
        "smoke": "Smokes one pack a day.",
    },
    {
        "path": "home",
        "sex": "F",
        "age": "29",
        "side": "left",
        "lobe": "upper lobe",
        "pmh": "anxiety; appendectomy in childhood",
        "meds": "escitalopram 10 mg daily; oral contraceptive",
        "smokeplan": "No evidence of asthma; an inhaler is not needed.",
        "smoke": "Never smoked.",
    },
)

ED = """
## {h_cc}
[Fever and cough.|Cough, chills and {side}-sided chest pain.|Fever, malaise and SOB.]
## {h_hpi}
{An_age} {man} with {n:3-6} days of fever, [shaking chills|drenching sweats] and cough [with rusty sputum|productive
of yellow sputum|that was dry at first]. [Sharp pain in the {side} chest on deep breathing.|{Side} pleuritic pain
since yesterday.] [No known sick contacts.|A coworker had flu-like illness.|Several relatives have had colds.] No
hemoptysis, no travel. [{He} denies leg swelling, and there is no history of DVT or PE.|No rash, no neck stiffness.]
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_soc}
{social} {smoke}
## {h_fam}
{family}
## {h_exam}
T {f:101.2-103.4} F, BP {n:104-136}/{n:60-80}, HR {n:98-122}, RR {n:20-28}, SpO2 {sat}% on room air. [Ill-appearing
but alert.|Flushed, not in extremis.] [Crackles and bronchial breathing over the {side} {lobe}.|Dullness and coarse
crackles on the {side}.|Focal crackles in the {side} chest, no wheeze.] {heart_ok} {belly_ok} {legs_ok}
## {h_res}
WBC {f:13.2-21.4}, lactate {f:1.1-2.6}, creatinine {f:0.7-1.4}. Influenza and SARS-CoV-2 PCR negative. Chest X-ray:
{side} {lobe} opacity.
## {h_ed}
[Community-acquired pneumonia. CURB-65 of {curb}.|Lobar pneumonia, CURB-65 score {curb}.] PE was considered but
thought unlikely; [the fever and focal consolidation explain the pain.|D-dimer was not sent.] [Blood cultures drawn
before antibiotics.|Sepsis bundle completed.] {given}
## {h_disp}
{where}
"""

FILM = """
## {h_ind}
[Fever and cough. Rule out pneumonia.|{Age}-year-old {man}, fever, pleuritic pain, r/o pneumonia.|Cough, fever,
crackles on the {side}.]
## {h_tech}
{pa_lat}
## {h_comp}
{noprior}
## {h_find}
[There is consolidation in the {side} {lobe} with air bronchograms.|Airspace opacity in the {side} {lobe}, consistent
with pneumonia.|Dense {side} {lobe} consolidation.] {fluid} [The {other} lung is clear.|No opacity on the {other}.] No
pneumothorax. {heart_cxr} {bones_young}
## {h_imp}
- [{Side} {lobe} pneumonia.|Consolidation in the {side} {lobe}, compatible with pneumonia in this setting.]
- {fluidimp}
- Follow-up film in six to eight weeks [to document clearing and exclude an underlying lesion.|to rule out an
obstructing mass.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
- Community-acquired pneumonia, {side} {lobe}
{dxe}
{list:pmh}
## {h_adm}
{Who} is {an_age} {man} who presented on {d:ed} with fever, cough and {side} pleuritic chest pain. {He} was febrile
and hypoxic, and the chest X-ray showed {side} {lobe} consolidation. {He} denied hemoptysis and weight loss. {Smoke}
[{social}|Family history: {family}]
## {h_course}
{He} was started on ceftriaxone and azithromycin. {course}

[Oxygen was weaned to room air by the third day.|{He} needed up to three liters of oxygen and was on room air for the
last 36 hours.] [Tuberculosis was considered; three smears were negative.|HIV test negative. Legionella and
pneumococcal urinary antigens were sent, with results in the chart.] [There was no evidence of endocarditis or
meningitis.|No evidence of sepsis-related organ failure.] Creatinine and liver tests stayed normal. [Leg swelling was
never present, and venous thromboembolism was not suspected.|There was no evidence of DVT or PE.]
## {h_exam}
{vit_ok} [Residual crackles in the {side} chest.|Bronchial breath sounds on the {side}, less than before.] {heart_ok}
{neuro_ok}
## {h_dmeds}
{list:meds}
- {oral}
## {h_cond}
{well}
## {h_inst}
Finish the antibiotics even if you feel well. Rest, drink fluids, and walk a little more each day. Cough and fatigue
can last for several weeks. Return to the emergency department if fever comes back, if you become short of breath or
confused, cough up blood, or cannot keep the tablets down. {stop}
## {h_fu}
- Dr. {gp} in one week
- Chest X-ray in six to eight weeks
- [Pneumococcal vaccine as an outpatient|Influenza vaccine given before discharge]
"""

CT = """
## {h_ind}
{Side} {lobe} pneumonia with persistent fever on antibiotics. Rule out empyema or abscess.
## {h_tech}
CT chest with intravenous contrast.
## {h_comp}
Chest radiograph of {d:film}.
## {h_find}
Consolidation of most of the {side} {lobe}, with air bronchograms and no cavity. [There is a moderate {side} pleural
effusion with enhancing, thickened pleura and a few septations.|A loculated {side} pleural effusion, up to 4 cm deep,
shows the split pleura sign.] No gas within it. No endobronchial lesion, although [mucus plugging limits the
assessment|a small lesion cannot be excluded]. Reactive hilar and mediastinal nodes, up to 11 mm. No pulmonary
embolism in the main or lobar arteries. The {other} lung is clear apart from dependent atelectasis.
## {h_imp}
- {Side} {lobe} pneumonia without abscess.
- Loculated {side} parapneumonic effusion, suspicious for empyema.
- No central pulmonary embolism.
##
Discussed with {md}.
"""

OFFICE = """
## {h_cc}
Follow-up of pneumonia.
## {h_sub}
[Seen {since:ed} after the emergency department visit.|Here for a check {since:ed} after pneumonia was diagnosed.]
[Fever resolved on the third day of antibiotics.|No fever for a week.] [Still coughs at night, with scant clear
sputum.|Cough is nearly gone.|Tired, but back at light duties.] No chest pain. Denies dyspnea, hemoptysis, weight loss
or night sweats. [One loose stool a day on the antibiotic; no blood.|No rash or diarrhea from the antibiotic.]
## {h_obj}
{vit_ok} [Few crackles remain in the {side} chest.|{lungs_clear}] {heart_ok} {legs_ok}
## {h_ap}
- {Side} {lobe} pneumonia, [clinically resolved.|resolving.] No further antibiotics.
- Chest X-ray at six to eight weeks. [If the opacity persists, CT to rule out an underlying mass.|CT only if it has
not cleared.]
- {Smokeplan}
- [Return if fever or breathlessness recurs.|To call if the cough lasts more than another month.]
"""

CLINIC = """
Dear Dr. {gp},

[{Who} was seen in the chest clinic {since:home} after {his} stay with pneumonia.|I reviewed {who} after {his}
admission in {m:home} with {side} {lobe} pneumonia.]

[{He} has recovered well.|Recovery has been slow but steady.] Appetite and weight are back to normal. [A slight ache
on the {side} persists with deep breaths.|There is no remaining chest pain.] {He} has had no fever and denies cough,
hemoptysis and night sweats.
{Smoke}

On examination: [slight dullness at the {side} base, clear otherwise.|chest clear.|a few crackles at the {side} base,
no bronchial breathing.] Saturation {n:95-98}% on air.

{clinicplan} [Recurrent aspiration or an obstructing lesion cannot be ruled out until the film is clear.|I do not
suspect an underlying malignancy, but would like the film to be seen to clear.] If it is, {he} need not come again.
{close}

{bye} // {md}
"""

FILM2 = """
## {h_ind}
[Follow-up of pneumonia in {m:film}.|{Side} {lobe} pneumonia {since:film} ago, clearing?|Rule out residual
consolidation.]
## {h_tech}
{pa_lat}
## {h_comp}
[Chest radiograph of {d:film}.|{d:film}.]
## {h_find}
[The {side} {lobe} consolidation has resolved.|Complete clearing of the {side} {lobe} opacity.|The previously seen
{side} {lobe} consolidation is no longer present; a thin linear scar remains.] {fluid2} [No new airspace disease.|The
lungs are otherwise clear.] No pneumothorax. {heart_cxr} {bones_young}
## {h_imp}
[Resolved {side} {lobe} pneumonia.|Interval resolution of pneumonia. No underlying mass is evident.|No active
disease.] {fluid2imp}
##
{sign_rad}
"""

_HOME = {
    "sat": "{n:94-97}",
    "curb": "0",
    "given": "First doses of amoxicillin and azithromycin were given here, and oral fluids were tolerated.",
    "where": "Home with amoxicillin for five days and azithromycin. Return if breathing gets worse, if {he} cannot "
    "keep fluids "
    "down, or if fever persists beyond 72 hours. Primary care in one week.",
    "fluid": "No pleural effusion.",
    "fluidimp": "No effusion.",
    "fluid2": "No pleural effusion.",
    "fluid2imp": "",
}
_WARD = {
    "sat": "{n:87-90}",
    "curb": "3",
    "given": "Ceftriaxone and azithromycin IV, one liter of crystalloid, oxygen by nasal cannula.",
    "where": "Admit to medicine. Family reports that he is more confused than usual; delirium is likely, new stroke "
    "is not "
    "suspected.",
    "fluid": "Trace {side} pleural effusion is possible.",
    "fluidimp": "Possible trace effusion.",
    "dxe": "- Acute hypoxemic respiratory failure, resolved\n- Delirium, resolved",
    "course": "Blood and sputum cultures grew {bug}. Confusion on the first two nights was due to delirium and has "
    "resolved; a head "
    "CT was negative for hemorrhage. Bedside swallow evaluation showed no aspiration, but aspiration as the cause "
    "could not be "
    "excluded.",
    "oral": "Cefpodoxime 200 mg twice daily for three more days",
    "stop": "",
    "clinicplan": "I have arranged a chest film and a formal swallowing study.",
    "fluid2": "No pleural effusion.",
    "fluid2imp": "",
}
_EFFUSION = {
    "sat": "{n:88-91}",
    "given": "Ceftriaxone and azithromycin IV and two liters of crystalloid, with improvement of blood pressure.",
    "where": "Admit to [medicine|the respiratory ward] for IV antibiotics and oxygen.",
    "fluid": "[Small {side} pleural effusion.|Blunting of the {side} costophrenic angle indicates a small effusion.]",
    "fluidimp": "[Small {side} parapneumonic effusion.|Small {side} effusion.]",
    "dxe": "- Complicated {side} parapneumonic effusion, drained",
    "course": "Fever continued on the third day, and CT showed a loculated {side} effusion. A 12 French chest tube "
    "was placed under "
    "ultrasound, with [three days|six doses] of intrapleural alteplase and dornase. The fluid was purulent with pH "
    "7.0 and grew "
    "{bug}. Drainage fell below 50 mL a day, and the tube was removed. Surgery was considered, but was not necessary. "
    "There was no "
    "pneumothorax after removal.",
    "oral": "Amoxicillin/clavulanate 875 mg twice daily for three weeks",
    "stop": "[Keep the tube site covered for two days.|Avoid alcohol and tobacco.]",
    "clinicplan": "An ultrasound in clinic showed pleural thickening and no drainable fluid. I have asked for a "
    "repeat chest film.",
    "fluid2": "[Mild residual {side} pleural thickening. No significant effusion.|There is no change in the small "
    "effusion or pleural "
    "thickening at the {side} costophrenic angle since the film at discharge.]",
    "fluid2imp": "Residual {side} pleural thickening.",
}
_PATHS = {"home": _HOME, "ward": _WARD, "effusion": _EFFUSION}
_IN = ("ward", "effusion")
STORY = Story(
    "pneumonia",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED),
        Event("film", RADIOLOGY, "[Chest X-ray|Chest X-ray, two views]", (0, 0), FILM),
        Event("ct", RADIOLOGY, "CT chest with contrast", (3, 3), CT, ("effusion",)),
        Event("home", DISCHARGE, "Discharge summary", (4, 7), SUMMARY, _IN),
        Event("clinic", LETTER, "[Chest clinic letter|Pulmonary clinic letter]", (28, 40), CLINIC, _IN),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (8, 12), OFFICE, ("home",)),
        Event("film2", RADIOLOGY, "[Chest X-ray|Chest X-ray, two views]", (18, 40), FILM2),
    ),
)
