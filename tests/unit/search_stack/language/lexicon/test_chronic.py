"""What does not go away: who has a history of it has it."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.chronic import chronic_ones, habits, passing_ones
from tests import language


def test_every_one_is_a_concept() -> None:
    assert chronic_ones() <= set(language.lexicon().concepts)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("History of hypertension.", "hypertension", "present"),
        ("Past medical history significant for heart failure, depression, and gout.", "depression", "present"),
        ("History of pneumonia.", "pneumonia", "historical"),
        ("History of Marfan syndrome.", "marfan syndrome", "present"),
        ("History of LBBB.", "left bundle branch block", "present"),
        ("History of guttate psoriasis.", "guttate psoriasis", "present"),
        ("History of single vessel disease.", "single vessel coronary artery disease", "present"),
        ("History of neurosis.", "neurosis", "present"),
        ("History of reflux.", "reflux", "present"),
        ("History of schizoid personality disorder.", "schizoid personality disorder", "present"),
        ("History of gestational hypertension.", "gestational hypertension", "historical"),
        # A word before it says that it lasts.
        ("History of chronic pancreatitis.", "pancreatitis", "present"),
        ("History of pancreatitis.", "pancreatitis", "historical"),
        ("History of positive PPD.", "positive ppd", "present"),
        ("History of chronic alcohol dependence.", "alcohol use disorder", "present"),
        ("History of long-standing diarrhea.", "diarrhea", "present"),
    ],
)
def test_a_history_of_what_lasts_is_present(text: str, name: str, said: str) -> None:
    found = [f for f in language.rules().label(text).findings if name in f.name]
    assert [f.assertion for f in found] == [said]
    assert found[0].temporality == "historical"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("PMH: HTN, tobacco 1 ppd.", ("present",)),
        ("PMH: HTN, ex-smoker.", ("historical",)),
        ("PMH: HTN, asthma.", ("present", "historical")),
    ],
)
def test_a_habit_among_what_was_is_none_of_the_past(text: str, counts: tuple[str, ...]) -> None:
    assert language.rules().label(text).findings[-1].counts_as == counts


def test_every_habit_is_a_concept() -> None:
    assert habits() <= language.lexicon().concepts.keys()
    assert habits().isdisjoint(chronic_ones() | passing_ones())


def test_every_passing_one_is_a_disorder_that_does_not_last() -> None:
    concepts = language.lexicon().concepts
    assert {concepts[id].kind for id in passing_ones()} <= {"disorder", "finding", "symptom"}
    assert passing_ones().isdisjoint(chronic_ones())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PAST MEDICAL HISTORY: Hypertension, pneumonia, hip fracture.", ["present", "historical", "historical"]),
        ("PAST MEDICAL HISTORY: Pancreatitis, chronic pancreatitis.", ["historical", "present"]),
        (
            "PAST MEDICAL HISTORY: NSTEMI, retinitis pigmentosa, viral meningitis.",
            ["historical", "present", "historical"],
        ),
        # Anywhere else it is there.
        ("ASSESSMENT: Hypertension, pneumonia.", ["present", "present"]),
    ],
)
def test_in_a_list_of_past_illnesses_what_ends_is_over(text: str, said: list[str]) -> None:
    assert [f.assertion for f in language.rules().label(text).findings if f.kind == "disorder"] == said
