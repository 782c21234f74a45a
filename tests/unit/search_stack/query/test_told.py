"""What narrows the question and no label can tell is told, with the line that asks for it all the same."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import Finding
from search_stack.query.tree import wanted
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import both, has, no

TOLD = [
    ("mother had breast cancer", '"mother" was read as any relative'),
    ("maternal aunt with ovarian cancer", '"aunt" was read as any relative'),
    ("CYP3A4 inhibitors (eg ketoconazole)", "was read as what stands before it or ketoconazole"),
    ("cognitively intact (MMSE > 24)", '"cognitively intact" names nothing'),
    ("anticoagulants (e.g. warfarin)", "kinds of a name count with it"),
    ("sepsis admissions", '"admissions" was left aside'),
    ("E11 type 2 diabetes", "fact:icd10:E11"),
    ("presented to the ED with renal colic", '"presented to the ED" was left aside'),
    ("methotrexate daily instead of weekly", '"instead of weekly" was left aside'),
    ("bloods: Na < 120", '"bloods" was left aside'),
    ("children aged 6 months to 5 years with asthma", "age:0-5"),
    ("heart failure, no ICD", '"no ICD" leaves out whoever has it'),
    ("no prior surgery", '"no prior surgery" asks for notes that say so'),
    ("rash after amoxicillin", '"after" asks for a later day'),
    ("stroke before knee replacement", '"before" asks for an earlier day'),
    ("first presentation of psychosis", '"first presentation of" was left aside'),
    ("raised trop ?cause", '"?cause" was left aside'),
    ("abdominal pain, cause?", 'cause?" was left aside'),
    ("weight loss at diagnosis of lymphoma", '"at diagnosis of" was left aside'),
    ("seizure at onset", '"at onset" was left aside'),
    ("age over 60 at diagnosis", '"at diagnosis" was left aside'),
    ("biopsy-proven celiac disease", '"biopsy-proven" was left aside'),
    ("lisinopril stopped due to cough", '"due to" was left aside'),
]


@pytest.mark.parametrize(("line", "told"), TOLD)
def test_it_is_told(understanding: Understanding, line: str, told: str) -> None:
    assert any(told in n.message for n in understanding.understand(line).notices)


@pytest.mark.parametrize(
    "line", ["family history of breast cancer", "first degree relative with colon cancer", "mothers on methadone"]
)
def test_no_single_relative_is_told_where_none_is_asked_for(understanding: Understanding, line: str) -> None:
    assert not any("any relative" in n.message for n in understanding.understand(line).notices)


@pytest.mark.parametrize(
    "line",
    [
        "mother had breast cancer",
        "sepsis admissions",
        "presented to the ED with renal colic",
        "raised trop ?cause",
        "hypertension at diagnosis",
        "celiac disease biopsy proven",
        "warfarin stopped because of bleeding",
        "heart failure, no ICD",
        "no steroids or antibiotics",
        "rash after amoxicillin",
        "stroke before knee replacement",
    ],
)
def test_the_line_that_is_offered_asks_for_more(understanding: Understanding, line: str) -> None:
    found = understanding.understand(line)
    offers = [n.line for n in found.notices if n.line]
    assert offers
    assert all(understanding.understand(offer).query != found.query for offer in offers)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rash after amoxicillin", "rash on the same day or after amoxicillin"),
        ("raised trop ?cause", 'raised trop (words:"unknown cause"'),
    ],
)
def test_the_line_that_is_offered_keeps_its_words_apart(understanding: Understanding, line: str, offered: str) -> None:
    assert any(n.line.startswith(offered) for n in understanding.understand(line).notices)


@pytest.mark.parametrize(
    "line", ["no pneumothorax", "no known drug allergies", "without an ICD", "not on warfarin", "ICD ruled out"]
)
def test_what_notes_deny_is_not_told_to_be_hardly_denied(understanding: Understanding, line: str) -> None:
    assert not any("hardly one denies" in n.message for n in understanding.understand(line).notices)


def test_a_list_that_is_denied_is_told_once(understanding: Understanding) -> None:
    for line, offered in (
        ("no steroids or antibiotics", "without steroids or antibiotics"),
        ("croup, no steroids or antibiotics", "croup, denies steroids or antibiotics"),
    ):
        told = [n.line for n in understanding.understand(line).notices if "hardly one" in n.message]
        assert told == [offered]


def test_what_was_not_given_is_left_out_where_more_is_asked_for(understanding: Understanding) -> None:
    def without(line: str) -> set[str]:
        query = understanding.understand(line).query
        return {leaf.name for leaf in wanted(query) if isinstance(leaf, Finding) and leaf.assertion == "absent"}

    assert without("croup, no steroids or antibiotics") == set()
    assert without("croup, denies steroids or antibiotics") == {"corticosteroid", "antibiotic"}
    assert without("croup, no fever") == {"fever"}
    assert without("no steroids") == {"corticosteroid"}
    assert same(
        to_json(understanding.understand("bowel obstruction, no prior surgery").query),
        both(has("bowel obstruction"), no(has("surgery")), no(has("surgery", "historical"))),
    )
