"""How often without "at least", ages and sexes as clinicians write them, results of a disease: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, field, has, near, words

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
    ("amoxicillin x 5", both(has("amoxicillin"), words("x 5"))),
    ("fever x 3 days", both(has("fever"), words("x 3 days"))),
    ("type 2 seizures", both(words("type 2"), has("seizure"))),
    ("drinks 6 beers a day", both(has("alcohol use"), words("6"))),
    ("grade 2 falls", both(words("grade 2"), has("accidental fall"))),
    ("3 polyps", both(words("3"), has("polyp"))),
    ("4 antibiotics", both(words("4"), has("antibiotic"))),
    ("2 weeks of fevers", both(words("2 weeks"), has("fever"))),
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
    ("heart rate in the 40s", words("heart rate in the 40s")),
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
