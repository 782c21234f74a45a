"""What the surgical fields write: found in a sentence, and not where the same words mean something else."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher


@pytest.mark.parametrize(
    ("sentence", "id"),
    [
        ("No SLAP tear is seen.", "slap-lesion"),
        ("Intracapsular NOF fracture on the left.", "intracapsular-hip-fracture"),
        ("Negative Lachman test, positive pivot shift.", "lachman-test"),
        ("There is a Weber B fracture of the ankle.", "weber-b-fracture"),
        ("REBOA was placed in zone 1.", "reboa"),
        ("MIS TLIF at L4/5.", "transforaminal-lumbar-interbody-fusion"),
        ("Acute on chronic SDH, for burr holes.", "acute-on-chronic-subdural-hematoma"),
        ("May-Thurner syndrome was stented.", "may-thurner-syndrome"),
        ("Patent LIMA to LAD.", "lima-to-lad"),
        ("Fistula in ano, seton in place.", "perianal-fistula"),
        ("Fistula in ano, seton in place.", "seton"),
        ("DIEP flap is warm.", "diep-flap"),
        ("Dix-Hallpike was positive on the left.", "dix-hallpike-test"),
        ("The Ahmed valve is covered.", "ahmed-valve"),
        ("No light perception in the left eye.", "no-light-perception"),
        ("Left ureteric stone with hydronephrosis.", "ureteral-stone"),
        ("A stone in the right ureter.", "ureteral-stone"),
        ("BXO of the foreskin.", "balanitis-xerotica-obliterans"),
        ("Fracture of the coccygeal bone.", "fracture"),
        ("Seatbelt sign across the chest.", "seat-belt-sign"),
        ("ANESTHESIA:  General.", "general-anesthesia"),
        ("ANESTHESIA: General endotracheal.", "general-anesthesia"),
        ("Anesthesia type: spinal.", "spinal-anesthesia"),
        ("Anesthesia: Local.", "local-infiltration"),
        ("The skin was infiltrated with lidocaine.", "local-infiltration"),
        ("The pedicle was clamped and divided.", "surgical-division"),
        ("The duct was transected.", "transection"),
        ("The aorta was cross-clamped.", "surgical-clamping"),
        ("The wound was then closed in layers.", "wound-closure-technique"),
        ("Fascia was reapproximated.", "surgical-closure"),
        ("The skin was undermined.", "undermining-of-skin"),
        ("The abdomen was explored.", "exploration"),
        ("The abdomen was insufflated with CO2.", "insufflation"),
        ("Closed with skin staples.", "surgical-staple"),
        ("A conjunctival peritomy was made.", "conjunctival-peritomy"),
        ("Anatomic reduction was obtained.", "reduction-of-a-fracture-or-dislocation"),
        ("The specimen was sent to pathology.", "pathology-specimen"),
        ("Blood loss less than 10 mL.", "estimated-blood-loss"),
        ("The ovary was curetted.", "curettage"),
        ("The tendon was tenotomized.", "tenotomy"),
    ],
)
def test_a_sentence_names_it(matcher: Matcher, lexicon: Lexicon, sentence: str, id: str) -> None:
    said = {m.concept for m in matcher.mentions(sentence, 0, len(sentence))}
    assert said & {id, *lexicon.descendants(id)}, said


@pytest.mark.parametrize(
    ("sentence", "id"),
    [
        ("There is a chance of fracture.", "chance-fracture"),
        ("A Weber fracture of the ankle.", "weber-a-fracture"),
        ("The bladder neck was dissected.", "neck-dissection"),
        ("The esophagus was easily intubated.", "esophageal-intubation"),
        ("Full-thickness corneal laceration.", "pachymetry"),
        ("Herniated lumbar disk.", "lumbar-hernia"),
        ("He wears eye glasses.", "eye-prosthesis"),
        ("Visual fields are full to count fingers.", "counting-fingers-vision"),
        ("A lacrimal duct probe was passed into the fistula.", "lacrimal-probing"),
        ("The cannula swept the iris tissue.", "tissued-cannula"),
        ("High-grade spinal stenosis.", "high-spinal"),
        ("Staphylococcal scalded skin syndrome.", "scald"),
        ("The lesion was divided into two parts.", "surgical-division"),
        ("Stands with his eyes closed with no sway.", "surgical-closure"),
        ("The muscle was infiltrated with tumor.", "local-infiltration"),
        ("The scope was withdrawn.", "social-withdrawal"),
        ("She was anesthetized by anesthesia staff.", "anesthesia"),
        ("Gastric bypass surgery in May.", "coronary-artery-bypass-graft"),
        ("Tympanic membrane atelectasis on the left.", "atelectasis"),
        ("Aggressive risk factor modification.", "aggression"),
        ("Femoral pulses are 2+.", "heart-rate"),
        ("Dense scar tissue.", "density"),
        ("Seen by the infectious disease specialist.", "infection"),
        ("She went to an allergy clinic.", "allergic-disorder"),
        ("Sedated by the Department of Anesthesia.", "anesthesia"),
        ("Brought up to Labor and Delivery.", "labor"),
        ("Packed with a laparotomy pad.", "laparotomy"),
        ("Rest and stress images agree.", "stress"),
        ("Oozing was stopped with suction cautery.", "suctioning"),
        ("Freed with tenotomy scissors.", "tenotomy"),
        ("Trimmed with facelift scissors.", "facelift"),
        ("Presented at the surgery conference.", "surgery"),
        ("No live virus vaccine for a year.", "virus"),
        ("A needle near the stellate ganglion.", "ganglion-cyst"),
        ("Cord gas was sent.", "gas"),
        ("The gag response was weak.", "gagging"),
        ("An ultrasound technician was at hand.", "ultrasound"),
        ("Blood factors were given.", "visible-blood"),
        ("Cleared with the irrigation and aspiration handpiece.", "lens-cortex-aspiration"),
        ("Referred to a chronic pain program.", "chronic-pain"),
        ("Painted with Betadine and alcohol.", "alcohol-use"),
        ("Moist mucus membranes.", "mucus-production"),
    ],
)
def test_a_look_alike_is_not_taken_for_it(matcher: Matcher, sentence: str, id: str) -> None:
    assert id not in {m.concept for m in matcher.mentions(sentence, 0, len(sentence))}
