from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.schema import ASSERTIONS
from search_stack.language.assertion import Judgement, Sentence, Target, assess
from search_stack.language.assertion.table import SAYS, tree

CASES = [
    ("No edema, [effusion] or pneumothorax.", "absent", "No"),
    ("No edema, effusion or [pneumothorax].", "absent", "No"),
    ("No change in the [effusion].", "present", None),
    ("Not only [pneumonia] but effusion is seen.", "present", None),
    ("Cannot exclude [pneumonia].", "possible", "Cannot exclude"),
    ("[Pneumonia] cannot be excluded.", "possible", "cannot be excluded"),
    ("She doesnt have [asthma].", "absent", "doesnt have"),
    ("He isnt short of breath; [cough].", "present", None),
    ("There is no recurrence of the [pneumothorax].", "absent", "no recurrence of"),
    ("Recurrence of the [pneumothorax].", "present", None),
    ("She is an ex [smoker].", "historical", "ex smoker"),
    ("Lungs are free of [consolidation].", "absent", "free of"),
    ("The [pneumothorax] has resolved.", "historical", "has resolved"),
    ("No effusion, the [heart is enlarged].", "present", None),
    ("No fever, but [cough].", "present", None),
    ("He is not without [pain].", "present", None),
    ("The [liver] is normal.", "absent", "is normal"),
    ("If [fever] occurs, call us.", "hypothetical", None),
    ("Return if [chest pain].", "hypothetical", "Return if"),
    ("Rule out [PE].", "possible", "Rule out"),
    ("Her mother had [breast cancer].", "family", "mother"),
    ("No family history of [colon cancer].", "family", None),
    ("The mother reports [cough] since Monday.", "present", None),
    ("History of [asthma].", "historical", "History of"),
    ("A two day history of [cough].", "present", None),
    ("[Pneumothorax]: none.", "absent", ": none"),
    ("FINDINGS: No [nodule].", "absent", "No"),
    ("[C. difficile] antigen was negative.", "absent", "was negative"),
    ("[C. difficile] grew. The stool was negative.", "present", None),
    ("Wife has witnessed no [seizure].", "absent", "no"),
    ("Dad applied [zinc cream] at night.", "present", None),
    ("Mum had [epilepsy].", "family", "Mum"),
    ("Her nephew had [asthma].", "family", "nephew"),
    ("No findings suspicious for [metastasis].", "absent", None),
    ("No pneumothorax, possible [effusion].", "possible", "possible"),
    ("No pneumothorax, with small [effusion].", "present", None),
    ("[Effusion] is not seen and atelectasis remains.", "absent", "is not seen"),
    ("Effusion is not seen and [atelectasis] remains.", "present", None),
    ("No focal consolidation, pneumothorax, or [effusion] is seen.", "absent", None),
    ("Stable right [effusion].", "present", None),
    ("No effusion; [cardiomegaly].", "present", None),
    ("[Strep] negative, fever.", "absent", "negative"),
    ("Strep negative, [fever].", "present", None),
    ("Negative, [fever].", "absent", "Negative"),
    ("Negative [fever].", "absent", "Negative"),
    ("Work-up negative for [fever].", "absent", "negative for"),
    ("[HIV] nonreactive.", "absent", "nonreactive"),
    ("[HIV] serology was non-reactive.", "absent", "non-reactive"),
    ("[HIV] was not detected.", "absent", None),
    ("[HIV] was reactive.", "present", None),
    # A denial that a name begins with is the name's own, and nobody else's.
    ("[Not compliant], fever.", "present", None),
    ("Absent [pulse].", "absent", "Absent"),
    ("? [pneumonia]", "possible", "?"),
    ("It is not possible to exclude [PE].", "possible", "not possible to exclude"),
    ("Not tolerating metformin, [diabetes] poorly controlled.", "present", None),
    ("Side effects include [nausea].", "hypothetical", None),
    ("The [nausea] is a side effect.", "present", None),
    ("Told of what may follow, including but not limited to bleeding and [infection].", "hypothetical", None),
    ("Told of what may follow, including, but not limited to, bleeding, [infection].", "hypothetical", None),
    ("Burns including the hand, [infection].", "present", None),
    ("[Hypertension], possible stroke.", "present", None),
    ("[Diarrhea], suspected food intolerance.", "present", None),
    ("[Pneumonia], suspected.", "possible", "suspected"),
    ("[Pneumonia], suspected on chest film.", "possible", "suspected"),
    ("[Pneumonia] or possible mass.", "present", None),
    ("[Pneumonia] possible, cough.", "possible", "possible"),
    ("[Pneumonia] ?", "possible", "?"),
]


def test_an_adjective_belongs_to_the_name_behind_it() -> None:
    text = "Pneumonia and suspected empyema."
    judged = assess(Sentence(text, 0, len(text)), [Target(0, 9), Target(24, 31)])
    assert [j.assertion for j in judged] == ["present", "possible"]
    text = "Cough, ? pneumonia."
    judged = assess(Sentence(text, 0, len(text)), [Target(0, 5), Target(9, 18)])
    assert [j.assertion for j in judged] == ["present", "possible"]
    text = "Pneumonia and empyema are suspected."
    judged = assess(Sentence(text, 0, len(text)), [Target(0, 9), Target(14, 21)])
    assert [j.assertion for j in judged] == ["possible", "possible"]


def judge(marked: str, aspect: str = "") -> tuple[str, Judgement]:
    begin, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return text, assess(Sentence(text, 0, len(text), aspect), [Target(begin, end)])[0]


@pytest.mark.parametrize(("marked", "assertion", "trigger"), CASES)
def test_what_a_sentence_says(marked: str, assertion: str, trigger: str | None) -> None:
    text, found = judge(marked)
    assert found.assertion == assertion
    if trigger is not None:
        assert text[found.trigger_begin : found.trigger_end] == trigger
    if assertion == "present":
        assert found.trigger_begin is None


def test_a_section_decides_where_no_words_do() -> None:
    assert judge("[Diabetes].", "family history")[1].assertion == "family"
    assert judge("Patient herself has [diabetes].", "family history")[1].assertion == "present"
    assert judge("[Pneumonia].", "indication")[1].assertion == "present"
    assert judge("No [pneumonia].", "indication")[1].assertion == "absent"
    assert judge("[Hypertension].", "past medical history")[1] == Judgement("present", temporality="historical")


def test_time_and_person_are_told_apart_from_denial() -> None:
    found = judge("No history of [diabetes].")[1]
    assert (found.assertion, found.temporality) == ("absent", "historical")
    assert judge("Her aunt had [asthma].")[1].experiencer == "family"


def test_every_phrase_of_the_table_says_something_known() -> None:
    waiting, said = [tree()], set()
    while waiting:
        node = waiting.pop()
        waiting += node.onward.values()
        said |= {t.says for t in node.triggers}
    assert said == set(SAYS)


SENTENCES = [
    ("Angina N  MI N  [Hypertension] Y  Palpitations N", "present"),
    ("Angina N  [MI] N  Hypertension Y (treated)  Gout N", "absent"),
    ("Angina N  MI N  [Murmur] Y (flow)  Gout N", "present"),
    ("Asthma N  [COPD] Y", "present"),
    ("[Asthma] N  COPD Y", "absent"),
    ("fever Y cough N [rash] N", "absent"),
    ("[Hepatitis] and a lack of vitamin N are not known.", "present"),
    ("Neck without increased venous pressure, [bruit] or mass.", "absent"),
    ("There is no increased redness or [tenderness].", "absent"),
    ("He has not noticed any weakness or [tremor] or pain.", "absent"),
    ("There is no demonstrated tear, cyst or [ganglion].", "absent"),
    ("He never developed fever, cough or [rash].", "absent"),
    ("The biopsy was negative for [adenocarcinoma].", "absent"),
    ("Her review of systems is negative for stroke, gout, or [anemia].", "absent"),
    ("She tested negative for [HIV].", "absent"),
    ("His abdomen was unremarkable for [masses].", "absent"),
    ("He has never had a [liver biopsy].", "absent"),
    ("At no time was there evidence of tension or of a significant [pleural effusion].", "absent"),
    ("At no time was there evidence of tension, but a [pleural effusion] remained.", "present"),
    ("He denies having had a [seizure].", "absent"),
    ("He has not reported [chest pain].", "absent"),
    ("She has not complained of [chest pain].", "absent"),
    ("I do not think that she has [pneumonia].", "absent"),
    ("This is not felt to be [pneumonia].", "absent"),
    ("He was not found to have [pneumonia].", "absent"),
    ("She is not a candidate for [anticoagulation].", "absent"),
    ("No rubs or [murmurs] were auscultated.", "absent"),
    ("No mass or [tenderness] could be palpated.", "absent"),
    ("Hepatitis C and [HIV], both of which were negative.", "absent"),
    ("[Pneumothorax] could not be identified.", "absent"),
    ("[Pneumothorax] has not been demonstrated.", "absent"),
    ("He did not present with [fever].", "absent"),
    ("Work-up for [PE] was negative.", "absent"),
    ("Low suspicion for [pneumonia].", "possible"),
    ("No history of any persistent vomiting or [diarrhea].", "absent"),
    ("He denied to have any palpitation, [dizziness], or syncope.", "absent"),
    ("She denies that she has any fever or [chills].", "absent"),
    ("They had not noted him to have any fever or [cough].", "absent"),
    ("She no longer had any agitation or [confusion] and she seemed well.", "absent"),
    ("He has not yet had an [endoscopy].", "absent"),
    ("She used to be a [smoker].", "historical"),
    ("His [chest tube] was removed.", "absent"),
    ("Under adequate [anesthesia], the old metal tube in the airway was removed.", "present"),
    ("No pneumothorax, stable [cardiomegaly].", "present"),
    ("No pneumothorax, persistent small [effusion] and atelectasis.", "present"),
    ("No fever, increased [cough].", "present"),
    ("[Cardiomegaly] is not convincingly present.", "absent"),
    ("[Heart failure]: unlikely. Old fracture.", "absent"),
    ("[Contusion]: possible, on the right.", "possible"),
    ("Denies headache, chest pain, [dysuria] or rash but reports ear pain.", "absent"),
    ("No meningitis, mastoiditis, or [endocarditis] suspected clinically.", "absent"),
    ("No effusion, [pneumonia] suspected.", "possible"),
    ("Should the marrow show [lymphoma], we will call.", "hypothetical"),
    ("Recurrent [effusion], r/o malignancy.", "present"),
    ("[MI], rule out.", "possible"),
    ("Left basal [atelectasis] favored; pneumonia is possible.", "possible"),
    ("Basal opacities, [pneumonia] favored over edema.", "possible"),
    ("Family history of breast cancer, personal history of [DVT].", "historical"),
    ("The donor had [hepatitis B].", "family"),
    ("No diabetes, former [smoker].", "historical"),
    ("No resolution of the hilar [mass].", "present"),
    ("bases no wheeze 2+ [edema] symmetric", "present"),
    ("[Asthma] ruled out: see below.", "absent"),
    ("Excluded: [asthma].", "absent"),
    ("Deceased donor [kidney transplant].", "present"),
    ("She denies personal history of [breast cancer].", "absent"),
    ("No history of diabetes, active [smoker].", "present"),
    ("She is not taking [aspirin].", "absent"),
    ("She is not taking her [HIV] medications.", "present"),
    ("Denies chest pain, has [dyspnea].", "present"),
    ("Nearly complete resolution of the [effusion].", "present"),
    ("Nil [pneumothorax].", "absent"),
    ("[Pneumonia] is favored.", "possible"),
    ("She has noticed [tremor].", "present"),
    ("She was found to have [pneumonia].", "present"),
    ("The [appendix] is not well visualized.", "present"),
    ("The [effusion] is incompletely visualized.", "present"),
    ("The [nodule] was not present on the prior study.", "present"),
    ("Small [pneumothorax] not seen on the initial film.", "present"),
    ("[Fracture] not visible on the first x-ray.", "present"),
    ("[Fracture] not seen on the original films.", "present"),
    ("[Fracture] not seen on these films.", "absent"),
    ("He did not improve, and [fever] persisted.", "present"),
    ("Does not take aspirin because of [bleeding].", "present"),
    ("The heart remains enlarged, which resolved after [dialysis].", "present"),
    ("Chronic elevation of the diaphragm with airspace disease, [atelectasis] versus infiltrate.", "possible"),
    (
        "Chronic [elevation of the diaphragm] with increased basal airspace disease, atelectasis vs infiltrate.",
        "present",
    ),
    ("Please note that [fractures] may not be demonstrated.", "hypothetical"),
    ("Risks including but not limited to bleeding, [infection] and death were discussed.", "hypothetical"),
    ("If [fever] is absent, go home.", "hypothetical"),
    ("Her mother had a [stroke].", "family"),
    ("Her mother, who had [breast cancer], died.", "family"),
    ("Family history is positive for a cousin, who has [seizures].", "family"),
    ("Father has a history of [diabetes].", "family"),
    ("Mother was found to have [breast cancer].", "family"),
    ("Mother developed [breast cancer] at 40.", "family"),
    ("Her husband noticed [confusion] since Monday.", "present"),
    ("His wife found him with [confusion].", "present"),
    ("She came with her mother because of [cough].", "present"),
    ("The parents were told that the child had a [murmur].", "present"),
    ("Her son denies [falls].", "absent"),
    ("No [changes in weight] or appetite.", "absent"),
    ("No change in [weight loss].", "present"),
    ("The thyroid is not [enlarged].", "absent"),
    ("Lidocaine without [epinephrine] was injected.", "absent"),
    ("Lidocaine without epinephrine was [injected].", "present"),
    ("MRI with and without [contrast].", "present"),
    ("No pain, no palpitations, [short of breath] on the stairs.", "present"),
    ("No pain, no [palpitations], short of breath on the stairs.", "absent"),
    ("No fever, no chills, [nausea] or vomiting.", "absent"),
    ("No murmurs, rubs, [gallops].", "absent"),
    ("[MRSA] not isolated.", "absent"),
]


@pytest.mark.parametrize(
    ("marked", "kind", "assertion"),
    [
        ("[D-dimer] not sent.", "procedure", "absent"),
        ("[Lumbar puncture] could not be performed.", "procedure", "absent"),
        ("He was not given any [aspirin].", "drug", "absent"),
        ("[Aspirin] was not given.", "drug", "absent"),
        ("The [stent] was not placed.", "device", "absent"),
        ("[Lasix] not started.", "drug", "absent"),
        ("[Rash], steroids not started.", "finding", "present"),
        ("She was not started on [antibiotics] and the fever went.", "drug", "absent"),
        ("He never required [intubation].", "procedure", "absent"),
        ("[Aspirin] was given.", "drug", "present"),
        ("[Rash], antibiotics not given.", "finding", "present"),
    ],
)
def test_what_was_not_done_or_given_is_absent(marked: str, kind: str, assertion: str) -> None:
    begin, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    assert assess(Sentence(text, 0, len(text)), [Target(begin, end, kind)])[0].assertion == assertion


def test_a_list_that_is_denied_does_not_deny_a_normal_statement() -> None:
    text = "No murmurs, rubs, lungs clear. Not afebrile."
    listed = assess(Sentence(text, 0, 30), [Target(18, 29, "finding", denies=True)])[0]
    itself = assess(Sentence(text, 31, len(text)), [Target(35, 43, "finding", denies=True)])[0]
    assert (listed.assertion, itself.assertion) == ("present", "absent")


FORMS = [
    ("CXR: effusion [ ] infiltrate [ ] pneumothorax [x]", "effusion", "absent"),
    ("CXR: effusion [ ] infiltrate [ ] pneumothorax [x] left, apical", "pneumothorax", "present"),
    ("CXR: pneumothorax [x] left, apical 3.5 cm cardiomegaly [ ]", "cardiomegaly", "absent"),
    ("HTN (-) DM (-) tobacco (+)", "HTN", "absent"),
    ("HTN (-) DM (-) tobacco (+)", "DM", "absent"),
    ("HTN (-) DM (-) tobacco use (+)", "tobacco use", "present"),
    ("Lungs: (-) wheezes, (+) crackles", "wheezes", "absent"),
    ("ROS: (-) fever, cough, dyspnea. (+) rash, fatigue.", "dyspnea", "absent"),
    ("ROS: (-) fever, cough, dyspnea. (+) rash, fatigue.", "fatigue", "present"),
    ("(+) rash, fatigue, (-) fever, cough", "cough", "absent"),
    ("Lungs: (-) wheezes, (+) crackles", "crackles", "present"),
    ("Nausea [ ] yes [x] no", "Nausea", "absent"),
    ("Palpitations: [ ] yes [x] no", "Palpitations", "absent"),
    ("Rash: [x] yes [ ] no  Itch: [ ] yes [x] no", "Itch", "absent"),
    ("Nausea [x] yes [ ] no", "Nausea", "present"),
    ("Syncope: Yes [ ] No [x]", "Syncope", "absent"),
    ("Syncope: Yes [x] No [ ]", "Syncope", "present"),
    ("Syncope: yes [ ] / no [x]", "Syncope", "absent"),
    ("Chest pain: Yes [x] No [ ]   Dyspnea: Yes [ ] No [x]", "Chest pain", "present"),
    ("Chest pain: Yes [x] No [ ]   Dyspnea: Yes [ ] No [x]", "Dyspnea", "absent"),
    ("Epilepsy ☐ yes ☒ no; asthma ☒ yes ☐ no", "Epilepsy", "absent"),
    ("Epilepsy ☐ yes ☒ no; asthma ☒ yes ☐ no", "asthma", "present"),
    ("Any angina? Yes ☐ No ☑", "angina", "absent"),
    ("Any angina? ( ) yes (x) no", "angina", "absent"),
    ("Any angina? Yes ☐ No ☐", "angina", "hypothetical"),
    ("fatigue+, fever-, chills-.", "fever", "absent"),
    ("+ dysuria, - hematuria, - flank pain", "dysuria", "present"),
    ("+ dysuria, - hematuria, - flank pain", "hematuria", "absent"),
    ("ROS: + fatigue, - cough", "cough", "absent"),
    ("Since May: - rash, - fever", "fever", "present"),
    ("fatigue+, fever-, chills-.", "fatigue", "present"),
    ("headache + / photophobia - / neck stiffness -", "photophobia", "absent"),
    ("Na- and K+ shifts, fever, cough", "fever", "present"),
    ("Heart murmur ....... N", "Heart murmur", "absent"),
    ("Heart murmur ....... Y", "Heart murmur", "present"),
    ("No fever... murmur", "murmur", "present"),
    ("No S. pneumoniae or MRSA.", "MRSA", "absent"),
    ("No vitamin D. rash", "rash", "present"),
    ("No filling defect in the main or lobar arteries to suggest embolism.", "embolism", "absent"),
    ("Findings to suggest embolism.", "embolism", "possible"),
    ("No focal hepatic lesion larger than 1 cm suspicious for metastases.", "metastases", "absent"),
    ("No effusion, hilar mass suspicious for metastases.", "metastases", "possible"),
    ("Nausea [ ] yes [ ] no", "Nausea", "hypothetical"),
    ("[ ] fever [x] cough [ ] rash", "fever", "absent"),
    ("[ ] fever [x] cough [ ] rash", "cough", "present"),
    ("☐ fever ☑ cough", "fever", "absent"),
    ("☐ fever ☑ cough", "cough", "present"),
    ("Fever ( ) yes (x) no", "Fever", "absent"),
    ("Wheezes -/- edema +/+", "edema", "present"),
    ("Wheezes -/- edema +/+", "Wheezes", "absent"),
    ("Pneumothorax (-).", "Pneumothorax", "absent"),
    ("(-) pneumothorax.", "pneumothorax", "absent"),
    ("Fever +/- chills", "Fever", "present"),
    ("Edema () rash", "rash", "present"),
    ("Childhood illnesses: (+) measles (+) mumps", "mumps", "historical"),
    ("Risk factors: HTN (-) family history of MI (-)", "HTN", "absent"),
    ("sob x3d, +orthopnea +le swelling, -cp -fever, ?weight gain", "orthopnea", "present"),
    ("sob x3d, +orthopnea +le swelling, -cp -fever, ?weight gain", "le swelling", "present"),
    ("sob x3d, +orthopnea +le swelling, -cp -fever, ?weight gain", "fever", "absent"),
    ("sob x3d, +orthopnea +le swelling, -cp -fever, ?weight gain", "weight gain", "possible"),
    ("chest -left pneumothorax", "pneumothorax", "present"),
]


@pytest.mark.parametrize(("text", "named", "assertion"), FORMS)
def test_ticks_and_signs_of_forms(text: str, named: str, assertion: str) -> None:
    begin = text.index(named)
    assert assess(Sentence(text, 0, len(text)), [Target(begin, begin + len(named))])[0].assertion == assertion


@pytest.mark.parametrize(("marked", "assertion"), SENTENCES)
def test_how_far_words_reach(marked: str, assertion: str) -> None:
    assert judge(marked)[1].assertion == assertion


@pytest.mark.parametrize(
    ("marked", "assertion"),
    [
        ("[Pneumothorax] excluded at this time.", "absent"),
        ("[Pneumothorax], contusion and fracture excluded.", "absent"),
        ("[Pneumothorax]: ruled out.", "absent"),
        ("[Pneumothorax] ruled out before he was sent home.", "absent"),
        ("[Pneumothorax] ruled out then.", "absent"),
        ("[Pneumothorax] can be excluded.", "absent"),
        ("[Pneumothorax] was suspected and excluded.", "absent"),
        ("[Pneumothorax] was considered but ruled out by CT.", "absent"),
        ("CT excluded [pneumothorax].", "absent"),
        ("He was ruled out for [MI] but has angina.", "absent"),
        ("[Pneumothorax] not yet excluded.", "possible"),
        ("[Pneumothorax] cannot be confidently excluded.", "possible"),
        ("[Pneumothorax] cannot entirely be ruled out.", "possible"),
        ("It is difficult to completely exclude [pneumothorax].", "possible"),
        ("CT has not ruled out [pneumothorax].", "possible"),
        ("Delayed [pneumothorax] would have to be considered if breathing worsens.", "possible"),
        ("He was considered to have [pneumonia].", "possible"),
        ("[Pneumothorax] must be excluded.", "hypothetical"),
        ("[Pneumothorax] needs to be ruled out.", "hypothetical"),
        ("Until [pneumothorax] is excluded, he must not fly.", "hypothetical"),
        ("[Pneumothorax] excluded, effusion unchanged.", "absent"),
        ("Pneumothorax excluded, [effusion] is unchanged.", "present"),
        ("Pneumothorax excluded by [CT].", "present"),
        ("[CT] excluded pneumothorax.", "present"),
        ("Patients with [stroke] were excluded from the study.", "present"),
        ("[Pneumothorax] excluded from the differential.", "absent"),
    ],
)
def test_verbs_are_read_with_all_that_stands_in_their_group(marked: str, assertion: str) -> None:
    assert judge(marked)[1].assertion == assertion


WORDS = st.sampled_from(
    [
        "no",
        "not",
        "effusion",
        ",",
        ".",
        ";",
        "and",
        "but",
        "is",
        "seen",
        "excluded",
        "cannot",
        "ruled",
        "out",
        "to",
        "İ",
        "🫁",
        "(",
        ")",
        ":",
        "if",
        "mother",
        "\n",
        "א",
    ]
)


@given(st.lists(WORDS, max_size=40), st.data())
def test_every_mention_is_judged_with_its_trigger_in_the_sentence(words: list[str], data: st.DataObject) -> None:
    text = " ".join(["effusion", *words])
    before, after = "No fever. ", " No cough."
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin + 1, len(text)))
    found = assess(Sentence(text, 0, len(text)), [Target(0, 8), Target(begin, end)])
    assert len(found) == 2
    for judged in found:
        assert judged.assertion in ASSERTIONS
        if judged.trigger_begin is not None and judged.trigger_end is not None:
            assert 0 <= judged.trigger_begin < judged.trigger_end <= len(text)
    shifted = assess(
        Sentence(before + text + after, len(before), len(before) + len(text)), [Target(len(before), len(before) + 8)]
    )
    assert shifted[0].assertion == found[0].assertion


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("Asthma [x] yes [ ] no", True),
        ("Asthma ☐", True),
        ("Asthma? Yes.", True),
        ("No asthma [x]", False),
        ("No asthma.", False),
    ],
)
def test_what_a_form_answers_is_settled(text: str, settled: bool) -> None:
    begin = text.lower().index("asthma")
    assert assess(Sentence(text, 0, len(text)), [Target(begin, begin + 6)])[0].settled is settled


@pytest.mark.parametrize(
    ("marked", "assertion"),
    [
        ("? [stroke], weak left arm.", "possible"),
        ("? stroke, weak left [arm].", "present"),
        ("? [PE] or pneumonia.", "possible"),
        ("? PE or [pneumonia].", "possible"),
    ],
)
def test_a_question_mark_before_a_name_asks_of_that_alone(marked: str, assertion: str) -> None:
    assert judge(marked)[1].assertion == assertion
