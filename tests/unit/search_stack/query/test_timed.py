"""Nodes of time, people and facts: as JSON, as a line, in words."""

from __future__ import annotations

import pytest

from search_stack.query.fact import fact_of, fact_text
from search_stack.query.fields import age_range, checked_value
from search_stack.query.nodes import (
    AllOf,
    AtAge,
    AtLeast,
    During,
    Fact,
    FieldIs,
    Finding,
    Near,
    Node,
    Not,
    Phrase,
    Pick,
    Timed,
    Together,
)
from search_stack.query.people import people_of
from search_stack.query.timed import MOST_DAYS, near_words, timed_words, together
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write

FEVER, COUGH, RASH = Finding("fever"), Finding("cough"), Finding("rash")
F, C, R = ({"finding": name, "assertion": "present"} for name in ("fever", "cough", "rash"))
TYPED = {"fever": "finding:fever present", "cough": "finding:cough present", "rash": "finding:rash present"}


def said(node: Node) -> str:
    assert isinstance(node, Finding)
    return node.name


@pytest.mark.parametrize(
    ("node", "data", "line"),
    [
        (AtLeast(2, "notes", FEVER), {"at_least": 2, "unit": "notes", "of": F}, "AT LEAST 2 NOTES OF {fever}"),
        (AtLeast(1, "days", FEVER), {"at_least": 1, "unit": "days", "of": F}, "AT LEAST 1 DAYS OF {fever}"),
        (Pick("first", FEVER), {"first": F}, "FIRST {fever}"),
        (Pick("last", FEVER), {"last": F}, "LAST {fever}"),
        (
            During("2019-01-01", "2020-01-01", FEVER),
            {"during": F, "after": "2019-01-01", "before": "2020-01-01"},
            "{fever} DURING 2019-01-01 TO 2019-12-31",
        ),
        (During("2019-03-02", "", FEVER), {"during": F, "after": "2019-03-02"}, "{fever} DURING 2019-03-02 TO *"),
        (During("", "2020-03-01", FEVER), {"during": F, "before": "2020-03-01"}, "{fever} DURING * TO 2020-02-29"),
        (AtAge(40, 50, FEVER), {"at_age": F, "least": 40, "most": 50}, "{fever} AT AGE 40 TO 50"),
        (AtAge(0, 0, FEVER), {"at_age": F, "least": 0, "most": 0}, "{fever} AT AGE 0 TO 0"),
        (AtAge(60, None, FEVER), {"at_age": F, "least": 60}, "{fever} AT AGE 60 TO *"),
        (AtAge(None, 49, FEVER), {"at_age": F, "most": 49}, "{fever} AT AGE * TO 49"),
        (Near(0, 30, FEVER, COUGH), {"near": F, "to": C, "least": 0, "most": 30}, "{fever} 0 TO 30 DAYS AFTER {cough}"),
        (Near(0, 0, FEVER, COUGH), {"near": F, "to": C, "least": 0, "most": 0}, "{fever} 0 TO 0 DAYS AFTER {cough}"),
        (
            Near(-7, -2, FEVER, COUGH),
            {"near": F, "to": C, "least": -7, "most": -2},
            "{fever} -7 TO -2 DAYS AFTER {cough}",
        ),
        (Near(1, None, FEVER, COUGH), {"near": F, "to": C, "least": 1}, "{fever} AFTER {cough}"),
        (Near(None, -1, FEVER, COUGH), {"near": F, "to": C, "most": -1}, "{fever} BEFORE {cough}"),
        (Near(0, None, FEVER, COUGH), {"near": F, "to": C, "least": 0}, "{fever} 0 TO * DAYS AFTER {cough}"),
        (Near(None, 0, FEVER, COUGH), {"near": F, "to": C, "most": 0}, "{fever} * TO 0 DAYS AFTER {cough}"),
        (Near(None, None, FEVER, COUGH), {"near": F, "to": C}, "{fever} * TO * DAYS AFTER {cough}"),
        (
            Near(-MOST_DAYS, MOST_DAYS, FEVER, COUGH),
            {"near": F, "to": C, "least": -MOST_DAYS, "most": MOST_DAYS},
            "{fever} -100000 TO 100000 DAYS AFTER {cough}",
        ),
        *(
            (
                Together(by, (FEVER, COUGH, RASH)),
                {"together": [F, C, R], "by": by},
                f"SAME {by.upper()} ({{fever}} {{cough}} {{rash}})",
            )
            for by in ("note", "encounter", "day", "year")
        ),
        (
            Pick("first", Near(1, None, FEVER, COUGH)),
            {"first": {"near": F, "to": C, "least": 1}},
            "FIRST ({fever} AFTER {cough})",
        ),
        (
            Near(1, None, Pick("first", FEVER), AtLeast(2, "notes", COUGH)),
            {"near": {"first": F}, "to": {"at_least": 2, "unit": "notes", "of": C}, "least": 1},
            "(FIRST {fever}) AFTER (AT LEAST 2 NOTES OF {cough})",
        ),
        (
            Not(Near(1, None, FEVER, COUGH)),
            {"not": {"near": F, "to": C, "least": 1}},
            "-({fever} AFTER {cough})",
        ),
        (Fact("icd10", "I48"), {"fact": "icd10:I48"}, 'fact:"icd10:I48"'),
        (
            Fact("loinc", "718-7", "<", 8.0),
            {"fact": "loinc:718-7", "compare": "<", "value": 8.0},
            'fact:"loinc:718-7<8"',
        ),
        (
            Fact("loinc", "718-7", ">=", -1.5),
            {"fact": "loinc:718-7", "compare": ">=", "value": -1.5},
            'fact:"loinc:718-7>=-1.5"',
        ),
        (
            Fact("loinc", "718-7", "<", 8.0, "g/dL"),
            {"fact": "loinc:718-7", "compare": "<", "value": 8.0, "unit": "g/dL"},
            'fact:"loinc:718-7<8g/dL"',
        ),
        (
            Fact("loinc", "777-3", "<", 100.0, "10*9/L"),
            {"fact": "loinc:777-3", "compare": "<", "value": 100.0, "unit": "10*9/L"},
            'fact:"loinc:777-3<100 10*9/L"',
        ),
        (FieldIs("sex", "female"), {"field": "sex", "value": "female"}, "sex:female"),
        (FieldIs("cohort", "copd"), {"field": "cohort", "value": "copd"}, "cohort:copd"),
        (FieldIs("cohort", "copd@2"), {"field": "cohort", "value": "copd@2"}, 'cohort:"copd@2"'),
        (FieldIs("age", "60-70"), {"field": "age", "value": "60-70"}, "age:60-70"),
        (FieldIs("age", ">60"), {"field": "age", "value": ">60"}, 'age:">60"'),
    ],
)
def test_every_face_reads_back(understanding: Understanding, node: Node, data: dict[str, object], line: str) -> None:
    line = line.format(**TYPED)
    assert to_json(node) == data
    assert from_json(data) == node
    assert write(node) == line
    assert understanding.understand(line).query == node
    assert readable(node)


@pytest.mark.parametrize(
    ("data", "node"),
    [
        ({"at_least": 2, "of": F}, AtLeast(2, "notes", FEVER)),
        ({"together": [F, C]}, Together("note", (FEVER, COUGH))),
        ({"together": [F], "by": "day"}, FEVER),
        ({"together": [F, F]}, FEVER),
        ({"together": [{"all": [F, C]}, R]}, Together("note", (FEVER, COUGH, RASH))),
        ({"during": F}, FEVER),
        ({"during": F, "after": "2019", "before": None}, During("2019-01-01", "", FEVER)),
        ({"at_age": F, "least": None, "most": 9}, AtAge(None, 9, FEVER)),
        ({"fact": "ICD10:I48"}, Fact("icd10", "I48")),
        ({"fact": "loinc:718-7<8"}, Fact("loinc", "718-7", "<", 8.0)),
        ({"fact": "loinc:718-7", "compare": "=", "value": 0}, Fact("loinc", "718-7", "=", 0.0)),
        ({"field": "sex", "value": "F"}, FieldIs("sex", "female")),
        ({"field": "age", "value": "≥ 60"}, FieldIs("age", ">=60")),
        ({"field": "age", "value": "60+"}, FieldIs("age", ">=60")),
    ],
)
def test_json_that_a_person_wrote_is_put_in_normal_form(data: dict[str, object], node: Node) -> None:
    assert from_json(data) == node
    assert from_json(to_json(node)) == node


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"at_least": 0, "of": F}, "query.at_least: a number from 1 on is expected."),
        ({"at_least": None, "of": F}, "query.at_least: a number from 1 on is expected."),
        ({"at_least": "2", "of": F}, "query.at_least: a whole number is expected."),
        ({"at_least": True, "of": F}, "query.at_least: a whole number is expected."),
        ({"at_least": 2, "unit": "weeks", "of": F}, "query.unit: it is no unit."),
        ({"at_least": 2}, "query.of: an object is expected."),
        ({"at_least": 2, "of": F, "to": C}, "query: to is not known."),
        ({"first": []}, "query.first: an object is expected."),
        ({"first": {"field": "sex", "value": "female"}}, "query.first: fields alone have no place in time."),
        ({"last": F, "first": C}, "query: last is not known."),
        ({"during": F, "after": "soon"}, "query.after: soon is not a date."),
        ({"during": F, "before": "2019-13"}, "query.before: 2019-13 is not a date."),
        ({"during": F, "after": "2020", "before": "2019"}, "Since 2020-01-01 and before 2019-01-01 leave no day."),
        ({"during": F, "after": "2020", "before": "2020"}, "Since 2020-01-01 and before 2020-01-01 leave no day."),
        ({"at_age": F, "least": 1.5}, "query.least: a whole number is expected."),
        ({"at_age": F, "least": 60, "most": 50}, "query: least is above most."),
        ({"at_age": {"finding": ""}}, "query.at_age.finding: a text is expected."),
        ({"near": F, "to": C, "most": 100_001}, "query.most: a whole number is expected."),
        ({"near": F, "to": C, "least": -100_001}, "query.least: a whole number is expected."),
        ({"near": F, "to": C, "least": 0, "most": -1}, "query: least is above most."),
        ({"near": F}, "query.to: an object is expected."),
        ({"near": F, "to": {"field": "age", "value": "60"}}, "query.to: fields alone have no place in time."),
        ({"together": F}, "query.together: a list of nodes is expected."),
        ({"together": []}, "query.together: a list of nodes is expected."),
        ({"together": [F, C], "by": "month"}, "query.by: it is no unit."),
        ({"together": [F, {"first": {}}]}, "query.together[1].first: it says nothing."),
        ({"all": [F, {"near": C, "to": {"not": 3}}]}, "query.all[1].to.not: an object is expected."),
        ({"fact": "I48"}, "query.fact: I48 names no system and code."),
        ({"fact": "icd10:I48", "compare": "~"}, "query.compare: it is no comparison."),
        ({"fact": "loinc:1", "compare": "<", "value": "8"}, "query.value: a number is expected."),
        ({"fact": "loinc:1", "compare": "<", "value": float("inf")}, "query.value: a number is expected."),
        ({"fact": "loinc:1", "unit": "g/dL"}, "query.fact: g/dL is no unit of a compared value."),
        ({"fact": "loinc:1<2", "unit": 3}, "query.unit: a text is expected."),
        (
            {"fact": "loinc:1", "compare": "<", "value": 2, "unit": "g dL"},
            "query.fact: g dL is no unit of a compared value.",
        ),
        ({"field": "age", "value": "old"}, "query.value: old is no age."),
        ({"field": "cohort", "value": "a b"}, "query.value: a b names no cohort."),
        ({"field": "age", "value": "60-50"}, "query.value: 60-50 holds no age."),
    ],
)
def test_what_is_no_node_is_told_where(data: object, says: str) -> None:
    with pytest.raises(QueryError) as told:
        from_json(data)
    assert told.value.message == says
    assert told.value.remedy


def test_together_is_over_what_an_all_holds() -> None:
    assert together("day", [AllOf((FEVER, COUGH)), RASH]) == Together("day", (FEVER, COUGH, RASH))
    assert together("day", [FEVER]) == FEVER
    letter = FieldIs("type", "letter")
    assert together("day", [FEVER, letter, COUGH]) == AllOf((letter, Together("day", (FEVER, COUGH))))
    assert together("day", [FEVER, letter]) == AllOf((letter, FEVER))


def test_an_exclusion_inside_a_relation_reads_back(understanding: Understanding) -> None:
    node = AtLeast(2, "notes", Not(FEVER))
    assert from_json(to_json(node)) == node
    assert understanding.understand(write(node)).query == node


@pytest.mark.parametrize(
    "node",
    [
        Pick("first", Phrase("CT 2")),
        AtAge(None, None, Phrase("0")),
    ],
)
def test_an_operator_beside_a_phrase_without_small_letters_reads_back(understanding: Understanding, node: Node) -> None:
    assert understanding.understand(write(node)).query == node


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (None, None, "at any time beside"),
        (1, None, "after"),
        (0, None, "on the day of or after"),
        (2, None, "at least 2 days after"),
        (-5, None, "not more than 5 days before"),
        (None, -1, "before"),
        (None, 0, "on the day of or before"),
        (None, -5, "at least 5 days before"),
        (None, 5, "not more than 5 days after"),
        (0, 0, "on the day of"),
        (3, 3, "exactly 3 days after"),
        (-3, -3, "exactly 3 days before"),
        (0, 30, "within 30 days after"),
        (-30, 0, "within 30 days before"),
        (-7, 7, "within 7 days of"),
        (2, 14, "2 to 14 days after"),
        (-14, -2, "2 to 14 days before"),
        (-7, 30, "from 7 days before to 30 days after"),
    ],
)
def test_a_relation_is_said(least: int | None, most: int | None, words: str) -> None:
    node = Near(least, most, FEVER, COUGH)
    assert near_words(node) == words
    assert timed_words(node, said) == f"fever {words} cough"


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (AtLeast(2, "notes", FEVER), "fever in at least 2 notes"),
        (AtLeast(3, "days", FEVER), "fever on at least 3 days"),
        (Pick("first", FEVER), "the first fever"),
        (Pick("last", FEVER), "the last fever"),
        (During("2019-01-01", "", FEVER), "fever since 2019-01-01"),
        (During("", "2020-01-01", FEVER), "fever before 2020-01-01"),
        (During("2019-01-01", "2020-01-01", FEVER), "fever since 2019-01-01 before 2020-01-01"),
        (AtAge(40, 50, FEVER), "fever at age 40 to 50"),
        (AtAge(60, None, FEVER), "fever at age 60 or older"),
        (AtAge(0, None, FEVER), "fever at age 0 or older"),
        (AtAge(None, 49, FEVER), "fever at age 49 or younger"),
        (Together("note", (FEVER, COUGH)), "fever and cough in the same note"),
        (Together("year", (FEVER, COUGH, RASH)), "fever and cough and rash in the same year"),
    ],
)
def test_a_criterion_in_time_is_said(node: Timed, words: str) -> None:
    assert timed_words(node, said) == words


def test_brackets_are_said_with_their_relation() -> None:
    tree = AllOf((RASH, Not(Near(0, 30, FEVER, Pick("first", COUGH)))))
    assert readable(tree) == "rash and not (fever within 30 days after (the first cough))"


@pytest.mark.parametrize(
    ("typed", "held", "least", "most"),
    [
        (">60", ">60", 61, None),
        (">=60", ">=60", 60, None),
        ("60+", ">=60", 60, None),
        ("≥ 60", ">=60", 60, None),
        ("<18", "<18", None, 17),
        ("<=18", "<=18", None, 18),
        ("≤18", "<=18", None, 18),
        ("60-70", "60-70", 60, 70),
        ("60 – 70", "60-70", 60, 70),
        ("60-60", "60-60", 60, 60),
        ("62", "62", 62, 62),
        ("0", "0", 0, 0),
    ],
)
def test_an_age_is_a_range_with_both_ends(typed: str, held: str, least: int | None, most: int | None) -> None:
    assert checked_value("age", typed) == held
    assert age_range(held) == (least, most)


@pytest.mark.parametrize("typed", ["", "old", "-5", "1000", "60-50", ">60-70", ">60+", "6.5", "60-"])
def test_what_is_no_age_is_told(typed: str) -> None:
    with pytest.raises(ValueError, match=r"(is no|holds no) age\."):
        checked_value("age", typed)


@pytest.mark.parametrize(
    ("typed", "held"),
    [("F", "female"), (" Woman", "female"), ("FEMALE", "female"), ("m", "male"), ("man", "male"), ("Other", "other")],
)
def test_sex_is_held_in_one_way(typed: str, held: str) -> None:
    assert checked_value("sex", typed) == held


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("icd10:I48", Fact("icd10", "I48")),
        (" ICD10:I48.0 ", Fact("icd10", "I48.0")),
        ("loinc:718-7<8", Fact("loinc", "718-7", "<", 8.0)),
        ("loinc:718-7 < 8", Fact("loinc", "718-7", "<", 8.0)),
        ("loinc:718-7<=-1.5", Fact("loinc", "718-7", "<=", -1.5)),
        ("loinc:718-7=0", Fact("loinc", "718-7", "=", 0.0)),
        ("loinc:718-7 ≥ 8 g/dL", Fact("loinc", "718-7", ">=", 8.0, "g/dL")),
        ("loinc:718-7<8.5%", Fact("loinc", "718-7", "<", 8.5, "%")),
        ("loinc:777-3<100 10*9/L", Fact("loinc", "777-3", "<", 100.0, "10*9/L")),
        ("snomed-ct:38341003", Fact("snomed-ct", "38341003")),
    ],
)
def test_a_fact_is_a_system_a_code_and_maybe_a_comparison(text: str, fact: Fact) -> None:
    assert fact_of(text) == fact
    assert fact_of(fact_text(fact)) == fact


@pytest.mark.parametrize(
    "text", ["I48", "icd10:", ":I48", "icd10:I48<", "loinc:1<8<9", "10:I48", "loinc:1<many", "loinc:1<8,5", ""]
)
def test_what_is_no_fact_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="names no system and code"):
        fact_of(text)


@pytest.mark.parametrize("value", [1e20, 0.00001])
def test_a_very_large_or_small_value_reads_back(value: float) -> None:
    fact = Fact("loinc", "718-7", "<", value)
    assert fact_of(fact_text(fact)) == fact


@pytest.mark.parametrize(
    ("text", "sex", "age", "whole"),
    [
        ("women over 60", "female", ">60", True),
        ("men under 50", "male", "<50", True),
        ("ladies aged 30-40", "female", "30-40", True),
        ("gentlemen", "male", "", True),
        ("female patients", "female", "", True),
        ("boys under 12", "male", "<12", True),
        ("62F", "female", "62", True),
        ("62 m", "male", "62", True),
        ("62 year old woman", "female", "62", True),
        ("men older than 60", "male", ">60", True),
        ("over 60", "", ">60", True),
        ("aged 40 to 60", "", "40-60", True),
        ("at least 60", "", ">=60", True),
        ("60 or older", "", ">=60", True),
        ("aged 60 and over", "", ">=60", True),
        ("60 or younger", "", "<=60", True),
        ("up to 60", "", "<=60", True),
        ("age 60", "", "60", True),
        ("children", "", "<18", True),
        ("adults", "", ">=18", True),
        ("adults over 40", "", ">40", True),
        ("elderly men", "male", ">=65", False),
        ("older women", "female", "", False),
        ("middle-aged men", "male", "45-64", False),
        ("infants", "", "<2", False),
        ("teenagers", "", "13-19", False),
        ("3 months", "", "", False),
        ("men and women", "", "", False),
        ("60-40", "", "", False),
        ("patients", "", "", False),
        ("", "", "", False),
    ],
)
def test_people_in_words(text: str, sex: str, age: str, whole: bool) -> None:
    fields, all_of_it = people_of(text)
    assert {f.field: f.value for f in fields} == {k: v for k, v in (("sex", sex), ("age", age)) if v}
    assert all_of_it is whole


@pytest.mark.parametrize(("text", "sex"), [("a 62yo M", "male"), ("62 yo F", "female"), ("62y/o f", "female")])
def test_sex_behind_a_short_age(text: str, sex: str) -> None:
    assert FieldIs("sex", sex) in people_of(text)[0]
