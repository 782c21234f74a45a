"""How long something lasts, doses, and how often what names nothing came: left aside, told, and asked for by quotes."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, has, no, phrases, words

LASTING = [
    ("chronic cough for more than 8 weeks", has("chronic cough"), "for more than 8 weeks"),
    ("symptoms lasting over 6 weeks", words("symptoms"), "lasting over 6 weeks"),
    ("ventilated for more than 48 h", has("mechanical ventilation"), "for more than 48 h"),
    ("cough of at least 3 weeks' duration", has("cough"), "of at least 3 weeks' duration"),
    ("amiodarone for 6 months or longer", has("amiodarone"), "for 6 months or longer"),
    ("on antibiotics for at least 14 days", has("antibiotic"), "for at least 14 days"),
    ("prednisolone > 20 mg", has("prednisolone"), "> 20 mg"),
    ("on at least 40 mg furosemide", has("furosemide"), "at least 40 mg"),
    ("prednisolone more than 20mg daily", has("prednisolone"), "more than 20mg daily"),
    ("furosemide 80 mg or more", has("furosemide"), "80 mg or more"),
    ("life expectancy > 3 months", words("life expectancy"), "> 3 months"),
    ("at least 2 admissions", words("admissions"), "at least 2"),
    ("5 ED visits", words("ed visits"), "5"),
    ("fever for 5 days", has("fever"), "for 5 days"),
    ("fever x3d", has("fever"), "x3d"),
    ("fever x 2 wks", has("fever"), "x 2 wks"),
    ("fever 3/7", has("fever"), "3/7"),
    ("3/12 history of weight loss", has("weight loss"), "3/12 history of"),
    ("2 week hx of cough", has("cough"), "2 week hx of"),
    ("fever for months", has("fever"), "for months"),
    ("fever started 2 days ago", has("fever"), "2 days ago"),
    ("severe headache over 3 days", {**has("headache"), "severity": "severe"}, "over 3 days"),
]
AS_WRITTEN = [
    ("aspirin 300 mg", both(has("aspirin"), either(words("300mg"), words("300 mg")))),
    ("5 days", words("5 days")),
    # Left out with the number: without it more would be.
    ("stroke, not intubated > 7 days", both(has("stroke"), no(both(has("intubation"), words("7 days"))))),
    ("stroke without fever for 5 days", both(has("stroke"), no(both(has("fever"), words("5 days"))))),
    ("no seizure > 5 minutes", both(has("seizure", "absent"), words("5 minutes"))),
    ("type 2 attacks", both(phrases("type 2", "type ii"), words("attacks"))),
]


@pytest.mark.parametrize(("line", "tree", "aside"), LASTING)
def test_what_is_not_compared_is_left_aside(understanding: Understanding, line: str, tree: Tree, aside: str) -> None:
    found = understanding.understand(line)
    assert same(to_json(found.query), tree), to_json(found.query)
    assert any(aside in one for one in found.aside), found.aside
    assert any("was left aside" in n.message for n in found.notices)


def test_the_number_itself_is_asked_for_in_quotes(understanding: Understanding) -> None:
    told = understanding.understand("prednisolone > 20 mg").notices[0]
    assert told.line == 'prednisolone "20 mg"'


@pytest.mark.parametrize(("line", "tree"), AS_WRITTEN)
def test_what_is_looked_for_as_it_is_written(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read
