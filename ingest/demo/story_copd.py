"""Exacerbations of COPD over several winters."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "again",
        "sex": "M",
        "age": "68",
        "fev": "41",
        "smoke": "Former smoker, 50 pack-years, quit in 2014.",
        "pmh": "COPD; hypertension; gastroesophageal reflux",
        "meds": "tiotropium 18 mcg inhaled daily; fluticasone/salmeterol 250/50 twice daily; albuterol inhaler as "
        "needed; "
        "lisinopril 20 mg daily; omeprazole 20 mg daily",
        "bug": "a rhinovirus was detected by PCR",
        "ct": "moderate centrilobular emphysema, upper lobe predominant",
    },
    {
        "path": "again",
        "sex": "F",
        "age": "74",
        "fev": "33",
        "smoke": "Smokes five cigarettes a day, 45 pack-years in all.",
        "pmh": "COPD on home oxygen; osteoporosis; anxiety; cataract surgery on both sides",
        "meds": "umeclidinium/vilanterol daily; albuterol nebulizer four times daily; alendronate 70 mg weekly; "
        "sertraline 50 mg daily",
        "bug": "sputum grew Haemophilus influenzae",
        "ct": "severe emphysema with bullae in both upper lobes",
    },
    {
        "path": "once",
        "sex": "M",
        "age": "59",
        "fev": "57",
        "smoke": "Current smoker, one pack per day for 38 years.",
        "pmh": "COPD; type 2 diabetes mellitus; obesity",
        "meds": "tiotropium 18 mcg inhaled daily; albuterol inhaler as needed; metformin 1000 mg twice daily",
        "bug": "influenza A was detected by PCR",
        "ct": "mild centrilobular emphysema and bronchial wall thickening",
    },
    {
        "path": "again",
        "sex": "F",
        "age": "66",
        "fev": "46",
        "smoke": "Former smoker, 30 pack-years, quit in 2010.",
        "pmh": "COPD; atrial fibrillation; history of pulmonary tuberculosis treated in childhood",
        "meds": "tiotropium/olodaterol two puffs daily; apixaban 5 mg twice daily; metoprolol succinate 25 mg daily",
        "bug": "cultures stayed negative",
        "ct": "upper lobe scarring with calcified granulomas and moderate emphysema",
    },
)

ED = """
## {h_cc}
[Shortness of breath.|SOB and cough.|Worsening breathlessness.]
## {h_hpi}
{An_age} {man} with a history of COPD (FEV1 {fev}% predicted) [presents with|is brought by ambulance with|comes in
with] {n:3-5} days of increasing dyspnea, wheeze and cough productive of [green|yellow|thick, discolored] sputum.
[{He} has been using the albuterol inhaler every two hours without relief.|The rescue inhaler no longer helps.|{He}
could not finish a sentence at triage.] [A grandchild had a cold last week.|Symptoms began with a sore throat.] {He}
denies chest pain, hemoptysis, orthopnea and leg swelling. [No recent travel or immobilization.|No history of DVT or
PE.]
## {h_pmh}
{Join:pmh}. [One prior admission for COPD, never intubated.|No previous intubation.]
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_soc}
{social} {smoke}
## {h_fam}
{family}
## {h_exam}
T {f:98.1-99.8} F, BP {n:138-164}/{n:74-90}, HR {n:102-118}, RR {n:24-30}, SpO2 {n:84-88}% on room air, {n:90-93}% on
2 L. [Sitting upright, using accessory muscles.|Speaking in short phrases, pursed-lip breathing.] [Diffuse expiratory
wheeze with prolonged expiration.|Poor air movement and scattered wheeze throughout.] No crackles. No JVD. {legs_ok}
## {h_res}
WBC {f:8.4-13.6}, venous pH 7.{n:30-36}, pCO2 {n:48-61}. Troponin negative. BNP {n:45-130}. [ECG: tachycardia without
ischemic changes.|ECG shows no acute ischemia.] Chest X-ray: [hyperinflation, no infiltrate.|no pneumonia, no
pneumothorax.]
## {h_ed}
Given nebulized albuterol and ipratropium, methylprednisolone 125 mg IV and [azithromycin|doxycycline]. [PE was
considered but is unlikely; Wells score 1.5 and D-dimer within the age-adjusted limit.|Pulmonary embolism was thought
unlikely and was not pursued.] [After an hour {he} still needed oxygen and had work of breathing.|There was partial
improvement only.]
## {h_disp}
Admit to [medicine|the respiratory ward] with acute exacerbation of COPD. BiPAP if {he} tires or the pCO2 rises.
"""

FILM = """
## {h_ind}
[Dyspnea, COPD. Rule out pneumonia.|SOB and cough, known COPD; pneumonia or pneumothorax?|COPD with worsening cough.]
## {h_tech}
{ap_port}
## {h_comp}
{noprior}
## {h_find}
[The lungs are hyperinflated with flattened diaphragms, in keeping with COPD.|Marked hyperexpansion and flattening of
the diaphragms.|Emphysematous change with increased lung volumes.] [There is no focal consolidation.|No airspace
disease.|No lobar consolidation.] [Increased markings at the right base may represent atelectasis; early pneumonia
cannot be excluded.|Streaky left basal opacity, likely atelectasis.|Coarse bronchovascular markings are chronic in
appearance.] No pneumothorax or pleural effusion. {heart_cxr} {bones_old}
## {h_imp}
[Hyperinflation consistent with COPD. No acute infiltrate.|COPD without definite pneumonia. No pneumothorax.|Chronic
obstructive changes; a subtle basal infiltrate is possible, and a follow-up film is suggested if fever develops.]
##
{sign_rad}
"""

SUMMARY = """
## {h_dx}
- Acute exacerbation of COPD
- Acute hypoxemic respiratory failure, [resolved|improved]
{list:pmh}
## {h_adm}
{An_age} {man} with COPD (FEV1 {fev}% predicted) who presented on {d:ed} with dyspnea, wheeze and purulent sputum.
{He} was [hypoxic and tachypneic|in moderate respiratory distress] in the emergency department. There was no chest
pain, and {he} had no clinical evidence of heart failure. {Smoke}
## {h_course}
[Respiratory:|Dyspnea.|Pulmonary.] {He} was treated with scheduled nebulizers, prednisone 40 mg daily for five days
and [azithromycin|doxycycline] for five days. The chest film showed hyperinflation without consolidation; {bug}.
[BiPAP was used on the first night and was not required after that.|{He} did not require noninvasive
ventilation.|Noninvasive ventilation was discussed but never needed.] Oxygen was weaned [over three days|steadily],
and on the day of discharge {he} walked {n:120-260} feet with a saturation no lower than {n:89-92}%.

[Cardiac:|Heart.] Troponin was negative and BNP normal, so CHF was felt to be unlikely. [The heart rate settled as the
breathing improved.|Telemetry showed no new arrhythmia.]

[Glucose rose on steroids and was managed with sliding-scale insulin.|{He} had mild steroid-related insomnia.|{He} was
seen by physical therapy, who found {him} safe to go home.] [Inhaler technique was poor and was taught again.|A spacer
was provided, and technique was checked.] DVT prophylaxis with enoxaparin was given throughout. There was no evidence
of DVT or PE.
## {h_exam}
T {f:97.8-98.6} F, BP {n:118-138}/{n:68-80}, HR {n:76-90}, RR 18. Air entry improved, with [only faint end-expiratory
wheeze|no wheeze at rest]. No crackles. {legs_ok}
## {h_dmeds}
{list:meds}
- Prednisone 40 mg daily, to finish the five-day course
## {h_cond}
[Improved.|Stable on the usual level of oxygen support.|Fair, back to baseline function.]
## {h_inst}
Use the inhalers as taught. [Do not smoke, and avoid smoke from others.|Please keep away from cigarette smoke.] Call
your doctor or return if you become more short of breath, if your sputum turns green or bloody, or if you have a
fever, chest pain or confusion. {diet}
## {h_fu}
- Pulmonary clinic in four to six weeks with spirometry
- Dr. {gp} in one week
- [Influenza and pneumococcal vaccines were offered and given|Pulmonary rehabilitation referral has been sent]
"""

CLINIC = """
Dear Dr. {gp},

[I saw {who} in the chest clinic on {today}, {since:home} after {his} discharge.|Thank you for referring {who},
{an_age} {man}, after a recent admission with COPD.|{Who} attended the pulmonary clinic today for follow-up after
{his} admission of {m:home}.]
## {h_pmh}
{list:pmh}
##
[{He} is back to {his} baseline and walks about {n:150-300} yards on the flat.|Breathlessness has improved to MRC
grade 3.|{He} manages one flight of stairs slowly.] [There is a morning cough with a little white sputum and no
hemoptysis.|{He} coughs daily but has had no blood in the sputum.] {He} does not have orthopnea, weight loss or night
sweats. {Smoke}

Spirometry today: FEV1 {fev}% predicted, ratio 0.{n:41-58}, without significant reversibility. [Saturation {n:92-95}%
at rest on air.|SpO2 {n:91-94}% on air.] On examination the chest was hyperinflated with quiet breath sounds and no
wheeze. There was no clubbing, and there were no signs of cor pulmonale.

[I have added an inhaled steroid in view of the exacerbation.|I have made no change to the inhalers.|We simplified the
inhalers to a single device.] [A CT of the chest has been requested, chiefly to rule out bronchiectasis or an occult
malignancy.|I have asked for a CT scan, since cancer cannot be ruled out on plain films in lungs like these.] {He} has
a rescue pack at home, to be started if the sputum changes color. [Pulmonary rehabilitation begins next month.|{He}
declined pulmonary rehabilitation for now.]

{close}

{bye} // {md}, Pulmonary Medicine
"""

CT = """
## {h_ind}
[COPD, recurrent infections. Rule out bronchiectasis and malignancy.|{Age}-year-old {man}, COPD, assess for emphysema
and occult nodule.]
## {h_tech}
[Helical CT of the chest without contrast.|Noncontrast CT chest, 1.25 mm slices.]
## {h_comp}
Chest radiograph of {m:film}.
## {h_find}
Lungs: {ct}. [No bronchiectasis.|There is no evidence of bronchiectasis.] [A 3 mm nodule in the right middle lobe is
nonspecific.|A 4 mm calcified granuloma in the left lower lobe is benign.|No suspicious pulmonary nodule.] [Dependent
atelectasis, no consolidation.|No consolidation or ground-glass opacity.]

Pleura: no effusion, no thickening.

Mediastinum: [no enlarged lymph nodes.|small nodes, none enlarged by size criteria.] Main pulmonary artery [is not
dilated|measures {n:30-32} mm, which may represent pulmonary hypertension]. Coronary calcification is present.

Upper abdomen: [hepatic cyst, otherwise unremarkable.|unremarkable.|no adrenal mass.]
## {h_imp}
- {Ct}.
- No evidence of malignancy. [No routine follow-up needed.|Consider annual low-dose screening CT if eligible.]
##
{sign_rad}
"""

OFFICE = """
## {h_sub}
[Seen in the office two days after calling about a cold.|Walk-in visit.|Routine review, brought forward because of a
cough.] {He} has had more cough and clear sputum since [the weekend|a family gathering] but is not more breathless
than usual. Denies fever, chest pain, hemoptysis. [Last exacerbation was in {m:home}.|No steroids since {m:home}.]
{Smoke}
## {h_obj}
SpO2 today {n:90-93}% on air, usual for {him}, RR 18, HR {n:78-92}, temp {f:97.9-98.7} F. Chest: quiet breath sounds,
few rhonchi that clear with coughing, no crackles. {heart_ok} {legs_ok}
## {h_ap}
- COPD, FEV1 {fev}% predicted: viral upper respiratory infection without exacerbation. No antibiotics or steroids
today.
- [No evidence of pneumonia clinically; chest X-ray only if fever or purulent sputum.|Pneumonia is unlikely. Film if
worse.]
- [Discussed nicotine exposure and vaccination; influenza vaccine given.|Rescue pack checked, still in date.]
- Return if breathlessness increases or if the sputum turns green.
"""

ED2 = """
## {h_cc}
[Difficulty breathing.|SOB, "same as last time".|Dyspnea and chest tightness.]
## {h_hpi}
{Who} is {an_age} {man} with COPD, last admitted in {m:home}, who returns with [two days|48 hours|since yesterday] of
dyspnea after [running out of the maintenance inhaler|a head cold|cleaning a dusty garage]. [Rescue pack started this
morning.|{He} did not start the rescue pack.] Not only is {he} wheezing, {he} also has sharp [right|left]-sided chest
pain on coughing. No hemoptysis, no fever, no unilateral leg swelling.
## {h_pmh}
{Join:pmh}; {n:2-3} prior exacerbations.
## {h_all}
{allergy}
## {h_exam}
HR {n:98-112}, RR {n:22-26}, BP {n:132-150}/{n:72-86}, SpO2 {n:87-90}% RA. Alert, no asterixis. Wheeze throughout, no
subcutaneous emphysema. Chest wall is tender [over the lower ribs|at the costal margin].
## {h_ed}
Chest X-ray to rule out pneumothorax: none; hyperinflation only, with no new infiltrate. Troponin negative twice.
[D-dimer negative, so PE is ruled out.|CT angiogram: no pulmonary embolism.] The chest pain is reproducible and may
represent a cough-related rib injury; a nondisplaced rib fracture cannot be excluded. After three nebulizers and
prednisone {he} felt much better, walking with SpO2 {n:90-92}%.
## {h_disp}
Home with prednisone for five days [and doxycycline|without antibiotics]. Return if breathing worsens, or if fever or
confusion develops. Clinic within the week.
"""

STORY = Story(
    "copd",
    PATIENTS,
    (
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED),
        Event("film", RADIOLOGY, "[Chest X-ray|Portable chest X-ray]", (0, 0), FILM),
        Event("home", DISCHARGE, "Discharge summary", (4, 6), SUMMARY),
        Event("clinic", LETTER, "[Chest clinic letter|Pulmonary clinic letter]", (30, 50), CLINIC),
        Event("ct", RADIOLOGY, "[CT chest|CT chest without contrast]", (14, 40), CT),
        Event("office", PROGRESS, "[Primary care progress note|Office visit]", (150, 420), OFFICE),
        Event("ed2", EMERGENCY, "[ED note|Emergency department visit]", (120, 500), ED2, ("again",)),
    ),
)
