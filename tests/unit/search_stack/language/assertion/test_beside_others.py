"""What is said of one mention where others stand beside it: lists of drugs, changes, items of a plan."""

from __future__ import annotations

import re

import pytest

from search_stack.language.assertion import Sentence, Target, assess

_MARK = re.compile(r"\[([^\]|]+)\|(\w+)\]")


def said(marked: str, aspect: str = "") -> list[str]:
    """The assertion of each mention, which stands in brackets with its kind."""
    text, targets, at = "", list[Target](), 0
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        targets.append(Target(len(text), len(text) + len(mark[1]), mark[2]))
        text += mark[1]
        at = mark.end()
    text += marked[at:]
    return [j.assertion for j in assess(Sentence(text, 0, len(text), aspect), targets)]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        # What somebody with a history takes is taken now; what was taken then is over.
        ("History of DVT, on [warfarin|drug] and [aspirin|drug].", ["present", "present"]),
        ("History of DVT, was on [warfarin|drug].", ["historical"]),
        ("History of [pneumonia|disorder] on the left.", ["historical"]),
        # A list of drugs that were given up goes on to its end, not to what has a verb or a dose.
        ("Failed [Humira|drug], [Enbrel|drug] (lost efficacy).", ["historical", "historical"]),
        ("Failed [Humira|drug], [Enbrel|drug] started.", ["historical", "present"]),
        ("Failed [Humira|drug], [Enbrel|drug] 50 mg weekly.", ["historical", "present"]),
        ("Failed attempts, [Enbrel|drug].", ["present"]),
        # Change is denied, not what has not changed.
        ("Neither the [pain|symptom] nor the [swelling|symptom] has improved.", ["present", "present"]),
        ("Neither [pain|symptom] nor [swelling|symptom] was noted, and he has improved.", ["absent", "absent"]),
        # No list of denials goes on with a drug and its dose, or with what is graded.
        ("No further [VT|disorder], [amiodarone|drug] PO.", ["absent", "present"]),
        ("No [aspirin|drug], [heparin|drug] or warfarin daily.", ["absent", "absent"]),
        ("No [JVD|finding], [edema|finding] 2+.", ["absent", "present"]),
        ("No [JVD|finding], [edema|finding].", ["absent", "absent"]),
        # Behind what is there "without" denies one thing, unless its list has an end or three items.
        ("[Erythema|finding] without [discharge|finding], [swelling|finding].", ["present", "absent", "present"]),
        ("[Erythema|finding] w/o [discharge|finding], [swelling|finding].", ["present", "absent", "present"]),
        ("Presents without [fever|symptom], [cough|symptom] or [rash|symptom].", ["absent", "absent", "absent"]),
        ("Without [fever|symptom], [cough|symptom].", ["absent", "absent"]),
        ("Lungs clear without [opacity|finding], [effusion|finding], [pneumothorax|finding].", ["absent"] * 3),
        # Two verbs have one subject.
        ("[Hypokalemia|disorder] was repleted and resolved.", ["historical"]),
        ("[Cough|symptom] and resolved [fever|symptom].", ["present", "historical"]),
        # A test that came out was done, whatever is repeated.
        ("Repeat [cultures|procedure] no growth.", ["present"]),
        ("Repeat [cultures|procedure] tomorrow.", ["hypothetical"]),
        # A number with a unit is no year.
        ("[Vitamin D|drug] 2000 IU.", ["present"]),
        ("[Vitamin D|drug] until 2000.", ["historical"]),
        # Parents tell of their child.
        ("Parents deny [fever|symptom].", ["absent"]),
        ("Parents with [fever|symptom].", ["family"]),
        # The end of a long name is as near as that of a short one.
        ("Old [hepatitis C|disorder] status unknown.", ["possible"]),
        ("[Right femoral line|device] out.", ["historical"]),
        ("[Positive ANA|finding] negative dsDNA.", ["present"]),
    ],
)
def test_a_mention_beside_others(marked: str, expected: list[str]) -> None:
    assert said(marked) == expected


@pytest.mark.parametrize(
    ("marked", "aspect", "expected"),
    [
        ("[EEG|procedure], [MRI|procedure] brain.", "recommendations", ["hypothetical", "hypothetical"]),
        ("Repeat head [CT|procedure].", "plan", ["hypothetical"]),
        ("[EEG|procedure] showed spikes.", "plan", ["present"]),
        ("[CT|procedure] 2 cm mass.", "assessment and plan", ["present"]),
        ("[EEG|procedure], [MRI|procedure].", "results", ["present", "present"]),
        ("[Asthma|disorder].", "plan", ["present"]),
        ("[CT|procedure] neg.", "past medical history", ["present"]),
        ("[CT|procedure].", "past medical history", ["historical"]),
    ],
)
def test_what_its_section_says_of_a_test(marked: str, aspect: str, expected: list[str]) -> None:
    assert said(marked, aspect) == expected
