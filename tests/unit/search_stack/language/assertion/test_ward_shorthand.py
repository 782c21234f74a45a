"""How wards shorten words and lists, and what a word that looks both ways leaves alone."""

from __future__ import annotations

import pytest

from search_stack.language.assertion import Sentence, Target, assess
from tests import language


def said(marked: str, *kinds: str) -> list[str]:
    """Of the mentions in brackets, in order; a kind for each, "disorder" where none is given."""
    targets: list[Target] = []
    text = ""
    for part in marked.split("["):
        name, closed, rest = part.partition("]")
        if closed:
            kind = kinds[len(targets)] if len(targets) < len(kinds) else "disorder"
            targets.append(Target(len(text), len(text) + len(name), kind))
        text += name + rest
    return [j.assertion for j in assess(Sentence(text, 0, len(text)), targets)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Prev [MI].", ["historical"]),
        ("Prev. [MI].", ["historical"]),
        ("Preventive care, [MI].", ["present"]),
        ("No hx. of [stroke].", ["absent"]),
        ("No pain. [Stroke].", ["present"]),
        ("No end-organ damage e.g. [AKI].", ["absent"]),
        ("Not seen by Dr E. [AKI].", ["present"]),
    ],
)
def test_a_stop_behind_a_short_form_ends_no_clause(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Has [fever], [chills], [n/v].", ["present"] * 3),
        ("No [fever]/[chills]/[n/v].", ["absent"] * 3),
        ("[N/V]: n, [cough]: y", ["absent", "present"]),
        ("[Fever] n, [cough] y", ["absent", "present"]),
    ],
)
def test_a_letter_of_a_name_is_no_answer(sentence: str, expected: list[str]) -> None:
    assert said(sentence, *["symptom"] * 3) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("[AKI] ?[sepsis].", ["present", "possible"]),
        ("[Fall] ? [syncope].", ["present", "possible"]),
        ("[PE]?", ["possible"]),
        ("[Pneumonia]? aspiration.", ["possible"]),
    ],
)
def test_a_question_mark_apart_from_what_stands_before_it_asks_of_what_follows(
    sentence: str, expected: list[str]
) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "kinds", "expected"),
    [
        ("S/p [CABG] with [wound infection].", ["procedure"], ["historical", "present"]),
        ("S/p [resection] with [colostomy].", ["procedure", "procedure"], ["historical", "historical"]),
        ("Previous stay with [pneumonia].", [], ["historical"]),
    ],
)
def test_what_came_with_an_earlier_act_is_there(sentence: str, kinds: list[str], expected: list[str]) -> None:
    assert said(sentence, *kinds) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Awaiting transport, on [oxygen].", "present"),
        ("Suitable for discharge on [warfarin].", "present"),
        ("Awaiting [warfarin].", "hypothetical"),
        ("Would put her on [warfarin].", "hypothetical"),
    ],
)
def test_what_somebody_is_on_is_taken_whatever_is_to_come(sentence: str, expected: str) -> None:
    assert said(sentence, "drug") == [expected]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("No [chest pain] after exercise, [dyspnea] or [palpitations].", ["absent", "absent", "absent"]),
        ("No [chest pain] after [stroke], [dyspnea] or [palpitations].", ["absent", "present", "absent", "absent"]),
        ("No [weakness] following the fall, [numbness] or [headache].", ["absent", "absent", "absent"]),
        ("No [chest pain] after exercise, [dyspnea].", ["absent", "present"]),
        ("No [chest pain] after exercise, has [dyspnea] or [palpitations].", ["absent", "present", "present"]),
    ],
)
def test_a_list_of_denials_goes_on_behind_when_it_was(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Change [ramipril] to [losartan].", ["historical", "present"]),
        ("[Citalopram] → [sertraline].", ["historical", "present"]),
        ("Change [ramipril] to nights, [losartan].", ["present", "present"]),
        ("Add [ramipril] to [losartan].", ["present", "present"]),
    ],
)
def test_a_drug_that_another_takes_the_place_of_is_over(sentence: str, expected: list[str]) -> None:
    assert said(sentence, "drug", "drug") == expected


def test_what_is_likely_behind_a_cause_is_the_cause() -> None:
    assert said("Etiology of the [pancreatitis] is likely biliary.") == ["present"]
    assert said("The [pancreatitis] is likely.") == ["possible"]


def test_what_is_considered_is_in_doubt_and_an_act_is_to_come() -> None:
    assert said("I considered [appendicitis].") == ["possible"]
    assert said("I considered [appendectomy].", "procedure") == ["hypothetical"]


def test_neg_before_a_comma_says_nothing_of_the_next() -> None:
    assert said("Rh neg, [bleeding] at 20 weeks.") == ["present"]
    assert said("Neg for [bleeding].") == ["absent"]


def test_a_history_of_a_finding_that_passes_is_over() -> None:
    for passing, expected in ((True, "historical"), (False, "present")):
        target = Target(11, 21, "finding", passing=passing)
        assert assess(Sentence("History of bacteremia.", 0, 22), [target])[0].assertion == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Non-displaced fracture.", [("fracture", "present")]),
        ("Non-smoker.", [("tobacco use", "absent")]),
        ("Plan:\n- LP today", [("lumbar puncture", "hypothetical")]),
        ("Exam:\n- LP today", [("lumbar puncture", "present")]),
        ("Fall ? syncope.", [("accidental fall", "present"), ("syncope", "possible")]),
        ("Differential diagnoses:\n1. Meningitis\n2. Migraine", [("meningitis", "possible"), ("migraine", "possible")]),
        ("Diagnoses:\n1. Meningitis", [("meningitis", "present")]),
        ("Provisional diagnosis: cellulitis.", [("cellulitis", "possible")]),
        ("Resolved Problems:\nPneumonia\n\nPlan:\nRest", [("pneumonia", "historical")]),
        ("Resolved problems: thrush. Ongoing: pneumonia.", [("candidiasis", "historical"), ("pneumonia", "present")]),
        (
            "FH: father depression.\nRisk: aggression towards staff.",
            [("depression", "family"), ("aggression", "present")],
        ),
        ("PMH: epilepsy\nTheatre: appendicectomy", [("epilepsy", "present"), ("appendectomy", "present")]),
    ],
)
def test_notes_are_labelled_so(text: str, expected: list[tuple[str, str]]) -> None:
    found = {(f.name.lower(), f.assertion) for f in language.rules().label(text).findings}
    assert found >= set(expected), found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Per mom, pt had a febrile seizure at home.", "present"),
        ("Girlfriend found him unresponsive after a heroin overdose.", "present"),
        ("Her mother had a stroke.", "family"),
        ("Her child has a fever.", "family"),
        ("Assaulted by a patient who is hepatitis C positive.", "family"),
    ],
)
def test_nobody_elses_is_what_the_patient_had(text: str, expected: str) -> None:
    assert [f.assertion for f in language.labeller().label(text).findings][-1] == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("[Flu A] neg / [flu B] neg / [RSV] pos", ["absent", "absent", "present"]),
        ("[RSV] DETECTED / [COVID] not detected", ["present", "absent"]),
        ("No [fever] / [chills] / [sweats].", ["absent"] * 3),
        ("[HIV] neg/[syphilis] neg", ["absent", "absent"]),
    ],
)
def test_a_slash_behind_a_result_parts_statements(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("[Blood] NEG  [protein] NEG  [ketones] pos", ["absent", "absent", "present"]),
        ("[Blood] pos  [protein] NEG", ["present", "absent"]),
        ("Was negative  for [HIV].", ["absent"]),
        ("[Metformin]  1 g bd  STOP  eGFR 24", ["historical"]),
        ("[Amitriptyline]  10 mg  STOPPED  [falls]", ["historical", "present"]),
        ("Takes [metformin], stop  then go.", ["present"]),
    ],
)
def test_a_wide_gap_ends_the_cell_of_a_result_or_an_action(sentence: str, expected: list[str]) -> None:
    assert said(sentence, "drug" if "met" in sentence.lower() or "mg" in sentence else "disorder") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Stool: [Salmonella], [Shigella], [Campylobacter] not isolated.", ["absent"] * 3),
        ("[Ulcers], [erosions], [masses] not seen.", ["absent"] * 3),
        ("[Anemia], [bleeding] not seen.", ["present", "absent"]),
        ("[Anemia] since May, [weakness], [bleeding] not found.", ["present", "present", "absent"]),
    ],
)
def test_a_bare_list_of_three_is_denied_as_one(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("[Gonorrhea]/[Chlamydia] [NAAT]: negative", ["absent", "absent", "present"]),
        ("[Sepsis], [Chlamydia] [NAAT] negative", ["present", "absent", "present"]),
    ],
)
def test_a_test_for_two_germs_denies_both(sentence: str, expected: list[str]) -> None:
    assert said(sentence, "disorder", "disorder", "procedure") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("[Panic] -.", "absent"), ("[Panic] - worse.", "present"), ("[Panic]-.", "present")],
)
def test_a_lone_minus_that_blanks_part_ends_its_statement(sentence: str, expected: str) -> None:
    assert said(sentence) == [expected]


@pytest.mark.parametrize(
    ("sentence", "kinds", "expected"),
    [
        ("[Cast] declined, [boot] provided.", ["device", "device"], ["absent", "present"]),
        ("She declined [cast] and [boot].", ["device", "device"], ["absent", "absent"]),
        ("Femorals 2+, R pop absent, [bruit] L carotid.", ["finding"], ["present"]),
        ("Absent [reflexes], [bruit].", ["finding", "finding"], ["absent", "absent"]),
        ("[Gastrectomy] not had, [sleeve] done.", ["procedure", "procedure"], ["absent", "present"]),
        ("No [VOD] - [LFTs] ok.", ["disorder", "procedure"], ["absent", "present"]),
        ("No [VOD], [ascites] or [LFTs].", ["disorder", "finding", "procedure"], ["absent"] * 3),
        ("No [hydroureter], 6 mm [stone], simple [cyst].", [], ["absent", "present", "present"]),
        ("No [hydroureter], 6 mm [stone] or [cyst].", [], ["absent", "present", "absent"]),
    ],
)
def test_what_closes_an_item_says_nothing_of_the_next(sentence: str, kinds: list[str], expected: list[str]) -> None:
    assert said(sentence, *kinds) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("[Chest pain] no [SOB] no", ["absent", "absent"]),
        ("[Chest pain] no [SOB] no [cough] yes.", ["absent", "absent", "present"]),
        ("[Chest pain] yes [SOB] no.", ["present", "absent"]),
        ("[Asthma] no [wheeze] today.", ["present", "absent"]),
    ],
)
def test_answers_without_commas_are_of_what_stands_before_each(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected
