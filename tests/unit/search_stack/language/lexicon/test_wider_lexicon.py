"""The shipped lexicon of tests, steps, devices, drugs and general words: sound as a file, right on sentences."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("olecranon-fracture", "fracture"),
        ("mantle-cell-lymphoma", "lymphoma"),
        ("blood-urea-nitrogen", "laboratory-test"),
        ("chest-x-ray", "x-ray"),
        ("clozapine", "antipsychotic"),
        ("thyroid-surgery", "surgery"),
        ("red-rubber-catheter", "catheter"),
        ("venous-thromboembolism", "blood-clot"),
        ("muscle-cramps", "spasm"),
        ("local-recurrence", "recurrence"),
        ("polypropylene-mesh", "surgical-mesh"),
        ("zenker-diverticulum", "diverticulum"),
        ("gastroesophageal-reflux-disease", "reflux"),
        ("interbody-fusion", "surgical-fusion"),
        ("comprehensive-metabolic-panel", "metabolic-panel"),
        ("nasal-congestion", "congestion"),
        ("surgical-complication", "complication"),
        ("carotid-bruit", "bruit"),
        ("decorticate-posturing", "abnormal-posturing"),
    ],
)
def test_a_parent_has_its_children(lexicon: Lexicon, child: str, parent: str) -> None:
    assert child in lexicon.descendants(parent)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("CBC and BMP were sent; BUN was 31.", "complete blood count"),
        ("CBC and BMP were sent; BUN was 31.", "basic metabolic panel"),
        ("CBC and BMP were sent; BUN was 31.", "blood urea nitrogen"),
        ("The mole was excised under local.", "excision"),
        ("Skin was closed with 4-0 Monocryl.", "suture"),
        ("A JP drain was left in the wound.", "surgical drain"),
        ("He takes Clozaril at night.", "clozapine"),
        ("She drinks alcohol at weekends.", "alcohol use"),
        ("There is a narrowing of the lumen.", "narrowing"),
        ("Pus ran from the wound.", "purulent drainage"),
        ("The edges were torn.", "tear"),
        ("Tingling of the fingers.", "paresthesia"),
        ("Suspicious for an ovarian neoplasm.", "tumor"),
        ("Nerve conduction studies were normal.", "nerve conduction study"),
        ("No acute cardiopulmonary process.", "cardiopulmonary abnormality"),
        ("Recurrence of the bunion.", "recurrence"),
        ("There is a two-vessel coronary disease.", "multivessel coronary artery disease"),
        ("She takes Levothroid.", "levothyroxine"),
        ("No murmurs, clicks or rubs.", "click"),
        ("Rectal mesh was removed.", "surgical mesh"),
        ("A reversible defect of the inferior wall.", "perfusion defect"),
        ("No adventitious sounds.", "adventitious breath sounds"),
        ("Photic stimulation showed no change.", "photic stimulation"),
        ("AP and lateral views were obtained.", "radiographic view"),
        ("He was immunized last year.", "immunization"),
        ("Problems with memory and sleep.", "memory loss"),
        ("A double-stranded DNA was negative.", "anti-dsdna"),
        ("Left salpingooophorectomy.", "salpingo-oophorectomy"),
        ("HSV PCR is pending.", "polymerase chain reaction"),
        ("Desires permanent sterilization.", "sterilization"),
        ("Audible congestion and wheezing.", "congestion"),
        ("Cut with a sagittal saw.", "sagittal saw"),
        ("No sensory deficits, no deficits of tone.", "deficit"),
        ("Discectomy with fusion.", "surgical fusion"),
        ("A neurology consult was called.", "specialist consultation"),
        ("The placenta was delivered intact.", "placental delivery"),
        ("A parapatellar arthrotomy.", "arthrotomy"),
        ("The bone flap was put back.", "tissue flap"),
        ("Intubated, on ventilatory support.", "mechanical ventilation"),
        ("She was cardioverted.", "cardioversion"),
        ("Renin and aldosterone were sent.", "aldosterone measurement"),
        ("The nitrazine test was positive.", "rupture of membranes test"),
        ("Checked with a depth gauge.", "bone instrument"),
        ("A portable chest was done.", "chest x ray"),
        ("Applanation pressures are 15 mmHg.", "applanation tonometry"),
        ("Hyperdynamic systolic function.", "hyperdynamic left ventricle"),
        ("Slowed saccades, no impersistence.", "abnormal saccades"),
        ("COMPLICATIONS: None.", "complication"),
        ("No abdominal bruits.", "bruit"),
        ("A FADIR test was done.", "FADIR test"),
        ("A mucous retention cyst in the sinus.", "mucous retention cyst"),
        ("Decorticate posturing on the left.", "decorticate posturing"),
        ("Absent gag reflex.", "absent gag reflex"),
        ("The bladder is distended with urine.", "distended bladder"),
        ("Severely depressed LV function.", "reduced ejection fraction"),
        ("Under subarachnoid block.", "spinal anesthesia"),
        ("An excellent reduction was held with pins.", "surgical reduction"),
        ("Unable to make a fist.", "unable to make a fist"),
        ("A hard time getting out of bed.", "difficulty with transfers"),
        ("Difficulty in following the commands.", "inability to follow commands"),
        ("The patient could not remember the words.", "memory loss"),
        ("Cut with a #15 blade.", "scalpel"),
        ("She bled heavily.", "bleeding"),
        ("He broke his arm.", "broken arm"),
        ("Optokinetic testing was normal.", "optokinetic testing"),
        ("Pseudophakic in both eyes.", "pseudophakia"),
        ("Hemostasis was checked before closure.", "surgical closure"),
        ("The repair was oversewn.", "surgical repair"),
        ("The retinaculum was released.", "surgical release"),
        ("The neurology referral is pending.", "neurology consultation"),
        ("The vessel is nondominant.", "coronary dominance"),
        ("A pullback gradient was obtained.", "catheter pullback"),
        ("Weight bearing on the left.", "weight bearing"),
        ("He fell on the stairs.", "accidental fall"),
        ("Extubated in the morning.", "extubation"),
        ("The rash itches; no blisters.", "blister"),
        ("HbA1c 9.1 in May.", "hemoglobin a1c"),
        ("Tolerating a regular diet.", "diet"),
        ("A somewhat diminished appetite.", "loss of appetite"),
        ("The absence of bowel sounds.", "decreased bowel sounds"),
        ("There is restricted mobility.", "decreased mobility"),
        ("She lost strength in the left arm.", "decreased strength finding"),
        ("Increased jugular venous pressure.", "jugular venous distension"),
        ("Admitted with trouble voiding.", "urinary symptom"),
        ("Burning with voiding.", "dysuria"),
        ("He found it difficult to walk.", "difficulty walking"),
        ("A pain which radiates down the leg.", "radiating pain"),
        ("The hand falls asleep at night.", "paresthesia"),
        ("The patient is nonverbal.", "nonverbal"),
        ("He felt a sudden pop.", "felt a pop"),
        ("Crepitance of the knee.", "crepitus"),
        ("No diverticuli were seen.", "diverticulum"),
        ("Blood loss was less than 5 mL.", "estimated blood loss"),
        ("An inoperable AVM.", "arteriovenous malformations"),
        ("Sural response is absent.", "absent sensory response"),
        ("Paroxysmal fast activity.", "eeg beta activity"),
        ("A proximal humerus that was subluxed.", "subluxation"),
        ("The bottoms of the feet appear calloused.", "callus"),
        ("LV cineangiography was done.", "angiography"),
        ("An inferior cavagram.", "cavography"),
        ("Ankylosis of the joint.", "ankylosis"),
        ("The estimated fetal weight is 2,001 grams.", "estimated fetal weight"),
    ],
)
def test_a_sentence_names_it(matcher: Matcher, lexicon: Lexicon, sentence: str, name: str) -> None:
    said = {m.concept for m in matcher.mentions(sentence, 0, len(sentence))}
    wanted = lexicon.find(name)
    assert wanted is not None
    assert said & {wanted.id, *lexicon.descendants(wanted.id)}, said


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("She was discharged home.", "urethral discharge"),
        ("Lysis of adhesions took an hour.", "adhesions"),
        ("Lactated Ringer was run in.", "lactate measurement"),
        ("Low sodium diet.", "sodium measurement"),
        ("A full squat is possible.", "fullness"),
        ("T2 images of the brain.", "imaging study"),
        ("He fell asleep at once.", "accidental fall"),
        ("Retracted with a small hook.", "chest retractions"),
        ("The appendix was isolated.", "social withdrawal"),
        ("Blood pressure is 120/80.", "visible blood"),
        ("Intermittent headaches.", "urinary symptom"),
        ("A towel clip was placed.", "surgical clip"),
        ("Anti-reflux precautions.", "reflux"),
        ("In the left lateral decubitus position.", "pressure ulcer"),
        ("The scar bands were released.", "bandemia"),
        ("Albumin 3.2, protein 7.", "protein c test"),
        ("Renin-angiotensin blockade.", "renin measurement"),
        ("A mucous retention cyst in the sinus.", "digital myxoid cyst"),
        ("Decorticate posturing on the left.", "decortication"),
        ("A fracture table was used.", "fracture"),
        ("An apnea monitor at home.", "apneic episode"),
        ("Sweat test negative.", "diaphoresis"),
        ("The teeth are in good repair.", "surgical repair"),
        ("Spontaneous closure of the tract.", "surgical closure"),
        ("Weight bearing on the left.", "body weight"),
        ("A 20 ml fluid deficit.", "deficit"),
        ("Electrolyte replacement protocol.", "electrolyte measurement"),
        ("Conjunctival injection.", "injection"),
    ],
)
def test_a_look_alike_is_not_taken_for_it(matcher: Matcher, lexicon: Lexicon, sentence: str, name: str) -> None:
    known = lexicon.find(name)
    assert known is not None
    family = {known.id, *lexicon.descendants(known.id)}
    assert family.isdisjoint(m.concept for m in matcher.mentions(sentence, 0, len(sentence)))


def test_a_reaction_to_contrast_is_one_thing(matcher: Matcher) -> None:
    sentence = "Allergic reaction to IV contrast."
    assert [m.concept for m in matcher.mentions(sentence, 0, len(sentence))] == ["contrast-reaction"]
