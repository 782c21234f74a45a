"""Asthma from the first visit with wheeze to control, with a flare on the way."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "admit",
        "sex": "F",
        "age": "19",
        "trigger": "cats and cold air",
        "pmh": "asthma since childhood; eczema; peanut allergy with an epinephrine auto-injector",
        "meds": "fluticasone 110 mcg two puffs twice daily; albuterol inhaler as needed; cetirizine 10 mg daily",
        "smoke": "Does not smoke or vape.",
        "allergy": "Peanut (anaphylaxis). No drug allergies.",
        "fam": "Mother has asthma; brother has hay fever.",
    },
    {
        "path": "home",
        "sex": "M",
        "age": "27",
        "trigger": "flour dust at work",
        "pmh": "asthma, possibly occupational; allergic rhinitis",
        "meds": "budesonide/formoterol 160/4.5 two puffs twice daily and as needed; nasal fluticasone",
        "smoke": "Quit vaping last year.",
        "social": "Works in a bakery and lives with two roommates.",
        "fam": "Father had COPD. No family history of cystic fibrosis.",
    },
    {
        "path": "admit",
        "sex": "M",
        "age": "42",
        "trigger": "paint fumes and cigarette smoke",
        "pmh": "asthma; nasal polyps, status post sinus surgery in 2016; aspirin-exacerbated respiratory disease",
        "meds": "fluticasone/salmeterol 500/50 twice daily; montelukast 10 mg nightly; albuterol inhaler as needed",
        "smoke": "Former smoker, 8 pack-years.",
        "fam": "Sister has asthma. Mother had breast cancer at 49.",
        "allergy": "Aspirin and other NSAIDs (bronchospasm).",
    },
    {
        "path": "home",
        "sex": "F",
        "age": "35",
        "trigger": "exercise and spring pollen",
        "pmh": "mild asthma; hypothyroidism; one uncomplicated pregnancy",
        "meds": "budesonide/formoterol as needed; levothyroxine 50 mcg daily",
        "smoke": "Never smoked.",
        "fam": "No family history of asthma. Father had a PE at 60.",
    },
)

ED = """
## {h_cc}
[Wheezing and chest tightness.|Asthma attack.|SOB since last night.]
## {h_hpi}
{An_age} {man} with a history of asthma presents with [six hours|one day|two days] of wheeze, chest tightness and dry
cough after exposure to {trigger}. [Albuterol ten puffs at home with brief relief.|Used the rescue inhaler every hour
overnight.|{He} had run out of the controller inhaler.] {He} denies fever, sputum, hives and lip swelling. [No chest
trauma.|No leg pain or swelling.] [Never intubated; one ICU stay as a child.|Never intubated, no ICU stay.|No previous
admission for asthma.]
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_fam}
{fam}
## {h_soc}
{social} {smoke}
## {h_exam}
T {f:97.9-99.1} F, BP {n:112-138}/{n:66-84}, HR {n:104-124}, RR {n:22-30}, SpO2 {n:90-95}% RA. Peak flow {n:38-52}% of
best. [Speaks in short sentences.|Intercostal retractions.] Diffuse expiratory wheeze, [symmetric air entry|reduced
air entry at both bases]. No stridor, no urticaria. No crackles. {heart_ok}
## {h_ed}
[Moderate|Moderate to severe] asthma exacerbation. Three albuterol-ipratropium nebulizers, prednisone 50 mg by
mouth{mag}. Chest X-ray to rule out pneumothorax and pneumonia: [negative for both.|no pneumothorax, no infiltrate.]
Anaphylaxis and PE were considered and are unlikely. {result}
## {h_disp}
{where}
"""

FILM = """
## {h_ind}
[Asthma, wheeze, chest tightness. Rule out pneumothorax.|{Age} y/o {man}, asthma exacerbation, r/o pneumonia.|Wheezing
and hypoxia.]
## {h_tech}
{pa_lat}
## {h_comp}
{noprior}
## {h_find}
[Mild hyperinflation.|Lung volumes are increased.|The lungs are hyperexpanded with peribronchial thickening.] [No
focal consolidation.|No lobar airspace disease.|Linear right middle lobe opacity, probably atelectasis from mucus
plugging; early pneumonia cannot be excluded.] No pneumothorax or pneumomediastinum. No pleural effusion. {heart_cxr}
{bones_young}
## {h_imp}
[Hyperinflation, consistent with reactive airways disease. No pneumothorax.|Findings of asthma without
complication.|No acute infiltrate. Mild hyperinflation with possible subsegmental atelectasis.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
- Acute severe asthma exacerbation, [resolved|improved]
{list:pmh}
## {h_adm}
{Who}, {age}, was admitted through the emergency department on {d:ed} with wheeze, dyspnea and a peak flow below half
of {his} best, after exposure to {trigger}. {He} had no fever, and there was no suggestion of anaphylaxis. {Fam}
{Smoke}
## {h_course}
{He} was treated with nebulized albuterol, at first continuously and then every four hours, with prednisone and one
dose of magnesium. [Heliox and noninvasive ventilation were not required.|{He} was watched in the step-down unit for
one night and was never intubated.] Blood gas showed a normal pCO2, and there was no sign of exhaustion. [Viral PCR
was positive for rhinovirus.|Viral PCR was negative.] The chest film showed hyperinflation without pneumonia or
pneumothorax, so antibiotics were not given. [Heart rate settled as albuterol was spaced.|Mild hypokalemia from
albuterol was replaced and resolved.]

Peak flow on the day of discharge was {n:74-88}% of best. Inhaler technique was checked, and {he} now carries a
written action plan. [Vocal cord dysfunction was considered by the pulmonary team but is unlikely.|Allergic
bronchopulmonary aspergillosis was considered because of the eosinophil count; IgE was sent to rule it out.] [Triggers
at home were discussed.|{He} will avoid {trigger} as far as possible.] No evidence of DVT; {he} walked the hallway
throughout {his} stay.
## {h_exam}
{vit_ok} Faint expiratory wheeze on forced expiration only. No retractions. {heart_ok}
## {h_dmeds}
{list:meds}
- Prednisone 50 mg daily for three more days
## {h_cond}
{well}
## {h_inst}
Use the controller inhaler every day, even when you feel well, and rinse your mouth afterwards. Follow the action
plan. Return if you need albuterol more often than every four hours, if your peak flow falls below 50%, if you cannot
speak in sentences, or if your lips turn blue. {diet}
## {h_fu}
- Dr. {gp} within three days
- Asthma clinic in four weeks with spirometry
- IgE and eosinophil results pending
"""

OFFICE = """
## {h_sub}
[Check-up {since:ed} after an asthma flare.|Follow-up of the ED visit on {d:ed}.] [Back to running three times a
week.|Wakes once a week with cough.|Feels almost normal, needs albuterol twice a week.] No chest pain, no fever.
[Steroid course finished without problems, apart from poor sleep.|Mood was low on prednisone but has recovered.]
{Smoke} Family: {fam}
## {h_obj}
{vit_ok} {lungs_clear} [Nasal mucosa pale and boggy.|Nose clear, no polyps seen.] Peak flow {n:82-96}% of best.
## {h_ap}
- Asthma, [recent exacerbation resolved|partly controlled]. Triggers: {trigger}. [Step up controller for three
months.|Continue the current controller; technique corrected.]
- [No need for imaging or antibiotics.|Reflux may be contributing; trial of omeprazole.]
- [Refer to the asthma clinic for spirometry and allergy testing.|Asthma clinic appointment is booked.]
- Action plan renewed: start prednisone if peak flow is below 60%, and come in if it is not better within a day.
"""

CLINIC = """
Dear Dr. {gp},

[{Who} came to the asthma clinic today.|Thank you for referring {who}, {an_age} {man} with asthma triggered by
{trigger}.]

[Since the attack in {m:ed} there has been no further emergency visit.|{He} has had no admission and no oral steroids
since {m:ed}.] [Symptoms: cough on two mornings a week, none at night.|{He} describes wheeze with exertion perhaps
once a week.] {He} denies hoarseness and thrush. {Fam} {Smoke}

Spirometry: FEV1 {n:76-94}% predicted with {n:12-19}% reversibility; FeNO {n:24-68} ppb. [Skin tests were positive for
cat and house dust mite and negative for Aspergillus.|Total IgE {n:140-420}; Aspergillus IgE negative.] {Lungs_clear}

My impression is [allergic asthma, now well controlled|asthma with incomplete control, in part because of missed
doses|asthma; I find no evidence of vocal cord dysfunction or bronchiectasis]. [An occupational component is possible,
and {he} will keep a peak flow diary at work and on days off.|There is no reason to doubt the diagnosis.] [If two or
more attacks occur within a year, we would consider a biologic.|I suggest stepping down in three months if {he} stays
well.] {close}

{bye} // {md} // Allergy and Asthma Service
"""

ED2 = """
## {h_cc}
[@again:Chest pain and cough.|SOB after a workout.|Palpitations and tight chest.|Cough and wheeze.]
## {h_hpi}
{An_age} {man} with asthma, last severe attack in {m:ed}, with [@again:sharp central chest pain since a bout of
coughing|tightness after running in cold air|a racing heart after using albuterol six times|a week of cough after a
cold]. [Not wheezing as much as usual, {he} says.|Mild wheeze only.] No fever, no syncope, no calf pain. No prior PE
or DVT.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_fam}
{fam}
## {h_exam}
{vit_ok} Scattered wheeze, good air movement. No subcutaneous emphysema. {legs_ok}
## {h_ed}
ECG normal. Chest X-ray without pneumothorax, pneumomediastinum or infiltrate. [PERC negative; PE ruled out
clinically.|D-dimer normal, PE ruled out.] Two nebulizers with full relief. [@again:Chest wall pain is likely;
pericarditis is possible, but there is no rub and no ECG change.|Exercise-induced bronchospasm.|Palpitations due to
albuterol; anxiety may play a part.|Mild exacerbation after a viral infection; bacterial infection is unlikely.]
## {h_disp}
Home with a short prednisone course. Return if symptoms recur or if albuterol is needed more than every four hours.
"""

_ADMIT = {
    "mag": ", magnesium 2 g IV",
    "result": "After two hours {he} was still wheezing with a peak flow of {n:45-54}%.",
    "where": "Admit to medicine, albuterol every two hours.",
}
_HOME = {
    "mag": "",
    "result": "After two hours the peak flow was {n:70-82}% and wheeze was minimal.",
    "where": "Home with prednisone for five days and a new controller inhaler. Return if albuterol is needed more "
    "than every four hours, if "
    "{he} becomes exhausted, or if fever develops.",
}
_PATHS = {"admit": _ADMIT, "home": _HOME}
STORY = Story(
    "asthma",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED),
        Event("film", RADIOLOGY, "[Chest X-ray|Chest X-ray, two views]", (0, 0), FILM),
        Event("home", DISCHARGE, "Discharge summary", (2, 3), SUMMARY, ("admit",)),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (5, 10), OFFICE),
        Event("clinic", LETTER, "Asthma clinic letter", (25, 60), CLINIC),
        Event("ed2", EMERGENCY, "[ED note|Emergency department visit]", (200, 700), ED2),
    ),
)
