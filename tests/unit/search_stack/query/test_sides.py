"""What belongs to which side: of a denial, of an or, of what relates two."""

from __future__ import annotations

import json

import pytest

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, has, words

FEVER, COPD, STROKE = has("fever"), has("chronic obstructive pulmonary disease"), has("stroke")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Words that no lexicon has are denied with the names beside them, and are no alternative to them.
        ("no fever or foobar", both(has("fever", "absent"), words("no foobar"))),
        ("no foobar or fever", both(words("no foobar"), has("fever", "absent"))),
        ("no fever, rigors or foobar", both(has("fever", "absent"), has("chills", "absent"), words("no foobar"))),
        ("family history of stroke or foobar", either(has("stroke", "family"), words("family history of foobar"))),
        (
            "no family history of stroke or foobar",
            both({"not": has("stroke", "family")}, {"not": words("family history of foobar")}),
        ),
        ("family history of stroke denied", {"not": has("stroke", "family")}),
        ("no treatment for gout", both({"not": {"entity": "gout", "aspect": "treatment"}}, has("gout"))),
        ("no recurrent stroke", has("stroke", "absent")),
        # A denial before a name and its side denies the side.
        ("no asthma treatment", {"not": {"entity": "asthma", "aspect": "treatment"}}),
        ("without stroke symptoms", {"not": {"entity": "stroke", "aspect": "symptoms"}}),
        # A denial that may speak of either side speaks of what it stands before.
        ("fever, negative blood cultures", both(FEVER, has("bacteremia", "absent"))),
        ("sepsis blood cultures negative", both(has("sepsis"), has("bacteremia", "absent"))),
        ("fever and cough negative", both(has("fever", "absent"), has("cough", "absent"))),
        ("fever, unlikely stroke", both(FEVER, has("stroke", "absent"))),
        ("ct head, planned mri", both(has("ct of the head"), has("magnetic resonance imaging", "hypothetical"))),
    ],
)
def test_a_denial_holds_for_its_own(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fracture of hip or wrist", either(has("hip fracture"), has("wrist fracture"))),
        ("no fracture of hip or wrist", both(has("hip fracture", "absent"), has("wrist fracture", "absent"))),
        ("fracture of hip and wrist", both(has("hip fracture"), has("wrist fracture"))),
        ("fever needing acetaminophen or ibuprofen", both(FEVER, either(has("acetaminophen"), has("ibuprofen")))),
        ("stroke: fever or copd", both(STROKE, either(FEVER, COPD))),
        ("stroke - fever or copd", both(STROKE, either(FEVER, COPD))),
        ("skin tear or bruising after fall", both(either(has("skin tear"), has("bruising")), has("accidental fall"))),
    ],
)
def test_an_or_joins_its_own(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("impression: fever", both({"field": "section", "value": "impression"}, FEVER)),
        ("medications: warfarin", both({"field": "section", "value": "medications"}, has("warfarin"))),
        ("date >= 2019 AND fever", both({"field": "after", "value": "2019-01-01"}, FEVER)),
        ("fever 2015:3000[dp]", both(FEVER, {"field": "after", "value": "2015-01-01"})),
        ("fever w/out stroke", both(FEVER, {"not": STROKE})),
        ("fever excl. stroke", both(FEVER, {"not": STROKE})),
        ("foobar ruled out", words("foobar ruled out")),
        ("fever without pre-existing copd", both(FEVER, {"not": COPD})),
        (
            "stroke within 1.5 years of surgery",
            {"near": STROKE, "to": has("surgery"), "least": -548, "most": 548},
        ),
        ("stroke post surgery", {"near": STROKE, "to": has("surgery"), "least": 1}),
    ],
)
def test_what_people_write_otherwise(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ('note_type:"discharge summary" AND sepsis', 'type:"discharge summary" sepsis'),
        ("note:radiology AND nodule", "type:radiology nodule"),
        ("gender:f AND stroke", "sex:female stroke"),
        ("date:>2019-01-01 stroke", "after:2019-01-02 stroke"),
        ("stroke AND date:2018-2022 AND afib", "stroke after:2018 before:2023 afib"),
        ("year:2021 stroke", "after:2021 before:2022 stroke"),
        ("until:2019-03 stroke", "before:2019-04 stroke"),
        ("age:18..40 stroke", "age:18-40 stroke"),
        ("age:[18 TO 40] stroke", "age:18-40 stroke"),
        ("age:18 to 40 stroke", "age:18-40 stroke"),
        ("date:[2018 TO 2020] stroke", "after:2018 before:2021 stroke"),
    ],
)
def test_a_field_by_another_name_is_read_as_ours_and_told(understanding: Understanding, line: str, ours: str) -> None:
    found = understanding.understand(line)
    assert same(to_json(found.query), to_json(understanding.understand(ours).query))
    assert "age:" in line or any("was read as" in n.message for n in found.notices)


@pytest.mark.parametrize(
    ("line", "remedy"),
    [("author:nursing delirium", "type:"), ("dept:cardiology syncope", "type:"), ("year:soon gout", "after:")],
)
def test_a_field_of_elsewhere_is_told_with_ours(understanding: Understanding, line: str, remedy: str) -> None:
    with pytest.raises(QueryError) as e:
        understanding.understand(line)
    assert remedy in e.value.remedy


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("stroke AND sex:F AND afib", "stroke afib sex:F"),
        ("stroke AND age:>50 AND NOT afib", "stroke age:>50 -afib"),
        ('"no evidence of" metastasis', "no metastasis"),
        ('"history of" DVT -"family history"', 'history of DVT -"family history"'),
        ('"a1c" > 9 AND insulin', "a1c > 9, insulin"),
    ],
)
def test_operators_around_fields_and_quotes_around_half_of_a_statement(
    understanding: Understanding, line: str, plain: str
) -> None:
    assert same(to_json(understanding.understand(line).query), to_json(understanding.understand(plain).query))


@pytest.mark.parametrize("line", ['"rule out" AND appendicitis', '"shortness of breath" cough', '"chest pain" fever'])
def test_other_quotes_stay_phrases(understanding: Understanding, line: str) -> None:
    assert '"phrase"' in json.dumps(to_json(understanding.understand(line).query))


@pytest.mark.parametrize(
    ("asked", "of"),
    [
        ("stroke, excluding women", "sex:female"),
        ("stroke not in women", "sex:female"),
        ("stroke without women over 60", "sex:female age:>60"),
        ("stroke but not in children", "age:<18"),
        ("stroke, no children", "age:<18"),
        ("stroke, exclude age over 80", "age:>80"),
        ("stroke, exclude patients under 18", "age:<18"),
        ("stroke except in patients over 80", "age:>80"),
        ("stroke excluding radiology reports", 'type:"radiology report"'),
    ],
)
def test_what_is_shut_out_is_the_complement_of_what_is_asked(understanding: Understanding, asked: str, of: str) -> None:
    field = to_json(understanding.understand(of).query)
    assert same(to_json(understanding.understand(asked).query), both(STROKE, {"not": field}))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("stroke not in men or children", "stroke NOT sex:male NOT age:<18"),
        ("stroke, excluding patients under 18 or pregnant", "stroke NOT age:<18, without pregnancy"),
        ("stroke not in 2019 or 2020", "stroke (before:2019 OR after:2020) (before:2020 OR after:2021)"),
        ("stroke not in the last year", "stroke before 2025-11-22"),
        ("stroke not over age 60", "stroke at age 60 or younger"),
        ("stroke with preceding fever", "stroke preceded by fever"),
        ("stroke without preceding fever", "stroke never preceded by fever"),
        ("no fever in women", "sex:female, no fever"),
        ("women without fever", "sex:female, without fever"),
    ],
)
def test_what_an_exclusion_reaches(understanding: Understanding, line: str, plain: str) -> None:
    assert same(to_json(understanding.understand(line).query), to_json(understanding.understand(plain).query))


@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        ("stroke in 2019 without stroke in 2020", "stroke DURING 2019 TO 2019", "NOT (stroke DURING 2020 TO 2020)"),
        ("stroke in 2019 but not in 2020", "stroke DURING 2019 TO 2019", "NOT (stroke DURING 2020 TO 2020)"),
        (
            "afib in 2019, no stroke since 2020",
            "afib DURING 2019 TO 2019",
            '(finding:"stroke" absent) DURING 2020 TO *',
        ),
        ("MI 2010, CABG 2012", "mi DURING 2010 TO 2010", "cabg DURING 2012 TO 2012"),
    ],
)
def test_each_name_has_its_own_time(understanding: Understanding, line: str, first: str, second: str) -> None:
    parts = [to_json(understanding.understand(one).query) for one in (first, second)]
    assert same(to_json(understanding.understand(line).query), both(*parts))


def test_the_second_time_is_that_of_what_followed(understanding: Understanding) -> None:
    found = understanding.understand("stroke in 2019 followed by pneumonia in 2020")
    meant = understanding.understand("(stroke DURING 2019 TO 2019) BEFORE (pneumonia DURING 2020 TO 2020)")
    assert same(to_json(found.query), to_json(meant.query))


def test_a_year_as_the_last_day_counts_to_its_end(understanding: Understanding) -> None:
    found = to_json(understanding.understand("stroke DURING 2021 TO 2022").query)
    assert found == {"during": STROKE, "after": "2021-01-01", "before": "2023-01-01"}


@pytest.mark.parametrize("line", ["fever (after:2021) (before:2020)", "fever in 2019 AND cough in 2021 after:2022"])
def test_days_that_leave_none_are_told_across_brackets(understanding: Understanding, line: str) -> None:
    with pytest.raises(QueryError, match="leave no day"):
        understanding.understand(line)


def test_preceding_before_a_name_relates_no_two(understanding: Understanding) -> None:
    found = to_json(understanding.understand("stroke, no preceding fever").query)
    assert same(found, both(STROKE, words("preceding"), has("fever", "absent")))
