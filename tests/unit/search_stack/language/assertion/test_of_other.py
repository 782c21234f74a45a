"""What stands in reach of a trigger and is of something else: signs beside a doubt, tubes beside a denial, dates."""

from __future__ import annotations

import re

import pytest

from search_stack.language.assertion import Sentence, Target, assess

WHERE_WHEN_OR_SOME = """in at on over around along near behind below above under within from when while after
during with trace minimal mild slight occasional some one two"""
THROUGHOUT = "everywhere elsewhere throughout bilaterally generally"
OPENS_ASIDE = """which who that previously initially once first in at after though due repaired treated resected
diagnosed planned booked scheduled removed closed"""
_MARKED = re.compile(r"\[([^\]|]+)\|(\w+)\]")


def said(marked: str, asked: bool = False, aspect: str = "") -> str:
    """What is said of the last mention of a text in which all are marked, each with its kind."""
    text, targets, at = "", [], 0
    for found in _MARKED.finditer(marked):
        text += marked[at : found.start()]
        targets.append(Target(len(text), len(text) + len(found[1]), found[2]))
        text += found[1]
        at = found.end()
    text += marked[at:]
    return assess(Sentence(text, 0, len(text), aspect, asked=asked), targets)[-1].assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("Likely viral illness with [fever|symptom].", "present"),
        ("Likely viral illness with [hypoxia|finding].", "present"),
        ("Probable UTI, [dysuria|symptom] for 3 days.", "present"),
        ("R/o MI: [chest pain|symptom].", "present"),
        ("Probable UTI, pneumonia or [dysuria|symptom].", "possible"),
        ("Possible atelectasis, [infiltrate|finding].", "possible"),
        ("Possible pneumonia with [abscess|disorder].", "possible"),
        ("Differential: flu, [cough|symptom].", "possible"),
        ("Concern for stroke given [aphasia|symptom].", "present"),
        ("Suspect dehydration causing [AKI|disorder].", "present"),
        ("Query [TB|disorder], CXR clear, [IGRA|procedure] sent.", "present"),
        ("Query [TB|disorder] [IGRA|procedure].", "possible"),
        ("Adm ?[appendicitis|disorder] -> [USS|procedure]: normal appendix.", "present"),
        ("Ref query [PE|disorder] → [DVT|disorder] seen.", "present"),
        ("No [fever|symptom] -> [cough|symptom].", "present"),
        ("No [fever|symptom] - [cough|symptom].", "absent"),
    ],
)
def test_a_sign_beside_a_doubt_is_there(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("No [chest pain|symptom], [EF|finding] 55.", "present"),
        ("No [JVD|finding], 2+ [edema|finding].", "present"),
        ("No ectopics, [QTc|finding] 480.", "present"),
        ("No [MI|disorder], [stage 3 CKD|disorder].", "present"),
        ("No [pneumothorax|disorder], [pneumonia|disorder], 3 mm [granuloma|finding].", "present"),
        ("No [hypertension|disorder], [type 2 diabetes|disorder].", "absent"),
        ("No [fever|symptom], [chills|symptom], or 5 cm [mass|finding].", "absent"),
        ("No 5 cm [mass|finding].", "absent"),
        ("No [S3|finding], [murmur|finding] 0.", "absent"),
        ("No [fever|symptom], [cough|symptom].", "absent"),
    ],
)
def test_what_is_told_with_its_number_is_there(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("No [bleeding|symptom] on [warfarin|drug].", "present"),
        ("Denies [dizziness|symptom] with [lisinopril|drug].", "present"),
        ("No clots in [Foley|device].", "present"),
        ("No relief with [ibuprofen|drug].", "present"),
        ("No response to [Lasix|drug].", "present"),
        ("No [ECG|procedure] changes.", "present"),
        ("No [CT|procedure] results yet.", "present"),
        ("No diagnostic [electrocardiographic|procedure] abnormalities.", "present"),
        ("No [angiographic|procedure] stenosis.", "present"),
        ("No recent [CT|procedure], evidence is lacking.", "absent"),
        ("[Colonoscopy|procedure] booked, [FIT|procedure] positive.", "present"),
        ("Booked [colonoscopy|procedure], [FIT|procedure].", "hypothetical"),
        ("[Ramipril|drug], renal team to advise, [bisoprolol|drug].", "present"),
        ("[Metformin|drug] stopped (AKI), [gliclazide|drug] taken.", "present"),
        ("[Ramipril|drug] stopped (K 5.9, [hyperkalemia|finding]).", "present"),
        ("Home if [CT|procedure] clear.", "hypothetical"),
        ("No further [AF|disorder] [on tele|procedure].", "present"),
        ("[CPAP|device] not tolerated.", "absent"),
        ("Mum diabetic, pt's [HbA1c|procedure] 38.", "present"),
        ("Brother has [CF|disorder], our patient's [sweat test|procedure] normal.", "present"),
        ("Not [diabetic|disorder], FHx [T2DM|disorder] both parents.", "family"),
        ("No [diabetes|disorder], PMH [asthma|disorder].", "historical"),
        ("No [cough|symptom], [CXR|procedure] clear.", "present"),
        ("No [bleeding|symptom], [PR nad|procedure].", "present"),
        ("No [cough|symptom], [CXR|procedure].", "absent"),
        ("No [cough|symptom] or [CXR|procedure] views.", "absent"),
        ("Denies [fever|symptom], [surgery|procedure] in the past.", "absent"),
        ("No [fever|symptom], [surgery|procedure] recently.", "absent"),
        ("No biopsies, [CT|procedure] scans.", "absent"),
        ("[MRSA screen|procedure] not detected.", "present"),
        ("[C diff|disorder] not detected.", "absent"),
        ("[AFB smear|procedure] not requested.", "absent"),
        ("[TFTs|procedure] have not been ordered.", "absent"),
        ("[Blood film|procedure] not asked for.", "absent"),
        ("[PET|procedure] not arranged.", "absent"),
        ("[CLL|disorder] watch & wait.", "present"),
        ("No [narrowing|finding] within the [graft|procedure].", "present"),
        ("No [allergy|disorder] to [penicillin|drug].", "absent"),
        ("No [pain|symptom] or [ibuprofen|drug].", "absent"),
        ("Not treated with [insulin|drug].", "absent"),
        ("No [CT|procedure] today.", "absent"),
    ],
)
def test_what_is_in_use_is_not_denied_with_what_did_not_come_of_it(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("[Cough|symptom] began 2 weeks ago.", "present"),
        ("He was diagnosed with [pancreatic cancer|disorder] two months ago.", "present"),
        ("[MI|disorder] 2 weeks ago.", "historical"),
        ("He was diagnosed with [cancer|disorder] 5 years ago.", "historical"),
        ("CT 3/2/2024: [appendicitis|disorder].", "present"),
        ("Clinic 12 March 2024: [cellulitis|disorder].", "present"),
        ("[PE|disorder] (CTPA 3/2/2024).", "present"),
        ("2024: [appendicitis|disorder].", "historical"),
        ("[MI|disorder] 2009.", "historical"),
        ("[MI|disorder] on 3/2/2009.", "historical"),
        ("Started [amoxicillin|drug] on Friday.", "present"),
        ("[MRI|procedure] on Friday.", "hypothetical"),
        ("Having undergone [surgery|procedure] in 04/07.", "present"),
        ("[Surgery|procedure] in 04/07.", "hypothetical"),
    ],
)
def test_when_it_began_or_was_seen_is_no_past(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("Needs assistance, uses [walker|device].", "present"),
        ("Needs assistance and [walker|device].", "hypothetical"),
        ("She will go home with a [Foley|device].", "present"),
        ("[Fever|symptom] neg, [cough|symptom] pos.", "present"),
        ("Fever [no], [cough|symptom] [yes].", "present"),
        ("+cough -[fever|symptom]", "absent"),
        ("No fever no SOB +[wheeze|symptom]", "present"),
        ("no fever pt has [cough|symptom]", "present"),
        ("Denies tobacco and drinks [wine|drug].", "present"),
        ("He does not smoke, occasionally drinks [wine|drug].", "present"),
        ("Denies tobacco and [wine|drug].", "absent"),
        ("There is no effusion or [mass|finding] seen.", "absent"),
        ("There is no effusion, [mass|finding] seen.", "present"),
        ("Denies diabetes, history suggestive of [stroke|disorder], or cancer.", "absent"),
        ("Denies diabetes, wheeze suggestive of [asthma|disorder].", "possible"),
        ("No change, findings suspicious for [discitis|disorder].", "possible"),
        ("Will start Ms. Smith on [indomethacin|drug].", "hypothetical"),
        ("There is [MR|disorder]. Effusion none.", "present"),
    ],
)
def test_statements_and_answers_side_by_side(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("aspect", "sentence", "assertion"),
    [
        ("procedure", "The [trocars|device] were removed.", "present"),
        ("hospital course", "The [drains|device] were removed.", "historical"),
        ("procedure", "The planned [osteotomy|procedure] was marked.", "present"),
        ("plan", "Planned [osteotomy|procedure].", "hypothetical"),
        ("technique", "To obtain a [biopsy|procedure] the probe was turned.", "present"),
        ("plan", "To obtain a [biopsy|procedure].", "hypothetical"),
        ("indication", "Indications for [surgery|procedure]: cataract.", "present"),
        ("plan", "Indications for [surgery|procedure] were discussed.", "hypothetical"),
        ("physical examination", "An apparent [sting|finding] on the wrist.", "present"),
        ("impression", "An apparent [fracture|finding] of the wrist.", "possible"),
        ("allergies", "Codeine: [nausea|symptom].", "historical"),
        ("allergies", "[Codeine|drug].", "present"),
        ("review of systems", "[Nausea|symptom].", "present"),
    ],
)
def test_a_section_tells_whether_words_speak_of_a_plan_or_of_the_past(
    aspect: str, sentence: str, assertion: str
) -> None:
    assert said(sentence, aspect=aspect) == assertion


def test_a_question_names_what_it_asks_for() -> None:
    assert said("possible sepsis with [fever|symptom]", asked=True) == "possible"


@pytest.mark.parametrize(
    ("sentence", "assertion", "settled"),
    [
        ("Increased risk of bleeding due to [thrombocytopenia|disorder].", "present", True),
        ("Risk factors for stroke including [AF|disorder].", "present", True),
        ("Morphine prn for pain due to [rib fractures|disorder].", "present", True),
        ("Increased risk of [bleeding|disorder] due to cirrhosis.", "hypothetical", False),
        ("Increased risk of bleeding due to possible [cirrhosis|disorder].", "possible", False),
        ("Risk of bleeding, [infection|disorder] and death.", "hypothetical", False),
    ],
)
def test_a_reason_is_there_and_the_risk_is_not(sentence: str, assertion: str, settled: bool) -> None:
    found = _MARKED.search(sentence)
    assert found
    text = sentence.replace(found[0], found[1])
    target = Target(found.start(), found.start() + len(found[1]), found[2])
    judged = assess(Sentence(text, 0, len(text)), [target])[0]
    assert (judged.assertion, judged.settled) == (assertion, settled)


def item(lead: str, marked: str) -> str:
    """What is said of the mention of an item of the list that ``lead`` opens."""
    text = f"{lead}: {marked.replace('[', '').replace(']', '')}"
    begin = len(lead) + 2 + marked.index("[")
    end = len(lead) + 2 + marked.index("]") - 1
    sentence = Sentence(text, len(lead) + 2, len(text), lead=(0, len(lead)))
    return assess(sentence, [Target(begin, end, "disorder")])[0].assertion


@pytest.mark.parametrize(
    ("lead", "marked", "assertion"),
    [
        ("Return if you have", "1. [fever]", "hypothetical"),
        ("Return if you have", "a) [fever]", "hypothetical"),
        ("Return if you have", "Rest. [fever]", "present"),
        ("History of", "1. [pneumonia]", "historical"),
        ("Man with a history of gout and", "1. [pneumonia]", "present"),
    ],
)
def test_the_number_of_an_item_ends_no_sentence(lead: str, marked: str, assertion: str) -> None:
    assert item(lead, marked) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        *((f"No [wheeze|symptom] except {word} the base.", "present") for word in WHERE_WHEN_OR_SOME.split()),
        *((f"No [wheeze|symptom] apart from {word} base.", "present") for word in ("left", "right", "l", "r", "both")),
        *((f"No [wheeze|symptom] {words} in the base.", "present") for words in ("except", "except for", "save for")),
        *((f"No [wheeze|symptom] {words} from in the base.", "present") for words in ("apart", "aside")),
        *((f"[Effusion|finding] is absent {word} except in the knee.", "present") for word in THROUGHOUT.split()),
        ("No [wheeze|symptom] other than in the base.", "present"),
        ("No [wheeze|symptom] apart from the left base.", "present"),
        ("No [pain|symptom] or [swelling|symptom] except in the left knee.", "present"),
        ("No [headache|symptom] except when [coughing|symptom].", "present"),
        ("No [pain|symptom] except for anxiety.", "absent"),
        ("No [abnormality|finding] except mild [scoliosis|disorder].", "present"),
        ("No [surgery|procedure] except in 1998.", "absent"),
        ("No [pain|symptom] except", "absent"),
    ],
)
def test_a_denial_with_an_exception_of_place_or_time_says_that_it_is_there(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


def test_an_exception_is_of_the_last_in_a_list() -> None:
    text = "No fever, cough or pain except in the knee."
    assert [
        said(f"{text[:n]}[{word}|symptom]{text[n + len(word) :]}")
        for word in ("fever", "cough", "pain")
        for n in [text.index(word)]
    ] == ["absent", "present", "present"]


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("PE, which was suspected on admission, was excluded; [PE|disorder].", "present"),
        ("[PE|disorder], which was suspected on admission, was excluded.", "absent"),
        ("[Colitis|disorder], in remission since 2019, has relapsed.", "present"),
        *((f"[PE|disorder], {word} in May, was excluded.", "absent") for word in OPENS_ASIDE.split()),
        ("[Fever|symptom], cough, was excluded.", "present"),
        ("[Nausea|symptom] reported yesterday but not today.", "historical"),
        ("[Nausea|symptom] endorsed yesterday but not today.", "historical"),
    ],
)
def test_what_is_said_behind_an_aside_is_of_what_stands_before_it(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("For [resection|procedure], then [CAPOX|drug].", "hypothetical"),
        ("For [lumpectomy|procedure] followed by [tamoxifen|drug].", "hypothetical"),
        ("For [angiogram|procedure] ± [stent|device].", "hypothetical"),
        ("For [resection|procedure], then started on [CAPOX|drug].", "present"),
        ("[Resection|procedure], then [CAPOX|drug].", "present"),
        ("For the record, then, [CAPOX|drug].", "present"),
    ],
)
def test_what_comes_then_is_planned_with_what_is_planned(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("Tried [doxycycline|drug] for 4/12 and [lymecycline|drug] for 6/12.", "historical"),
        ("Tried [ibuprofen|drug] 400 mg for two weeks and [naproxen|drug] for a month.", "historical"),
        ("Tried [ibuprofen|drug] and [naproxen|drug] for gout.", "present"),
        ("Tried [ibuprofen|drug] for a week and takes [naproxen|drug].", "present"),
    ],
)
def test_a_list_of_what_was_tried_goes_on_over_how_long(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


@pytest.mark.parametrize(
    "word", ["recovered", "stopped", "resolved", "settled", "terminated", "subsided", "ceased", "gone"]
)
def test_what_was_over_soon_is_no_more_than_it_was(word: str) -> None:
    assert said(f"Previous [flutter|disorder] at 0200, {word} at once.") == "historical"
    assert said("Previous [flutter|disorder] at 0200, seen at once.") == "present"


@pytest.mark.parametrize(
    ("sentence", "assertion"),
    [
        ("No heart disease, brother w/ [malignant hyperthermia|disorder].", "family"),
        ("No history of [cancer|disorder], her mother with [lupus|disorder].", "family"),
        ("No [fracture|disorder] on xray, dx [ankle sprain|disorder].", "present"),
        ("No [fracture|disorder], [ankle sprain|disorder].", "absent"),
        ("[Migraine|disorder] w/o [aura|symptom]: [sumatriptan|drug] prn.", "present"),
        ("[Diabetes|disorder] without complication, [HTN|disorder], [CAD|disorder].", "present"),
        ("[Depression|disorder] w/o [psychosis|symptom], [PTSD|disorder].", "present"),
        ("No [fever|symptom] and a recent [CT|procedure].", "absent"),
        ("No [pneumothorax|disorder] [after a fall|disorder].", "present"),
        ("No prior [reaction to contrast|disorder].", "absent"),
        ("No [fever|symptom] and a recent [CT|procedure] excluded.", "absent"),
    ],
)
def test_a_denial_ends_before_another_statement(sentence: str, assertion: str) -> None:
    assert said(sentence) == assertion


def test_a_test_that_excluded_something_was_done() -> None:
    assert said("No [fever|symptom] and a recent [CT|procedure] excluded pneumonia.") == "present"


def test_who_has_none_is_not_the_relative_beside() -> None:
    assert said("No heart disease, no [cancer|disorder], mother with lupus.") == "absent"
