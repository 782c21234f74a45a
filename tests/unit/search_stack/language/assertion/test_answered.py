"""Questions of a note that is a talk, and what is answered behind them."""

from __future__ import annotations

import pytest

from search_stack.core.schema import Finding
from search_stack.language.assertion import Judgement, Target
from search_stack.language.assertion.answered import Answer, answer_to, answered
from tests import language


def of(question: str, behind: str) -> Answer | None:
    text = f"{question}\n{behind}"
    return answer_to(text, (0, len(question)), (len(question) + 1, len(text)))


@pytest.mark.parametrize(
    ("question", "behind"),
    [
        ("Doctor: Any fevers, chills or sweats?", "Patient: No."),
        ("[doctor] and have you noticed any swelling?", "[patient] um, not really"),
        ("Q: Is there any numbness?", "A: None that I know of."),
        ("Okay, and do you still get headaches?", "No, I have not had one."),
        ("Are you taking ibuprofen?", "I don't."),
        ("How about diabetes?", "Nope, never."),
        ("No chest pain?", "None."),
        ("Has he ever had a seizure?", "Never."),
        ("Did she have any bleeding?", "Yeah, no."),
    ],
)
def test_a_denial_is_one_of_all_that_is_asked_for(question: str, behind: str) -> None:
    found = of(question, behind)
    assert found
    assert found.says == "absent"


@pytest.mark.parametrize(
    ("question", "behind"),
    [
        ("DOCTOR: Do you get short of breath?", "PATIENT: I do, yeah."),
        ("any nausea?", "[patient] yeah, a bit."),
        ("Are you on metformin?", "Yes, twice a day."),
        ("Have you had any falls?", "Sadly, two."),
    ],
)
def test_so_is_a_yes(question: str, behind: str) -> None:
    found = of(question, behind)
    assert found
    assert found.says == "present"


@pytest.mark.parametrize(
    ("question", "behind"),
    [
        ("Does the cough keep you awake?", "No."),  # the cough is there
        ("Does anything help the pain?", "No."),
        ("Any questions about the colonoscopy?", "No."),
        ("Do you know when the pain began?", "No."),
        ("Any chest pain?", "No shortness of breath."),  # no answer
        ("Any chest pain?", "I don't know."),
        ("Any chest pain?", "Not sure."),
        ("Any chest pain?", "Penicillin."),
        ("She has chest pain.", "No."),
    ],
)
def test_what_asks_for_more_or_is_not_answered_is_left(question: str, behind: str) -> None:
    assert of(question, behind) is None


def test_only_the_last_question_of_a_sentence_is_answered() -> None:
    found = of("You said the knee pain began on Monday, any swelling?", "No.")
    assert found
    assert found.asked > 30
    pain = Judgement("present")
    assert answered(pain, Target(13, 22, "symptom"), found) == pain
    assert answered(pain, Target(44, 52, "symptom"), found).assertion == "absent"


def test_an_answer_undoes_a_doubt_and_nothing_that_is_told() -> None:
    yes, no, asked = Answer("present", 30, 33, 0), Answer("absent", 30, 32, 0), Target(4, 9, "disorder")
    assert answered(Judgement("possible"), asked, yes) == Judgement("present", 30, 33, settled=True)
    assert answered(Judgement("historical", temporality="historical"), asked, yes).assertion == "historical"
    family = Judgement("family", experiencer="family")
    assert answered(family, asked, no).denied
    assert answered(family, asked, no).assertion == "family"
    normal = Target(4, 9, "disorder", denies=True)
    assert answered(Judgement("present"), normal, no) == Judgement("present")
    told = answered(Judgement("hypothetical", temporality="hypothetical"), asked, no)
    assert (told.assertion, told.temporality, told.settled, told.denied) == ("absent", "recent", True, True)


def test_labels_hear_it_and_point_to_the_answer() -> None:
    text = (
        "Doctor: Any chest pain or cough?\nPatient: No, none.\n"
        "Doctor: Do you have a family history of cancer?\nPatient: No."
    )
    labeller = language.labeller()
    found: dict[str, Finding] = {f.name: f for f in labeller.label(text).findings}
    assert {n: (f.assertion, f.status) for n, f in found.items()} == {
        "chest pain": ("absent", ""),
        "cough": ("absent", ""),
        "cancer": ("family", "unaffected"),
    }
    cough = found["cough"]
    assert cough.trigger_begin is not None
    assert text[cough.trigger_begin : cough.trigger_end] == "No"
    assert labeller.concept_assertion(text, text.index("cough"), text.index("cough") + 5).assertion == "absent"
