"""What people who know nothing of the program type: short forms, everyday names, who and where; each with its like."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, either, field, has, words

CHILD = field("age", "<18")
LINES = [
    # Who is called after what a disease is called after; not where another noun follows.
    ("lyme with arthritis", both(has("lyme disease"), has("arthritis"))),
    ("raynaud's on nifedipine", both(has("raynaud phenomenon"), has("nifedipine"))),
    ("lyme titer", has("lyme titer")),
    ("how is celiac treated", {"entity": "celiac disease", "aspect": "treatment"}),
    ("celiac artery stenosis", both(words("celiac artery"), has("narrowing"))),
    # Children by an adjective; not the services for them.
    ("pediatric asthma", both(CHILD, has("asthma"))),
    ("peds pts with croup", both(CHILD, has("croup"))),
    ("pediatric surgery consult", has("pediatric surgery consultation")),
    ("peds cardiology clinic", words("peds cardiology clinic")),
    # A side before a part of the body; not a letter anywhere.
    ("R hip fx", at(has("hip fracture"), "right")),
    ("lt breast ca", at(has("breast cancer"), "left")),
    ("R sided weakness", has("right-sided weakness")),
    ("c-spine fracture", has("cervical spine fracture")),
    ("vitamin L deficiency", both(has("vitamin deficiency"), words("l"))),
    # Cancers and calcium.
    ("basal cell ca of nose", both(has("basal cell carcinoma"), words("nose"))),
    ("ca of the cervix", has("cervical cancer")),
    ("low ca of unknown cause", both(words("low ca of unknown cause"))),
    ("metastatic breast cancer to bone", both(has("metastatic breast cancer"), has("bone metastasis"))),
    (
        "lung cancer spread to brain and liver",
        both(has("lung cancer"), has("brain metastasis"), has("liver metastasis")),
    ),
    ("cellulitis spread to the arm", both(at(has("cellulitis"), "arm"), words("spread"))),
    # Names that only others make together, and the placing of what is named.
    ("brain mets from lung ca", both(has("brain metastasis"), has("lung cancer"))),
    ("mets to lung", has("pulmonary metastasis")),
    ("chest tube placed", has("chest tube")),
    ("central line placement", has("central venous catheter")),
    # What was refused; not what went down.
    ("flu shot declined", has("influenza vaccination", "absent")),
    ("dialysis was refused", has("dialysis", "absent")),
    ("hemoglobin declined", both(has("hemoglobin measurement"), words("declined"))),
    # A name that is made of a place, with another place.
    ("clot in the lung or leg", either(has("pulmonary embolism"), has("deep vein thrombosis"))),
    ("no clot in the leg or lung", both(has("deep vein thrombosis", "absent"), has("pulmonary embolism", "absent"))),
    ("clot in the lung or fever", either(has("pulmonary embolism"), has("fever"))),
    ("bowel/bladder difficulty", both(has("bowel symptom"), has("urinary symptom"))),
    # A history ends behind what was done; not behind what was had.
    ("hx gastric bypass with marginal ulcer", both(has("gastric bypass", "historical"), has("marginal ulcer"))),
    ("hx of DVT with PE", both(has("deep vein thrombosis", "historical"), has("pulmonary embolism", "historical"))),
    # Both and one tell something of a part of the body, and nothing of whom is asked for.
    ("rash on both hands", at(has("rash"), "bilateral hand")),
    ("on both aspirin and plavix", both(has("aspirin"), has("clopidogrel"))),
    # The words of an allergy are its drug's, all of them.
    ("allergic reaction to vancomycin", has("vancomycin", "allergy")),
    ("allergic reaction to bees", both(has("allergic disorder"), words("bees"))),
    # Words of a name ask for nothing.
    ("c section for failure to progress", both(has("cesarean section"), has("arrest of labor"))),
    # A heading at the beginning of a line that mentions.
    ("HPI mentions trauma", both(field("section", "history of present illness"), has("injury", "any"))),
    ("the plan mentions hospice", both(field("section", "plan"), has("hospice", "any"))),
    # A name by another name of what it begins with; not by one that only counts with it.
    ("SLE flare in pregnancy", both(has("lupus flare"), has("pregnancy"))),
    ("blood transfusion reaction", has("transfusion reaction")),
    ("pulmonary HTN on sildenafil", both(has("pulmonary hypertension"), has("sildenafil"))),
    ("saddle PE", has("saddle pulmonary embolism")),
    ("new HTN", both(words("new"), has("hypertension"))),
    ("afib ablation", both(has("atrial fibrillation"), has("ablation"))),
    # What came before; not what comes after.
    ("post-stroke depression", both(has("stroke"), has("depression"))),
    ("post-ercp pancreatitis", has("post-ercp pancreatitis")),
    ("no BM x 5 days", has("constipation")),
    ("post-discharge call", words("post-discharge call")),
    # Ages, and how often.
    ("65+ with falls", both(field("age", ">=65"), has("accidental fall"))),
    ("age 65+, stroke", both(field("age", ">=65"), has("stroke"))),
    ("aged 70 and over with hip fracture", both(field("age", ">=70"), has("hip fracture"))),
    ("3+ strokes", {"at_least": 3, "unit": "notes", "of": has("stroke")}),
    ("asthma as a child", has("asthma", "historical")),
    ("asthma in a child", both(has("asthma"), CHILD)),
    # What became of a device, for whatever reason; what a result is for.
    ("pacemaker removed for infection", both(has("pacemaker", "any"), words("removed"), has("infection"))),
    ("pulled out foley", both(has("urinary catheter", "any"), words("pulled out"))),
    ("biopsy negative for cancer", both(has("biopsy"), has("cancer", "absent"))),
    # What patients call it.
    ("uterus removed", has("hysterectomy")),
    ("pt vapes", has("vaping")),
    ("drinks too much", has("alcohol use disorder")),
    ("drinks too much coffee", both(words("drinks too"), words("coffee"))),
    ("bad kidneys", has("kidney disease")),
    ("water on the lungs", has("pulmonary edema")),
    ("stroke-like symptoms", has("stroke like symptoms")),
    ("stroke symptoms", {"entity": "stroke", "aspect": "symptoms"}),
    ("heart failure with preserved EF", has("diastolic heart failure")),
    ("had her gallbladder out", has("cholecystectomy")),
    ("s/p radiation", has("radiation therapy", "historical")),
    ("pain with radiation to the arm", both(has("pain"), words("radiation"), words("arm"))),
]


@pytest.mark.parametrize(("line", "tree"), LINES)
def test_lines_of_strangers(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)


SENSES = [
    ("gbs", "guillain barre syndrome", "group b strep"),
    ("hcm with syncope", "hypertrophic cardiomyopathy", "health care maintenance"),
    ("TTP", "thrombotic thrombocytopenic purpura", "tenderness"),
    ("NEC", "necrotizing enterocolitis", "not elsewhere classified"),
    ("PDA", "patent ductus arteriosus", "posterior descending artery"),
    ("cp", "chest pain", "cerebral palsy"),
    ("PD on levodopa", "parkinson disease", "peritoneal dialysis"),
    ("BPD", "bronchopulmonary dysplasia", "borderline personality disorder"),
    ("HIT", "heparin induced thrombocytopenia", "words:HIT"),
    ("OA", "osteoarthritis", "words:OA"),
]


@pytest.mark.parametrize(("line", "name", "other"), SENSES)
def test_a_short_form_of_two_senses_offers_the_other(
    understanding: Understanding, line: str, name: str, other: str
) -> None:
    found = understanding.understand(line)
    [told] = found.notices
    assert f'"{name}"' in str(to_json(found.query)).replace("'", '"')
    assert other in told.line
    assert other.startswith("words:") or other in told.message


MEANT = [
    ("gbs in pregnancy", both(has("group b strep"), has("pregnancy"))),
    ("kids with cp", both(CHILD, has("cerebral palsy"))),
    ("rlq TTP", both(either(words("rlq"), words("right lower quadrant")), has("tenderness"))),
    ("PD in esrd", both(has("peritoneal dialysis"), has("end stage renal disease"))),
    ("BPD with self harm", both(has("borderline personality disorder"), has("self harm"))),
    ("AS on humira", both(has("ankylosing spondylitis"), has("adalimumab"))),
    ("AS s/p TAVR", both(has("aortic stenosis"), has("transcatheter aortic valve replacement", "historical"))),
    ("men with ED", both(field("sex", "male"), has("erectile dysfunction"))),
    ("seen in ED with rash", has("rash")),
    ("rash in ED", both(words("ed"), has("rash"))),
    ("bilateral PEs", has("bilateral pulmonary emboli")),
    ("testicular mass on US", both(has("testicular mass"), has("ultrasound"))),
    ("help US find asthma", has("asthma")),
    ("10 MG prednisone", both(either(words("10mg"), words("10 mg")), has("prednisone"))),
    ("MG on rituximab", both(has("myasthenia gravis"), has("rituximab"))),
]


@pytest.mark.parametrize(("line", "tree"), MEANT)
def test_a_short_form_means_what_its_line_speaks_of(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)
