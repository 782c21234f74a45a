from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_stack.core.settings import Settings
from search_stack.language.labeller import Labeller, find_mention
from search_stack.language.lexicon.concepts import Concept, Lexicon
from tests import language
from tests.work import calls

LEXICON = Lexicon(
    [
        Concept("pneumothorax", "pneumothorax", "finding"),
        Concept("cardiomegaly", "cardiomegaly", "finding", denials=("heart size is normal",)),
        Concept("asthma", "asthma", "disorder"),
        Concept("breast-cancer", "breast cancer", "disorder"),
        Concept("lung", "lung", "anatomy"),
    ]
)
LABELLER = Labeller(LEXICON, None)
NOTE = """HISTORY: Asthma since childhood.

FAMILY HISTORY: Mother with breast cancer.

FINDINGS: The heart size is normal. No pneumothorax.

IMPRESSION:
1. Small left pneumothorax.
"""


def said(text: str) -> list[tuple[str, str, str]]:
    return [(f.concept, f.assertion, text[f.begin : f.end]) for f in LABELLER.label(text).findings]


def test_headings_on_one_line_keep_the_family_to_its_own() -> None:
    text = "PMHx none FHx breast cancer PSHx none Meds inhaler for asthma"
    assert [(concept, assertion) for concept, assertion, _ in said(text)] == [
        ("breast-cancer", "family"),
        ("asthma", "present"),
    ]


def test_an_answer_of_a_form_keeps_to_its_cell() -> None:
    text = "Pneumothorax: no    Asthma: yes"
    assert [(concept, assertion) for concept, assertion, _ in said(text)] == [
        ("pneumothorax", "absent"),
        ("asthma", "present"),
    ]


def test_a_denying_heading_holds_for_what_stands_under_it() -> None:
    text = "NOT FOUND ON THIS ADMISSION: Pneumothorax, asthma.\n\nPLAN: Treat the asthma."
    assert [one[1] for one in said(text)] == ["absent", "absent", "present"]


def test_a_heading_that_denies_what_it_names_says_nothing_of_what_stands_under_it() -> None:
    text = "ASTHMA RULED OUT: There is a pneumothorax."
    assert [one[1] for one in said(text)] == ["absent", "present"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PNEUMOTHORAX: None.", ["absent"]),
        ("ASTHMA:\nNegative.\n\nBREAST CANCER: Denies", ["absent", "absent"]),
        ("ASTHMA: None. Lungs clear. There is a pneumothorax.", ["absent", "present"]),
        ("ASTHMA: Well controlled.", ["present"]),
        ("ASTHMA: Denies pneumothorax.", ["present", "absent"]),
        ("ASTHMA: None of her inhalers helped on Monday.", ["present"]),
        ("ASTHMA\nLOC: denies.", ["present"]),
        ("ASTHMA\nHead strike: denies.", ["present"]),
    ],
)
def test_a_short_answer_is_the_heading_s(text: str, expected: list[str]) -> None:
    assert [one[1] for one in said(text)] == expected


def test_a_list_is_read_with_the_sentence_that_opens_it() -> None:
    text = "Return to the emergency department if you have:\n- asthma\n- pneumothorax\n\nThe pneumothorax is old."
    assert [one[1] for one in said(text)] == ["hypothetical", "hypothetical", "present"]
    assert [one[1] for one in said(text.replace("have:\n", "have:\n\n"))] == ["hypothetical", "hypothetical", "present"]
    begin = text.index("pneumothorax")
    assert LABELLER.concept_assertion(text, begin, begin + 12).assertion == "hypothetical"


def test_what_an_indication_states_is_there_and_what_it_asks_is_in_doubt() -> None:
    text = "INDICATION: Pneumothorax, rule out breast cancer.\n\nThere is a pneumothorax on the left."
    assert [one[1] for one in said(text)] == ["present", "possible", "present"]


def test_capitals_wrap_as_small_letters_do() -> None:
    assert [one[1] for one in said("THE LUNGS ARE CLEAR. THERE IS NO\nPNEUMOTHORAX.")] == ["absent"]


def test_every_mention_has_its_assertion() -> None:
    found = said(NOTE)
    assert ("pneumothorax", "absent", "pneumothorax") in found
    assert ("pneumothorax", "present", "pneumothorax") in found
    assert ("breast-cancer", "family", "breast cancer") in found
    assert [one[0] for one in found] == ["asthma", "breast-cancer", "cardiomegaly", "pneumothorax", "pneumothorax"]


def test_words_that_deny_by_themselves_are_absent_and_their_own_trigger() -> None:
    found = next(f for f in LABELLER.label(NOTE).findings if f.concept == "cardiomegaly")
    assert found.assertion == "absent"
    assert NOTE[found.trigger_begin : found.trigger_end].startswith("heart size")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALLERGIES: No known drug allergies.", {"drug allergy": "absent"}),
        ("He has no known drug allergies and has asthma.", {"drug allergy": "absent", "asthma": "present"}),
        # What the name goes on to is denied with it.
        (
            "No known allergy to penicillin, has asthma.",
            {"drug allergy": "absent", "penicillin": "absent", "asthma": "present"},
        ),
        ("She is a non-smoker.", {"tobacco use": "absent"}),
        ("Never smoker with emphysema.", {"tobacco use": "absent", "emphysema": "present"}),
        ("Abdomen: soft, non-distended, with tenderness.", {"abdominal distension": "absent", "tenderness": "present"}),
        # What denies and is no part of a name still holds for all that it did.
        ("Denies drug allergies and asthma.", {"drug allergy": "absent", "asthma": "absent"}),
        ("No known allergies to drugs.", {"drug allergy": "absent"}),
    ],
)
def test_a_denial_that_is_part_of_a_name_says_nothing_else(text: str, expected: dict[str, str]) -> None:
    said = {f.name: f.assertion for f in language.rules().label(text).findings}
    assert {name: said.get(name) for name in expected} == expected


def test_anatomy_is_no_finding() -> None:
    assert said("FINDINGS: Clear lung.") == []


def test_the_note_is_about_its_title_and_each_section_about_its_findings() -> None:
    entities = LABELLER.label(NOTE, title="Asthma clinic").entities
    assert ("asthma", "note") in [(e.concept, e.level) for e in entities]
    assert ("breast-cancer", "section") in [(e.concept, e.level) for e in entities]


def test_a_title_s_concept_counts_though_the_text_never_names_it() -> None:
    (entity,) = LABELLER.label("Take the inhaler twice a day.", title="Asthma").entities
    assert (entity.concept, entity.level, entity.mentions) == ("asthma", "note", 0)


def test_a_guess_at_what_a_section_is_about_decides_nothing() -> None:
    assert said("Mr. Lee lives with his wife, is married and retired. He has asthma.")[-1][:2] == ("asthma", "present")


HARD = [
    "",
    " ",
    "pneumothorax",
    "No pneumothorax",
    "FINDINGS:\r\nNo pneumothorax.\r\n\r\nIMPRESSION:\tPneumothorax.",
    "XXXX pneumothorax XXXX",
    "<b>FINDINGS:</b> no pneumothorax<br/>",
    "🫁 no pneumothorax 🫀",
    "אין pneumothorax",
    "Â no pneumothorax â€“ İ asthma",
]


@pytest.mark.parametrize("text", HARD)
def test_hard_input_is_labelled_at_exact_offsets(text: str) -> None:
    labels = LABELLER.label(text)
    assert "".join(text[s.begin : s.end] for s in labels.sections) == text
    for f in labels.findings:
        assert text[f.begin : f.end].lower() in ("pneumothorax", "asthma")


@given(st.text(alphabet=st.sampled_from("no pneumothorax.\n:A sthma,İ🫁\r\tX-"), max_size=200))
@settings(deadline=None)
def test_offsets_lie_in_the_text_whatever_it_is(text: str) -> None:
    for f in LABELLER.label(text).findings:
        assert 0 <= f.begin < f.end <= len(text)
        if f.trigger_begin is not None and f.trigger_end is not None:
            assert 0 <= f.trigger_begin < f.trigger_end <= len(text)


@pytest.mark.parametrize(
    "unit",
    [
        "No pneumothorax today and asthma is stable, heart size is normal ",
        "heart size is normal ",
        "no asthma, ",
        "FINDINGS: asthma. ",
        "asthma\n",
        "asthma ....... no, ",
        "asthma+, pneumothorax-, ",
        "Asthma: yes [ ] no [x] ",
    ],
)
def test_the_work_grows_with_the_text_as_it_does(unit: str) -> None:
    LABELLER.label(unit)
    once = calls(lambda: LABELLER.label(unit * 200))
    assert calls(lambda: LABELLER.label(unit * 1_600)) < 9 * once


def test_the_longest_note_without_a_line_break() -> None:
    sentence = "No pneumothorax today and asthma is stable, heart size is normal "
    text = sentence * (Settings().note_characters // len(sentence))
    labels = LABELLER.label(text)
    assert len(labels.findings) >= 2 * (len(text) // len(sentence))
    assert all(text[f.begin : f.end] for f in labels.findings)


def test_a_concept_that_no_lexicon_knows() -> None:
    text = "FINDINGS: There is no evidence of splenic infarct."
    span = find_mention(text, "Splenic  infarct")
    assert span is not None
    found = LABELLER.concept_assertion(text, *span)
    assert (found.assertion, text[found.trigger_begin : found.trigger_end].lower()) == ("absent", "no evidence of")


@pytest.mark.parametrize(
    ("text", "name", "assertion"),
    [
        ("HIV test negative.", "HIV", "absent"),
        ("Depression screen negative.", "Depression", "absent"),
        ("Pregnancy test positive.", "Pregnancy", "present"),
        ("Sepsis screen sent.", "Sepsis", "hypothetical"),
        ("Hernia repair in 2010, abdomen normal.", "Hernia", "historical"),
    ],
)
def test_what_a_test_looks_for_is_what_it_came_out_as(text: str, name: str, assertion: str) -> None:
    assert LABELLER.concept_assertion(text, 0, len(name)).assertion == assertion


@pytest.mark.parametrize(("begin", "end"), [(-1, 2), (3, 3), (0, 99)])
def test_offsets_outside_the_text_are_refused(begin: int, end: int) -> None:
    with pytest.raises(ValueError, match="offsets"):
        LABELLER.concept_assertion("short text", begin, end)


def test_several_mentions_are_asserted_as_each_alone() -> None:
    spans = [find_mention(NOTE, words) or (0, 0) for words in ("Asthma", "breast cancer", "pneumothorax")]
    found = LABELLER.concept_assertions(NOTE, spans)
    assert found == [LABELLER.concept_assertion(NOTE, *span) for span in spans]
    assert [f.assertion for f in found] == ["present", "family", "absent"]
    assert LABELLER.concept_assertions(NOTE, []) == []


def test_one_mention_outside_the_text_is_refused_among_several() -> None:
    with pytest.raises(ValueError, match="offsets 5 to 99"):
        LABELLER.concept_assertions("No pneumothorax.", [(3, 15), (5, 99)])


def test_a_form_s_answer_is_of_its_own_row() -> None:
    text = "ETOH: yes. LOC: denies. Tdap updated. Lac repair w/ 4-0 nylon."
    said = {text[f.begin : f.end]: f.assertion for f in language.labeller().label(text).findings}
    assert said["Tdap"] == "present"
    told = language.labeller().label("GU: Negative. She is unaware of any kidney disease.").findings
    assert [f.assertion for f in told] == ["absent"]


def test_what_names_a_thing_with_its_heading_is_read_with_it() -> None:
    text = "ANESTHESIA: Spinal with fentanyl.\n\nDRAINS: Spinal needle.\n"
    found = [(f.name, text[f.begin : f.end]) for f in language.rules().label(text).findings]
    assert ("spinal anesthesia", "ANESTHESIA: Spinal") in found
    assert "fentanyl" in {name for name, _ in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hgb 7.1, transfuse <7", "hypothetical"),
        ("Sats 80%, intubate.", "hypothetical"),
        ("A decision was made to intubate.", "present"),
        ("He was intubated.", "present"),
    ],
)
def test_an_order_has_not_been_followed_yet(text: str, expected: str) -> None:
    found = [f for f in language.labeller().label(text).findings if f.concept in ("blood-transfusion", "intubation")]
    assert [f.assertion for f in found] == [expected]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("COMPARISON: None.\n\nIMPRESSION: Stable slight cardiomegaly. Sternotomy. Lungs clear.", "historical"),
        ("FINDINGS: Cardiac valve replacement. The lungs are clear.\n\nIMPRESSION: No acute disease.", "historical"),
        ("PROCEDURE: Sternotomy.\n\nFINDINGS: Sternotomy was made.\n\nIMPRESSION: Thymoma.", "present"),
        ("FINDINGS: CT shows a mass.\n\nIMPRESSION: Lung mass.", "present"),
    ],
)
def test_an_operation_in_what_a_report_of_imaging_sees_was_before(text: str, told: str) -> None:
    assert [f.assertion for f in language.labeller().label(text).findings if f.kind == "procedure"][-1] == told


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Melaena x2, Hb 84.\nPlan: hold apixaban until after scope", "hemoglobin"),
        ("R arm numbness 20 min, resolved. Imp: migraine w/ aura vs TIA. ABCD2 2.", "abcd2-score"),
        ("H pylori not seen on H&E or immuno. No IM.", "immunohistochemistry"),
        ("PE excluded (CTPA), ACS excluded (trops), likely MSK.", "ct-pulmonary-angiogram"),
    ],
)
def test_what_was_measured_or_showed_nothing_was_done(text: str, concept: str) -> None:
    found = [f for f in language.labeller().label(text).findings if concept in f.concept]
    assert [(f.assertion, f.status) for f in found] == [("present", "done")]
