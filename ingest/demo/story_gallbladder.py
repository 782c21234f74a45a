"""Gallstones: an inflamed gallbladder, its removal, in some a stone in the duct."""

from __future__ import annotations

from ingest.demo.story import DISCHARGE, EMERGENCY, LETTER, OPERATIVE, PROGRESS, RADIOLOGY, Event, Story

PATIENTS = (
    {
        "path": "simple",
        "sex": "F",
        "age": "43",
        "pmh": "obesity; gestational diabetes, resolved",
        "meds": "ibuprofen as needed",
        "smoke": "Never smoked.",
        "mm": "14",
        "meal": "a fried chicken dinner",
    },
    {
        "path": "duct",
        "sex": "F",
        "age": "66",
        "pmh": "hypertension; history of diverticulitis; hysterectomy",
        "meds": "losartan 50 mg daily; psyllium daily",
        "smoke": "Former smoker.",
        "mm": "6",
        "meal": "a wedding meal",
    },
    {
        "path": "simple",
        "sex": "M",
        "age": "57",
        "pmh": "type 2 diabetes; COPD, mild; inguinal hernia repair",
        "meds": "metformin 1000 mg twice daily; tiotropium inhaled daily",
        "smoke": "Smokes half a pack a day.",
        "mm": "11",
        "meal": "pizza",
    },
    {
        "path": "duct",
        "sex": "M",
        "age": "74",
        "pmh": "atrial fibrillation on apixaban; CHF; status post coronary stent in 2014",
        "meds": "apixaban 5 mg twice daily; metoprolol 50 mg daily; furosemide 20 mg daily; atorvastatin 40 mg nightly",
        "smoke": "Never smoked.",
        "mm": "8",
        "meal": "a light supper",
    },
)

ED = """
## {h_cc}
[Right upper quadrant pain.|Abdominal pain and vomiting.|RUQ pain since last night.]
## {h_hpi}
{An_age} {man} with {n:10-30} hours of constant right upper quadrant pain [radiating to the right shoulder blade|going
through to the back], which began after {meal}. [Vomited three times, no blood.|Nausea without vomiting.] {Yellow}
[Similar but shorter attacks over the past months.|Two milder episodes this year that resolved on their own.] No
diarrhea, no dysuria. {He} denies chest pain and dyspnea.
## {h_pmh}
{Join:pmh}.
## {h_meds}
{list:meds}
## {h_all}
{allergy}
## {h_fam}
{family}
## {h_soc}
{social} {smoke}
## {h_exam}
T {f:100.0-101.8} F, BP {n:118-148}/{n:66-86}, HR {n:92-112}, SpO2 {n:95-98}% RA. {icterus} {lungs_clear} Abdomen:
tender in the RUQ with [a positive Murphy sign|inspiratory arrest on palpation], voluntary guarding, no rebound. No
CVA tenderness.
## {h_res}
WBC {f:12.4-17.8}, {liver}, lipase {n:24-58} (normal). ECG without ischemia; troponin negative. Ultrasound: gallstones
and wall thickening.
## {h_ed}
Acute cholecystitis. [Acute coronary syndrome ruled out.|Myocardial infarction was ruled out by ECG and troponin.]
Pancreatitis is not present. {duct} [Perforated ulcer was considered; upright film shows no free air.|Right lower lobe
pneumonia was considered; chest film clear.] Ceftriaxone and metronidazole started.
## {h_disp}
Admit to surgery, NPO.
"""

US = """
## {h_ind}
[RUQ pain and fever, rule out cholecystitis.|Right upper quadrant pain after meals; gallstones?]
## {h_tech}
Ultrasound of the right upper quadrant.
## {h_comp}
{noprior}
## {h_find}
Gallbladder: [multiple shadowing stones up to {mm} mm|several mobile stones, the largest {mm} mm, one fixed in the
neck]. Wall {n:5-8} mm, with [pericholecystic fluid|a thin rim of fluid]. Sonographic Murphy sign positive. {cbd}
Liver: [mildly echogenic, suggesting steatosis|normal echotexture]; no focal lesion. Pancreas partly obscured by bowel
gas. Right kidney without hydronephrosis. No ascites. [No right pleural effusion.|Trace right pleural effusion is
possible.]
## {h_imp}
- Cholelithiasis with findings of acute cholecystitis.
- {cbdimp}
##
{sign_rad}
"""

MRCP = """
## {h_ind}
Cholecystitis, jaundice and dilated common duct. Rule out choledocholithiasis.
## {h_tech}
MRCP with heavily T2-weighted sequences, without contrast.
## {h_comp}
Ultrasound of {d:us}.
## {h_find}
The common bile duct measures {n:9-12} mm. [A 5 mm filling defect lies just above the ampulla.|Two filling defects of
4 to 5 mm are seen in the distal duct.] Mild intrahepatic dilatation. The pancreatic duct is normal, and there is no
pancreatic mass, although a small ampullary lesion cannot be excluded. Gallbladder wall edema and stones as before. No
liver abscess. [Simple renal cysts.|Small hiatal hernia.]
## {h_imp}
- Choledocholithiasis with biliary dilatation.
- Acute cholecystitis.
- [No evidence of pancreatitis.|No abscess.]
##
{sign_rad}
"""

CHOLE = """
## Preoperative diagnosis
Acute cholecystitis{afterercp}.
## Postoperative diagnosis
[Same.|Acute cholecystitis, no evidence of perforation.]
## Procedure
Laparoscopic cholecystectomy [with intraoperative cholangiogram|].
## Surgeon
{surgeon}
## Anesthesia
General endotracheal.
## Indications
{An_age} {man} with acute cholecystitis on ultrasound. Risks discussed: bleeding, infection, bile duct injury,
retained stone, and conversion to open surgery.
## Findings
[Tense, edematous gallbladder wrapped in omentum.|Thick-walled gallbladder with a stone in the neck.|Hydropic
gallbladder, decompressed with a needle.] No gangrene or perforation. [Liver smooth, no masses.|Mild fatty liver.]
## {h_op}
[The abdomen was entered with the open technique at the umbilicus.|Pneumoperitoneum was established through an
umbilical port.] Three further ports were placed. [Adhesions were taken down bluntly.|The omentum was swept off.] The
critical view of safety was obtained, with two and only two structures entering the gallbladder. The cystic duct and
artery were clipped and divided. The gallbladder was removed from the liver bed with cautery and taken out in a bag.
[Some bile was spilled, no stones were lost, and the field was irrigated.|There was no bile spillage.] Hemostasis was
good. [No drain was left.|A drain was not needed.]
## Estimated blood loss
{n:15-60} mL.
## Specimen
Gallbladder with stones.
## Complications
None.
## Plan
[Clear liquids tonight.|Regular diet as tolerated.] If bilirubin rises, rule out a retained stone.
"""

WARD = """
## {h_sub}
POD 1, laparoscopic cholecystectomy. [Sore at the umbilicus, shoulder tip ache.|Pain 2/10.] [Tolerating toast.|Had
soup, no nausea.] Passing gas. Denies chest pain and SOB.
## {h_obj}
{vit_ok} {lungs_clear} Abdomen soft, tender at the port sites only, no rebound. {wound_ok} {fading} {legs_ok} WBC
{f:8.2-11.0}, bilirubin {bili}.
## {h_ap}
- {An_age} {man} recovering from acute cholecystitis. [No evidence of bile leak.|Bile leak not suspected.]
- Stop antibiotics. [Pathology is pending; incidental cancer is unlikely.|Await pathology.]
- {extra}
- Home [today|this afternoon] if lunch is tolerated. Return if fever, jaundice or worsening pain.
"""

SUMMARY = """
## {h_dx}
- Acute cholecystitis, status post laparoscopic cholecystectomy
{dxe}
{list:pmh}
## {h_adm}
{Who} came in on {d:ed} with right upper quadrant pain that started after {meal}, with fever and a raised white count.
Ultrasound showed gallstones up to {mm} mm and a thickened gallbladder wall. {Yellow} Acute coronary syndrome was
ruled out. {Smoke} [{social}|{family}]
## {h_course}
{course} Laparoscopic cholecystectomy was performed on {d:op}. [The gallbladder was acutely inflamed but not
perforated.|The operation was not complicated.] [Conversion to an open operation was not necessary.|No drain was
left.]

[After surgery|Postoperatively] pain was controlled with acetaminophen and small doses of oxycodone. {He} ate and
walked on the first day. Antibiotics were stopped after surgery. [There was no fever after the first night.|The fever
resolved, and the white count came down.] {livertests} {extracourse} There was no evidence of bile leak, wound
infection, pneumonia, or DVT.

[Pathology is pending at the time of discharge.|Final pathology was not available when {he} left.]
## {h_exam}
{vit_ok} {fading} {heart_ok} Abdomen soft, mildly tender at the umbilicus. {wound_ok}
## {h_dmeds}
{list:meds}
- Acetaminophen 1 g every eight hours as needed
## {h_cond}
{well}
## {h_inst}
You may shower tomorrow. Do not lift more than 15 pounds for two weeks. Loose stools after fatty food are common for a
few weeks. Return if you have fever, yellow eyes or skin, dark urine, worsening abdominal pain, vomiting, redness or
drainage at the wounds, chest pain, or shortness of breath. {diet}
## {h_fu}
- Surgery clinic in two to three weeks
- Dr. {gp} in one month
"""

CLINIC = """
Dear Dr. {gp},

[{Who} was seen in the surgical clinic {since:op} after laparoscopic cholecystectomy.|I reviewed {who} today,
{since:op} after removal of {his} gallbladder.] {He} is [well, eating normally|very well, apart from loose stools
after rich meals]. {He} denies fever, jaundice, pain and vomiting. {Lateextra}

On examination the abdomen is soft, and the port sites have healed [without hernia|and show no sign of infection].
There is no icterus.

Pathology showed acute on chronic cholecystitis with stones, and no malignancy. [Liver tests are normal.|Bilirubin and
alkaline phosphatase are back to normal.]

No further appointment is needed. [If pain like that before surgery comes back, a retained stone should be ruled out
with liver tests and MRCP.|Should jaundice or fever occur, please send {him} back without delay.] Family history:
{family} {close}

{bye} // {md} // General Surgery
"""

ED2 = """
## {h_cc}
[Epigastric pain.|Upper abdominal pain, "like my gallbladder".]
## {h_hpi}
{An_age} {man}, status post cholecystectomy in {m:op}, with [one day|three days] of burning epigastric pain, [worse
when lying down|worse after coffee] and without vomiting. No fever, no jaundice, no dark urine. No melena. Takes
[ibuprofen for back pain most days|naproxen at times]. Denies chest pain or SOB.
## {h_pmh}
{Join:pmh}. History of acute cholecystitis, resolved.
## {h_all}
{allergy}
## {h_exam}
{vit_ok} {heart_ok} Abdomen soft, mild epigastric tenderness, no guarding, no Murphy sign. Scars well healed.
## {h_res}
Liver tests and lipase normal, WBC {f:6.2-9.4}, troponin negative, ECG unchanged. Bedside ultrasound: duct {n:5-6} mm,
no stone seen.
## {h_ed}
Retained stone [ruled out as far as possible|unlikely with normal liver tests]. Gastritis or reflux is likely; peptic
ulcer cannot be excluded. Relief with an antacid and famotidine. [Pancreatitis ruled out.|No evidence of pancreatitis
or ACS.]
## {h_disp}
Home on omeprazole for four weeks, stop NSAIDs. Endoscopy if not better. Return if there is vomiting of blood, black
stool, fever or jaundice.
"""

_SIMPLE = {
    "yellow": "[{He} has not noticed jaundice or dark urine.|No jaundice.]",
    "icterus": "Sclerae anicteric.",
    "liver": "bilirubin {f:0.6-1.2}, ALT {n:24-58}",
    "duct": "Normal bilirubin; a common duct stone is unlikely.",
    "cbd": "Common bile duct {n:4-5} mm, no intraductal stone.",
    "cbdimp": "No biliary dilatation.",
    "afterercp": "",
    "extra": "No signs of DVT; walks in the hallway.",
    "dxe": "",
    "course": "{He} was treated with intravenous fluids, ceftriaxone and metronidazole. Bilirubin was normal, and a "
    "common duct stone was not suspected.",
    "extracourse": "",
    "lateextra": "",
    "fading": "Sclerae anicteric.",
    "bili": "{f:0.6-1.1}",
    "livertests": "Liver tests were normal on the last day.",
}
_DUCT = {
    "yellow": "A relative noticed yellow eyes, and {he} had dark urine on the day of admission.",
    "icterus": "Scleral icterus.",
    "liver": "bilirubin {f:3.2-5.4}, ALP {n:240-420}, ALT {n:140-260}",
    "duct": "Jaundice makes a common duct stone probable; ascending cholangitis cannot be excluded, so GI is "
    "consulted for MRCP and ERCP.",
    "cbd": "Common bile duct dilated to {n:9-11} mm; the distal end is hidden by gas, and a stone there cannot be "
    "excluded.",
    "cbdimp": "Dilated common duct, suspicious for choledocholithiasis. MRCP suggested.",
    "afterercp": ", status post ERCP with stone extraction",
    "extra": "Duct stones cleared at ERCP; bilirubin falling. No post-ERCP pancreatitis.",
    "dxe": "- Choledocholithiasis, status post ERCP with sphincterotomy",
    "course": "Because of jaundice and a dilated duct, MRCP was done and showed choledocholithiasis. ERCP the next "
    "day cleared the duct after sphincterotomy; there was no "
    "pus, and cholangitis was felt to be unlikely. {He} did not develop pancreatitis.",
    "extracourse": "[Blood pressure stayed in range.|Cardiac medication was resumed in steps, and there was no heart "
    "failure or bleeding.]",
    "lateextra": "The jaundice has resolved completely.",
    "fading": "Faint scleral icterus, fading.",
    "bili": "{f:1.5-2.3}",
    "livertests": "Bilirubin had fallen by half by the last day.",
}
_PATHS = {"simple": _SIMPLE, "duct": _DUCT}
STORY = Story(
    "gallbladder",
    tuple({**patient, **_PATHS[patient["path"]]} for patient in PATIENTS),
    (
        Event("ed", EMERGENCY, "[ED note|Emergency department visit]", (0, 0), ED),
        Event("us", RADIOLOGY, "[Ultrasound of the abdomen|Right upper quadrant ultrasound]", (0, 0), US),
        Event("mrcp", RADIOLOGY, "MRCP", (1, 1), MRCP, ("duct",)),
        Event("op", OPERATIVE, "Laparoscopic cholecystectomy", (1, 2), CHOLE, ("simple",)),
        Event("op", OPERATIVE, "Laparoscopic cholecystectomy", (2, 3), CHOLE, ("duct",)),
        Event("ward", PROGRESS, "[Surgery progress note|Progress note]", (1, 1), WARD),
        Event("home", DISCHARGE, "Discharge summary", (0, 1), SUMMARY),
        Event("clinic", LETTER, "[Surgical clinic letter|General surgery clinic letter]", (14, 24), CLINIC),
        Event("ed2", EMERGENCY, "[ED note|Emergency department visit]", (200, 900), ED2),
    ),
)
