"""How often without "at least", ages and sexes as clinicians write them, results of a disease: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, field, has, near, no, phrases, words

COPD, HIV = "chronic obstructive pulmonary disease", "human immunodeficiency virus infection"


def often(many: int, of: Tree) -> Tree:
    return {"at_least": many, "unit": "notes", "of": of}


OFTEN = [
    ("COPD, 2 exacerbations", both(has(COPD), often(2, has("copd exacerbation")))),
    ("MS two relapses", both(has("multiple sclerosis"), often(2, has("multiple sclerosis relapse")))),
    ("pneumonia 3 episodes", often(3, has("pneumonia"))),
    ("2 episodes of pneumonia", often(2, has("pneumonia"))),
    ("hx of dvt x2", often(2, has("deep vein thrombosis", "historical"))),
    ("diabetes, 2 strokes", both(has("diabetes mellitus"), often(2, has("stroke")))),
    ("2 seizures after surgery", near(often(2, has("seizure")), has("surgery"), 1)),
    ("epilepsy 2 seizures", both(has("epilepsy"), often(2, has("seizure")))),
    # Doses and times, grades and types, what somebody has several of at once.
    ("amoxicillin x 5", has("amoxicillin")),
    ("fever x 3 days", has("fever")),
    ("type 2 seizures", both(phrases("type 2", "type ii"), has("seizure"))),
    ("drinks 6 beers a day", both(has("alcohol use"), words("6"))),
    ("grade 2 falls", both(phrases("grade 2", "grade ii"), has("accidental fall"))),
    ("3 polyps", both(words("3"), has("polyp"))),
    ("4 antibiotics", both(words("4"), has("antibiotic"))),
    ("2 weeks of fevers", both(words("2 weeks"), has("fever"))),
]
FALL, STROKE, UTI = has("accidental fall"), has("stroke"), has("urinary tract infection")
OFTEN += [
    ("no more than 2 falls", no(often(3, FALL))),
    ("fewer than 3 miscarriages", no(often(3, has("miscarriage")))),
    ("only one seizure", both(has("seizure"), no(often(2, has("seizure"))))),
    ("exactly two strokes", both(often(2, STROKE), no(often(3, STROKE)))),
    ("COPD with fewer than 2 exacerbations", both(has(COPD), no(often(2, has("copd exacerbation"))))),
    ("3 UTIs in a year", often(3, UTI)),
    ("recurrent falls (>= 2 in 12 months)", often(2, FALL)),
    ("falls, 3 in a year", often(3, FALL)),
    (
        "3 or more UTIs (in 2021)",
        both(often(3, UTI), both(field("after", "2021-01-01"), field("before", "2022-01-01"))),
    ),
    ("recurrent (3 or more) falls", often(3, FALL)),
    ("heart failure in two separate notes", often(2, has("congestive heart failure"))),
    ("fever on three different days", {**often(3, has("fever")), "unit": "days"}),
    ("hospitalised 3 times for asthma", {**often(3, has("asthma")), "unit": "days"}),
    ("3 COPD admissions", {**often(3, has(COPD)), "unit": "days"}),
    (
        "admitted twice in the last year with gout",
        both({**often(2, has("gout")), "unit": "days"}, field("after", "2025-11-22")),
    ),
    ("at least two documented episodes of hypoglycaemia", often(2, has("hypoglycemia"))),
    ("more than 2 hospital admissions for COPD", {**often(3, has(COPD)), "unit": "days"}),
    # Ages and how much, of which none is an event.
    ("age less than 18 asthma", both(field("age", "<18"), has("asthma"))),
    ("no more than five cigarettes", both(words("five"), has("tobacco use"))),
]
MIGRAINE = has("migraine")
PEOPLE = [
    ("27 yo f with migraine", both(field("sex", "female"), field("age", "27"), MIGRAINE)),
    ("M/45 migraine", both(field("sex", "male"), field("age", "45"), MIGRAINE)),
    ("72 y.o. male migraine", both(field("sex", "male"), field("age", "72"), MIGRAINE)),
    ("women in their 40s with migraine", both(field("sex", "female"), field("age", "40-49"), MIGRAINE)),
    ("octogenarians with migraine", both(field("age", "80-89"), MIGRAINE)),
    ("centenarians with migraine", both(field("age", ">=100"), MIGRAINE)),
    # No person: a grade of a tumour, a pulse.
    ("M1 melanoma", both(words("m1"), has("melanoma"))),
    ("heart rate in the 40s", {**has("heart rate"), "value": "40-49"}),
]
RESULTS = [
    ("hiv positive cd4 < 200", both(has(HIV), {**has("cd4 count"), "value": "< 200"})),
    ("covid positive but asymptomatic", both(has("covid 19"), words("asymptomatic"))),
    ("covid positive contact", both(has("covid 19"), words("positive contact"))),
    ("differential of vasculitis", has("vasculitis", "possible")),
    ("white cell differential", has("differential count")),
]


@pytest.mark.parametrize(("line", "tree"), [*OFTEN, *PEOPLE, *RESULTS])
def test_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_notes_are_told_to_be_counted(understanding: Understanding) -> None:
    told = [n.message for n in understanding.understand("3 UTIs in a year").notices]
    assert told[0].startswith('"3 UTIs" counts notes')
    assert told[1].startswith('"in a year" was left aside')
    for line in ("UTI in 3 notes", "UTI in at least 2 different notes", "UTI on at least 2 different days"):
        assert not understanding.understand(line).notices
