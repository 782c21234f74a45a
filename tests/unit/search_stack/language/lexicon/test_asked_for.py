"""What researchers, registrars and clinicians ask for by name: concepts of their own, under what they are kinds of."""

from __future__ import annotations

from importlib.resources import as_file, files

import pytest

from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.files import read_lexicon
from search_stack.language.lexicon.matcher import Matcher

NAMED = """
UA positive for nitrites: urinalysis | U/A was clean: urinalysis | her BMI is 41: body mass index
CTPA showed no clot: ct pulmonary angiogram | DXA in May: bone density scan | DEXA scan in May: bone density scan
started on NIV: noninvasive ventilation | QTc 512 ms: qtc interval
ESBL in the urine: extended spectrum beta lactamase infection | treated for C.diff: clostridium difficile infection
C. diff colitis: clostridium difficile infection | C. difficile again: clostridium difficile infection
recurrent CDI: clostridium difficile infection | CLABSI: central line associated bloodstream infection
central line infection: central line infection | CAUTI: urinary catheter infection
catheter-associated urinary tract infection: urinary catheter infection | MRSA bacteremia: mrsa bacteremia
colonized with MRSA: mrsa colonization | VRE bacteremia: vre bacteremia
sternal wound infection: sternal wound infection | surgical site infection: surgical site infection
bleeding esophageal varices: variceal bleeding | variceal hemorrhage: variceal bleeding
upper GI bleed: upper gastrointestinal bleeding | gastric varices: gastric varices
overdosed on heroin: heroin overdose | Tylenol overdose: acetaminophen overdose | opioid overdose: opioid overdose
rising PSA: rising psa | the tumor is HER2 positive: her2 positive | HER2/neu by FISH: her2 status
ER-positive disease: estrogen receptor positive | ER negative: estrogen receptor negative
triple negative breast cancer: triple negative breast cancer | EGFR mutation: egfr mutation
KRAS mutated: kras mutation | BRAF V600E: braf v600e mutation | ALK rearrangement: alk rearrangement
BRCA1 carrier: brca1 mutation | BRCA-2 mutation: brca2 mutation | BRCA carrier: brca mutation
no evidence of disease: no evidence of disease
lymphoma in remission: in remission | melanoma in situ: melanoma in situ | invasive melanoma: invasive melanoma
lobular carcinoma in situ: lobular carcinoma in situ | ductal carcinoma in situ: ductal carcinoma in situ
stage III colon cancer: stage iii cancer | uterine cancer: uterine cancer | renal cell cancer: renal cell carcinoma
sudden cardiac death: sudden cardiac death | he left AMA: left against medical advice
left against medical advice: left against medical advice | readmitted in June: readmission
has a plan to kill himself: suicide plan | denies suicidal plan: suicide plan | attempted suicide: suicide attempt
passive suicidal ideation: passive suicidal ideation | command hallucinations: command hallucinations
heparin for DVT prophylaxis: venous thromboembolism prophylaxis
thromboprophylaxis: venous thromboembolism prophylaxis | she is DNI: do not intubate | full code: full code
acute pancreatitis: acute pancreatitis | gallstone pancreatitis: gallstone pancreatitis
Murphy's negative: murphy sign | home O2 at night: home oxygen | colorectal cancer: colorectal cancer
on Remicade: infliximab | on Humira: adalimumab | Enbrel weekly: etanercept | gout flare: gout attack
sickle cell crisis: vaso occlusive crisis | postoperative ileus: postoperative ileus
chronic kidney disease, stage III: stage 3 chronic kidney disease | right foot ulcer: foot ulcer
loss of consciousness: loss of consciousness | TEE was done: transesophageal echocardiogram
blindness of one eye: blindness | generalized tonic clonic seizure: tonic clonic seizure
femoral neck fracture: femoral neck fracture | Colles fracture: distal radius fracture
lidocaine 1 %: lidocaine | Marcaine: bupivacaine | on Levophed: norepinephrine | Ozempic: semaglutide
Percocet: oxycodone acetaminophen | Suboxone: buprenorphine-naloxone | Detrol: tolterodine | Cialis: tadalafil
loss to follow-up, lost to follow up: lost to follow up | four-point restraints: physical restraint
stage 2 pressure ulcer: stage 2 pressure ulcer | hemophilia A: hemophilia a
on Keytruda: pembrolizumab | Eylea injection: aflibercept | Revlimid 10 mg: lenalidomide | on Orencia: abatacept
PPH of 1.5 L: postpartum hemorrhage | treated for PJP: pneumocystis pneumonia | latent TB: latent tuberculosis
elevated LFTs: elevated liver enzymes | takes a benzo: benzodiazepine | frail: frailty | MAP 55: mean arterial pressure
coronary aneurysm: coronary artery aneurysm | good fetal movement: fetal movement | TSH 4.2: thyroid stimulating hormone
vancomycin trough 18: vancomycin level | exchange transfusion: exchange transfusion
KPS 80: karnofsky performance status
reactive PPD: positive ppd | PPD converter: positive ppd | Mucinex DM: cough remedy | Duraphen II DM: cough remedy
euglycemic DKA: euglycemic diabetic ketoacidosis | DigiFab: digoxin immune fab | PDA ligation: ductus ligation
threatened miscarriage at 9 weeks: threatened abortion | missed miscarriage on scan: missed abortion
placenta percreta: placenta percreta | two vessel cord: two vessel cord | started Syntocinon: oxytocin
Bakri balloon inserted: bakri balloon | B-Lynch suture: b-lynch suture | NIPT low risk: noninvasive prenatal testing
MCDA twins at 24/40: monochorionic twin pregnancy | hydrops fetalis: hydrops fetalis
PCEA sited: patient controlled epidural analgesia
3b tear repaired in theatre: third degree laceration | chocolate cyst on the left: endometrioma
ring pessary changed: ring pessary
lost coil threads: missing iud strings | Asherman's syndrome: asherman syndrome | given ellaOne: ulipristal
oligoasthenozoospermia: oligoasthenozoospermia | egg collection on Friday: oocyte retrieval
HyCoSy normal: hysterosalpingo-contrast sonography
germinal matrix haemorrhage: germinal matrix hemorrhage | Klumpke's palsy: klumpke palsy
UVC in situ: umbilical venous catheter
failed Guthrie test: newborn blood spot test | clicky hips: hip click | Pierre Robin: pierre robin sequence
duodenal atresia: duodenal atresia | strawberry naevus: infantile hemangioma | faltering growth: failure to thrive
viral induced wheeze: viral induced wheeze | spastic diplegia: spastic diplegia | MCUG booked: voiding cystourethrogram
sanfilippo syndrome: sanfilippo syndrome | pulled elbow: nursemaid elbow | BXO: balanitis xerotica obliterans
ADEM: acute disseminated encephalomyelitis | Prader-Willi, obese: prader willi syndrome
CPAM on antenatal scan: congenital pulmonary airway malformation
FND clinic: functional neurological disorder | EMDR for trauma: eye movement desensitization and reprocessing
BPSD: behavioral and psychological symptoms of dementia
given procyclidine: procyclidine | Capgras delusion: capgras syndrome | thought broadcasting: thought broadcasting
passivity phenomena: passivity phenomena | poverty of speech: poverty of speech | dermatillomania: skin picking disorder
magic mushrooms: psilocybin | GHB: gamma hydroxybutyrate | started reboxetine: reboxetine
ADOS completed: autism diagnostic observation schedule
guttate psoriasis: guttate psoriasis | seb derm of the scalp: seborrheic dermatitis | pompholyx: dyshidrotic eczema
telogen effluvium: telogen effluvium | nail pitting: nail pitting | chilblains on the toes: chilblain
Gorlin syndrome: gorlin syndrome
morphoeic BCC: morpheaform basal cell carcinoma | Norwegian scabies: crusted scabies
Dovobet: calcipotriol with betamethasone
LGV: lymphogranuloma venereum | mycoplasma genitalium on NAAT: mycoplasma genitalium infection | UPSI: unprotected sex
ear syringing: ear irrigation | Dix-Hallpike positive: dix-hallpike test | QRISK3 of 12: qrisk score
Redivac removed: redivac drain | MASD to the groin: moisture associated skin damage | IDDSI level 4: iddsi level
bilateral bed rails up: bed rails | videofluoroscopy: videofluoroscopic swallow study
independent with ADLs: independent in activities of daily living
SLAP tear: superior labrum anterior posterior tear | jumper's knee: patellar tendinitis | MTSS: shin splint
tfcc tear: triangular fibrocartilage complex tear
PLMD: periodic limb movement disorder | sleep talking: sleep talking | FBSS: failed back surgery syndrome
Qutenza patch: capsaicin cream
pes cavus: pes cavus | IGTN: ingrown toenail | package of care restarted: package of care | she is a widow: widowed
vegan: vegan diet
having fits: seizure | fluid on the lungs: pulmonary edema | period pains: painful menstruation
clogged ducts: blocked milk duct
"""
OTHER = """
renal osteodystrophy: remission | foot ulcer: diabetic foot ulcer | colorectal cancer: colon cancer
do not intubate: do not resuscitate | for DVT prophylaxis: deep vein thrombosis
VTE prophylaxis: venous thromboembolism | sickle cell disease: vaso occlusive crisis
decreased fetal movement: fetal movement | anxiety medication: benzodiazepine | two units of blood: platelet transfusion
debility: frailty | ECOG 1: karnofsky performance status | free T4: thyroid stimulating hormone
Dr. Murphy saw him: murphy sign | suicidal ideation: suicide plan | infliximab: adalimumab
pancreatitis: acute pancreatitis | hemophilia: hemophilia a | prone position on the table: prone positioning
Veterans Administration hospital: veteran | acute renal failure and liver failure: acute liver failure
non-muscle invasive bladder cancer: muscle invasive bladder cancer | intoxicated: drug overdose
prosthetic valve and suspected endocarditis: prosthetic valve endocarditis | blind end of the vein: blindness
no evidence of disease progression: no evidence of disease | ductal carcinoma in situ: carcinoma in situ
fundi with discs with clear margins: negative margins | loss of consciousness: syncope
bare metal stent: drug eluting stent | open cholecystectomy: laparoscopic cholecystectomy
subcutaneous heparin: low molecular weight heparin | orotracheal intubation: reintubation
allergic to penicillin: penicillin allergy | bowel prep: pre exposure prophylaxis | child restraint: physical restraint
a history of smoking: history of smoking | gemfibrozil: fenofibrate | propylthiouracil: methimazole
Metzenbaum scissors were used: scissor gait | hauling corn: corns | the skin was undermined: wound undermining
the catheter was repositioned: pressure relief repositioning | the area was tattooed with India ink: tattoo
eustachian tubes were patent: tubal patency | pierced the fascia: body piercing
the coil fitting went well: seizure
taken to the endoscopy suite: endoscopy | prone in the fluoroscopy suite: fluoroscopy
in the same day surgery unit: surgery
"""
"""Words, and what they do not name; what no concept is called is never named."""
UNDER = """
drug overdose: opioid overdose, heroin overdose, acetaminophen overdose, intentional overdose
elevated prostate specific antigen: rising psa
tnf inhibitor: infliximab, adalimumab, etanercept
colorectal cancer: colon cancer, rectal cancer
pancreatitis: acute pancreatitis, gallstone pancreatitis, chronic pancreatitis
vaso occlusive crisis: sickle cell pain crisis
suicidal ideation: suicide plan, passive suicidal ideation
self harm: suicide attempt, intentional overdose
gastrointestinal bleeding: variceal bleeding, upper gastrointestinal bleeding, hematemesis
urinary tract infection: urinary catheter infection
bacteremia: central line associated bloodstream infection, mrsa bacteremia
wound infection: surgical site infection, sternal wound infection
breast cancer: triple negative breast cancer, her2 positive breast cancer
code status: do not resuscitate, do not intubate, full code
oxygen therapy: home oxygen
ileus: postoperative ileus
vascular stent: coronary stent, drug eluting stent, bare metal stent
echocardiogram: transesophageal echocardiogram, transthoracic echocardiogram
local anesthetic: lidocaine, bupivacaine, lidocaine patch
anticoagulant: apixaban, warfarin, enoxaparin
loss of consciousness: syncope
skin ulcer: foot ulcer, diabetic foot ulcer
"""


def pairs(table: str) -> list[tuple[str, str]]:
    told = (row for line in table.strip().splitlines() for row in line.split(" | "))
    return [(text.strip(), name.strip()) for text, _, name in (row.rpartition(":") for row in told)]


@pytest.mark.parametrize(("text", "name"), pairs(NAMED))
def test_the_text_names_it(lexicon: Lexicon, matcher: Matcher, text: str, name: str) -> None:
    known = lexicon.find(name)
    assert known
    assert known.id in {m.concept for m in matcher.mentions(text, 0, len(text))}


@pytest.mark.parametrize(("text", "name"), pairs(OTHER))
def test_the_text_means_something_else(lexicon: Lexicon, matcher: Matcher, text: str, name: str) -> None:
    known = lexicon.find(name)
    assert known is None or known.id not in {m.concept for m in matcher.mentions(text, 0, len(text))}


@pytest.mark.parametrize(("wide", "narrow"), [(w, n.strip()) for w, listed in pairs(UNDER) for n in listed.split(",")])
def test_the_wider_one_has_it_below(lexicon: Lexicon, wide: str, narrow: str) -> None:
    above, below = lexicon.find(wide), lexicon.find(narrow)
    assert above
    assert below
    assert below.id in lexicon.descendants(above.id)


def test_every_exact_name_means_itself(lexicon: Lexicon, matcher: Matcher) -> None:
    """Not only a narrower one."""
    with as_file(files("search_stack.language.lexicon") / "data" / "exact.csv") as file:
        exact = read_lexicon(file)
    lost = [
        (c.id, name)
        for c in exact
        for name in (*c.phrases, *c.abbreviations)
        if c.id not in {m.concept for m in matcher.mentions(name, 0, len(name))}
    ]
    assert lost == []
